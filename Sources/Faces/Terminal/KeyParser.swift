// SPDX-License-Identifier: GPL-3.0-or-later

package import UserSettings

/// An action of the mouse on a cell of the terminal. Rows and columns are counted from 0.
package struct MouseEvent: Hashable, Sendable {
  /// What the mouse did.
  package enum Kind: Hashable, Sendable {
    case press
    case release
    case drag
    case wheelUp
    case wheelDown
  }

  package var kind: Kind
  /// The button: 0 for the left one, 1 for the middle one, 2 for the right one.
  package var button: Int
  package var row: Int
  package var column: Int

  package init(_ kind: Kind, button: Int = 0, row: Int, column: Int) {
    self.kind = kind
    self.button = button
    self.row = row
    self.column = column
  }
}

/// What the user did at the terminal.
package enum TerminalInput: Hashable, Sendable {
  case key(Key)
  case mouse(MouseEvent)
  /// Text that was pasted, if the terminal marks it (bracketed paste, DEC private mode 2004).
  case paste(String)
}

/// Parses terminal input: UTF-8 text, control characters, the key sequences of ECMA-48 terminals, and the mouse in the
/// SGR encoding of xterm.
///
/// Unknown sequences are skipped whole, and so are the strings with which terminals answer queries. An Escape counts as
/// a key only if it is the last byte of the input so far; an Escape before another key is dropped, and that key is
/// reported.
package struct KeyParser {
  private enum State {
    case ground
    case escape
    case sequence([UInt8])
    case singleShift
    /// After `ESC [ [`, with which the Linux console begins the first function keys.
    case console
    /// In an answer of the terminal (OSC, DCS or APC): the number of bytes so far, and whether the last one was an
    /// Escape.
    case string(count: Int, isEscaped: Bool)
    /// In pasted text.
    case paste([UInt8])
    case character([UInt8], missing: Int)
  }

  /// The number of bytes of a sequence that are stored. Longer sequences are unknown.
  private static let sequenceLimit = 32
  /// The maximum number of bytes of an answer of the terminal. What follows are keys.
  private static let stringLimit = 256
  /// The maximum number of bytes of pasted text that are stored.
  private static let pasteLimit = 1 << 16
  private static let pasteEnd = Array("\u{1B}[201~".utf8)

  private var state = State.ground

  package init() {}

  /// Returns the inputs that are complete after reading `bytes`. An incomplete sequence stays pending until the next
  /// call.
  package mutating func inputs(_ bytes: some Sequence<UInt8>) -> [TerminalInput] {
    bytes.compactMap { input($0) }
  }

  /// Returns the inputs that are complete after reading `bytes`, which are all the input available now. An Escape at
  /// the end is reported as a key.
  package mutating func inputsAndEscape(_ bytes: some Sequence<UInt8>) -> [TerminalInput] {
    let inputs = inputs(bytes)
    // The key Alt and a bracket begin like an answer, but nothing follows.
    if case .string(count: 0, _) = state { state = .ground }
    guard case .escape = state else { return inputs }
    state = .ground
    return inputs + [.key(.escape)]
  }

  /// Returns the keys among the inputs that are complete after reading `bytes`.
  mutating func keys(_ bytes: some Sequence<UInt8>) -> [Key] { Self.keys(inputs(bytes)) }

  /// Returns the keys among the inputs that are complete after reading `bytes`, which are all the input available now.
  /// An Escape at the end is reported as a key.
  package mutating func keysAndEscape(_ bytes: some Sequence<UInt8>) -> [Key] { Self.keys(inputsAndEscape(bytes)) }

  private static func keys(_ inputs: [TerminalInput]) -> [Key] {
    inputs.compactMap { input in if case .key(let key) = input { key } else { nil } }
  }

  private mutating func input(_ byte: UInt8) -> TerminalInput? {
    switch state {
    case .ground:
      return begin(byte)
    case .escape:
      switch byte {
      case UInt8(ascii: "["): state = .sequence([])
      case UInt8(ascii: "O"): state = .singleShift
      case UInt8(ascii: "]"), UInt8(ascii: "P"), UInt8(ascii: "_"): state = .string(count: 0, isEscaped: false)
      case 0x1B: break
      default: return begin(byte)
      }
      return nil
    case .string(let count, let isEscaped):
      let isEnd = byte == 0x07 || isEscaped && byte == UInt8(ascii: "\\")
      if isEscaped, !isEnd {
        // The answer was cut off by a key.
        state = .escape
        return input(byte)
      }
      state = isEnd || count >= Self.stringLimit ? .ground : .string(count: count + 1, isEscaped: byte == 0x1B)
      return nil
    case .paste(var bytes):
      // Appended in place, since the state holds no other copy.
      state = .ground
      bytes.append(byte)
      guard bytes.suffix(Self.pasteEnd.count) != Self.pasteEnd[...] else {
        return .paste(String(decoding: bytes.dropLast(Self.pasteEnd.count), as: UTF8.self))
      }
      // Of a longer text, only the end is looked for.
      if bytes.count > Self.pasteLimit { bytes.removeSubrange(Self.pasteLimit / 2..<bytes.count - Self.pasteEnd.count) }
      state = .paste(bytes)
      return nil
    case .sequence(let parameters):
      if byte == 0x1B { return begin(byte) }
      if byte == UInt8(ascii: "["), parameters.isEmpty {
        state = .console
        return nil
      }
      guard (0x40...0x7E).contains(byte) else {
        if parameters.count <= Self.sequenceLimit { state = .sequence(parameters + [byte]) }
        return nil
      }
      if byte == UInt8(ascii: "~"), parameters.elementsEqual("200".utf8) {
        state = .paste([])
        return nil
      }
      state = .ground
      return parameters.count <= Self.sequenceLimit ? Self.input(byte, parameters) : nil
    case .singleShift:
      if byte == 0x1B { return begin(byte) }
      state = .ground
      return Self.input(byte, [])
    case .console:
      if byte == 0x1B { return begin(byte) }
      state = .ground
      return (UInt8(ascii: "A")...UInt8(ascii: "E")).contains(byte)
        ? .key(.function(Int(byte - UInt8(ascii: "A")) + 1)) : nil
    case .character(let bytes, let missing):
      guard byte & 0xC0 == 0x80 else { return begin(byte) }
      if missing > 1 {
        state = .character(bytes + [byte], missing: missing - 1)
        return nil
      }
      state = .ground
      return String(validating: bytes + [byte], as: UTF8.self)?.first.map { .key(.character($0)) }
    }
  }

  private mutating func begin(_ byte: UInt8) -> TerminalInput? {
    state = .ground
    switch byte {
    case 0x1B: state = .escape
    case 0xC2...0xDF: state = .character([byte], missing: 1)
    case 0xE0...0xEF: state = .character([byte], missing: 2)
    case 0xF0...0xF4: state = .character([byte], missing: 3)
    case 0x20..<0x7F: return .key(.character(Character(Unicode.Scalar(byte))))
    case 0x09: return .key(.tab)
    case 0x0A, 0x0D: return .key(.enter)
    case 0x08, 0x7F: return .key(.backspace)
    case 0x01...0x1A: return .key(.control(Character(Unicode.Scalar(byte + 0x60))))
    default: break
    }
    return nil
  }

  /// Returns the input of the sequence that ends with `byte`; `nil` if it is unknown.
  private static func input(_ byte: UInt8, _ parameters: [UInt8]) -> TerminalInput? {
    switch byte {
    case UInt8(ascii: "A"): .key(.up)
    case UInt8(ascii: "B"): .key(.down)
    case UInt8(ascii: "C"): .key(.right)
    case UInt8(ascii: "D"): .key(.left)
    case UInt8(ascii: "F"): .key(.end)
    case UInt8(ascii: "H"): .key(.home)
    // With parameters, R would be a report of the cursor's position.
    case UInt8(ascii: "P")...UInt8(ascii: "S") where parameters.isEmpty:
      .key(.function(Int(byte - UInt8(ascii: "P")) + 1))
    case UInt8(ascii: "Z"): .key(.backTab)
    case UInt8(ascii: "~"): numberedKey(numbers(parameters).first ?? 0).map { .key($0) }
    case UInt8(ascii: "M") where parameters.first == UInt8(ascii: "<"),
      UInt8(ascii: "m") where parameters.first == UInt8(ascii: "<"):
      mouse(numbers(parameters.dropFirst()), isRelease: byte == UInt8(ascii: "m")).map { .mouse($0) }
    default: nil
    }
  }

  private static func numbers(_ parameters: some Sequence<UInt8>) -> [Int] {
    Array(parameters).split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false).map {
      Int(String(decoding: $0, as: UTF8.self)) ?? 0
    }
  }

  private static func numberedKey(_ number: Int) -> Key? {
    switch number {
    case 1, 7: .home
    case 3: .delete
    case 4, 8: .end
    case 5: .pageUp
    case 6: .pageDown
    case 11...15: .function(number - 10)
    case 17...21: .function(number - 11)
    case 23, 24: .function(number - 12)
    default: nil
    }
  }

  private static func mouse(_ numbers: [Int], isRelease: Bool) -> MouseEvent? {
    guard numbers.count == 3, (1...10_000).contains(numbers[1]), (1...10_000).contains(numbers[2]) else { return nil }
    let (code, column, row) = (numbers[0], numbers[1] - 1, numbers[2] - 1)
    if code & 64 != 0 {
      let kind: MouseEvent.Kind = code & 1 == 0 ? .wheelUp : .wheelDown
      return code & 3 > 1 ? nil : MouseEvent(kind, row: row, column: column)
    }
    guard code & 3 != 3, code & 128 == 0 else { return nil }
    let kind: MouseEvent.Kind = isRelease ? .release : code & 32 != 0 ? .drag : .press
    return MouseEvent(kind, button: code & 3, row: row, column: column)
  }
}
