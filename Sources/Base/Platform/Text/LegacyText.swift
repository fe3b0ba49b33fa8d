// SPDX-License-Identifier: GPL-3.0-or-later

import CIconv
import Synchronization
import SystemPackage

/// Decodes text of unknown encoding, such as old tags, playlists and cue sheets.
///
/// All functions take time and memory proportional to the number of bytes, never fail, and can be called from any
/// thread.
public enum LegacyText {
  /// A text encoding.
  public enum Encoding: Sendable, Hashable {
    /// UTF-8, with or without a byte order mark.
    case utf8
    /// UTF-16, with or without a byte order mark.
    case utf16LittleEndian, utf16BigEndian
    /// UTF-32, with or without a byte order mark.
    case utf32LittleEndian, utf32BigEndian
    /// Windows-1252, which includes all characters of ISO 8859-1, and in which all bytes are valid.
    case windows1252
    /// Another character set, decoded by iconv(3).
    case other(CharacterSet)
  }

  /// The encoding to assume for text that is neither UTF-8, UTF-16 nor UTF-32, if the text is valid in it; `nil` to
  /// detect the encoding of each text. It is set once, before any text is read.
  public static var assumed: Encoding? {
    get { assumption.withLock { $0 } }
    set { assumption.withLock { $0 = newValue } }
  }

  private static let assumption = Mutex<Encoding?>(nil)

  /// Detects the encoding of `bytes`.
  ///
  /// The first of these rules that applies decides:
  /// 1. A byte order mark states the encoding, or NULs show that it is UTF-16 or UTF-32.
  /// 2. Valid UTF-8 is UTF-8.
  /// 3. If `assumed` is given, bytes that are valid in it are in that encoding.
  /// 4. If libuchardet detects an East Asian or Russian character set, and the bytes are valid in it, they are in that
  ///    character set. It often detects none if there are only a few words.
  /// 5. Bytes that are plausible as Shift-JIS, by the rule of `ShiftJISEvidence`, are Shift-JIS.
  /// 6. Text that `LatinText` takes for Central European, Turkish or Baltic is in that character set.
  /// 7. Everything else is Windows-1252.
  public static func encoding(of bytes: some Collection<UInt8>, assuming assumed: Encoding? = LegacyText.assumed)
    -> Encoding
  {
    unsafe withBuffer(bytes) { unsafe decoded($0, assuming: assumed).encoding }
  }

  /// Returns the text of `bytes`, decoded in their detected encoding, without a byte order mark.
  public static func decode(_ bytes: some Collection<UInt8>, assuming assumed: Encoding? = LegacyText.assumed) -> String
  {
    unsafe withBuffer(bytes) { bytes in
      let found = unsafe decoded(bytes, assuming: assumed)
      return unsafe found.text ?? decode(bytes, as: found.encoding)
    }
  }

  /// Returns the text of `bytes`, decoded in this encoding, without a byte order mark.
  ///
  /// Invalid UTF-8, UTF-16 or UTF-32 becomes U+FFFD. If `encoding` is another character set, and the bytes are not
  /// valid in it or the system does not support it, they are decoded as Windows-1252.
  public static func decode(_ bytes: some Collection<UInt8>, as encoding: Encoding) -> String {
    unsafe withBuffer(bytes) { unsafe decode($0, as: encoding) }
  }

  /// Returns `text` in this encoding, without a byte order mark; `nil` if it has characters that the encoding does not
  /// have, or if the system does not support it.
  public static func encode(_ text: String, as encoding: Encoding) -> [UInt8]? {
    switch encoding {
    case .utf8: return Array(text.utf8)
    case .utf16LittleEndian, .utf16BigEndian, .utf32LittleEndian, .utf32BigEndian:
      return encoding.units?.bytes(of: text)
    case .windows1252:
      var bytes: [UInt8] = []
      for scalar in text.unicodeScalars {
        guard let byte = Windows1252.byte(scalar) else { return nil }
        bytes.append(byte)
      }
      return bytes
    case .other(let set): return set.bytes(of: text)
    }
  }

  /// Returns the detected encoding, and the text if it was decoded in the process.
  private static func decoded(
    _ bytes: UnsafeBufferPointer<UInt8>, assuming assumed: Encoding?
  ) -> (encoding: Encoding, text: String?) {
    if unsafe bytes.starts(with: [0xEF, 0xBB, 0xBF]) { return (.utf8, nil) }
    if let encoding = unsafe Encoding(wide: bytes) { return (encoding, nil) }
    if let text = unsafe String(validating: bytes, as: UTF8.self) { return (.utf8, text) }
    switch assumed {
    case .windows1252: return (.windows1252, nil)
    case .other(let set): if let text = unsafe set.text(of: bytes) { return (.other(set), text) }
    case .utf8, .utf16LittleEndian, .utf16BigEndian, .utf32LittleEndian, .utf32BigEndian, nil: break
    }
    if let set = unsafe CharacterSet(detectedIn: bytes), let text = unsafe set.text(of: bytes) {
      return (.other(set), text)
    }
    if unsafe ShiftJISEvidence.isPlausible(bytes), let text = unsafe CharacterSet.shiftJIS.text(of: bytes) {
      return (.other(.shiftJIS), text)
    }
    if let latin = unsafe LatinText(detectedIn: bytes), let text = unsafe latin.set.text(of: bytes) {
      return (.other(latin.set), text)
    }
    return (.windows1252, nil)
  }

