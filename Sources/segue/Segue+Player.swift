// SPDX-License-Identifier: GPL-3.0-or-later

import ALSAPlayback
import AOPlayback
import AudioCore
import Commands
import DSDDecoding
import FourierTransform
import HelperDecoding
import LibraryIndex
import MusicModel
import Outputs
import Platform
import PlayerFlow
import PlayerPort
import PulsePlayback
import QueueStorage
import Resampling
import Screens
import Synchronization
import SystemPackage
import TimeStretching

/// The services for the player, its outputs, and the storage of its queue.
extension Segue {
  /// Returns the services for the player with these `stores`, and for the outputs of `system`.
  static func playerServices(_ stores: PlayerStores, _ system: AOSystem) -> PlayerServices {
    var services = PlayerServices(
      make: { try makePlayer($0, stores, system) },
      listOutputs: { listOutputs(system, names: $0) },
      rendersFile: { output in
        guard case .file(_, let path) = try? OutputChoice(parsing: output) else { return false }
        return path == OutputChoice.standardOutput || (try? FileStatus(of: path))?.kind != .fifo
      })
    services.makeTransform = { FourierTransform(size: $0) }
    return services
  }

  /// Returns the services that store the queue of these `stores`.
  static func storageServices(_ stores: PlayerStores) -> StorageServices {
    StorageServices(
      makePersister: { request in
        try QueuePersister(
          PersistenceContext(queue: stores.queue, playback: stores.playback, dispatcher: .shared),
          queues(in: request.directory, following: request.dataDirectory), in: request.directory,
          restoresVolume: request.restoresVolume, newModes: request.newModes,
          isRendering: try isRendering(request.use))
      },
      queues: { queues(in: $0, following: $1) })
  }

  /// Returns the queues in `directory`, which follow the moves of files that scans into the index in `dataDirectory`
  /// have found.
  private static func queues(in directory: FilePath, following dataDirectory: FilePath) -> QueueDirectory {
    let source = moveSource(dataDirectory)
    return QueueDirectory(directory: directory) { source.moves(since: $0) }
  }

  /// Returns the one source of the moves of files that are stored in the index in `directory`.
  private static func moveSource(_ directory: FilePath) -> MoveSource {
    moveSources.withLock { sources in
      if let source = sources.first(where: { $0.directory == directory }) { return source }
      let source = MoveSource(directory: directory)
      sources.append(source)
      return source
    }
  }

  private static let moveSources = Mutex<[MoveSource]>([])

  private static func makePlayer(
    _ request: PlayerConfiguration, _ stores: PlayerStores, _ system: AOSystem
  ) throws -> CreatedPlayer {
    let follower = OutputFollower(PreferredOutputs(request.preferredOutputs), outputSupply())
    let choice = try firstChoice(follower) ?? outputChoice(request.output)
    if let mistake = choice.mistake(isServing: request.isServing) { throw PlayerError(.usage, mistake) }
    let buffer = request.buffer
    let requests = makeRequests()
    let pulse = makeSoundServer(requests)
    let hasOpened = Atomic(false)
    let output = OutputSwitch(
      choice,
      onOpening: { choice, failure in
        // A sound server says itself to which of its outputs it plays.
        if !choice.isSoundServer { requests(.nameOutput(choice.name)) }
        // What the list offers first may not open.
        if failure != nil, follower.isFollowing, !hasOpened.load(ordering: .relaxed) { return }
        requests(.report(.outputChosen(failure: failure, preferred: follower.isFollowing ? choice.name : nil)))
      },
      makeOpener: { choice in
        OutputOpener(
          choice, drivers: AODrivers(system, buffer: buffer), buffer: buffer,
          openPulse: { format, sink throws(OutputError) in
            try pulse.open(format, sink: sink, staysOnSink: follower.isFollowing, buffer: buffer)
          },
          openSoundCard: { format, device throws(OutputError) in
            try SoundCard.open(format, device: device, buffer: buffer)
          })
      })
    let tap = try makeTap(request, choice)
    helpers.allowUnconfinedStreams(request.allowsUnconfinedStreams)
    let loudness = LoudnessSource(directory: request.dataDirectory)
    let controller = try EnQueueController(
      store: stores.store, queue: stores.queue, playback: stores.playback, dispatcher: .shared,
      settings: request.engine, library: .shared, measurements: { loudness.measurements(of: $0) },
      resuming: request.resuming, skipping: request.skipping, position: request.position,
      moves: { [source = moveSource(request.dataDirectory)] in source.moves(since: $0) },
      isFile: { StreamAddress($0) != nil ? true : FileStatus.isFile(at: $0) },
      decoders: decoders(output, request),
      resamplers: SoxrResampler.make, stretchers: TimeStretcher.make,
      outputs: { format throws(OutputError) in
        let isFirst = !hasOpened.load(ordering: .relaxed)
        let opened = try open(output, format, isFirst: isFirst, following: follower)
        hasOpened.store(true, ordering: .relaxed)
        // Without a sound server, the automatic choice is a driver.
        let choice = output.choice
        if choice == .automatic, opened.name != choice.name { requests(.nameOutput(opened.name)) }
        return tap?.tapped(opened) ?? opened
      })
    stores.actions.nameOutput(choice.name)
    let sleep = try SleepController(queue: stores.queue, playback: stores.playback, dispatcher: .shared)
    var subscriptions = [describePlayback(of: stores, to: pulse)]
    if let tap { subscriptions.append(stores.playback.observe { tap.enable($0.tap?.isEnabled ?? true) }) }
    if let path = request.tap, tap != nil { QueueDispatcher.shared.dispatch(.openTap(name: path.shown)) }
    var control = outputControl(output, named: follower.output ?? request.output, request, stores.actions)
    follower.begin(control, stores.actions, stores.playback)
    control.follower = follower
    return CreatedPlayer(
      controller: controller, sleep: sleep, outputSubscriptions: subscriptions, output: control,
      prepareOutput: output.prepare)
  }

