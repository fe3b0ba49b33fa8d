// SPDX-License-Identifier: GPL-3.0-or-later

import CUTF8Proc

extension String {
  /// The string with case and compatibility forms folded, but with its diacritics preserved: Unicode's NFKC_Casefold.
  ///
  /// To find a string in another regardless of case, search for its folded form in the folded form of the other.
  public var caseFolded: String {
    if utf8.allSatisfy({ $0 < 0x80 }) {
      return String(decoding: utf8.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }, as: UTF8.self)
    }
    return normalised(
      UTF8PROC_STABLE.rawValue | UTF8PROC_COMPOSE.rawValue | UTF8PROC_COMPAT.rawValue
        | UTF8PROC_CASEFOLD.rawValue | UTF8PROC_IGNORE.rawValue)
  }

  /// The string in Unicode's normalisation form C, in which strings that look the same mostly have the same bytes.
  public var composed: String {
    utf8.allSatisfy { $0 < 0x80 } ? self : normalised(UTF8PROC_STABLE.rawValue | UTF8PROC_COMPOSE.rawValue)
  }

  private func normalised(_ options: UInt32) -> String {
    let option = utf8proc_option_t(rawValue: options)
    let bytes = Array(utf8)
    // The longest decomposition of one scalar is 18 scalars.
    var scalars = [Int32](repeating: 0, count: bytes.count * 18)
    var count = unsafe bytes.withUnsafeBufferPointer { source in
      unsafe scalars.withUnsafeMutableBufferPointer { target in
        unsafe utf8proc_decompose(source.baseAddress, source.count, target.baseAddress, target.count, option)
      }
    }
    guard (0...scalars.count).contains(count) else { return self }
    count = unsafe scalars.withUnsafeMutableBufferPointer {
      unsafe utf8proc_normalize_utf32($0.baseAddress, count, option)
    }
    var text = String.UnicodeScalarView()
    for value in scalars.prefix(max(0, count)) {
      if let scalar = Unicode.Scalar(UInt32(bitPattern: value)) { text.append(scalar) }
    }
    return String(text)
  }
}

/// Folds the case of many strings, as ``Swift/String/caseFolded`` does, but reuses memory and folds most letters by a
/// table.
@safe public struct CaseFolder: ~Copyable {
  private var folded: UnsafeMutablePointer<UInt8>
  private var capacity = 1_024

  public init() { unsafe folded = .allocate(capacity: capacity) }

  deinit { unsafe folded.deallocate() }

  /// Calls `body` with the case-folded form of `text`, which should be UTF-8, and returns its result.
  public mutating func withFolded<Value>(
    _ text: UnsafeRawBufferPointer, _ body: (UnsafeRawBufferPointer) -> Value
  ) -> Value {
    // The table maps no scalar to more than four bytes, and every scalar has at least one.
    if capacity < text.count * 4 {
      unsafe folded.deallocate()
      capacity = text.count * 4
      unsafe folded = .allocate(capacity: capacity)
    }
    if let count = unsafe foldByTable(text) {
      return unsafe body(UnsafeRawBufferPointer(start: folded, count: count))
    }
    let folded = unsafe String(decoding: text, as: UTF8.self).caseFolded
    return unsafe Array(folded.utf8).withUnsafeBytes { unsafe body($0) }
  }

  /// Folds `text` scalar by scalar with the table; returns the number of bytes written to `folded`, or `nil` if the
  /// table does not suffice for the whole text.
  private func foldByTable(_ text: UnsafeRawBufferPointer) -> Int? {
    let forms = Self.forms
    let count = text.count
    var (index, end) = (0, 0)
    while index < count {
      let byte = unsafe text[index]
      if byte < 0x80 {
        unsafe folded[end] = byte &- 0x41 < 26 ? byte | 0x20 : byte
        index &+= 1
        end &+= 1
      } else if byte < 0xE0 {
        guard byte >= 0xC2, index &+ 1 < count else { return nil }
        let second = unsafe text[index &+ 1]
        let value = Int(byte & 0x1F) << 6 | Int(second & 0x3F)
        guard second & 0xC0 == 0x80, value < 0x80 + forms.count else { return nil }
        var form = forms[value - 0x80]
        if form == 0 { return nil }
        repeat {
          unsafe folded[end] = UInt8(truncatingIfNeeded: form)
          end &+= 1
          form >>= 8
        } while form != 0
        index &+= 2
      } else {
        guard index &+ 2 < count else { return nil }
        let (second, third) = unsafe (text[index &+ 1], text[index &+ 2])
        guard byte < 0xF0, second & 0xC0 == 0x80, third & 0xC0 == 0x80 else { return nil }
        let value = UInt32(byte & 0x0F) << 12 | UInt32(second & 0x3F) << 6 | UInt32(third & 0x3F)
        // Kana, Han and Hangul, dashes and quotation marks, which folding leaves unchanged.
        switch value {
        case 0x3041...0x3096, 0x30A1...0x30FA, 0x4E00...0x9FFF, 0xAC00...0xD7A3, 0x2012...0x2014, 0x2018...0x201F:
          unsafe folded[end] = byte
          unsafe folded[end &+ 1] = second
          unsafe folded[end &+ 2] = third
          end &+= 3
        default: return nil
        }
        index &+= 3
      }
    }
    return end
  }

  /// The UTF-8 of the folded form of each letter from U+0080 to U+0523, the first byte in the lowest bits; 0 if it is
  /// longer than four bytes, or depends on adjacent characters.
  private static let forms: [UInt32] = (0x80...0x523).map { value in
    guard let scalar = Unicode.Scalar(UInt32(value)), scalar.standsAlone else { return 0 }
    let folded = String(Character(scalar)).caseFolded
    let bytes = Array(folded.utf8)
    guard (1...4).contains(bytes.count), !bytes.contains(0), folded.unicodeScalars.allSatisfy(\.standsAlone) else {
      return 0
    }
    return bytes.reversed().reduce(0) { $0 << 8 | UInt32($1) }
  }
}

extension Unicode.Scalar {
  /// Whether the scalar is a letter or sign that adjacent characters do not change.
  fileprivate var standsAlone: Bool {
    switch properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .spacingMark, .control, .format, .unassigned: false
    default: properties.canonicalCombiningClass == .notReordered
    }
  }
}
