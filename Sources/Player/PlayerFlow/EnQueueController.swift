public import AudioCore
public import Flux
public import MusicModel
public import Platform
import PlaybackEngine
import Synchronization
public import SystemPackage

/// Drives the playback engine: performs what the reducer of ``PlayerState`` decides, in order, and dispatches what the
/// engine reports. It decides nothing itself.
///
/// Every member may be called from any thread.
public final class EnQueueController: Sendable {
  private let store: PlayerStore
  private let dispatcher: QueueDispatcher
  private let engine: PlaybackEngine
  private let replayGain: ReplayGainLookup
  private let files: AvailabilityWatch
  private let subscriptions = Mutex<[Subscription]>([])

  /// A controller of a new engine, which is stopped.
  ///
  /// `loudness` gives what is known of the loudness of tracks, in their order: by their tags, unless something knows
  /// better. It may read files, and is called only where ReplayGain is on, on a thread of its own, for the few tracks
  /// that are about to be played. `isFile` says whether a file is there, and `nil` where that is not known; it is
  /// asked on a thread of its own, too: of what comes next, and of more when `library` carries that a library was read.
  ///
  /// - Throws: `Errno` where the system grants the engine no threads.
  public init(
    store: PlayerStore, queue: QueueListener, playback: PlaybackStore, dispatcher: QueueDispatcher,
    settings: EngineSettings = EngineSettings(),
    clock: any MonotonicClock = SystemClock(), library: LibraryDispatcher? = nil,
    loudness: @escaping @Sendable ([Track]) -> [ReplayGainTags] = { $0.map(\.replayGain) },
    isFile: @escaping @Sendable (FilePath) -> Bool? = { _ in nil },
    decoders: @escaping DecoderFactory, resamplers: @escaping ResamplerFactory,
    outputs: @escaping OutputFactory
  ) throws(Errno) {
    self.store = store
    self.dispatcher = dispatcher
    engine = try PlaybackEngine(
      settings: settings, clock: clock, decoders: decoders, resamplers: resamplers, outputs: outputs)
    files = AvailabilityWatch(queue: queue, dispatcher: dispatcher, isThere: isFile)
    replayGain = ReplayGainLookup(dispatcher: dispatcher, loudness)
    dispatcher.dispatch(.begin(pausesOnLoss: settings.pausesOnLoss))
    store.readPosition { [weak self] in
      self?.engine.heard.map { HeardSource(source: $0.source, position: $0.position) }
    }
    engine.onEvent { [weak self] in self?.report($0, commanded: $1) }
    playback.readLevels(measure: { [weak self] in self?.engine.measureLevels($0) }) { [weak self] in
      self?.engine.levels
    }
    let files = files
    let libraryReports = library?.subscribe { if case .report(.ended) = $0 { files.look(.far) } }
    let actions = dispatcher.subscribe { [weak self] _ in self?.perform() }
    subscriptions.withLock { $0 = [actions] + (libraryReports.map { [$0] } ?? []) }
  }

  deinit { endThreads() }

  private func endThreads() {
    replayGain.end()
    files.end()
  }

  /// Ends playing for good: fades out and closes the output, at most within `milliseconds`; gives why the output
  /// failed, if it did so last. The queue knows then how much of the current item was heard.
  public func shutDown(within milliseconds: UInt64) -> OutputError? {
    dispatcher.dispatch(.noteHeard)
    subscriptions.withLock { $0 = [] }
    endThreads()
    _ = engine.shutDown(within: milliseconds)
    return engine.outputFailure
  }

  private func report(_ event: EngineEvent, commanded: PlaybackSource.ID?) {
    dispatcher.dispatch(.engine(event, commanded: commanded))
    guard case .position = event else { return }
    let count = engine.underrunCount
    if count != store.read({ $0.playback.underrunCount }) { dispatcher.dispatch(.report(.underruns(count))) }
  }

  /// Performs what is to be done after the action that is being delivered.
  private func perform() {
    for effect in store.read({ $0.effects }) {
      switch effect {
      case .play(let source, let place, let isPaused): engine.play(source, at: place, isPaused: isPaused)
      case .setNext(let next, let source, let transition): engine.follow(source, with: next, transition)
      case .pause: engine.pause()
      case .resume: engine.resume()
      case .stop: engine.stop()
      case .release: engine.release()
      case .seek(let target): engine.seek(target)
      case .setGain(let gain, let source): engine.setGain(gain, of: source)
      case .setVolume(let gain, let duration): engine.setVolume(gain, over: duration)
      case .expectCrossfade(let duration): engine.expectCrossfade(of: duration)
      case .lookUpReplayGain(let items): replayGain.lookUp(items)
      case .checkFiles(let look): files.look(look)
      }
    }
  }
}
