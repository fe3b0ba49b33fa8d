// SPDX-License-Identifier: GPL-3.0-or-later

import PlayerPort
package import TOMLFiles

/// The type of a setting's value, including its range.
package enum SettingKind: Sendable, Equatable {
  /// Text that is not empty.
  case text
  /// An absolute path, or a path that begins with `~/`.
  case path
  /// One or more paths, each as for ``path``.
  case paths
  /// An integer in a range, and its unit.
  case integer(ClosedRange<Int>, String)
  /// One of several integers, and their unit.
  case oneOf([Int], String)
  /// A number in a range, and its unit.
  case number(ClosedRange<Double>, String)
  /// Either on or off.
  case flag
  /// One of several words.
  case choice([String])
  /// A list of file name patterns.
  case patterns
  /// A ``TextStyle``, in words.
  case style
  /// Columns of a list, in words; see ``ListColumn/choices(_:)``.
  case columns
  /// A program with its arguments.
  case program
  /// Outputs that can be preferred; see `PreferredOutputs`.
  case outputs

  /// A description of the valid values, for the end of an error message.
  package var expectation: String {
    switch self {
    case .text: "text in quotation marks"
    case .path: "a path that begins with / or ~/, in quotation marks"
    case .paths: "a path that begins with / or ~/, in quotation marks, or a list of such paths"
    case .integer(let range, let unit):
      "\(range.lowerBound) to \(range.upperBound)\(unit.isEmpty ? "" : " ")\(unit)"
    case .oneOf(let numbers, let unit):
      numbers.dropLast().map { "\($0)" }.joined(separator: ", ") + " or \(numbers.last ?? 0) \(unit)"
    case .number(let range, let unit):
      "\(SettingValue.number(range.lowerBound).text) to \(SettingValue.number(range.upperBound).text) \(unit)"
    case .flag: "true or false"
    case .choice(let words): words.joined(separator: ", ")
    case .patterns: "a pattern such as \"*.part\", in quotation marks, or a list of such patterns"
    case .columns:
      "columns such as \"title artist:20 album*2\": \(ListColumn.allCases.map(\.rawValue).joined(separator: ", "))"
    case .program: "a program, or a list with its arguments, such as [\"notify-send\", \"Segue\"]"
    case .outputs:
      "up to \(PreferredOutputs.limit) outputs that can be plugged in, such as [\"pulse:USB DAC\", \"pulse:Headphones\"]"
    case .style: "words such as \"bold cyan\": \(TextStyle.words.joined(separator: ", "))"
    }
  }

  /// The words that are valid values; empty if values are not words.
  package var words: [String] {
    switch self {
    case .flag: ["true", "false"]
    case .choice(let words): words
    case .oneOf(let numbers, _): numbers.map(String.init)
    case .text, .path, .paths, .integer, .number, .patterns, .style, .columns, .program, .outputs: []
    }
  }

  /// Returns the value for `content`, as read from a settings file; `nil` if it has another type or is out of range.
  package func value(_ content: TOMLValue) -> SettingValue? {
    switch (self, content) {
    case (.text, .text(let text)), (.path, .text(let text)), (.choice, .text(let text)),
      (.style, .text(let text)), (.columns, .text(let text)):
      value(parsing: text)
    case (.integer(let range, _), .integer(let number)): range.contains(number) ? .integer(number) : nil
    case (.oneOf(let numbers, _), .integer(let number)): numbers.contains(number) ? .integer(number) : nil
    case (.number(let range, _), .integer(let number)):
      range.contains(Double(number)) ? .number(Double(number)) : nil
    case (.number(let range, _), .number(let number)): range.contains(number) ? .number(number) : nil
    case (.flag, .flag(let isOn)): .flag(isOn)
    case (.paths, .text(let path)): Self.paths([path])
    case (.paths, .list(let elements)): Self.paths(elements)
    case (.patterns, .text(let pattern)): Self.patterns([pattern])
    case (.patterns, .list(let elements)): Self.patterns(elements)
    case (.program, .text(let word)): Self.program([word])
    case (.program, .list(let elements)): Self.program(elements)
    case (.outputs, .text(let output)): Self.outputs([output])
    case (.outputs, .list(let elements)): Self.outputs(elements)
    default: nil
    }
  }

  /// Parses the text of an environment variable. Returns `nil` if it is invalid.
  func value(parsing text: String) -> SettingValue? {
    switch self {
    case .text: text.isEmpty ? nil : .text(text)
    case .path: Self.isAbsoluteOrHome(text) ? .text(text) : nil
    case .paths: Self.paths(Self.split(text))
    case .integer, .oneOf: Int(text).flatMap { value(.integer($0)) }
    case .number: Double(text).flatMap { value(.number($0)) }
    case .flag: ["true": true, "false": false, "1": true, "0": false][text].map { .flag($0) }
    case .choice(let words): words.contains(text) ? .text(text) : nil
    case .patterns: Self.patterns(Self.split(text))
    case .program: Self.program([text])
    case .outputs: Self.outputs(text.split(separator: ",").map { $0.drop(while: \.isWhitespace) }.map(String.init))
    case .style: TextStyle(parsing: text) == nil ? nil : .text(text)
    case .columns: ListColumn.choices(text) == nil ? nil : .text(text)
    }
  }

  /// Splits the list in an environment variable at colons.
  static func split(_ text: String) -> [String] { text.split(separator: ":").map(String.init) }

  private static func isAbsoluteOrHome(_ path: String) -> Bool {
    path.hasPrefix("/") || path == "~" || path.hasPrefix("~/")
  }

  private static func paths(_ paths: [String?]) -> SettingValue? {
    let valid = paths.compactMap { $0 }.filter(isAbsoluteOrHome)
    return valid.count == paths.count && !valid.isEmpty ? .paths(valid) : nil
  }

  private static func patterns(_ patterns: [String?]) -> SettingValue? {
    let valid = patterns.compactMap { $0 }.filter { !$0.isEmpty }
    return valid.count == patterns.count ? .list(valid) : nil
  }

  /// Returns the value for a program, which must have a name, and its arguments.
  private static func program(_ words: [String?]) -> SettingValue? {
    let valid = words.compactMap { $0 }
    return valid.count == words.count && valid.first?.isEmpty == false ? .list(valid) : nil
  }

  private static func outputs(_ entries: [String?]) -> SettingValue? {
    let valid = entries.compactMap { $0 }
    return valid.count == entries.count && PreferredOutputs.problem(of: valid) == nil ? .list(valid) : nil
  }
}

