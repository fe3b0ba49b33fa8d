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
  /// Returns a server whose requests to pause, such as during a call, the player of `stores` performs, and whose
  /// volume it adopts.
  static func makeSoundServer(_ stores: PlayerStores) -> PulseServer {
    let hasPaused = Atomic(false)
    let volume = Atomic<Double>(1)
    // The library's thread must not wait for subscribers.
    return PulseServer(
      .init(
        onPauseRequest: { [playback = stores.playback] wantsPause in
          _ = try? WorkerThread(name: "segue-requests") {
            let phase = playback.state.phase
            if wantsPause, phase == .playing {
              hasPaused.store(true, ordering: .relaxed)
              QueueDispatcher.shared.dispatch(PlaybackAction.pause)
            } else if !wantsPause, hasPaused.exchange(false, ordering: .relaxed), phase == .paused {
              QueueDispatcher.shared.dispatch(PlaybackAction.resume)
            }
          }
        },
        onVolumeChange: { newVolume in
          volume.store(newVolume, ordering: .relaxed)
          _ = try? WorkerThread(name: "segue-requests") {
            // Of several changes, the threads may come in any order: each sets the latest one.
            let percent = Int((volume.load(ordering: .relaxed) * 100).rounded())
            QueueDispatcher.shared.dispatch(.setVolume(Volume(percent: percent)))
          }
        }))
  }

  /// Lets `server` show the title and the artist of what plays in the desktop's mixer.
  static func describePlayback(of stores: PlayerStores, to server: PulseServer) -> Subscription {
    let last = Mutex<(item: PlayQueue.Item.ID?, text: SourceText?)>((nil, nil))
    return stores.playback.observe { [queue = stores.queue] state in
      let (item, text) = (state.item, state.sourceText)
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
