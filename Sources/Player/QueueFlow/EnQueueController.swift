public import AudioCore
public import Flux
public import MusicModel
public import Platform
import PlaybackEngine
import Synchronization
public import SystemPackage

/// Drives the playback engine by the queue: plays what is current, and tells the engine early what comes next.
///
/// It acts on an action after the `QueueListener` or `PlaybackStore` has reduced it, and what the engine reports comes
/// back as actions. Every member may be called from any thread.
public final class EnQueueController: Sendable {
  let queue: QueueListener
  let queueDispatcher: QueueDispatcher
  let playbackDispatcher: PlaybackDispatcher
  let engine: PlaybackEngine
  let playback: PlaybackStore
  /// Whether playing pauses when the device goes.
  let pausesOnLoss: Bool
  /// What is known of the loudness of what is about to be played.
  let loudness: LoudnessBook
  /// What the engine was told. It is locked while the engine is told something, so that an older word never comes after
  /// a newer one.
  let course = Mutex(Course())
  /// Looks whether files went or came back.
  let files: AvailabilityWatch
  private let subscriptions = Mutex<[Subscription]>([])

  /// A controller of a new engine, which is stopped.
  ///
  /// `loudness` gives what is known of the loudness of tracks, in their order: by their tags, unless something knows
  /// better. It may read files, and is called only where ReplayGain is on, on a thread of its own, for the few tracks
  /// that are about to be played. `isFile` says whether a file is there, and `nil` where that cannot be told; it is
  /// asked on a thread of its own, too: of what comes next, and of more when `library` carries that a library was read.
  ///
  /// - Throws: `Errno` where the system grants the engine no threads.
  public init(
    queue: QueueListener, playback: PlaybackStore, queueDispatcher: QueueDispatcher,
    playbackDispatcher: PlaybackDispatcher, settings: EngineSettings = EngineSettings(),
    clock: any MonotonicClock = SystemClock(), library: LibraryDispatcher? = nil,
    loudness: @escaping @Sendable ([Track]) -> [ReplayGainTags] = { $0.map(\.replayGain) },
    isFile: @escaping @Sendable (FilePath) -> Bool? = { _ in nil },
    decoders: @escaping DecoderFactory, resamplers: @escaping ResamplerFactory,
    outputs: @escaping OutputFactory
  ) throws(Errno) {
    self.queue = queue
    self.playback = playback
    pausesOnLoss = settings.pausesOnLoss
    self.queueDispatcher = queueDispatcher
    self.playbackDispatcher = playbackDispatcher
    engine = try PlaybackEngine(
      settings: settings, clock: clock, decoders: decoders, resamplers: resamplers, outputs: outputs)
    files = AvailabilityWatch(queue: queue, dispatcher: queueDispatcher, isThere: isFile)
    let news = LoudnessNews()
    self.loudness = LoudnessBook(loudness) { news.tell() }
    news.follow { [weak self] in self?.takeLoudness() }
    engine.onEvent { [weak self] in self?.bringBack($0, commanded: $1) }
    playback.readPosition { [weak self] in self?.heard }
    playback.readLevels(measure: { [weak self] in self?.engine.measureLevels($0) }) { [weak self] in
      self?.engine.levels
    }
    let files = files
    let libraryReports = library?.subscribe { if case .report(.ended) = $0 { files.look(.far) } }
    let subscriptions = [
      queueDispatcher.subscribe { [weak self] in self?.act(on: $0) },
      playbackDispatcher.subscribe { [weak self] in self?.act(on: $0) },
    ]
    self.subscriptions.withLock { $0 = subscriptions + (libraryReports.map { [$0] } ?? []) }
  }

  deinit { endThreads() }

  private func endThreads() {
    loudness.end()
    files.end()
  }

