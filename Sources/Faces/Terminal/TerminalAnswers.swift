// SPDX-License-Identifier: GPL-3.0-or-later

package import CoverDrawing

/// The answers of a terminal to queries about its support for pictures, and its background.
///
/// The first query asks for the terminal's name with XTVERSION (CSI > q) and then for its primary device attributes
/// (DA1, CSI c), which every terminal reports. The others are sent only to a terminal that has sent its name: the one
/// for the background colour (OSC 11), but not to screen, and that of kitty, but not to tmux either: these two, and
/// older terminals without XTVERSION, would misinterpret it, for example as a title.
package struct TerminalAnswers: Equatable {
  /// The text of the first query.
  package static let query = "\u{1B}[>0q\u{1B}[c"
  /// The text of the kitty query, sent only to terminals that understand it.
  private static let kittyQuery = "\u{1B}_Gi=31,s=1,v=1,a=q,t=d,f=24;AAAA\u{1B}\\"
  private static let backgroundQuery = "\u{1B}]11;?\u{1B}\\"
  private static let attributesQuery = "\u{1B}[c"
  /// The maximum length of an answer in bytes; longer sequences are ignored.
  private static let limit = 256

  private enum ParserState: Equatable {
    case ground
    case escape
    case sequence
    case string(UInt8)
    case stringEscape(UInt8)
  }

  /// How many of the queries have been answered.
  private enum Stage {
    case first, named, second, complete
  }

  private var stage = Stage.first
  /// Whether all queries have been answered.
  package var isComplete: Bool { stage == .complete }
  /// Whether the terminal has answered the first query.
  package var isAnswered: Bool { stage != .first }
  /// Whether the terminal supports the kitty graphics protocol.
  private(set) var hasKitty = false
  /// Whether the terminal supports sixels.
  private(set) var hasSixels = false
  /// Whether the background is light; `nil` if the terminal has not reported its colour.
  package private(set) var hasLightBackground: Bool?
  /// The name that the terminal reported; not yet escaped for a terminal.
  private(set) var name: String?
  private var parserState = ParserState.ground
  /// The bytes of the answer that is being read.
  private var answerBytes: [UInt8] = []

  /// Creates the state before the first query.
  package init() {}

  /// Extracts the answers from terminal input. Returns the remaining bytes, to be parsed as keys. Answers that are CSI
  /// sequences are not removed, since the key parser skips them.
  package mutating func take(_ bytes: [UInt8]) -> [UInt8] {
    var keys: [UInt8] = []
    for byte in bytes { take(byte, &keys) }
    // An Escape at the end of the input is a key.
    if parserState == .escape {
      parserState = .ground
      keys.append(0x1B)
    }
    return keys
  }

  private mutating func take(_ byte: UInt8, _ keys: inout [UInt8]) {
    switch parserState {
    case .ground:
      if byte == 0x1B { parserState = .escape } else { keys.append(byte) }
    case .escape:
      answerBytes = []
      switch byte {
      case UInt8(ascii: "_"), UInt8(ascii: "P"), UInt8(ascii: "]"): parserState = .string(byte)
      case UInt8(ascii: "["):
        parserState = .sequence
        keys += [0x1B, byte]
      case 0x1B: keys.append(0x1B)
      default:
        parserState = .ground
        keys += [0x1B, byte]
      }
    case .sequence:
      keys.append(byte)
      if (0x40...0x7E).contains(byte) {
        parserState = .ground
        if byte == UInt8(ascii: "c") { readAttributes() }
      } else {
        add(byte)
      }
    case .string(let kind):
      if byte == 0x1B {
        parserState = .stringEscape(kind)
      } else if byte == 0x07, kind == UInt8(ascii: "]") {
        parserState = .ground
        readString(kind)
      } else {
        add(byte)
      }
    case .stringEscape(let kind):
      parserState = .ground
      if byte == UInt8(ascii: "\\") { readString(kind) }
    }
  }

  /// Appends a byte of an answer. A sequence longer than any answer is dropped.
  private mutating func add(_ byte: UInt8) {
    if answerBytes.count < Self.limit { answerBytes.append(byte) } else { parserState = .ground }
  }

  private mutating func readAttributes() {
    guard answerBytes.first == UInt8(ascii: "?") else { return }
    switch stage {
    case .first: stage = .named
    case .named, .complete: break
    case .second: stage = .complete
    }
    hasSixels = answerBytes.dropFirst().split(separator: UInt8(ascii: ";")).contains { $0.elementsEqual("4".utf8) }
  }

  private mutating func readString(_ kind: UInt8) {
    let text = String(decoding: answerBytes, as: UTF8.self)
    if kind == UInt8(ascii: "_"), text.hasPrefix("Gi=31"), text.hasSuffix(";OK") { hasKitty = true }
    if kind == UInt8(ascii: "P"), text.hasPrefix(">|") { name = String(text.dropFirst(2)) }
    if kind == UInt8(ascii: "]"), text.hasPrefix("11;") { hasLightBackground = Self.isLight(text.dropFirst(3)) }
  }

  /// Returns whether a colour such as `rgb:ffff/ffff/ffff` is light, by its luma (ITU-R BT.601); `nil` if the text is
  /// no such colour.
  private static func isLight(_ colour: Substring) -> Bool? {
    guard colour.hasPrefix("rgb:") else { return nil }
    let components = colour.dropFirst(4).split(separator: "/", omittingEmptySubsequences: false).compactMap { digits in
      (1...4).contains(digits.count)
        ? UInt16(digits, radix: 16).map { Double($0) / Double((1 << (4 * digits.count)) - 1) } : nil
    }
    guard components.count == 3 else { return nil }
    return zip(components, [0.299, 0.587, 0.114]).reduce(0) { $0 + $1.0 * $1.1 } > 0.5
  }

  /// Returns the second query, once, after the first has been answered. Returns `nil` if none is due, or if the answer
  /// or the environment shows that the terminal would misinterpret it.
  package mutating func nextQuery(variable: (String) -> String?) -> String? {
    guard stage == .named else { return nil }
    let isTmux = name?.hasPrefix("tmux") == true
    guard name != nil, isTmux || !isMultiplexed(variable) else {
      stage = .complete
      return nil
    }
    stage = .second
    return Self.backgroundQuery + (isTmux ? "" : Self.kittyQuery) + Self.attributesQuery
  }

  /// Returns whether the program runs in tmux or screen, which do not pass pictures in the protocols of kitty or iTerm2
  /// on to the terminal. Their variables are missing on a remote machine, so the names are checked, too.
  private func isMultiplexed(_ variable: (String) -> String?) -> Bool {
    let names = ["tmux", "screen"]
    return variable("TMUX") != nil || variable("STY") != nil
      || [name, variable("TERM")].contains { text in names.contains { text?.lowercased().hasPrefix($0) == true } }
  }

  /// Returns whether the terminal shows the progress that it receives by OSC 9;4. Others may show the text in a
  /// notification.
  package func showsProgress(variable: (String) -> String?) -> Bool {
    guard !isMultiplexed(variable) else { return false }
    if variable("WT_SESSION") != nil { return true }
    guard let name else { return false }
    let version = { (prefix: String) -> [Int]? in
      guard name.hasPrefix(prefix) else { return nil }
      return name.dropFirst(prefix.count).split { !$0.isASCII || !$0.isNumber }.map { Int($0) ?? 0 }
    }
    if let version = version("VTE") { return !version.lexicographicallyPrecedes([7_900]) }
    if let version = version("iTerm2") { return !version.lexicographicallyPrecedes([3, 6, 6]) }
    return name.hasPrefix("ghostty") || name.hasPrefix("WezTerm")
  }

  /// Returns how the terminal displays pictures according to its answers. If it did not send its name, environment
  /// variables are used instead.
  package func graphics(variable: (String) -> String?) -> TerminalGraphics {
    if !isMultiplexed(variable) {
      if hasKitty { return .kitty }
      let isITerm2 =
        name.map { $0.hasPrefix("iTerm2") || $0.hasPrefix("WezTerm") }
        ?? (variable("LC_TERMINAL") == "iTerm2" || variable("TERM_PROGRAM") == "iTerm.app")
      // `variable` may return a value that was set by another terminal, so it counts only if this one has answered.
      if isITerm2, isAnswered { return .iTerm2 }
    }
    return hasSixels ? .sixels : .symbols
  }
}
