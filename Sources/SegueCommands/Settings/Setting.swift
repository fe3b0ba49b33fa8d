/// What is to be known of a setting: the one source for the file, the environment, `segue config` and the README.
struct Setting: Sendable, Equatable {
  let name: SettingName
  let kind: SettingKind
  /// What it is where nobody sets it; `nil` for ``defaultText``.
  let standard: SettingValue?
  /// What happens where nobody sets it, in words.
  let defaultText: String
  /// The variable of the environment that sets it, if one does.
  let environment: String?
  /// The option of a player that sets it, if one does.
  let option: String?
  /// What it is for: one line.
  let help: String

  /// A setting that an option and a variable of the environment set, too: both have its name.
  static func shared(
    _ name: SettingName, _ kind: SettingKind, _ standard: SettingValue?, _ defaultText: String? = nil,
    _ help: String
  ) -> Setting {
    Setting(
      name: name, kind: kind, standard: standard, defaultText: defaultText ?? standard?.text ?? "",
      environment: variable(name), option: "--" + name.rawValue, help: help)
  }

  /// A setting that a variable of the environment sets, too.
  static func quiet(
    _ name: SettingName, _ kind: SettingKind, _ standard: SettingValue?, _ defaultText: String? = nil,
    _ help: String
  ) -> Setting {
    Setting(
      name: name, kind: kind, standard: standard, defaultText: defaultText ?? standard?.text ?? "",
      environment: variable(name), option: nil, help: help)
  }

  /// A setting that only the file sets.
  static func filed(
    _ name: SettingName, _ kind: SettingKind, _ standard: SettingValue, _ help: String
  ) -> Setting {
    Setting(
      name: name, kind: kind, standard: standard, defaultText: standard.text, environment: nil, option: nil,
      help: help)
  }

  private static func variable(_ name: SettingName) -> String {
    "SEGUE_" + name.rawValue.replacing("-", with: "_").uppercased()
  }
}
