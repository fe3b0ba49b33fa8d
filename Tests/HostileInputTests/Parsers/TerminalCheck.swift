// SPDX-License-Identifier: GPL-3.0-or-later

import UnicodeText

@testable import Commands
@testable import Terminal
@testable import UserSettings

enum TerminalCheck {
  /// Returns the problem in the keys and answers parsed from the terminal input `bytes`.
  static func inputProblem(in bytes: [UInt8]) -> String? {
    var answers = TerminalAnswers()
    let keys = answers.take(bytes)
    if !bytes.contains(0x1B), keys != bytes { return "keys were taken for an answer" }
    var rest = bytes[...]
    for byte in keys {
      guard let index = rest.firstIndex(of: byte) else { return "a key that was not typed" }
      rest = rest[(index + 1)...]
    }
    // Each invalid byte becomes three bytes of UTF-8.
    if let name = answers.name, name.utf8.count > 3 * 256 { return "the terminal's name has \(name.utf8.count) bytes" }
    _ = answers.graphics { _ in nil }
    _ = answers.nextQuery { _ in nil }

    var (parser, bytewiseParser) = (KeyParser(), KeyParser())
    let parsedKeys = parser.keysAndEscape(keys)
    let bindings = ScreenBindings()
    var bytewiseKeys = keys.dropLast().flatMap { bytewiseParser.keys([$0]) }
    bytewiseKeys += bytewiseParser.keysAndEscape(keys.suffix(1))
    if parsedKeys != bytewiseKeys { return "parsed byte by byte, the keys differ" }
    if parsedKeys.count > keys.count { return "more keys than bytes" }
    for key in parsedKeys {
      _ = bindings.plainAction(of: key)
      if key.symbol.isEmpty || key.name.isEmpty { return "a key without a name" }
      if case .character(let character) = key {
        if character.unicodeScalars.contains(where: { $0.value < 0x20 }) { return "a control character is a key" }
        // A key's name in the settings must mean that key; white space and control characters have no name there.
        if let named = Key(named: key.name), named != key { return "\(key.name) names another key" }
      }
    }
    return nil
  }

  /// Returns the problem in the text in `bytes` after it was made safe for a terminal.
  static func textProblem(in bytes: [UInt8]) -> String? {
    let safe = String(decoding: bytes, as: UTF8.self).safeForTerminal
    if safe.safeForTerminal != safe { return "made safe twice, the text differs" }
    let hostile = safe.unicodeScalars.first { scalar in
      switch scalar.value {
      case 0...0x1F, 0x7F...0x9F, 0x2028...0x202E, 0x2066...0x2069: true
      default: false
      }
    }
    if let hostile { return "U+\(String(hostile.value, radix: 16)) is not replaced" }
    let width = safe.cellWidth
    return width < 0 || width > 2 * safe.unicodeScalars.count ? "the text is \(width) cells wide" : nil
  }
}
