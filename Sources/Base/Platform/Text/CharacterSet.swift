// SPDX-License-Identifier: GPL-3.0-or-later

import CUchardet

extension LegacyText {
  /// A legacy character set. In none of these sets can the byte of a line break be part of a multibyte character.
  public enum CharacterSet: String, Sendable, Hashable, CaseIterable {
    /// Japanese, the Windows encoding (code page 932).
    case shiftJIS = "shift-jis"
    /// Japanese, the Unix encoding.
    case eucJP = "euc-jp"
    /// Simplified Chinese.
    case gb18030 = "gb18030"
    /// Traditional Chinese, the Windows encoding (code page 950).
    case big5 = "big5"
    /// Korean, the Windows encoding (code page 949).
    case eucKR = "euc-kr"
    /// Central European.
    case windows1250 = "windows-1250"
    /// Central European, the Unix encoding.
    case iso88592 = "iso-8859-2"
    /// Cyrillic.
    case windows1251 = "windows-1251"
    /// Greek.
    case windows1253 = "windows-1253"
    /// Turkish.
    case windows1254 = "windows-1254"
    /// Hebrew.
    case windows1255 = "windows-1255"
    /// Arabic.
    case windows1256 = "windows-1256"
    /// Baltic.
    case windows1257 = "windows-1257"
    /// Russian, the Unix encoding.
    case koi8R = "koi8-r"

    /// Whether the set is for languages in Latin script.
    var isWestern: Bool { [.windows1250, .iso88592, .windows1254, .windows1257].contains(self) }

    /// Creates the character set that libuchardet detects in `bytes`. Returns `nil` if it detects none, or one that it
    /// too often detects wrongly: it mistakes a few words of any Western language for another language. If the text is
    /// known not to be in a Western language, Greek, Hebrew and Arabic are detected, too.
    init?(detectedIn bytes: UnsafeBufferPointer<UInt8>, isForeign: Bool = false) {
      switch unsafe Self.detectedName(of: bytes) {
      case "SHIFT_JIS": self = .shiftJIS
      case "EUC-JP": self = .eucJP
      case "GB18030": self = .gb18030
      case "BIG5": self = .big5
      case "UHC", "EUC-KR": self = .eucKR
      // Without capitals, the two cannot be distinguished.
      case "WINDOWS-1251", "MAC-CYRILLIC": self = .windows1251
      case "KOI8-R": self = .koi8R
      case "WINDOWS-1253" where isForeign, "ISO-8859-7" where isForeign: self = .windows1253
      case "WINDOWS-1255" where isForeign, "ISO-8859-8" where isForeign: self = .windows1255
      case "WINDOWS-1256" where isForeign: self = .windows1256
      default: return nil
      }
    }

    /// The character sets for languages in Latin script of which libuchardet detects one in `bytes`, and which it
    /// cannot distinguish in a few words; empty if it detects none, or Windows-1252.
    static func latin(detectedIn bytes: UnsafeBufferPointer<UInt8>) -> [Self] {
      switch unsafe detectedName(of: bytes) {
      case "WINDOWS-1250", "ISO-8859-2", "ISO-8859-16", "MAC-CENTRALEUROPE": [.windows1250, .iso88592]
      case "WINDOWS-1254", "ISO-8859-9": [.windows1254]
      case "WINDOWS-1257", "ISO-8859-4", "ISO-8859-10", "ISO-8859-13": [.windows1257]
      default: []
      }
    }

    /// The name that libuchardet gives the encoding of `bytes`, in capitals; empty if it detects none.
    private static func detectedName(of bytes: UnsafeBufferPointer<UInt8>) -> String {
      // The beginning is enough for detection.
      let start = unsafe UnsafeRawBufferPointer(start: bytes.baseAddress, count: min(bytes.count, detectionLimit))
      var name = [CChar](repeating: 0, count: 64)
      let isDetected = unsafe name.withUnsafeMutableBufferPointer { name in
        unsafe UchardetName(
          start.baseAddress?.assumingMemoryBound(to: CChar.self), start.count, name.baseAddress, name.count)
      }
      guard isDetected else { return "" }
      return String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self).uppercased()
    }

    /// The number of bytes that are examined for detection.
    private static var detectionLimit: Int { 256 * 1_024 }

    /// The iconv names of the character set, best first. A system may not know all of them.
    private var systemNames: [String] {
      switch self {
      case .shiftJIS: ["CP932", "SHIFT_JIS"]
      case .eucJP: ["EUC-JP-MS", "EUC-JP"]
      case .gb18030: ["GB18030", "GBK"]
      case .big5: ["CP950", "BIG5"]
      case .eucKR: ["CP949", "UHC", "EUC-KR"]
      case .windows1250: ["CP1250"]
      case .iso88592: ["ISO-8859-2"]
      case .windows1251: ["CP1251"]
      case .windows1253: ["CP1253"]
      case .windows1254: ["CP1254"]
      case .windows1255: ["CP1255"]
      case .windows1256: ["CP1256"]
      case .windows1257: ["CP1257"]
      case .koi8R: ["KOI8-R"]
      }
    }

