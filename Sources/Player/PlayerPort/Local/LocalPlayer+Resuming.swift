// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import MusicModel
import PlayerFlow

/// Tracks that resume where they were left.
extension LocalPlayer {
  /// Returns the position from which a track will resume, in seconds; `nil` if it begins at its beginning.
  func resumedSeconds(of track: Track) -> Double? {
    guard let start = parts.positions?.start(of: track), start > .zero else { return nil }
    return start / .seconds(1)
  }

  /// Resumes playback; after a longer pause, a few seconds earlier in a track that resumes where it was left.
  package func resume() {
    rewindAfterPause()
    parts.actions.resume()
  }

  /// Goes back a few seconds after a longer pause, in a track that resumes where it was left.
  func rewindAfterPause() {
    let (state, queue) = (parts.playback.state, parts.queue.queue)
    guard state.phase != .playing, let recorder = parts.positions, recorder.isLongPause, let current = queue.current,
      recorder.applies(to: current.track, duration: state.openItem == current.id ? state.duration : nil)
    else { return }
    if state.phase == .paused {
      if state.isSeekable, !state.isWaiting { parts.actions.seek(.by(.zero - PositionRecorder.rewind)) }
    } else if queue.elapsed > PositionRecorder.rewind {
      parts.actions.play(current.id, from: queue.elapsed - PositionRecorder.rewind)
    }
  }
}
