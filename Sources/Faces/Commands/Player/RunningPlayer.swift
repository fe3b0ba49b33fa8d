import AudioCore
import MusicModel
import Platform
import PlayerFlow
import RemoteControl
import Screens
import SystemPackage
import Tagging
import UserSettings

/// A player in this process: the controller, and the keeper of its queue.
struct RunningPlayer {
  /// How long the end waits for the output: libao plays what it has buffered, a second at the most.
  private static let shutDownLimit: UInt64 = 2_000
  /// How long another player that ends is waited for, and how often it is looked whether it has, in milliseconds.
  private static let patience: UInt64 = 5_000
  private static let pause: UInt64 = 50

  /// Begins to load the output, which the first sound waits for. Best after the last thread is started.
  let prepareOutput: () -> Void
  private let controller: EnQueueController
  private let sleep: SleepController
  let keeper: QueuePersister
  private let desktop: ShownPlayer
  private let stateDirectory: FilePath
  private let session: Session

  /// The player that `options` ask for, which keeps its state in `stateDirectory`, on the services of `session`.
  ///
  /// - Throws: `PlayerIsElsewhere` where another process has the queue, unless a file is to be rendered; else
  ///   `CommandError` and `Errno`.
  init(
    _ session: Session, _ options: PlayerOptions, stateDirectory: FilePath, isServing: Bool = false
  ) throws {
    ProgramMemory.shareRegions()
    self.session = session
    self.stateDirectory = stateDirectory
    let services = session.services
    // That an option asks for a player of its own, no setting does.
    let wished = options.filled(from: session.settings)
    // A mistake in them touches nothing.
    var request = try wished.request(in: session)
    request.isServing = isServing
    // What is enqueued has to wait for what counts at the beginning.
    keeper = try services.storage.makeKeeper(
      KeeperRequest(
        directory: stateDirectory, takesVolume: options.volume == nil, newModes: session.settings.modes,
        use: .play(output: wished.output)))
    session.keeper = keeper
    session.tellPlace(ofQueue: stateDirectory)
    if case .other = keeper.ownership, !options.rendersFile(services) {
      throw PlayerIsElsewhere(refusal: keeper.refusal(stateDirectory))
    }
    if !isServing, !options.rendersFile(services), keeper.ownership == .own {
      var mark = PlayingMark(in: stateDirectory)
      mark.remove()
    }
    let made = try services.player.make(request)
    controller = made.controller
    sleep = made.sleep
    prepareOutput = made.prepareOutput
    session.outputFile = made.file
    session.playerOptions = wished
    let loader = DesktopLoader(ForwardedRun(session, keeper))
    desktop = services.reach.showOnDesktop(DesktopRequest { loader.load($0, $1) })
    // The kept volume may have come before the controller.
    let volume = services.playback.state.volume
    if volume != .full { services.actions.setVolume(volume) }
    if let warning = keeper.warning(stateDirectory) { session.warnings.append(warning) }
    try wished.apply(to: services.actions, services.playback.state)
  }

  /// The same; another that is about to end, and can no longer be reached at `socket`, is waited for, unless the wait
  /// `isCancelled`.
  init(
    _ session: Session, _ options: PlayerOptions, stateDirectory: FilePath, isServing: Bool = false,
    unlessAt socket: FilePath?, isCancelled: () -> Bool = { false }
  ) throws {
    let deadline = MonotonicInstant.now.advanced(byMilliseconds: Self.patience)
    while true {
      do {
        self = try RunningPlayer(session, options, stateDirectory: stateDirectory, isServing: isServing)
        return
      } catch let elsewhere as PlayerIsElsewhere {
        let isReached = try socket.map { socket throws(CommandError) in try Self.isReached(at: socket) } ?? false
        guard !isReached, !isCancelled(), MonotonicInstant.now < deadline else { throw elsewhere }
      }
      MonotonicInstant.now.advanced(byMilliseconds: Self.pause).sleep()
    }
  }

  /// Whether a player answers at `socket`.
  ///
  /// - Throws: `CommandError` where it was stopped: nobody waits for its end.
  private static func isReached(at socket: FilePath) throws(CommandError) -> Bool {
    do throws(ControlClientError) {
      _ = try ControlClient(socket, patience: .seconds(1))
      return true
    } catch {
      if case .stopped = error { throw Forwarding.error(error, at: socket) }
      return false
    }
  }

