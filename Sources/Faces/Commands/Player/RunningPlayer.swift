// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Flux
import MusicModel
import Platform
import PlayerFlow
import PlayerPort
import RemoteControl
import Screens
import SystemPackage
import Tagging
import UserSettings

/// A player in this process, with its controllers and the persister of its queue.
struct RunningPlayer {
  /// The maximum time in milliseconds in which the player ends at the user's request, whatever does not respond, except
  /// for a disk to which it writes.
  private static let endLimit: UInt64 = 350
  /// The parts of ``endLimit`` for responses to clients, and for each thread of the library.
  private static let (answeringLimit, libraryLimit): (UInt64, UInt64) = (100, 40)
  /// The part of ``endLimit`` for the output at least.
  private static let fadingLimit: UInt64 = 150
  /// The maximum time in milliseconds until observers have received what has happened, which they do at once unless one
  /// of them hangs.
  private static let deliveryLimit: UInt64 = 1_000
  /// The maximum time in milliseconds to wait for an output that plays what it has buffered, or for a disk.
  private static let completionLimit: UInt64 = 5_000
  /// The maximum time in milliseconds to wait for another player to end.
  private static let timeoutMilliseconds: UInt64 = 5_000
  /// The time in milliseconds between two checks whether another player has ended.
  private static let checkInterval: UInt64 = 50

  /// Starts loading the output, which the first sound requires. Best called after the last thread has been started.
  let prepareOutput: () -> Void
  private let controller: EnQueueController
  private let sleep: SleepController
  private let outputSubscriptions: [Subscription]
  let persister: QueuePersister
  let port: LocalPlayer
  /// `nil` if the output is a file: then each track begins at its beginning.
  let positions: PositionRecorder?
  private let speeds: SpeedRecorder?
  private let measurer: FirstPlayMeasurer?
  /// Removes the player from the session bus of the desktop.
  private let leaveDesktop: () -> Void
  private let stateDirectory: FilePath
  private let session: Session

  /// Creates a player with `options` and the services of `session`. Its state is stored in `stateDirectory`.
  ///
  /// - Throws: `PlayerRunsElsewhereError` if another process owns the queue and the output is not a file; otherwise
  ///   `PlayerError` or `Errno`.
  init(
    _ session: Session, _ options: PlayerOptions, stateDirectory: FilePath, isServing: Bool = false
  ) throws {
    ProgramMemory.shareRegions()
    self.session = session
    self.stateDirectory = stateDirectory
    let services = session.services
    // Whether a separate player is needed depends only on the options, not on the settings.
    var filledOptions = options.filled(from: session.settings)
    let preferredOutputs = options.output == nil ? session.settings.preferredOutputs : []
    if !preferredOutputs.isEmpty { filledOptions.output = nil }
    // Only the option is a mistake then; the setting is for outputs that play.
    if options.tap == nil, options.rendersFile(services) { filledOptions.tap = nil }
    // If the options are invalid, nothing must be changed.
    var request = try filledOptions.request(in: session)
    let changes = try PlaybackOptions(filledOptions)
    request.isServing = isServing
    request.preferredOutputs = preferredOutputs
    // Tracks must not be enqueued before the stored state is restored.
    persister = try services.storage.makePersister(
      PersisterRequest(
        directory: stateDirectory, dataDirectory: request.dataDirectory, restoresVolume: options.volume == nil,
        newModes: session.settings.modes,
        use: .play(output: filledOptions.output)))
    session.persister = persister
    session.printLocation(ofQueue: stateDirectory)
    if case .other = persister.ownership, !options.rendersFile(services) {
      throw PlayerRunsElsewhereError(refusal: persister.refusal(stateDirectory))
    }
    if !isServing, !options.rendersFile(services), persister.ownership == .own {
      var marker = PlaybackMarker(in: stateDirectory)
      marker.remove()
    }
    let isFile = options.rendersFile(services)
    let positions = isFile || persister.ownership != .own ? nil : PositionRecorder(session.settings)
    self.positions = positions
    request.resuming = positions?.rule
    request.position = { track in positions?.start(of: track) ?? .zero }
    let created = try services.player.make(request)
    controller = created.controller
    sleep = created.sleep
    outputSubscriptions = created.outputSubscriptions
    prepareOutput = created.prepareOutput
    session.outputFile = created.output.file()
    var parts = session.playerParts(services.queue, services.playback, services.actions)
    parts.options = filledOptions.fixed
    parts.output = created.output
    if persister.ownership == .own { parts.queues = persister.queues }
    parts.flush = { [persister] in persister.ownership == .own ? persister.flush()?.ofEdit : nil }
    parts.storageProblem = { [persister] in persister.ownership == .own ? persister.flush()?.description : nil }
    parts.quit = { [request = services.endRequest] in request.make() }
    parts.positions = positions
    let port = LocalPlayer(parts)
    self.port = port
    try positions?.observe(port)
    speeds = session.settings.flag(.rememberSpeed) == true ? positions.map { SpeedRecorder($0) } : nil
    try speeds?.observe(port)
    measurer = isFile ? nil : try session.firstPlayMeasurer(port, dataDirectory: request.dataDirectory)
    session.player = port
    session.warnings += port.loadEqualisers()
    leaveDesktop = services.remote.showOnDesktop(port)
    // The stored volume may have been restored before the controller was created.
    let volume = services.playback.state.volume
    if volume != .full { services.actions.setVolume(volume) }
    if let warning = persister.warning(stateDirectory) { session.warnings.append(warning) }
    port.apply(changes)
  }

