/// What is to be known of a setting: the one source for the file, the environment, `segue config` and the README.
struct Setting: Sendable, Equatable {
  let name: SettingName
  let kind: SettingKind
  /// What it is where nobody sets it; `nil` for ``defaultText``.
  let standard: SettingValue?
  /// What happens where nobody sets it, where ``standard`` does not tell.
  private let defaultWords: String?
  /// The variable of the environment that sets it, if one does.
  let environment: String?
  /// The option of a player that sets it, if one does.
  let option: String?
  /// What it is for: one line.
  let help: String

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
  var defaultText: String { defaultWords ?? standard?.text ?? "" }

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
