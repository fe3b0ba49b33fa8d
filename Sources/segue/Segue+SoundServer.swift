// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Flux
import MusicModel
import Outputs
import Platform
import PlayerFlow
import PulsePlayback
import Synchronization

/// What the player and the sound server exchange besides sound.
extension Segue {
  /// Returns a function that dispatches actions in their order on a thread of its own, so that its callers do not wait
  /// for subscribers.
  static func makeRequests() -> @Sendable (PlaybackAction) -> Void {
    let requests = Worker(named: "segue-requests", [PlaybackAction]())
    return { action in
      requests.post { $0.append(action) }
      // Starts the thread at the first request only. Without a thread, there is nothing that could be done.
      try? requests.start(taking: { $0.isEmpty ? nil : $0.removeFirst() }) { QueueDispatcher.shared.dispatch($0) }
    }
  }

  /// Returns a server whose requests to pause, such as during a call, the player performs in their order, and whose
  /// volume it adopts.
  static func makeSoundServer(_ request: @escaping @Sendable (PlaybackAction) -> Void) -> PulseServer {
    PulseServer(
      .init(
        onPauseRequest: { request(.interrupt($0)) },
        onVolumeChange: { request(.setVolume(Volume(percent: Int(($0 * 100).rounded())))) },
        onSinkChange: { request(.nameOutput(OutputChoice.name(ofSink: $0))) }))
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