  /// Creates a player. If another player owns the queue but can no longer be reached at `socket`, waits for it to end,
  /// until `isCancelled` returns `true`.
  init(
    _ session: Session, _ options: PlayerOptions, stateDirectory: FilePath, isServing: Bool = false,
    unlessAt socket: FilePath?, isCancelled: () -> Bool = { false }
  ) throws {
    let deadline = MonotonicInstant.now.advanced(byMilliseconds: Self.timeoutMilliseconds)
    while true {
      do {
        self = try RunningPlayer(session, options, stateDirectory: stateDirectory, isServing: isServing)
        return
      } catch let error as PlayerRunsElsewhereError {
        let isResponding = try socket.map { socket throws(PlayerError) in try Self.responds(at: socket) } ?? false
        guard !isResponding, !isCancelled(), MonotonicInstant.now < deadline else { throw error }
      }
      MonotonicInstant.now.advanced(byMilliseconds: Self.checkInterval).sleep()
    }
  }

  /// Returns whether a player responds at `socket`.
  ///
  /// - Throws: `PlayerError` if the player's process is suspended, because it would never end.
  private static func responds(at socket: FilePath) throws(PlayerError) -> Bool {
    do throws(ControlClientError) {
      _ = try ControlClient(socket, timeout: .seconds(1))
      return true
    } catch {
      switch error {
      case .stopped, .insecure: throw PlayerError(error, at: socket)
      default: return false
      }
    }
  }

  /// Plays the tracks that `lookup` finds.
  ///
  /// - Parameters:
  ///   - onProblems: Called with the files that cannot be played.
  ///   - onFailure: Called if there is nothing to play.
  func play(
    _ lookup: Lookup, onProblems: @escaping @Sendable ([LibraryProblem]) -> Void,
    onFailure: @escaping @Sendable (PlayerError) -> Void
  ) {
    let actions = session.services.actions
    let outputFile = session.outputFile
    session.seenQueue?.remove()
    lookup.whenDone { [persister] outcome in
      persister.awaitOpening()
      do throws(PlayerError) {
        let found = try outcome.get()
        if !found.problems.isEmpty { onProblems(found.problems) }
        try found.collection.check(isNotWrittenTo: outputFile)
        actions.enqueue(found.collection, item: found.item)
      } catch {
        onFailure(error)
      }
    }
  }

  /// Resumes playback of the stored queue where it stopped, or at the item `item`. This happens on another thread,
  /// after the queue has been restored.
  ///
  /// - Throws: `Errno` if no thread can be created.
  func resume(at item: ItemRange? = nil, onFailure: @escaping @Sendable (PlayerError) -> Void) throws {
    let refusal = persister.ownership == .own ? nil : persister.refusal(stateDirectory)
    let actions = session.services.actions
    let queue = session.services.queue
    let outputFile = session.outputFile
    let (listed, directory) = (session.seenQueue?.listed, PathText(absolute: stateDirectory))
    _ = try WorkerThread(name: "segue-restore") { [persister, port] in
      persister.awaitRecall()
      do throws(PlayerError) {
        // A queue that cannot be stored may still have been read.
        if let refusal, queue.queue.items.isEmpty { throw refusal }
        try queue.queue.check(isNotWrittenTo: outputFile)
        if let item {
          let queue = queue.queue
          let seen = try SeenListing.use(listed, ofQueueIn: directory) { () throws(PlayerError) in
            try item.position(in: queue)
          }
          actions.play(queue.items.id(at: seen.result))
        } else {
          port.resume()
        }
      } catch {
        onFailure(error)
      }
    }
  }