  /// Plays what `lookup` finds, and says what of it is left out.
  func play(
    _ lookup: Lookup, onProblems: @escaping @Sendable ([LibraryProblem]) -> Void,
    onFailure: @escaping @Sendable (CommandError) -> Void
  ) {
    let actions = session.services.actions
    let outputFile = session.outputFile
    lookup.whenDone { [keeper] outcome in
      keeper.awaitOpening()
      do throws(CommandError) {
        let found = try outcome.get()
        if !found.problems.isEmpty { onProblems(found.problems) }
        try found.collection.check(isNotWrittenTo: outputFile)
        actions.enqueue(found.collection, item: found.item)
      } catch {
        onFailure(error)
      }
    }
  }

  /// Goes on with the queue that is kept, where it stopped, or with the item at `place`, as soon as it is recalled.
  ///
  /// - Throws: `Errno` where the system grants no thread.
  func resume(at place: ItemRange? = nil, onFailure: @escaping @Sendable (CommandError) -> Void) throws {
    let refusal = keeper.ownership == .own ? nil : keeper.refusal(stateDirectory)
    let actions = session.services.actions
    let queue = session.services.queue
    let outputFile = session.outputFile
    _ = try WorkerThread(name: "segue-recaller") { [keeper] in
      keeper.awaitRecall()
      do throws(CommandError) {
        // What cannot be kept may be read all the same.
        if let refusal, queue.queue.items.isEmpty { throw refusal }
        try queue.queue.check(isNotWrittenTo: outputFile)
        if let place {
          let queue = queue.queue
          actions.play(queue.items.id(at: try place.position(in: queue)))
        } else {
          actions.resume()
        }
      } catch {
        onFailure(error)
      }
    }
  }

  /// Blocks until what was kept is there.
  func awaitRecall() { keeper.awaitRecall() }

  /// Ends playing and stores what is to be kept.
  ///
  /// - Throws: `CommandError` where the output failed in the end, and nobody was told.
  func shutDown() throws(CommandError) {
    let state = session.services.playback.state
    desktop.shutDown()
    let failure = controller.shutDown(within: Self.shutDownLimit)
    keeper.finish(within: Self.shutDownLimit)
    for notice in session.takeWarnings() { session.complain("segue: \(notice)") }
    // That a device is awaited was said when it went.
    guard state.outputLoss == nil, let failure, failure != state.outputError else { return }
    throw CommandError(.noOutput, failure.description)
  }
}

extension PlayQueue {
  /// Sees to it that there is something to play, and that rendering to `output` overwrites none of it.
  func check(isNotWrittenTo output: FilePath?) throws(CommandError) {
    guard !items.isEmpty else { throw .emptyQueue }
    if output != nil {
      try TrackCollection(title: title, tracks: items.map(\.track)).check(isNotWrittenTo: output)
    }
  }
}

extension CommandError {
  /// There is nothing to go on with.
  static var emptyQueue: CommandError {
    CommandError(.nothingPlayable, "the queue is empty: play an album first, as in `segue play ALBUM`")
  }
}

extension TrackCollection {
  /// Sees to it that rendering to `output` overwrites none of the tracks.
  func check(isNotWrittenTo output: FilePath?) throws(CommandError) {
    // What is no file has nothing to be overwritten.
    guard let output, let target = try? FileStatus(of: output), target.kind == .regular else { return }
    for track in tracks where (try? FileStatus(of: track.path))?.identity == target.identity {
      throw CommandError(
        .usage, "\(output) is one of the tracks to be played: choose another file for the output")
    }
  }
}

/// A mark in the state directory that a server is playing: a file that exists while it does, and is left behind where
/// the server is killed.
struct PlayingMark {
  private let file: FilePath
  private var isSet: Bool

  /// The mark in the state directory `directory`.
  init(in directory: FilePath) {
    file = directory.appending("playing")
    isSet = (try? FileStatus(of: file, followingLinks: false)) != nil
  }

  /// Whether the last server was playing when it ended, and no other player has been there since.
  var isLeft: Bool { isSet }

  /// Sets or removes the mark for `state`; where it cannot be written, nothing will be resumed.
  mutating func note(_ state: PlaybackState) {
    let isPlaying = state.phase == .playing
    guard isPlaying != isSet else { return }
    if isPlaying {
      isSet = (try? AtomicFile.write([UInt8](), to: file)) != nil
    } else {
      remove()
    }
  }

  /// Removes the mark.
  mutating func remove() {
    if isSet { try? AtomicFile.remove(file) }
    isSet = false
  }
}
