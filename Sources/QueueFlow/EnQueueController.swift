public import AudioCore
public import Flux
public import MusicModel
import PlaybackEngine
import Synchronization
public import SystemPackage

/// Drives the playback engine by the queue: plays what is current, and tells the engine early what comes next.
///
/// It acts on an action after the `QueueListener` or `PlaybackStore` has reduced it, and what the engine reports comes
/// back as actions. Every member may be called from any thread.
public final class EnQueueController: Sendable {
  /// How far an item may have played for ``PlaybackAction/previous`` to mean the item before it.
  private static let previousThreshold = Duration.seconds(3)

  let queue: QueueListener
  let queueDispatcher: QueueDispatcher
  let playbackDispatcher: PlaybackDispatcher
  let sources = SourceBook()
  let engine: PlaybackEngine
  let playback: PlaybackStore
  /// Whether playing pauses when the device goes.
  let pausesOnLoss: Bool
  /// What is known of the loudness of a track.
  private let loudness: LoudnessBook
  private let subscriptions = Mutex<[Subscription]>([])
  /// The items behind which the engine was told to play nothing only because the sleep timer ends playing there. It is locked while
  /// the engine is told what follows, so that an older answer never comes after a newer one.
  let sleepEnds = Mutex<Set<PlayQueue.Item.ID>>([])

  /// A controller of a new engine, which is stopped.
  ///
  /// `loudness` gives what is known of the loudness of tracks, in their order: by their tags, unless something knows better. It may
  /// read files, and is called only where ReplayGain is on, by those who dispatch a queue or a rule.
  ///
  /// - Throws: `Errno` where the system grants the engine no threads.
  public init(
    queue: QueueListener, playback: PlaybackStore, queueDispatcher: QueueDispatcher,
    playbackDispatcher: PlaybackDispatcher, settings: EngineSettings = EngineSettings(),
    loudness: @escaping @Sendable ([Track]) -> [ReplayGainTags] = { $0.map(\.replayGain) },
    decoders: @escaping DecoderFactory, resamplers: @escaping ResamplerFactory,
    outputs: @escaping OutputFactory
  ) throws(Errno) {
    self.queue = queue
    self.playback = playback
    self.loudness = LoudnessBook(loudness)
    pausesOnLoss = settings.pausesOnLoss
    self.queueDispatcher = queueDispatcher
    self.playbackDispatcher = playbackDispatcher
    engine = try PlaybackEngine(
      settings: settings, decoders: decoders, resamplers: resamplers, outputs: outputs)
    engine.onEvent { [weak self] in self?.bringBack($0, commanded: $1) }
    let subscriptions = [
      queueDispatcher.subscribe { [weak self] in self?.act(on: $0) },
      playbackDispatcher.subscribe { [weak self] in self?.act(on: $0) },
    ]
    self.subscriptions.withLock { $0 = subscriptions }
  }

  /// Ends playing for good: fades out and closes the output, at most within `milliseconds`; gives why the output failed, if it
  /// did so last.
  public func shutDown(within milliseconds: UInt64) -> OutputError? {
    subscriptions.withLock { $0 = [] }
    _ = engine.shutDown(within: milliseconds)
    return engine.outputFailure
  }

  private func act(on action: QueueAction) {
    switch action {
    case .enqueue:
      if playback.state.replayGain.mode != .off { loudness.read(queue.queue) }
      if let current = queue.queue.current { play(current) } else { engine.stop() }
    case .play(let id, _):
      if let current = queue.queue.current, current.id == id { play(current) }
    case .advanced(let item):
      // The timer was set, or taken back, when the item before was still the current one.
      if playback.state.sleep != nil || sleepEnds.withLock({ $0.contains(item) }) { tellWhatFollows() }
    default: break
    }
  }

