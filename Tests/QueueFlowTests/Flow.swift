import AudioCore
import Flux
import MusicModel
import QueueFlow
import TestSupport

/// A queue flow whose sound is scripted.
final class Flow: Sendable {
  let queueDispatcher = QueueDispatcher()
  let playbackDispatcher = PlaybackDispatcher()
  let queue: QueueListener
  let playback: PlaybackStore
  let controller: EnQueueController
  let outputs: CollectingOutputs
  let state = Watched(PlaybackState())
  private let observation: Subscription

  init(
    _ scripts: [DecodingScript], outputs: CollectingOutputs = CollectingOutputs(),
    loudness: @escaping @Sendable ([Track]) -> [ReplayGainTags] = { $0.map(\.replayGain) }
  ) throws {
    let decoders = ScriptedDecoders(scripts)
    self.outputs = outputs
    queue = QueueListener(dispatcher: queueDispatcher)
    playback = PlaybackStore(dispatcher: playbackDispatcher)
    controller = try EnQueueController(
      queue: queue, playback: playback, queueDispatcher: queueDispatcher,
      playbackDispatcher: playbackDispatcher, loudness: loudness,
      decoders: { path throws(DecodingError) in try decoders.open(path) },
      resamplers: { _, _, _ in nil }, outputs: { format throws(OutputError) in try outputs.open(format) })
    observation = playback.observe { [state] new in state.change { $0 = new } }
  }

  deinit {
    outputs.grant()
    _ = controller.shutDown(within: 20_000)
  }
}