  /// Blocks until the stored queue is restored.
  func awaitRecall() { persister.awaitRecall() }

  /// Starts the server at `socket` and returns the served player; `nil` if the queue belongs to another process. If the
  /// server cannot be started, playback continues without it, and a warning says why.
  func serve(at socket: FilePath) -> ServedPlayer? {
    guard persister.ownership == .own else { return nil }
    do throws(RemoteServerError) {
      return try PlayerServing(socket: socket).start(session, self)
    } catch {
      session.warnings.append(error.description)
      return nil
    }
  }

  /// Ends the server, closes the library, stops playback, and stores the state.
  ///
  /// - Parameter status: The status with which the program ends, as far as it is known. After the end of the queue, the
  ///   output is played to its end, unless a signal has ended the program.
  /// - Throws: `PlayerError` if the output failed at the end, and the failure has not been reported.
  func shutDown(_ server: ServedPlayer?, after status: ExitStatus?) throws(PlayerError) {
    // What has ended playback may not have reached those yet who record it.
    session.services.actions.awaitDelivery(until: .now.advanced(byMilliseconds: Self.deliveryLimit))
    let deadline = MonotonicInstant.now.advanced(byMilliseconds: Self.endLimit)
    server?.shutDown(within: Self.answeringLimit)
    measurer?.end()
    let recordingEnd = MonotonicInstant.now.advanced(byMilliseconds: Self.answeringLimit)
    positions?.finish(until: recordingEnd)
    speeds?.finish(until: recordingEnd)
    session.closeLibrary(within: Self.libraryLimit)
    leaveDesktop()
    let state = session.services.playback.state
    let now = MonotonicInstant.now
    let limit = max(Self.fadingLimit, (max(now, deadline).nanoseconds - now.nanoseconds) / 1_000_000)
    let isComplete = state.phase == .stopped && status?.isOfSignal != true
    let failure = controller.shutDown(
      within: limit, closingWithin: isComplete || session.outputFile != nil ? Self.completionLimit : limit)
    persister.finish(within: Self.completionLimit)
    // On a busy machine, that takes longer than the music needs to fade out.
    let completion = MonotonicInstant.now.advanced(byMilliseconds: Self.completionLimit)
    server?.finishRecording(until: completion)
    positions?.finish(until: completion)
    speeds?.finish(until: completion)
    for notice in session.takeWarnings() { session.printError("segue: \(notice)", level: .warning) }
    // The loss of the device was reported when it occurred.
    guard state.outputLoss == nil, let failure, failure != state.outputError else { return }
    throw PlayerError(.noOutput, failure.description)
  }
}

extension PositionRecorder {
  /// Creates the recorder of the positions of tracks as the settings say.
  fileprivate convenience init(_ settings: Settings) {
    let minutes = settings.number(.resumeLongerThan) ?? 20
    self.init(minimum: minutes > 0 ? .seconds(minutes * 60) : nil, query: settings.word(.resume))
  }
}

/// A marker file in the state directory that exists while a server is playing. It remains if the server is killed.
struct PlaybackMarker {
  private let file: FilePath
  private var isSet: Bool

  /// Creates access to the marker file in a state directory.
  init(in directory: FilePath) {
    file = directory.appending("playing")
    isSet = (try? FileStatus(of: file, followingLinks: false)) != nil
  }

  /// Whether the last server was playing when it ended, and no other player has run since.
  var wasPlaying: Bool { isSet }

  /// Creates or removes the file, depending on whether `state` is that of a playing player. If the file cannot be
  /// written, the next server will not resume playback.
  mutating func note(_ state: PlaybackState) {
    let isPlaying = state.phase == .playing
    guard isPlaying != isSet else { return }
    if isPlaying {
      isSet = (try? AtomicFile.write([UInt8](), to: file)) != nil
    } else {
      remove()
    }
  }

  /// Removes the file.
  mutating func remove() {
    if isSet { try? AtomicFile.remove(file) }
    isSet = false
  }
}
