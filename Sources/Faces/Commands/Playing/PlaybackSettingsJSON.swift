// SPDX-License-Identifier: GPL-3.0-or-later

import MusicModel
import Platform
import PlayerFlow
import PlayerPort
import Screens

/// The JSON output of commands for settings that can change during playback. Keys have the same meaning as in `status`.
enum PlaybackSettingsJSON {
  /// The output of `volume --json`.
  struct Volume: Encodable, Equatable {
    /// The volume in percent.
    let volume: Int
  }

  /// The output of `replaygain --json`.
  struct ReplayGain: Encodable, Equatable {
    /// The ReplayGain mode.
    let replayGain: String
    /// The gain that is applied to the current track, in dB; `nil` if nothing is playing.
    let gain: Double?
    /// The reason for the gain, in words; `nil` if nothing is playing.
    let reason: String?
    /// The gain, in dB, that is added to measured gains.
    let preamp: Double
    /// The gain, in dB, applied to tracks that have not been measured.
    let fallbackGain: Double
    /// How clipping is prevented.
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

  /// The output of `crossfade --json`.
  struct Crossfade: Encodable, Equatable {
    /// The duration in seconds; 0 if there is no crossfade.
    let crossfade: Double
    /// Whether tracks of an album that play in order are crossfaded, too.
    let crossfadeAlbums: Bool

    init(_ crossfade: PlayerFlow.Crossfade) {
      self.crossfade = crossfade.duration / .seconds(1)
      crossfadeAlbums = crossfade.withinAlbums
    }
  }

  /// The output of `sleep --json`.
  struct Sleep: Encodable, Equatable {
    /// What the timer waits for: `time`, `track`, `album` or `queue`; `off` if no timer is set.
    let after: String
    /// The remaining time in seconds; `nil` if it is unknown.
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
  /// Prints `object` as JSON or, if it is `nil`, prints `text`. After a change, `text` is printed for people only, not
  /// for scripts.
  func answer(_ text: String, _ object: (some Encodable)?, isChanged: Bool) throws(PlayerError) {
    if let object {
      try printJSON(object)
    } else if isChanged {
      confirm(text)
    } else {
      printLine(text)
    }
  }
}
