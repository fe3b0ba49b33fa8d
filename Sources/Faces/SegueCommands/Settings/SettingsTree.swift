/// What stands in a file of settings, before anybody has judged it.
enum SettingsTree: Sendable, Equatable {
  case text(String)
  case whole(Int)
  case number(Double)
  case flag(Bool)
  /// A list; an element that is no text is `nil`.
  case list([String?])
  case table([String: SettingsTree])
  /// A date or a time.
  case time

  /// `value` as it would stand in a file.
  init(_ value: SettingValue) {
    switch value {
    case .text(let text): self = .text(text)
    case .whole(let number): self = .whole(number)
    case .number(let number): self = .number(number)
    case .flag(let isOn): self = .flag(isOn)
    case .list(let texts), .paths(let texts): self = .list(texts)
    }
  }

  /// What it is, as the end of a sentence; texts and numbers as they are.
  var description: String {
    switch self {
    case .text(let text): "\"\(text.count > 60 ? text.prefix(60) + "…" : text)\""
    case .whole(let number): "\(number)"
    case .number(let number): "\(number)"
    case .flag(let isOn): "\(isOn)"
    case .list: "a list"
    case .table: "a table"
    case .time: "a date or a time"
    }
  }
}
