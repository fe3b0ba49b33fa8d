// SPDX-License-Identifier: GPL-3.0-or-later

/// The text styles for output on a terminal.
package struct Palette: Sendable, Equatable {
  /// A kind of text that has a style of its own.
  package enum Role: String, CaseIterable, Sendable {
    case heading
    case title
    case artist
    case progress
    case next
    case keys
    case error

    /// The setting that contains the style of the role.
    var setting: SettingName {
      switch self {
      case .heading: .headingColour
      case .title: .titleColour
      case .artist: .artistColour
      case .progress: .progressColour
      case .next: .nextColour
      case .keys: .keysColour
      case .error: .errorColour
      }
    }

    /// The default style of the role, in words.
    var defaultStyle: String {
      switch self {
      case .heading, .title: "bold"
      case .error: "red"
      case .artist, .progress, .next, .keys: "default"
      }
    }

    /// The description of the role in one line.
    var help: String {
      switch self {
      case .heading: "Headings of listings."
      case .title: "Title of the current track, and its line in listings."
      case .artist: "Artists and album of the current track."
      case .progress: "Progress of the current track."
      case .next: "Upcoming tracks, and the modes."
      case .keys: "Key hints."
      case .error: "Errors."
      }
    }
  }

  /// The palette in which all text has the terminal's default style.
  package static let plain = Palette([:])

  private let styles: [Role: TextStyle]

  /// Creates a palette. Roles without a style have the terminal's default style.
  init(_ styles: [Role: TextStyle]) { self.styles = styles }

  /// The style of the text with this role.
  package subscript(role: Role) -> TextStyle { styles[role] ?? .plain }
}

/// A text style on a terminal: foreground and background colours, and effects such as bold (SGR in ECMA-48).
package struct TextStyle: Sendable, Equatable {
  /// The terminal's default style.
  static let plain = TextStyle(codes: [])

  private static let effects = ["bold": 1, "dim": 2, "italic": 3, "underline": 4, "reverse": 7]
  private static let colours = ["black", "red", "green", "yellow", "blue", "magenta", "cyan", "white"]

  /// The words that a style can consist of, as error messages list them.
  static let words =
    ["bold", "dim", "italic", "underline", "reverse"] + colours
    + ["bright-red etc.", "0 to 255", "on blue etc.", "default"]

  private let codes: [Int]

  private init(codes: [Int]) { self.codes = codes }

  /// Parses a style in words, such as "bold bright-cyan on blue". Returns `nil` if `text` is invalid.
  init?(parsing text: String) {
    var codes: [Int] = []
    var isBackground = false
    for word in text.split(separator: " ") {
      if word == "on", !isBackground {
        isBackground = true
        continue
      }
      if let effect = Self.effects[String(word)], !isBackground {
        codes.append(effect)
      } else if let colour = Self.colour(word, isBackground ? 10 : 0) {
        codes += colour
      } else {
        return nil
      }
      isBackground = false
    }
    guard !isBackground, !text.allSatisfy({ $0 == " " }) else { return nil }
    self.codes = codes
  }

  private static func colour(_ word: Substring, _ offset: Int) -> [Int]? {
    if word == "default" { return [] }
    if let index = colours.firstIndex(of: String(word)) { return [30 + offset + index] }
    if word.hasPrefix("bright-"), let index = colours.firstIndex(of: String(word.dropFirst(7))) {
      return [90 + offset + index]
    }
    return UInt8(word).map { [38 + offset, 5, Int($0)] }
  }

  /// Returns `text` between the sequences that switch the style on and off. The text must be safe for a terminal.
  package func applied(to text: String) -> String {
    codes.isEmpty || text.isEmpty
      ? text : "\u{1B}[" + codes.map { "\($0)" }.joined(separator: ";") + "m" + text + "\u{1B}[0m"
  }
}

/// When output has colours: a value of `--color`.
package enum ColourChoice: String, CaseIterable {
  /// On a terminal that supports colours, unless `$NO_COLOR` is set.
  case auto
  /// Always, even in pipes and files.
  case always
  case never
}