  private static func decode(_ bytes: UnsafeBufferPointer<UInt8>, as encoding: Encoding) -> String {
    let mark = encoding.byteOrderMark
    let unmarked = unsafe bytes.dropFirst(bytes.starts(with: mark) ? mark.count : 0)
    if let units = encoding.units { return unsafe units.text(of: unmarked) }
    return switch encoding {
    case .other(let set): unsafe set.text(of: bytes) ?? windows1252(bytes)
    case .windows1252: unsafe windows1252(bytes)
    default: unsafe String(decoding: unmarked, as: UTF8.self)
    }
  }

  private static func windows1252(_ bytes: UnsafeBufferPointer<UInt8>) -> String {
    var text = ""
    unsafe text.unicodeScalars.append(contentsOf: bytes.lazy.map { Windows1252.scalar($0) })
    return text
  }

  static func withBuffer<Value>(
    _ bytes: some Collection<UInt8>, _ body: (UnsafeBufferPointer<UInt8>) -> Value
  ) -> Value {
    if let value = bytes.withContiguousStorageIfAvailable({ unsafe body($0) }) { return value }
    return unsafe Array(bytes).withUnsafeBufferPointer { unsafe body($0) }
  }
}

/// A conversion by iconv(3). Only one thread may use it at a time.
@safe struct TextConversion: ~Copyable {
  private let handle: UnsafeMutableRawPointer

  /// Creates a conversion between the encodings with these iconv names; returns `nil` if the system does not know them.
  init?(from encoding: String, to target: String = "UTF-8") {
    guard let handle = unsafe segue_iconv_open(target, encoding) else { return nil }
    unsafe self.handle = unsafe handle
  }

  deinit { unsafe segue_iconv_close(handle) }

  /// Returns `bytes` converted; `nil` if any of them are invalid in the encoding or not in the target, or the last
  /// character is incomplete. The bytes must not start in the middle of a text. If `replacesInvalid` is true, each
  /// invalid byte becomes U+FFFD instead; the target must be UTF-8.
  func converted(_ bytes: UnsafeBufferPointer<UInt8>, replacingInvalid replacesInvalid: Bool = false) -> [UInt8]? {
    guard let start = bytes.baseAddress else { return [] }
    var converted: [UInt8] = []
    converted.reserveCapacity(bytes.count + bytes.count / 2)
    let piece = UnsafeMutableBufferPointer<CChar>.allocate(capacity: 1 << 15)
    defer { unsafe piece.deallocate() }
    var input: UnsafePointer<CChar>? = unsafe UnsafeRawPointer(start).assumingMemoryBound(to: CChar.self)
    var inputLeft = bytes.count
    while inputLeft > 0 {
      var output = piece.baseAddress
      var outputLeft = piece.count
      let result = unsafe segue_iconv(handle, &input, &inputLeft, &output, &outputLeft)
      let code = lastErrorNumber()
      let count = piece.count - outputLeft
      unsafe converted.append(contentsOf: UnsafeRawBufferPointer(piece).prefix(count))
      // Stopping because the piece is full is normal; any other reason means that the bytes are invalid.
      guard result == -1 else { continue }
      if replacesInvalid, Errno(rawValue: code) != .argListTooLong, inputLeft > 0 {
        converted += [0xEF, 0xBF, 0xBD]
        unsafe input = unsafe input?.advanced(by: 1)
        inputLeft -= 1
      } else if count == 0 || Errno(rawValue: code) != .argListTooLong {
        return nil
      }
    }
    // In Windows-1255 and Big5-HKSCS, the last character may be held back, since a mark could follow it.
    unsafe input = nil
    var output = piece.baseAddress
    var outputLeft = piece.count
    _ = unsafe segue_iconv(handle, &input, &inputLeft, &output, &outputLeft)
    let count = piece.count - outputLeft
    unsafe converted.append(contentsOf: UnsafeRawBufferPointer(piece).prefix(count))
    return converted
  }
}

/// The characters of Windows-1252. The five undefined bytes are the C1 controls of the same number, as in the WHATWG's
/// table.
enum Windows1252 {
  private static let upper: [Unicode.Scalar] = [
    "\u{20AC}", "\u{81}", "\u{201A}", "\u{0192}", "\u{201E}", "\u{2026}", "\u{2020}", "\u{2021}",
    "\u{02C6}", "\u{2030}", "\u{0160}", "\u{2039}", "\u{0152}", "\u{8D}", "\u{017D}", "\u{8F}",
    "\u{90}", "\u{2018}", "\u{2019}", "\u{201C}", "\u{201D}", "\u{2022}", "\u{2013}", "\u{2014}",
    "\u{02DC}", "\u{2122}", "\u{0161}", "\u{203A}", "\u{0153}", "\u{9D}", "\u{017E}", "\u{0178}",
  ]

  static func scalar(_ byte: UInt8) -> Unicode.Scalar {
    (0x80...0x9F).contains(byte) ? upper[Int(byte) - 0x80] : Unicode.Scalar(byte)
  }

  /// Returns the byte of a character; `nil` if there is none.
  static func byte(_ scalar: Unicode.Scalar) -> UInt8? {
    if let byte = UInt8(exactly: scalar.value), !(0x80...0x9F).contains(byte) { return byte }
    return upper.firstIndex(of: scalar).map { UInt8($0 + 0x80) }
  }
}
