// SPDX-License-Identifier: GPL-3.0-or-later

package import AudioCore
package import Flux
package import LibraryScanning
package import MusicModel
import Platform
package import PlayerFlow
import Synchronization
package import SystemPackage
import Tagging
import TimeStretching

/// The player of this process or, if none is running, the stored queue.
package final class LocalPlayer: PlayerPort {
  /// What the player consists of, and where it finds music. The closures are called on any thread.
  package struct Parts: Sendable {
    package var queue: QueueListener
    package var playback: PlaybackStore
    package var actions: PlayerActionCreator
    package var access: LibraryAccess
    /// The library in which music is looked up, unless a request names another one.
    package var library: LibraryRequest
    /// The directory of saved playlists; `nil` for the one in the library.
    package var playlists: FilePath?
    /// The directory in which the queue is stored.
    package var stateDirectory: FilePath
    /// The output; `nil` if the player is not running.
    package var output: OutputControl?
    /// The options with which the player was started; `nil` if it is not running.
    package var options: [PlaybackOptions.Fixed]?
    /// The stored queues of the user; `nil` if the queue of this player is not stored.
    package var queues: (any QueueCollection)?
    /// The directory of the profiles of the equaliser.
    package var equalisers: FilePath
    /// Stores where long tracks were left; `nil` if none resume there.
    package var positions: PositionRecorder?
    /// The modes of new queues.
    package var newModes = QueueModes()
    /// Blocks until all dispatched changes are stored. Returns the error if that failed.
    package var flush: @Sendable () -> PlayerError? = { nil }
    /// Blocks until all dispatched changes are stored. Returns what is wrong, in one line, if that failed.
    package var storageProblem: @Sendable () -> String? = { nil }
    /// Makes transforms that analyse what is audible; returns `nil` if the library for them is missing.
    package var makeTransform: SpectrumTransformFactory = { _ in nil }
    /// Receives what was noted of tracks; `nil` if nobody wants to know. May block.
    package var didMark: (@Sendable ([Track], TrackMark) -> Void)?
    /// Ends the player, but returns before it has.
    package var quit: @Sendable () -> Void = {}

    package init(
      queue: QueueListener, playback: PlaybackStore, actions: PlayerActionCreator, access: LibraryAccess,
      library: LibraryRequest, stateDirectory: FilePath
    ) {
      self.queue = queue
      self.playback = playback
      self.actions = actions
      self.access = access
      self.library = library
      self.stateDirectory = stateDirectory
      equalisers = stateDirectory.appending("equalizer")
    }
  }

  /// A library that is open in this process.
  package struct OpenLibrary: Sendable {
    let index: any BrowsableLibrary
    let store: LibraryStore
    let actions: LibraryActionCreator

    package init(_ index: any BrowsableLibrary, _ store: LibraryStore, _ actions: LibraryActionCreator) {
      self.index = index
      self.store = store
      self.actions = actions
    }
  }

  /// The maximum number of rows that are returned at once.
  private static let pageLimit = 100_000

  let parts: Parts
  let playlistChanges = ChangeCounter()
  private let open = Mutex<OpenLibrary?>(nil)
  let otherLibrary = OtherLibrary()
  private let lists = Mutex(KnownLists(version: 0))
  let filteredQueue = FilteredQueue()
  let journal = ChangeJournal()
  /// Changes are undone and redone one after the other.
  let historyLock = Mutex(())
  /// Requests that change saved playlists are performed one after the other.
  let playlistLock = Mutex(())
  /// Requests about the equaliser are performed one after the other.
  let equaliserLock = Mutex(())
  let publisher: SnapshotPublisher
  private let sound: SoundPublisher

  /// Creates the port to a player that consists of these parts.
  package init(_ parts: Parts) {
    self.parts = parts
    publisher = SnapshotPublisher(parts, playlists: playlistChanges, otherScans: otherLibrary.scans)
    sound = SoundPublisher(parts.playback, makeTransform: parts.makeTransform)
  }

  /// The library of the player, if it is open in this process.
  var openLibrary: OpenLibrary? { open.withLock(\.self) }

  /// Uses a library that is open in this process, from now on, if it is the player's.
  package func use(_ library: OpenLibrary, of request: LibraryRequest) {
    guard request == parts.library, openLibrary?.store !== library.store else { return }
    open.withLock { $0 = library }
    publisher.use(library.store)
  }

  /// Returns what is known of the lists of the library that `choice` means.
  func knownLists(_ choice: LibraryChoice?) -> KnownLists {
    guard let open = openLibrary, library(choice) == parts.library else { return KnownLists(version: 0) }
    let version = open.store.state.version
    return lists.withLock { lists in
      if lists.version != version { lists = KnownLists(version: version) }
      return lists
    }
  }

  /// Passes each event of the player to `receive`, which must return quickly.
  package func forwardEvents(to receive: @escaping @Sendable (PlayerEvent) -> Void) {
    publisher.forwardEvents(to: receive)
  }

  /// Reports a problem to all faces.
  package func report(_ problem: String) { publisher.report(problem) }

  /// Whether a player is running, and not only a queue stored.
  var isRunning: Bool { parts.options != nil }

  package var snapshot: PlayerSnapshot { publisher.snapshot }

  package func observe(everyPosition: Bool, _ onChange: @escaping @Sendable () -> Void) -> Subscription {
    publisher.observe(everyPosition: everyPosition, onChange)
  }

  package func observeSound(bands: Int, _ receive: @escaping @Sendable (SoundFrame) -> Void) -> Subscription {
    sound.observe(bands: bands, receive)
  }

  package func queue(_ range: Range<Int>) throws(PlayerError) -> QueueRows {
    let (queue, state) = (parts.queue.queue, parts.playback.state)
    let start = min(max(0, range.lowerBound), queue.items.count)
    let end = min(max(start, range.upperBound), queue.items.count, start + Self.pageLimit)
    var rows = QueueRows(start..<end, of: queue) { $0.track.described(by: state.sourceText(of: $0)) }
    rows.summary.secondsLeft = rows.summary.secondsLeft.map { $0 / state.speed.factor }
    rows.warning = parts.storageProblem()
    rows.directory = queueDirectory
    return rows
  }

  /// The directory of the queue, as listings name it.
  private var queueDirectory: PathText { PathText(absolute: parts.stateDirectory) }

  package func send(_ request: PlayerRequest) throws(PlayerError) -> PlayerReply {
    if case .unstored(let request) = request { return try perform(request) }
    var reply = try perform(request)
    if request.isEdit {
      if let error = parts.flush() { throw error }
    } else if let problem = parts.storageProblem() {
      reply.warnings.append(problem)
    }
    return reply
  }

  private func perform(_ request: PlayerRequest) throws(PlayerError) -> PlayerReply {
    switch request {
    case .transport(let request): return try perform(request)
    case .resume(let options):
      try check(options)
      if parts.queue.queue.items.isEmpty { throw .emptyQueue }
      apply(options)
      resume()
      parts.actions.awaitDelivery()
      return done()
    case .settings(let change):
      if let change { try perform(change) }
      return PlayerReply(.settings(PlayerSettings(parts.playback.state, parts.queue.queue)))
    case .play(let music, let options): return try play(music, options)
    case .playItem(let items, let options): return try play(items, options)
    case .add(let music, let point): return try add(music, at: point)
    case .edit(let edit): return try perform(edit)
    case .history:
      let history = history
      return PlayerReply(.history(undoable: history.undoable, redoable: history.redoable))
    case .queues(let request): return try perform(request)
    case .equaliser(let request): return try perform(request)
    case .playlist(let request): return try perform(request)
    case .rate(let tracks, let mark, let library): return PlayerReply(.rated(try rate(tracks, mark, library)))
    case .sticker(let track, let name, let change):
      try self.change(name, of: track, change)
      return PlayerReply()
    case .scan(let library):
      try scan(library)
      return PlayerReply()
    case .dismissError:
      parts.actions.dismissError()
      parts.actions.awaitDelivery()
      return PlayerReply()
    case .status: return PlayerReply(.status(publisher.status))
    case .checkQueue(let directory):
      try parts.check(stateDirectory: directory.path)
      return PlayerReply()
    case .seeing(let listed, let request):
      var (reply, left) = try SeenListing.use(listed, ofQueueIn: queueDirectory) { () throws(PlayerError) in
        try perform(request)
      }
      reply.listed = left
      return reply
    case .unstored(let request): return try perform(request)
    case .store:
      if let error = parts.flush() { throw error }
      return PlayerReply()
    case .quit:
      parts.quit()
      return PlayerReply()
    }
  }

  // MARK: Settings

  private func perform(_ change: SettingChange) throws(PlayerError) {
    let (actions, state) = (parts.actions, parts.playback.state)
    switch change {
    case .volume(let percent): actions.setVolume(Volume(percent: percent))
    case .volumeStep(let percent): actions.changeVolume(by: percent)
    case .speed(let factor):
      guard let speed = PlaybackSpeed(factor) else {
        throw PlayerError(.usage, "invalid speed \(factor): use 0.5 to 3")
      }
      if speed != .normal { try checkThatSpeedCanChange() }
      actions.setSpeed(speed)
    case .speedStep(let difference):
      if state.speed.changed(by: difference) != .normal { try checkThatSpeedCanChange() }
      actions.changeSpeed(by: difference)
    case .replayGain(let mode):
      var settings = state.replayGain
      settings.mode = mode
      actions.setReplayGain(settings)
    case .crossfade(let seconds, let withinAlbums):
      actions.setCrossfade(state.crossfade.changed(seconds, withinAlbums: withinAlbums))
    case .crossfadeOnNext(let seconds): actions.setCrossfade(state.crossfade.changed(onNext: seconds))
    case .mixRampDecibels(let decibels):
      actions.setMixRamp(MixRampSettings(decibels: decibels, delay: state.mixRamp.delay))
    case .mixRampDelay(let seconds):
      actions.setMixRamp(MixRampSettings(decibels: state.mixRamp.decibels, delay: seconds))
    case .sleep(nil): actions.sleep(nil)
    case .sleep(let request?):
      try checkThatSomethingPlays()
      actions.sleep(SleepTimer(request))
    case .mode(let change): change.apply(to: actions)
    case .options(let options):
      try check(options)
      apply(options)
    case .nextMode(let name):
      let all = name == .consume ? ["off", "on"] : name.values
      let number = (all.firstIndex(of: name.value(in: PlayerStatus.Modes(parts.queue.queue.modes))) ?? 0) + 1
      try ModeChange(name, all[number % all.count]).apply(to: actions)
    case .useOutput(let name): try useOutput(name)
    case .preferOutputs(let entries): try preferOutputs(entries)
    case .enableOutput(let isOn): actions.enableOutput(isOn)
    case .toggleOutput: actions.enableOutput(!state.isOutputEnabled)
    case .enableTap(let isOn): actions.enableTap(isOn)
    }
    actions.awaitDelivery()
  }

  private func checkThatSpeedCanChange() throws(PlayerError) {
    guard TimeStretcher.isAvailable else {
      throw PlayerError(
        .failure, "cannot change the speed: Rubber Band is not installed (the package librubberband2 of Debian)")
    }
  }

  /// Throws an error if an option that is fixed at start-up differs from that of the running player.
  func check(_ options: PlaybackOptions) throws(PlayerError) {
    let output = PlaybackOptions.Fixed(name: "--output", value: parts.playback.state.output?.name ?? "")
    let chosen = parts.output?.name().map { PlaybackOptions.Fixed(name: "--output", value: $0) }
    let current = [chosen].compactMap(\.self) + (parts.options ?? []) + [output] + PlaybackOptions.defaults
    for option in options.fixed where option.value != current.first(where: { $0.name == option.name })?.value {
      let change = option.name == "--output" ? "change it with `segue outputs use \(option.value)`, or " : ""
      throw PlayerError(.usage, "\(option.name) can only be set when a player starts: \(change)\(options.fixedAdvice)")
    }
  }

  /// Applies the options that can be changed during playback. Those that are not given change nothing.
  package func apply(_ options: PlaybackOptions) {
    let (actions, state) = (parts.actions, parts.playback.state)
    if let volume = options.volume { actions.setVolume(Volume(percent: volume)) }
    let replayGain = options.replayGain(state.replayGain)
    if replayGain != state.replayGain { actions.setReplayGain(replayGain) }
    let albums = options.crossfade.map { _ in options.crossfadesAlbums == true }
    let crossfade = state.crossfade.changed(options.crossfade, withinAlbums: albums, onNext: options.crossfadeOnNext)
    if crossfade != state.crossfade { actions.setCrossfade(crossfade) }
    if let sleep = options.sleep { actions.sleep(SleepTimer(sleep)) }
  }
}

