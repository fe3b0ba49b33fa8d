// SPDX-License-Identifier: GPL-3.0-or-later

import Flux
import MusicModel
import PlayerFlow
import QueueStorage
import SystemPackage

/// The flow of a queue that is stored but not played.
struct StoredQueueFlow {
  let dispatcher = QueueDispatcher()
  let queue: QueueListener
  let playback: PlaybackStore

  init() {
    let store = PlayerStore(dispatcher: dispatcher)
    (queue, playback) = (QueueListener(store), PlaybackStore(store))
  }

  /// Creates the persister that stores the queue in `directory`.
  func persister(_ directory: FilePath) throws -> QueuePersister {
    try QueuePersister(
      PersistenceContext(
        queue: queue, playback: playback, dispatcher: dispatcher),
      QueueDirectory(directory: directory), in: directory, restoresVolume: true, isRendering: false)
  }
}