  /// Returns what the user can ask and change of an output, which has the name `first` at first.
  private static func outputControl(
    _ output: OutputSwitch, named first: String?, _ request: PlayerConfiguration, _ actions: PlayerActionCreator
  ) -> OutputControl {
    // If an output does not open, the one before is used again.
    let names = Mutex(first.map { [(choice: output.choice, name: $0)] } ?? [])
    return OutputControl(
      name: { names.withLock { $0.last { $0.choice == output.choice }?.name } }, file: { output.choice.file },
      list: { availableOutputs(names: $0) },
      use: { [isServing = request.isServing, tap = request.tap] text, check throws(PlayerError) in
        let choice = try outputChoice(text)
        if let mistake = choice.mistake(isServing: isServing) { throw PlayerError(.usage, mistake) }
        if tap != nil, choice.file != nil { throw PlayerError(.usage, fileWithTap) }
        try check(choice.file)
        output.use(choice)
        actions.nameOutput(choice.name)
        names.withLock { names in
          names.removeAll { $0.choice == choice }
          names.append((choice, text))
        }
      })
  }

  /// Returns the function that opens files for an output. DSD remains DSD if the output is a sound card, and nothing
  /// has to be done with the samples.
  private static func decoders(_ output: OutputSwitch, _ request: PlayerConfiguration) -> DecoderFactory {
    let engine = request.engine
    guard request.tap == nil, engine.formatChange == .reopen, engine.sampleRate == nil, engine.depth == nil
    else { return decode }
    return { path throws(DecodingError) in
      guard case .soundCard = output.choice, StreamAddress(path) == nil else { return try decode(path) }
      return try ChangingFileDecoder(path, chapters: chapters) { openPath throws(DecodingError) in
        let openPCM: DecoderFactory = { _ throws(DecodingError) in try decode(path) }
        return if let dsd = DSDFileDecoder(path: openPath, openPCM: openPCM) { dsd } else { try decodeFile(openPath) }
      }
    }
  }

  private static let fileWithTap = "--tap cannot be used when writing to a file"

  private static func makeTap(_ request: PlayerConfiguration, _ choice: OutputChoice) throws -> OutputTap? {
    guard let path = request.tap, !path.isEmpty else { return nil }
    if choice.file != nil { throw PlayerError(.usage, fileWithTap) }
    do {
      return try OutputTap(path: path, makeResampler: SoxrResampler.make)
    } catch {
      throw PlayerError(.usage, error.description)
    }
  }

  /// Returns whether the output is a regular file, which may not exist yet, rather than a device, a pipe or standard
  /// output.
  private static func isRendering(_ use: PersisterRequest.Use) throws(PlayerError) -> Bool {
    guard case .play(let output) = use, case .file(_, let path) = try outputChoice(output),
      path != OutputChoice.standardOutput
    else { return false }
    return (try? FileStatus(of: path)).map { $0.kind == .regular } ?? true
  }

  static func outputChoice(_ text: String?) throws(PlayerError) -> OutputChoice {
    guard let text else { return .automatic }
    do {
      return try OutputChoice(parsing: text)
    } catch {
      throw PlayerError(.usage, error.description)
    }
  }

  private static func listOutputs(_ system: AOSystem, names: [String]) -> [AvailableOutput] {
    let drivers = system.drivers.map { driver in
      let name = driver.name == "pulse" ? "ao:pulse" : driver.name
      return AvailableOutput(
        name: driver.kind == .file ? "\(name):FILE" : "\(name)[:DEVICE]", title: driver.title)
    }
    return availableOutputs(names: names) + drivers + [
      AvailableOutput(name: "fifo:PATH", title: "FIFO; waits for a reader")
    ]
  }

  private static func availableOutputs(names: [String]) -> [AvailableOutput] {
    outputs(sinks: PulseServer.sinks ?? [], names: names)
  }
}