extension Duration {
  /// The duration, limited to some 30 years: a request may come from another process.
  var bounded: Duration { max(.seconds(-1_000_000_000), min(self, .seconds(1_000_000_000))) }
}

extension LocalPlayer.Parts {
  /// The listing to which numbers refer.
  var listing: LastListing { LastListing(in: stateDirectory) }

  /// Throws an error unless `directory` is the state directory.
  func check(stateDirectory directory: FilePath) throws(PlayerError) {
    if (try? directory.absolute()) == (try? stateDirectory.absolute()) { return }
    if let identity = try? FileStatus(of: directory).identity,
      identity == (try? FileStatus(of: stateDirectory).identity)
    {
      return
    }
    throw PlayerError(
      .usage,
      "the running player uses the queue in \(stateDirectory.shown); to edit the queue in \(directory.shown), quit the player first"
    )
  }
}

extension PlaybackOptions {
  /// Returns `settings` as these options change them.
  package func replayGain(_ settings: ReplayGainSettings) -> ReplayGainSettings {
    var settings = settings
    settings.mode = replayGain ?? settings.mode
    settings.clipping = clipping ?? settings.clipping
    settings.preamp = preamp ?? settings.preamp
    settings.fallbackGain = fallbackGain ?? settings.fallbackGain
    return settings
  }
}

extension SleepTimer {
  package init(_ request: SleepRequest) {
    let end: End =
      switch request.end {
      case .after(let seconds):
        .at(
          MonotonicInstant.now.advanced(byMilliseconds: Duration.seconds(max(0, min(seconds, 1e9))).wholeMilliseconds))
      case .chapter: .afterChapter
      case .track: .afterTrack
      case .album: .afterAlbum
      case .queue: .afterQueue
      }
    self.init(end, fade: request.fade.map { .seconds(max(0, min($0, 1e9))) } ?? SleepTimer.defaultFade)
  }
}
