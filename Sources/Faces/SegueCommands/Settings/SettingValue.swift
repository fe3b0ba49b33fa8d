/// What a setting is set to.
enum SettingValue: Sendable, Equatable {
  case text(String)
  case whole(Int)
  case number(Double)
  case flag(Bool)
  case list([String])
  case paths([String])

  /// As it is shown to people: as it would stand in the file, but for the quotation marks.
  var text: String {
    switch self {
    case .text(let text): text
    case .whole(let number): "\(number)"
    case .number(let number): Int(exactly: number).map { "\($0)" } ?? "\(number)"
    case .flag(let isOn): isOn ? "true" : "false"
    case .list(let texts): texts.joined(separator: " ")
    case .paths(let paths): paths.joined(separator: ", ")
    }
  }
}

extension SettingValue: Encodable {
  /// Its plain value, for JSON.
  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .text(let text): try container.encode(text)
    case .whole(let number): try container.encode(number)
    case .number(let number): try container.encode(number)
    case .flag(let isOn): try container.encode(isOn)
    case .list(let texts): try container.encode(texts)
    // What there is one of mostly is no list then.
    case .paths(let paths):
      if paths.count == 1 { try container.encode(paths[0]) } else { try container.encode(paths) }
    }
  }
}