    /// Returns `bytes` decoded as text; `nil` if they are not valid in this character set, or the system does not
    /// support it.
    func text(of bytes: UnsafeBufferPointer<UInt8>) -> String? {
      for name in systemNames {
        guard let conversion = TextConversion(from: name) else { continue }
        return unsafe conversion.converted(bytes).map { String(decoding: $0, as: UTF8.self) }
      }
      return nil
    }

    /// Returns `bytes` decoded as text, with U+FFFD for each invalid byte; if the system does not support the set, they
    /// are decoded as Windows-1252.
    func lossyText(of bytes: UnsafeBufferPointer<UInt8>) -> LossyText {
      for name in systemNames {
        guard let conversion = TextConversion(from: name) else { continue }
        let text = unsafe conversion.converted(bytes, replacingInvalid: true).map {
          String(decoding: $0, as: UTF8.self)
        }
        if let text { return LossyText(text) }
      }
      return unsafe LossyText(LegacyText.decode(bytes, as: .windows1252))
    }

    /// Returns `text` in this character set; `nil` if it has other characters, or the system does not support the set.
    func bytes(of text: String) -> [UInt8]? {
      for name in systemNames {
        guard let conversion = TextConversion(from: "UTF-8", to: name) else { continue }
        return unsafe Array(text.utf8).withUnsafeBufferPointer { unsafe conversion.converted($0) }
      }
      return nil
    }
  }
}

extension LegacyText.Encoding {
  /// Creates the encoding with the name that the user gave: that of a character set, or "windows-1252". Returns `nil`
  /// for any other name.
  public init?(named name: String) {
    if name == "windows-1252" {
      self = .windows1252
    } else if let set = LegacyText.CharacterSet(rawValue: name) {
      self = .other(set)
    } else {
      return nil
    }
  }

  /// The names that ``init(named:)`` accepts.
  public static var names: [String] { ["windows-1252"] + LegacyText.CharacterSet.allCases.map(\.rawValue) }
}

/// Decides whether bytes that are not UTF-8 are more likely Japanese text in Shift-JIS than text in Windows-1252.
///
/// This is the case if all of them are valid Shift-JIS (JIS X 0208, the NEC and IBM extensions, half-width katakana),
/// and if more than half of the characters beyond ASCII are of kinds that are common in Japanese text, and that Western
/// text in Windows-1252 hardly ever produces:
/// - kana and full-width punctuation, letters and digits, whose first bytes are 0x81 to 0x83;
/// - kanji in a run of two or more two-byte characters, unless they consist of an accented small letter and an ASCII
///   letter: 0xE9 0x6C alone is more likely "él" than one kanji, and 0xE5 0x62 0xE6 0x72 "åbær" than two;
/// - half-width katakana in a run of three or more characters: one or two are more likely accented letters.
struct ShiftJISEvidence {
  private var characters = 0
  private var plausible = 0
  private var run = Run()

  /// The numbers of characters of each kind in a run without ASCII.
  private struct Run {
    var kana = 0
    var kanji = 0
    var halfWidth = 0
    var others = 0
  }

  /// Whether the bytes are more likely Shift-JIS than Windows-1252; `false` if all are ASCII.
  static func isPlausible(_ bytes: some Sequence<UInt8>) -> Bool {
    var evidence = ShiftJISEvidence()
    var first: UInt8?
    for byte in bytes {
      if let lead = first {
        first = nil
        guard evidence.add(lead, byte) else { return false }
      } else {
        switch byte {
        case ...0x7F: evidence.endRun()
        case 0xA1...0xDF: evidence.run.halfWidth += 1
        case 0x81...0x84, 0x87...0x9F, 0xE0...0xEA, 0xED...0xEE, 0xFA...0xFC: first = byte
        default: return false
        }
      }
    }
    evidence.endRun()
    return first == nil && evidence.plausible * 2 > evidence.characters
  }

  /// Counts the two-byte character with a valid first byte `lead`; returns whether the second byte, `trail`, is valid,
  /// too.
  private mutating func add(_ lead: UInt8, _ trail: UInt8) -> Bool {
    guard (0x40...0xFC).contains(trail), trail != 0x7F else { return false }
    switch lead {
    case 0x81...0x83: run.kana += 1
    case 0x89...0x9F: run.kanji += 1
    case 0xE0...0xEA where trail >= 0x80: run.kanji += 1
    case 0x88 where trail >= 0x9F: run.kanji += 1
    default: run.others += 1
    }
    return true
  }

  private mutating func endRun() {
    let doubles = run.kana + run.kanji + run.others
    let all = doubles + run.halfWidth
    if all == 0 { return }
    characters += all
    plausible += run.kana
    if doubles >= 2 { plausible += run.kanji }
    if all >= 3 { plausible += run.halfWidth }
    run = Run()
  }
}
