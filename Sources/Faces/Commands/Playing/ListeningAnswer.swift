// SPDX-License-Identifier: GPL-3.0-or-later

import MusicModel
import Platform
import PlayerFlow
import Screens

/// The JSON output for settings that can change during playback. Keys mean the same as in `status`.
enum ListeningAnswer {
  /// The volume.
  struct Volume: Encodable, Equatable {
    /// In percent.
    let volume: Int
  }

  /// The ReplayGain settings and their effect.
  struct ReplayGain: Encodable, Equatable {
    /// The ReplayGain mode.
    let replayGain: String
    /// The gain applied to the current track, in dB; `nil` if nothing plays.
    let gain: Double?
    /// The reason for the gain, in words.
    let reason: String?
    /// The preamplification of measured gains, in dB.
    let preamp: Double
    /// The gain of tracks that were not measured, in dB.
    let fallbackGain: Double
    /// The clipping prevention.
    let clipping: String

    init(_ state: PlaybackState) {
      let settings = state.replayGain
      replayGain = settings.mode.rawValue
      gain = state.phase == .stopped ? nil : state.gain.gain
      reason = state.phase == .stopped ? nil : state.gain.description
      preamp = settings.preamp
      fallbackGain = settings.fallbackGain
      clipping = settings.clipping.rawValue
    }
  }

  /// The crossfade settings.
  struct Crossfade: Encodable, Equatable {
    /// The duration in seconds; 0 if off.
    let crossfade: Double
    /// Whether it also applies to albums that play in order.
    let crossfadeAlbums: Bool

    init(_ crossfade: PlayerFlow.Crossfade) {
      self.crossfade = crossfade.duration / .seconds(1)
      crossfadeAlbums = crossfade.withinAlbums
    }
  }

  /// The sleep timer.
  struct Sleep: Encodable, Equatable {
    /// The event that it waits for: `time`, `track`, `album` or `queue`; `off` without a timer.
    let after: String
    /// The remaining time in seconds, if known.
    let sleep: Double?

    init(_ timer: SleepTimer?, _ left: Duration?) {
      after =
        switch timer?.end {
        case nil: "off"
        case .at: "time"
        case .afterTrack: "track"
        case .afterAlbum: "album"
        case .afterQueue: "queue"
        }
      sleep = timer == nil ? nil : left.map { $0 / .seconds(1) }
    }
  }
}

extension Session {
  /// Prints `object` as JSON if there is one; otherwise `text`, which scripts do not get after a change.
  func answer(_ text: String, _ object: (some Encodable)?, isChanged: Bool) throws(CommandError) {
    if let object {
      try say(json: object)
    } else if isChanged {
      confirm(text)
    } else {
      say(text)
    }
  }
}
