// SPDX-License-Identifier: GPL-3.0-or-later

public import AudioCore
import Equalising
public import Flux
public import MusicModel
public import Platform
import PlaybackEngine
import Synchronization
public import SystemPackage

/// Performs the effects that the ``PlayerReducer`` decides, in order, on the playback engine, and dispatches the
/// engine's events as actions. It makes no decisions itself.
///
/// Every member may be called from any thread.
public final class EnQueueController: Sendable {
  private let store: PlayerStore
  private let dispatcher: QueueDispatcher
  private let engine: PlaybackEngine
  private let measurements: ItemLookup
  private let positions: ItemLookup
  private let files: AvailabilityWatch
  private let subscription = Mutex<Subscription?>(nil)

  /// Creates a controller with a new engine, which is stopped.
  ///
  /// - Parameters:
  ///   - library: The library's dispatcher. After each scan that it reports, more files are checked.
  ///   - measurements: Returns what was measured of tracks, in their order; by default the ReplayGain values of their
  ///     tags. It may read files. It is called only while ReplayGain is on or silence is skipped, on a thread of its
  ///     own, for the few tracks that are about to be played.
  ///   - resuming: Which tracks resume where they were left; `nil` for none.
  ///   - skipping: How silence is skipped; `nil` if it is not.
  ///   - position: Returns where such a track was left. It may block; it is called on a thread of its own.
  ///   - moves: Returns the moves of files that scans of the library after this one have found. It is called after each
  ///     scan, on the same thread as `isFile`.
  ///   - isFile: Returns whether a file exists, or `nil` if that is unknown. It is called on another thread of its own,
  ///     for upcoming items and, after a scan, for more of the queue.
  /// - Throws: `Errno` if the system cannot create the engine's threads.
  public init(
    store: PlayerStore, queue: QueueListener, playback: PlaybackStore, dispatcher: QueueDispatcher,
    settings: EngineSettings = EngineSettings(),
    clock: any MonotonicClock = SystemClock(), library: LibraryDispatcher? = nil,
    measurements: @escaping @Sendable ([Track]) -> [AudioMeasurement] = {
      $0.map { AudioMeasurement(replayGain: $0.replayGain) }
    },
    resuming: ResumeRule? = nil, skipping: SilenceSkipping? = nil,
    position: @escaping @Sendable (Track) -> Duration = { _ in .zero },
    moves: @escaping @Sendable (_ since: Int64) -> FileMoves = { FileMoves(lastScan: $0) },
    isFile: @escaping @Sendable (FilePath) -> Bool? = { _ in nil },
    decoders: @escaping DecoderFactory, resamplers: @escaping ResamplerFactory,
    stretchers: @escaping StretcherFactory = { _, _, _ in nil }, outputs: @escaping OutputFactory
  ) throws(Errno) {
    self.store = store
    self.dispatcher = dispatcher
    engine = try PlaybackEngine(
      settings: settings, clock: clock, decoders: decoders, resamplers: resamplers, stretchers: stretchers,
      outputs: outputs)
    files = AvailabilityWatch(queue: queue, dispatcher: dispatcher, moves: moves, fileExists: isFile)
    self.measurements = ItemLookup(named: "segue-loudness") { items, canRead in
      let found = canRead ? measurements(items.map(\.track)) : []
      // Tracks without a measurement get the values of their tags.
      let values = items.enumerated().map { index, item in
        (item.id, index < found.count ? found[index] : AudioMeasurement(replayGain: item.track.replayGain))
      }
      dispatcher.dispatch(.measurements(Dictionary(values) { $1 }))
    }
    positions = ItemLookup(named: "segue-positions") { items, canRead in
      for item in items { dispatcher.dispatch(.storedPosition(item.id, canRead ? position(item.track) : .zero)) }
    }
    dispatcher.dispatch(.begin(pausesOnLoss: settings.pausesOnLoss, resuming: resuming, skipping: skipping))
    dispatcher.readPosition(from: engine)
    engine.onEvent { [weak self] in self?.report($0, after: $1) }
    playback.readSound(record: { [weak self] in self?.engine.recordSound($0) }) { [weak self] in
      self?.engine.audibleSound
    }
    let files = files
    let libraryReports = library?.subscribe { if case .report(.ended) = $0 { files.check(.far) } }
    subscription.withLock { $0 = libraryReports }
    store.performEffects { [weak self] in self?.perform($0) }
  }