  private func act(on action: PlaybackAction) {
    switch action {
    case .pause: engine.pause()
    case .resume: resume()
    case .toggle: playback.state.phase == .stopped ? resume() : engine.toggle()
    case .stop: engine.stop()
    case .next: goToNext()
    case .previous: goToPrevious()
    case .seek(let target): engine.seek(target)
    case .setVolume, .changeVolume: engine.setVolume(playback.state.volume.gain)
    case .setReplayGain(let settings):
      if settings.mode != .off { loudness.read(queue.queue) }
      changeGain()
    case .setCrossfade(let crossfade):
      engine.expectCrossfade(of: crossfade.duration)
      tellWhatFollows()
    case .sleep(let timer):
      tellWhatFollows()
      for item in sleepEnds.withLock({ $0 }) where item != queue.queue.current?.id {
        if let source = sources.source(of: item) { follow(source, item) }
      }
      // Another timer has another fade.
      if timer == nil || playback.state.phase == .playing { engine.setVolume(playback.state.volume.gain) }
    case .fadeOut(let duration): engine.setVolume(0, over: duration)
    case .report(.changed(.stopped)), .report(.finished), .report(.outputFailed):
      // Nothing is heard any more: a fade is over.
      engine.setVolume(playback.state.volume.gain)
    case .report: break
    }
  }

  private func play(_ item: PlayQueue.Item) {
    let source = sources.source(for: item, gain: gain(of: item), isFresh: true)
    sleepEnds.withLock { $0 = [] }
    playbackDispatcher.dispatch(.report(.requested(item.id)))
    engine.play(source)
  }

  /// Tells the engine what is played behind `source`, which is `item`.
  func follow(_ source: PlaybackSource.ID, _ item: PlayQueue.Item.ID) {
    sleepEnds.withLock { sleepEnds in
      let queue = queue.queue
      let state = playback.state
      guard let position = queue.position(of: item), let next = queue.item(after: item) else {
        return engine.follow(source, with: nil)
      }
      guard !state.stops(after: item, in: queue) else {
        sleepEnds.insert(item)
        return engine.follow(source, with: nil)
      }
      let transition = state.crossfade.transition(from: queue.items[position].track, to: next.track)
      engine.follow(source, with: sources.source(for: next, gain: gain(of: next), isFresh: false), transition)
    }
  }

  /// Tells it again, because something else follows the current item now, or it follows in another way.
  private func tellWhatFollows() {
    guard let item = queue.queue.current?.id, let source = sources.source(of: item) else { return }
    follow(source, item)
  }

  private func gain(of item: PlayQueue.Item) -> ReplayGainDecision {
    let settings = playback.state.replayGain
    guard settings.mode != .off else { return .off }
    return settings.decision(
      for: loudness.tags(of: item), albumPlaysInOrder: queue.queue.playsAlbumInOrder(item.id))
  }

  private func changeGain() {
    guard let item = queue.queue.current, let source = sources.source(of: item.id) else { return }
    let gain = gain(of: item)
    sources.setGain(gain, of: source)
    engine.setGain(SourceGain(gain), of: source)
    tellWhatFollows()
  }

  private func resume() {
    guard playback.state.phase == .stopped else { return engine.resume() }
    let queue = queue.queue
    if let item = queue.current ?? queue.items.first { queueDispatcher.dispatch(.play(item.id, from: .zero)) }
  }

  private func goToNext() {
    let queue = queue.queue
    guard let current = queue.current else { return }
    if let next = queue.item(after: current.id) {
      queueDispatcher.dispatch(.play(next.id, from: .zero))
    } else {
      engine.stop()
    }
  }

  private func goToPrevious() {
    let queue = queue.queue
    guard let current = queue.current else { return }
    let state = playback.state
    let hasPlayedOn = state.item == current.id && state.position >= Self.previousThreshold
    let item = hasPlayedOn ? current : queue.item(before: current.id) ?? current
    queueDispatcher.dispatch(.play(item.id, from: .zero))
  }
}
