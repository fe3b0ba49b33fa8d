/// What is to be known of a setting: the one source for the file, the environment, `segue config` and the README.
package struct Setting: Sendable, Equatable {
  /// What the file calls it.
  package let name: SettingName
  /// What it can be.
  package let kind: SettingKind
  /// What it is where nobody sets it; `nil` for ``defaultText``.
  package let standard: SettingValue?
  /// What happens where nobody sets it, where ``standard`` does not tell.
  private let defaultWords: String?
  /// The variable of the environment that sets it, if one does.
  package let environment: String?
  /// The option of a player that sets it, if one does.
  package let option: String?
  /// What it is for: one line.
  package let help: String

  /// A setting that an option and a variable of the environment set, too: both have its name.
  static func shared(
    _ name: SettingName, _ kind: SettingKind, _ standard: SettingValue?, _ defaultWords: String? = nil,
    _ help: String
  ) -> Setting {
    Setting(
      name: name, kind: kind, standard: standard, defaultWords: defaultWords,
      environment: variable(name), option: "--" + name.rawValue, help: help)
  }

  /// A setting that a variable of the environment sets, too.
  static func quiet(
    _ name: SettingName, _ kind: SettingKind, _ standard: SettingValue?, _ defaultWords: String? = nil,
    _ help: String
  ) -> Setting {
    Setting(
      name: name, kind: kind, standard: standard, defaultWords: defaultWords,
      environment: variable(name), option: nil, help: help)
  }

  /// A setting that only the file sets.
  static func filed(
    _ name: SettingName, _ kind: SettingKind, _ standard: SettingValue, _ help: String
  ) -> Setting {
    Setting(
      name: name, kind: kind, standard: standard, defaultWords: nil, environment: nil, option: nil,
      help: help)
  }

  /// What happens where nobody sets it, in words.
  package var defaultText: String { defaultWords ?? standard?.text ?? "" }

  /// Byte by byte: every start of the program asks.
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

/// What can be set, by its name in the file of settings: what stands ahead of a dot is a table there.
package enum SettingName: String, CaseIterable, Sendable {
  case library
  case ignore
  case textEncoding = "text-encoding"
  case playlists
  case output
  case buffer
  case rate
  case depth
  case onFormatChange = "on-format-change"
  case pauseOnLoss = "pause-on-loss"
  case onHangup = "on-hangup"
  case restore
  case replayGain = "replay-gain"
  case preamp
  case fallbackGain = "fallback-gain"
  case clipping
  case crossfade
  case crossfadeAlbums = "crossfade-albums"
  case volumeStep = "volume-step"
  case color
  case plain
  case repeatMode = "modes.repeat"
  case randomMode = "modes.random"
  case singleMode = "modes.single"
  case consumeMode = "modes.consume"
  case pauseKey = "keys.pause"
  case seekBackKey = "keys.seek-back"
  case seekForwardKey = "keys.seek-forward"
  case seekBackFarKey = "keys.seek-back-far"
  case seekForwardFarKey = "keys.seek-forward-far"
  case nextKey = "keys.next"
  case previousKey = "keys.previous"
  case volumeUpKey = "keys.volume-up"
  case volumeDownKey = "keys.volume-down"
  case meterKey = "keys.meter"
  case showKeysKey = "keys.show-keys"
  case quitKey = "keys.quit"
  case headingColour = "colours.heading"
  case titleColour = "colours.title"
  case artistColour = "colours.artist"
  case progressColour = "colours.progress"
  case nextColour = "colours.next"
  case keysColour = "colours.keys"
  case errorColour = "colours.error"

  /// The tables of the file, but that of the aliases.
  static let tables = ["modes", "keys", "colours"]

  /// The parts of the name.
  var path: [String] { rawValue.split(separator: ".").map(String.init) }
}