  deinit { endThreads() }

  private func endThreads() {
    measurements.end()
    positions.end()
    files.end()
  }

  /// Ends playback permanently: stores the elapsed time of the current item in the queue, fades out, and closes the
  /// output. This takes at most `milliseconds`; closing the output at most `closingMilliseconds`, if that is given.
  ///
  /// - Returns: The last error of the output; `nil` if there was none.
  public func shutDown(
    within milliseconds: UInt64, closingWithin closingMilliseconds: UInt64? = nil
  ) -> OutputError? {
    dispatcher.dispatch(.storeElapsed)
    store.performEffects(nil)
    subscription.withLock { $0 = nil }
    endThreads()
    _ = engine.shutDown(within: milliseconds, closingWithin: closingMilliseconds)
    return engine.outputFailure
  }

  private func report(_ event: EngineEvent, after executed: ExecutedCommands) {
    dispatcher.dispatch(.engine(event, after: executed))
    guard case .position = event else { return }
    let count = engine.underrunCount
    if count != store.read({ $0.playback.underrunCount }) { dispatcher.dispatch(.report(.underruns(count))) }
  }

  private func perform(_ effects: [PlayerEffect]) {
    for effect in effects {
      switch effect {
      case .play(let source, let position, let isPaused, let crossfade):
        engine.play(source, from: position, isPaused: isPaused, crossfade: crossfade)
      case .setNext(let next, let source, let transition): engine.setNext(after: source, next, transition)
      case .pause: engine.pause()
      case .resume: engine.resume()
      case .stop: engine.stop()
      case .release: engine.release()
      case .reopenOutput: engine.reopenOutput()
      case .seek(let target): engine.seek(target)
      case .setGain(let gain, let source): engine.setGain(gain, of: source)
      case .setSpeed(let speed, let source): engine.setSpeed(speed, of: source)
      case .setFrames(let frames, let source): engine.setFrames(frames, of: source)
      case .setPassage(let passage, let source): engine.setPassage(passage, of: source)
      case .setVolume(let gain, let duration): engine.setVolume(gain, over: duration)
      case .setEqualiser(let profile, let crossfeed): engine.setEqualiser(profile, crossfeed: crossfeed)
      case .setMaximumCrossfade(let duration): engine.setMaximumCrossfade(duration)
      case .lookUpMeasurements(let items): measurements.lookUp(items, replacingOthers: true)
      case .lookUpPosition(let item): positions.lookUp([item])
      case .checkFiles(let checks): files.check(checks)
      }
    }
  }
}

/// Looks up something about items of the queue, and dispatches it. It uses a thread of its own, since reading may
/// block.
final class ItemLookup: Sendable {
  /// The thread, with the items that it still has to look up.
  private let worker: Worker<[[PlayQueue.Item]]>
  private let perform: @Sendable ([PlayQueue.Item], _ canRead: Bool) -> Void

  /// Creates a lookup whose thread has the name `name`.
  ///
  /// - Parameter perform: Looks up items, and dispatches what was found. It may block, unless `canRead` is `false`:
  ///   then there is no thread, and it dispatches what is known without reading.
  init(named name: String, _ perform: @escaping @Sendable ([PlayQueue.Item], _ canRead: Bool) -> Void) {
    worker = Worker(named: name, [])
    self.perform = perform
  }

  /// Looks up these items, after those that are still waiting or in place of them.
  func lookUp(_ items: [PlayQueue.Item], replacingOthers: Bool = false) {
    worker.post { $0 = (replacingOthers ? [] : $0) + [items] }
    do {
      try worker.start(taking: { $0.isEmpty ? nil : $0.removeFirst() }) { [perform] in perform($0, true) }
    } catch {
      perform(items, false)
    }
  }

  /// Ends the thread as soon as its current read returns.
  func end() { worker.close() }
}
