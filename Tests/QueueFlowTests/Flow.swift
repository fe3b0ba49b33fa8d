import AudioCore
import Flux
import MusicModel
import QueueFlow
import SystemPackage
import TestSupport

/// A queue flow whose sound is scripted.
final class Flow: Sendable {
  let queueDispatcher = QueueDispatcher()
  let playbackDispatcher = PlaybackDispatcher()
  let libraryDispatcher = LibraryDispatcher()
  let queue: QueueListener
  let playback: PlaybackStore
  let controller: EnQueueController
  let decoders: ScriptedDecoders
  let outputs: CollectingOutputs
  let state = Watched(PlaybackState())
  private let observation: Subscription

  init(
    _ scripts: [DecodingScript], outputs: CollectingOutputs = CollectingOutputs(),
    loudness: @escaping @Sendable ([Track]) -> [ReplayGainTags] = { $0.map(\.replayGain) },
    isFile: @escaping @Sendable (FilePath) -> Bool? = { _ in nil }
  ) throws {
    let decoders = ScriptedDecoders(scripts)
    self.decoders = decoders
    self.outputs = outputs
    queue = QueueListener(dispatcher: queueDispatcher)
    playback = PlaybackStore(dispatcher: playbackDispatcher)
    controller = try EnQueueController(
      queue: queue, playback: playback, queueDispatcher: queueDispatcher,
      playbackDispatcher: playbackDispatcher, library: libraryDispatcher, loudness: loudness, isFile: isFile,
      decoders: { path throws(DecodingError) in try decoders.open(path) },
      resamplers: { _, _, _ in nil }, outputs: { format throws(OutputError) in try outputs.open(format) })
    observation = playback.observe { [state] new in state.change { $0 = new } }
  }

  /// Dispatches `action`, and blocks until all have acted on it: another thread may be delivering.
  func act(_ action: PlaybackAction) {
    let isDelivered = Watched(false)
    let subscription = playbackDispatcher.subscribe { delivered in
      if delivered == action { isDelivered.change { $0 = true } }
    }
    playbackDispatcher.dispatch(action)
    _ = isDelivered.wait { $0 }
    subscription.cancel()
  }

  /// Dispatches `action`, and blocks until all have acted on it: another thread may be delivering.
  func act(_ action: QueueAction) {
    let isDelivered = Watched(false)
    let subscription = queueDispatcher.subscribe { delivered in
      if delivered == action { isDelivered.change { $0 = true } }
    }
    queueDispatcher.dispatch(action)
    _ = isDelivered.wait { $0 }
    subscription.cancel()
  }

  /// What a view would say.
  var actions: PlayerActionCreator {
    let (queue, playback) = (queue, playback)
    return PlayerActionCreator(queue: queueDispatcher, playback: playbackDispatcher) {
      queue.queue.current.flatMap { playback.heard(of: $0.id) }
    }
  }

  deinit {
    outputs.grant()
    _ = controller.shutDown(within: 20_000)
  }
}
