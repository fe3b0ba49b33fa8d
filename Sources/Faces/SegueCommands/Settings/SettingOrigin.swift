/// Who has set a setting.
enum SettingOrigin: Sendable, Equatable {
  /// Nobody.
  case standard
  /// The file, in this line, where that was found.
  case file(line: Int?)
  /// This variable of the environment.
  case environment(String)
  /// This option.
  case option(String)

  /// In one word for JSON.
  var word: String {
    switch self {
    case .standard: "default"
    case .file: "file"
    case .environment: "environment"
    case .option: "option"
    }
  }
}
