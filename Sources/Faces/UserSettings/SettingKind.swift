/// What a setting can be: its type, and its range.
package enum SettingKind: Sendable, Equatable {
  /// Text of any sort, but not none.
  case text
  /// A path that means the same wherever the program is started.
  case path
  /// One such path, or several.
  case paths
  /// A whole number in this range, of this unit.
  case whole(ClosedRange<Int>, String)
  /// One of these whole numbers, of this unit.
  case oneOf([Int], String)
  /// A number in this range, of this unit.
  case number(ClosedRange<Double>, String)
  /// On or off.
  case flag
  /// One of these words.
  case choice([String])
  /// Patterns of names, as many as one likes.
  case patterns
  /// Names of keys, as many as one likes.
  case keys
  /// A ``TextStyle`` in words.
  case style

  /// What is to be written, as the end of a message.
  package var expectation: String {
    switch self {
    case .text: "text in quotation marks"
    case .path: "a path that begins with / or ~/, in quotation marks"
    case .paths: "a path that begins with / or ~/, in quotation marks, or a list of such paths"
    case .whole(let range, let unit):
      "\(range.lowerBound) to \(range.upperBound)\(unit.isEmpty ? "" : " ")\(unit)"
    case .oneOf(let numbers, let unit):
      numbers.dropLast().map { "\($0)" }.joined(separator: ", ") + " or \(numbers.last ?? 0) \(unit)"
    case .number(let range, let unit):
      "\(SettingValue.number(range.lowerBound).text) to \(SettingValue.number(range.upperBound).text) \(unit)"
    case .flag: "true or false"
    case .choice(let words): words.joined(separator: ", ")
    case .patterns: "a pattern such as \"*.part\", in quotation marks, or a list of such patterns"
    case .keys: "a key or a list of keys: a character, \(Key.names.joined(separator: ", "))"
    case .style: "words such as \"bold cyan\": \(TextStyle.words.joined(separator: ", "))"
    }
  }

  /// The value that `written`, which stands in a file, means; `nil` where it is of another type, or out of the range.
  package func value(_ written: SettingsTree) -> SettingValue? {
    switch (self, written) {
    case (.text, .text(let text)), (.path, .text(let text)), (.choice, .text(let text)),
      (.style, .text(let text)):
      value(parsing: text)
    case (.whole(let range, _), .whole(let number)): range.contains(number) ? .whole(number) : nil
    case (.oneOf(let numbers, _), .whole(let number)): numbers.contains(number) ? .whole(number) : nil
    case (.number(let range, _), .whole(let number)):
      range.contains(Double(number)) ? .number(Double(number)) : nil
    case (.number(let range, _), .number(let number)): range.contains(number) ? .number(number) : nil
    case (.flag, .flag(let isOn)): .flag(isOn)
    case (.paths, .text(let path)): Self.paths([path])
    case (.paths, .list(let elements)): Self.paths(elements)
    case (.patterns, .text(let pattern)): Self.patterns([pattern])
    case (.patterns, .list(let elements)): Self.patterns(elements)
    case (.keys, .text(let name)): Self.keys([name])
    case (.keys, .list(let elements)): Self.keys(elements)
    default: nil
    }
  }

  /// The value that `text`, which stands in a variable of the environment, means; `nil` where it means none.
  func value(parsing text: String) -> SettingValue? {
    switch self {
    case .text: text.isEmpty ? nil : .text(text)
    case .path: Self.isFixed(text) ? .text(text) : nil
    case .paths: Self.paths(Self.split(text))
    case .whole, .oneOf: Int(text).flatMap { value(.whole($0)) }
    case .number: Double(text).flatMap { value(.number($0)) }
    case .flag: ["true": true, "false": false, "1": true, "0": false][text].map { .flag($0) }
    case .choice(let words): words.contains(text) ? .text(text) : nil
    case .patterns: Self.patterns(Self.split(text))
    case .keys: Self.keys(text.split(separator: " ").map(String.init))
    case .style: TextStyle(parsing: text) == nil ? nil : .text(text)
    }
  }

  /// The paths of a variable of the environment, which has a colon between them.
  static func split(_ text: String) -> [String] { text.split(separator: ":").map(String.init) }

  private static func isFixed(_ path: String) -> Bool {
    path.hasPrefix("/") || path == "~" || path.hasPrefix("~/")
  }

  private static func paths(_ paths: [String?]) -> SettingValue? {
    let fixed = paths.compactMap { $0 }.filter(isFixed)
    return fixed.count == paths.count && !fixed.isEmpty ? .paths(fixed) : nil
  }

  private static func patterns(_ patterns: [String?]) -> SettingValue? {
    let known = patterns.compactMap { $0 }.filter { !$0.isEmpty }
    return known.count == patterns.count ? .list(known) : nil
  }

  private static func keys(_ names: [String?]) -> SettingValue? {
    let known = names.compactMap { $0 }.filter { Key(named: $0) != nil }
    return known.count == names.count ? .list(known) : nil
  }
}

/// What a setting is set to.
package enum SettingValue: Sendable, Equatable {
  case text(String)
  case whole(Int)
  case number(Double)
  case flag(Bool)
  case list([String])
  case paths([String])

  /// As it is shown to people: as it would stand in the file, but for the quotation marks.
  package var text: String {
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
  package func encode(to encoder: any Encoder) throws {
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
