// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import MusicModel
import Platform

/// Playing faster or slower.
extension PlayerReducer {
  /// Returns the speed at which `item` is played. A stream is played at the speed at which its server sends it.
  func speed(of item: PlayQueue.Item) -> PlaybackSpeed {
    StreamAddress(item.track.path) == nil ? state.playback.speed : .normal
  }

  /// Applies the current speed to the current source and the next one.
  mutating func changeSpeed() {
    if let link = state.plan.chain.links.first, let item = state.queue.item(link.item) {
      let speed = speed(of: item)
      if speed != link.speed {
        state.plan.chain.setSpeed(speed)
        report(.speedChanged(item.id, speed))
        effects.append(.setSpeed(speed, of: link.source))
      }
    }
    updateNext()
  }
}