  /// Ends playing for good: fades out and closes the output, at most within `milliseconds`; gives why the output
  /// failed, if it did so last. The queue knows then how much of the current item was heard.
  public func shutDown(within milliseconds: UInt64) -> OutputError? {
    noteHeard()
    subscriptions.withLock { $0 = [] }
    endThreads()
    _ = engine.shutDown(within: milliseconds)
    return engine.outputFailure
  }

  /// Which item is heard at this moment, and how much of it was.
  private var heard: HeardItem? {
    guard let heard = engine.heard else { return nil }
    return course.withLock { $0.chain[heard.source] }.map {
      HeardItem(item: $0.item, position: heard.position)
    }
  }

  /// Tells the queue how much of the current item was heard, where it plays.
  func noteHeard() {
    guard let current = queue.queue.current?.id, course.withLock({ $0.chain.item }) == current,
      let heard = playback.heard(of: current)
    else { return }
    queueDispatcher.dispatch(.heard(heard))
  }

  private func act(on action: QueueAction) {
    switch action {
    case .enqueue:
      if let current = queue.queue.current { play(current) } else { stopByEdit() }
    case .play(let id, _), .skipped(let id):
      if let current = queue.queue.current, current.id == id { play(current) }
    case .advanced(let item):
      let (isExpected, playing) = course.withLock { ($0.chain.caughtUp(with: item), $0.chain.item) }
      if isExpected {
        settle()
      } else if let playing, playing != queue.queue.current?.id {
        // Something else was asked for while this was on its way.
        queueDispatcher.dispatch(.play(playing, from: .zero))
      } else if let current = queue.queue.current {
        playing == nil ? play(current) : tellWhatFollows()
      }
    case .waiting(let id):
      if let current = queue.queue.current, current.id == id { play(current, isPaused: true) }
    case .availability(let gone, let back):
      // What the engine was not told of makes no difference; what could not be played is being passed over already.
      if !back.isEmpty || course.withLock({ $0.chain.isToPlay(gone) }) { settle() }
    case .finished, .heard, .opened: break
    case .add, .remove, .move, .swap, .clear, .crop, .dedupe, .shuffle, .sort, .prioritise, .setRange, .undo, .redo,
      .setRepeat,
      .setRandom, .setSingle, .setConsume, .stopAfter, .recalled:
      settle()
    }
  }

  private func act(on action: PlaybackAction) {
    switch action {
    case .pause:
      if !adjustRequest(by: action) { engine.pause() }
      haveAnswered()
    case .resume:
      resume()
      haveAnswered()
    case .toggle:
      toggle()
      haveAnswered()
    case .stop(let rewinds):
      stop(rewinds: rewinds)
      haveAnswered()
    case .next: goToNext()
    case .previous: goToPrevious(mayRestart: true)
    case .back: goToPrevious(mayRestart: false)
    case .seek(let target): if !adjustRequest(by: action) { engine.seek(target) }
    case .setVolume, .changeVolume: engine.setVolume(playback.state.volume.gain)
    case .setReplayGain: changeGain()
    case .setCrossfade(let crossfade):
      engine.expectCrossfade(of: crossfade.duration)
      tellWhatFollows()
    case .enableOutput(let isOn):
      guard !isOn else { return }
      _ = adjustRequest(by: .pause)
      engine.release()
      haveAnswered()
    case .setMixRamp: break
    case .sleep(let timer):
      tellWhatFollows()
      // Another timer has another fade.
      if timer == nil || playback.state.phase == .playing { engine.setVolume(playback.state.volume.gain) }
    case .fadeOut(let duration): engine.setVolume(0, over: duration)
    case .report(.requested):
      haveAnswered()
      playRequest()
    case .report(.silenced):
      if isIdle { engine.stop() }
      haveAnswered()
    case .report(.started): files.look(.nearby)
    case .report(.changed(.stopped)), .report(.finished), .report(.outputFailed):
      // Nothing is heard any more: a fade is over.
      engine.setVolume(playback.state.volume.gain)
    case .dismissError, .report: break
    }
  }
}