/// The value of a setting.
package enum SettingValue: Sendable, Equatable {
  case text(String)
  case integer(Int)
  case number(Double)
  case flag(Bool)
  case list([String])
  case paths([String])

  /// The value as people read it: as in the file, but without quotation marks.
  package var text: String {
    switch self {
    case .text(let text): text
    case .integer(let number): "\(number)"
    case .number(let number): Int(exactly: number).map { "\($0)" } ?? "\(number)"
    case .flag(let isOn): isOn ? "true" : "false"
    case .list(let texts): texts.joined(separator: " ")
    case .paths(let paths): paths.joined(separator: ", ")
    }
  }
}

extension SettingValue: Encodable {
  /// Encodes the value itself, without its type.
  package func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .text(let text): try container.encode(text)
    case .integer(let number): try container.encode(number)
    case .number(let number): try container.encode(number)
    case .flag(let isOn): try container.encode(isOn)
    case .list(let texts): try container.encode(texts)
    // A single path is encoded as a string rather than as a list.
    case .paths(let paths):
      if paths.count == 1 { try container.encode(paths[0]) } else { try container.encode(paths) }
    }
  }
}

extension TOMLValue {
  /// Creates the content that represents `value` in a settings file.
  package init(_ value: SettingValue) {
    switch value {
    case .text(let text): self = .text(text)
    case .integer(let number): self = .integer(number)
    case .number(let number): self = .number(number)
    case .flag(let isOn): self = .flag(isOn)
    case .list(let texts), .paths(let texts): self = .list(texts)
    }
  }
}
