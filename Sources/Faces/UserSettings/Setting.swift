// SPDX-License-Identifier: GPL-3.0-or-later

/// The definition of a setting. The settings file, the environment, `segue config` and the manual all use it.
package struct Setting: Sendable, Equatable {
  /// The name of the setting in the file.
  package let name: SettingName
  /// The type and the range of the value.
  package let kind: SettingKind
  /// The default value; `nil` if only ``defaultText`` can describe it.
  package let defaultValue: SettingValue?
  /// The description of the default, if the text of ``defaultValue`` does not suffice.
  private let defaultWords: String?
  /// The environment variable for the setting, if any.
  package let environment: String?
  /// The player option for the setting, if any.
  package let option: String?
  /// The description of the setting in one line.
  package let help: String

  /// Returns a setting that can also be set by an option and by an environment variable, both named after it.
  static func shared(
    _ name: SettingName, _ kind: SettingKind, _ defaultValue: SettingValue?, _ defaultWords: String? = nil,
    _ help: String
  ) -> Setting {
    Setting(
      name: name, kind: kind, defaultValue: defaultValue, defaultWords: defaultWords,
      environment: variable(name), option: "--" + name.rawValue, help: help)
  }

  /// Returns a setting that can also be set by an environment variable, but not by an option.
  static func withoutOption(
    _ name: SettingName, _ kind: SettingKind, _ defaultValue: SettingValue?, _ defaultWords: String? = nil,
    _ help: String
  ) -> Setting {
    Setting(
      name: name, kind: kind, defaultValue: defaultValue, defaultWords: defaultWords,
      environment: variable(name), option: nil, help: help)
  }

  /// Returns a setting that can only be set in the file.
  static func fileOnly(
    _ name: SettingName, _ kind: SettingKind, _ defaultValue: SettingValue?, words defaultWords: String? = nil,
    _ help: String
  ) -> Setting {
    Setting(
      name: name, kind: kind, defaultValue: defaultValue, defaultWords: defaultWords, environment: nil, option: nil,
      help: help)
  }

  /// Whether the setting says what the full screen looks like, or what its keys do, so that it can apply it at once.
  package var isOfScreen: Bool {
    switch name {
    case .theme, .spectrum, .playingSide, .coverSize, .volumeStep, .keyPreset: true
    default: name.path[0] == "colours" || name.path[0] == "columns"
    }
  }

  /// The default value, or a description of it.
  package var defaultText: String { defaultWords ?? defaultValue?.text ?? "" }

  /// Returns the name of the environment variable for a setting. It is composed byte by byte for speed, since this runs
  /// at each start of the program.
  private static func variable(_ name: SettingName) -> String {
    let bytes = name.rawValue.utf8.map { byte in
      switch byte {
      case UInt8(ascii: "-"): UInt8(ascii: "_")
      case UInt8(ascii: "a")...UInt8(ascii: "z"): byte ^ 0x20
      default: byte
      }
    }
    return "SEGUE_" + String(decoding: bytes, as: UTF8.self)
  }
}

/// The name of a setting in the file. If it contains a dot, the part before the dot is the name of a table.
package enum SettingName: String, CaseIterable, Sendable {
  case library
  case ignore
  case textEncoding = "text-encoding"
  case dates
  case playlists
  case output
  case outputs
  case buffer
  case tap
  case rate
  case depth
  case onFormatChange = "on-format-change"
  case pauseOnLoss = "pause-on-loss"
  case onHangup = "on-hangup"
  case restore
  case history
  case keepPlayingHours = "keep-playing-hours"
  case resumeLongerThan = "resume-longer-than"
  case resume
  case rememberSpeed = "remember-speed"
  case unconfinedStreams = "unconfined-streams"
  case replayGain = "replay-gain"
  case preamp
  case fallbackGain = "fallback-gain"
  case clipping
  case crossfade
  case crossfadeAlbums = "crossfade-albums"
  case crossfadeOnNext = "crossfade-on-next"
  case skipSilence = "skip-silence"
  case silenceThreshold = "silence-threshold"
  case silenceShortest = "silence-shortest"
  case silenceGap = "silence-gap"
  case measureLoudness = "measure-loudness"
  case volumeStep = "volume-step"
  case color
  case plain
  case inline
  case theme
  case spectrum
  case playingSide = "playing-side"
  case coverSize = "cover-size"
  case repeatMode = "modes.repeat"
  case randomMode = "modes.random"
  case singleMode = "modes.single"
  case consumeMode = "modes.consume"
  case keyPreset = "keys.preset"
  case queueColumns = "columns.queue"
  case albumsColumns = "columns.albums"
  case albumColumns = "columns.album"
  case songsColumns = "columns.songs"
  case playlistColumns = "columns.playlist"
  case directoryColumns = "columns.directory"
  case searchColumns = "columns.search"
  case trackHook = "hooks.track"
  case stateHook = "hooks.state"
  case endHook = "hooks.end"
  case ratingHook = "hooks.rating"
  case scrobbleListenBrainz = "scrobble.listenbrainz-url"
  case scrobbleLastFM = "scrobble.lastfm-url"
  case scrobbleTokenCommand = "scrobble.token-command"
  case scrobbleLoves = "scrobble.loves"
  case scrobbleLovedRating = "scrobble.loved-rating"
  case headingColour = "colours.heading"
  case titleColour = "colours.title"
  case artistColour = "colours.artist"
  case progressColour = "colours.progress"
  case nextColour = "colours.next"
  case keysColour = "colours.keys"
  case errorColour = "colours.error"
  case selectionColour = "colours.selection"
  case markColour = "colours.mark"
  case faintColour = "colours.faint"

  /// The tables of the file, except that of the aliases.
  static let tables = ["modes", "keys", "columns", "hooks", "scrobble", "colours"]

  /// The parts of the name that are separated by dots.
  var path: [String] { rawValue.split(separator: ".").map(String.init) }
}
