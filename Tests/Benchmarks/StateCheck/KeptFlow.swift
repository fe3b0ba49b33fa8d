// SPDX-License-Identifier: GPL-3.0-or-later

import Flux
import MusicModel
import PlayerFlow
import QueueStorage
import SystemPackage

/// The flow of a queue that is stored but not played.
struct KeptFlow {
  let dispatcher = QueueDispatcher()
  let queue: QueueListener
  let playback: PlaybackStore

  init() {
    let store = PlayerStore(dispatcher: dispatcher)
    (queue, playback) = (QueueListener(store), PlaybackStore(store))
  }

  /// Creates the persister that stores the queue in `directory`.
  func keeper(_ directory: FilePath) throws -> QueuePersister {
    try QueuePersister(
      KeeperFlow(
        queue: queue, playback: playback, dispatcher: dispatcher),
      StateDatabase(directory: directory), in: directory, takesVolume: true, isRendering: false)
  }
}
