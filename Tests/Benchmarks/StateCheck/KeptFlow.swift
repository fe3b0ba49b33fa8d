import Flux
import MusicModel
import QueueFlow
import QueueStorage
import SystemPackage

/// A queue flow without sound.
struct KeptFlow {
  let dispatcher = QueueDispatcher()
  let playbackDispatcher = PlaybackDispatcher()
  let queue: QueueListener
  let playback: PlaybackStore

  init() {
    queue = QueueListener(dispatcher: dispatcher)
    playback = PlaybackStore(dispatcher: playbackDispatcher)
  }

  /// What keeps this flow's queue in `directory`.
  func keeper(_ directory: FilePath) throws -> StateKeeper {
    try StateKeeper(
      KeeperFlow(
        queue: queue, playback: playback, queueDispatcher: dispatcher, playbackDispatcher: playbackDispatcher),
      StateDatabase(directory: directory), in: directory, takesVolume: true, isRendering: false)
  }
}
