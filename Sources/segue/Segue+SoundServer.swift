// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Flux
import MusicModel
import Platform
import PlayerFlow
import PulsePlayback
import Synchronization

/// What the player and the sound server exchange besides sound.
extension Segue {
  /// Returns a server whose requests to pause, such as during a call, the player performs in their order, and whose
  /// volume it adopts.
  static func makeSoundServer() -> PulseServer {
    // The library's thread must not wait for subscribers.
    let requests = Worker(named: "segue-requests", [PlaybackAction]())
    let request = { @Sendable (action: PlaybackAction) in
      requests.post { $0.append(action) }
      // Starts the thread at the first request only. Without a thread, there is nothing that could be done.
      try? requests.start(taking: { $0.isEmpty ? nil : $0.removeFirst() }) { QueueDispatcher.shared.dispatch($0) }
    }
    return PulseServer(
      .init(
        onPauseRequest: { request(.interrupt($0)) },
        onVolumeChange: { request(.setVolume(Volume(percent: Int(($0 * 100).rounded())))) }))
  }

  /// Lets `server` show the title and the artist of what plays in the desktop's mixer.
  static func describePlayback(of stores: PlayerStores, to server: PulseServer) -> Subscription {
    let last = Mutex<(item: PlayQueue.Item.ID?, text: SourceText?)>((nil, nil))
    return stores.playback.observe { [queue = stores.queue] state in
      let item = state.hasRequest ? queue.queue.current?.id : state.item
      let text = state.sourceText
      let isChanged = last.withLock { last in
        defer { last = (item, text) }
        return last.item != item || last.text != text
      }
      guard isChanged else { return }
      let queue = queue.queue
      let track = item.flatMap { queue.position(of: $0) }.map { queue.items[$0].track.described(by: text) }
      server.describe(title: track?.title, artist: track?.artists.first)
    }
  }
}
