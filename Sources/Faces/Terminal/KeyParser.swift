// SPDX-License-Identifier: GPL-3.0-or-later

package import UserSettings

/// Parses terminal input into keys: UTF-8 text, control characters, and the cursor-key sequences of ECMA-48 terminals.
///
/// Unknown sequences are skipped whole. An Escape counts as a key only if it is the last byte of the input so far; an
/// Escape before another key is dropped, and that key is reported.
package struct KeyParser {
  private enum State {
    case ground
    case escape
    case sequence
    case singleShift
    case character([UInt8], missing: Int)
  }

  private var state = State.ground

  /// Creates a parser that has read no input yet.
  package init() {}

  /// Returns the keys that are complete after reading `bytes`. An incomplete sequence stays pending until the next
  /// call.
  mutating func keys(_ bytes: some Sequence<UInt8>) -> [Key] {
    bytes.compactMap { key($0) }
  }

  /// Returns the keys that are complete after reading `bytes`, which are all the input available now. An Escape at the
  /// end is reported as a key.
  package mutating func keysAndEscape(_ bytes: some Sequence<UInt8>) -> [Key] {
    let keys = keys(bytes)
    guard case .escape = state else { return keys }
    state = .ground
    return keys + [.escape]
  }

  private mutating func key(_ byte: UInt8) -> Key? {
    switch state {
    case .ground:
      return begin(byte)
    case .escape:
      switch byte {
      case UInt8(ascii: "["): state = .sequence
      case UInt8(ascii: "O"): state = .singleShift
      case 0x1B: break
      default: return begin(byte)
      }
      return nil
    case .sequence:
      if byte == 0x1B { return begin(byte) }
      guard (0x40...0x7E).contains(byte) else { return nil }
      state = .ground
      return Self.cursorKey(byte)
    case .singleShift:
      if byte == 0x1B { return begin(byte) }
      state = .ground
      return Self.cursorKey(byte)
    case .character(let bytes, let missing):
      guard byte & 0xC0 == 0x80 else { return begin(byte) }
      if missing > 1 {
        state = .character(bytes + [byte], missing: missing - 1)
        return nil
      }
      state = .ground
      return String(validating: bytes + [byte], as: UTF8.self)?.first.map { .character($0) }
    }
  }

  private mutating func begin(_ byte: UInt8) -> Key? {
    state = .ground
    switch byte {
    case 0x1B: state = .escape
    case 0xC2...0xDF: state = .character([byte], missing: 1)
    case 0xE0...0xEF: state = .character([byte], missing: 2)
    case 0xF0...0xF4: state = .character([byte], missing: 3)
    case 0x20..<0x7F: return .character(Character(Unicode.Scalar(byte)))
    case 0x09: return .tab
    case 0x0A, 0x0D: return .enter
    case 0x08, 0x7F: return .backspace
    default: break
    }
    return nil
  }

  private static func cursorKey(_ byte: UInt8) -> Key? {
    switch byte {
    case UInt8(ascii: "A"): .up
    case UInt8(ascii: "B"): .down
    case UInt8(ascii: "C"): .right
    case UInt8(ascii: "D"): .left
    default: nil
    }
  }
}
