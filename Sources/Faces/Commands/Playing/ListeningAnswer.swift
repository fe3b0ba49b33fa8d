import MusicModel
import Platform
import PlayerFlow
import Screens

/// What `--json` prints for settings that can change during playback. Keys mean the same as in `status`.
enum ListeningAnswer {
  /// How loud it is.
  struct Volume: Encodable, Equatable {
    /// In percent.
    let volume: Int
  }

  /// What ReplayGain does.
  struct ReplayGain: Encodable, Equatable {
    /// Which gain counts.
    let replayGain: String
    /// By how much what plays is made louder, in dB; `nil` where nothing plays.
    let gain: Double?
    /// The reason, in words.
    let reason: String?
    /// What is added to gains that were measured, in dB.
    let preamp: Double
    /// The gain of tracks that were not measured, in dB.
    let fallbackGain: Double
    /// What is done where a gain would clip.
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

  /// How tracks fade into each other.
  struct Crossfade: Encodable, Equatable {
    /// How long, in seconds; 0 for none.
    let crossfade: Double
    /// Whether on albums that play in order, too.
    let crossfadeAlbums: Bool

    init(_ crossfade: PlayerFlow.Crossfade) {
      self.crossfade = crossfade.duration / .seconds(1)
      crossfadeAlbums = crossfade.withinAlbums
    }
  }

  /// When playing ends by itself.
  struct Sleep: Encodable, Equatable {
    /// Behind what: `time`, `track`, `album` or `queue`; `off` without a timer.
    let after: String
    /// In how many seconds, as far as that is known.
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
  /// Prints `object` as JSON where one is given; else `text`, after a change only for people.
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
