// SPDX-License-Identifier: GPL-3.0-or-later

extension LegacyText {
  /// Decodes the fields of tags that do not state their encoding, or state it wrongly.
  ///
  /// The encoding is detected over the fields of all files of an album together, since a few words are often too
  /// little. Fields that are valid UTF-8 do not take part. Fields in Latin script, such as "Björk", are Windows-1252,
  /// unless the words of all fields are in a language that it does not have. Fields that do not fit the encoding of
  /// most others may have one of their own.
  public struct FieldDecoder: Sendable, Hashable {
    /// The maximum number of encodings that are detected.
    private static let encodingLimit = 3
    /// The maximum number of bytes that are examined.
    private static let detectionLimit = 64 * 1_024

    private let forced: Encoding?
    /// The encoding of fields that look like Western text, if it is not Windows-1252.
    private let latin: LatinText?
    private let detected: [CharacterSet]

    /// Creates a decoder for fields like these. If `forced` is given, fields are in this encoding: all of them if it is
    /// one for Western languages, otherwise those that do not look like Western text.
    public init(_ fields: some Sequence<[UInt8]>, assuming forced: Encoding? = LegacyText.assumed) {
      self.forced = forced
      var latin: LatinText?
      var detected: [CharacterSet] = []
      if forced?.isWestern != true {
        let fields = Self.examined(fields)
        if forced == nil { latin = LatinText(of: fields) }
        var rest = fields.filter { latin?.fits($0) != true && WesternShape(of: $0) == .foreign }
        while !rest.isEmpty, detected.count < Self.encodingLimit, let set = CharacterSet(ofForeign: rest) {
          detected.append(set)
          rest.removeAll { set.fits($0) }
        }
      }
      self.latin = latin
      self.detected = detected
    }

    /// The different fields that are not UTF-8, up to the limit, in a fixed order.
    private static func examined(_ fields: some Sequence<[UInt8]>) -> [[UInt8]] {
      var seen: Set<[UInt8]> = []
      var count = 0
      for field in fields where count < detectionLimit && String(validating: field, as: UTF8.self) == nil {
        if seen.insert(field).inserted { count += field.count }
      }
      return seen.sorted { $0.lexicographicallyPrecedes($1) }
    }

    /// Returns the texts of the fields of one file. Bytes that are not valid become U+FFFD.
    public func texts(of fields: [[UInt8]]) -> [String] {
      let isForeign = fields.contains { WesternShape(of: $0) == .foreign }
      return fields.map { text(of: $0, isBesideForeign: isForeign) }
    }

    private func text(of field: [UInt8], isBesideForeign: Bool) -> String {
      if let text = String(validating: field, as: UTF8.self) { return text }
      if let forced, forced.isWestern { return forced.text(of: field) }
      if let latin, latin.fits(field) { return latin.set.lossyText(of: field).text }
      switch WesternShape(of: field) {
      case .western: return decode(field, as: .windows1252)
      case .neutral where forced == nil && !isBesideForeign: return decode(field, as: .windows1252)
      default: break
      }
      if let set = forced?.characterSet {
        let decoded = set.lossyText(of: field)
        if !decoded.isMostlyFlawed { return decoded.text }
      }
      if let set = detected.first(where: { $0.fits(field) }) { return set.lossyText(of: field).text }
      for set in detected {
        let decoded = set.lossyText(of: field)
        if !decoded.isMostlyFlawed { return decoded.text }
      }
      return decode(field, as: .windows1252)
    }
  }
}

/// Text in which each invalid byte is U+FFFD.
struct LossyText {
  var text: String
  /// The number of characters that are not ASCII, without the flaws.
  var count = 0
  /// The number of invalid bytes and private characters.
  var flaws = 0
  /// Whether the only flaw is at the end, where old tags cut text off.
  var isOnlyCut = false

  var isMostlyFlawed: Bool { flaws > (isOnlyCut ? 1 : 0) && count <= 2 * flaws }

  init(_ text: String) {
    self.text = text
    var last: Unicode.Scalar?
    for scalar in text.unicodeScalars {
      last = scalar
      if scalar == "\u{FFFD}" || (0xE000...0xF8FF).contains(scalar.value) {
        flaws += 1
      } else if !scalar.isASCII {
        count += 1
      }
    }
    isOnlyCut = flaws == 1 && last == "\u{FFFD}"
  }
}

extension LegacyText.Encoding {
  /// Whether the encoding is for languages in Latin script, in whose words only some letters are not ASCII.
  fileprivate var isWestern: Bool {
    switch self {
    case .windows1252: true
    case .other(let set): set.isWestern
    case .utf8, .utf16LittleEndian, .utf16BigEndian, .utf32LittleEndian, .utf32BigEndian: false
    }
  }

  fileprivate var characterSet: LegacyText.CharacterSet? {
    if case .other(let set) = self { set } else { nil }
  }

  fileprivate func text(of field: [UInt8]) -> String {
    characterSet?.lossyText(of: field).text ?? LegacyText.decode(field, as: self)
  }
}

/// What the bytes of a field look like, in any encoding.
///
/// In Western words, a byte that is not ASCII is a letter among letters of ASCII, as in "Motörhead", or a sign. In
/// other encodings, such bytes are next to each other.
enum WesternShape {
  /// The field has letters as in Western words, and nothing else beyond ASCII.
  case western
  /// The field could be anything, such as "à la" or one Chinese character.
  case neutral
  /// The field has two letters that are no part of a Western word, or one foreign character ("Þú", "爱").
  case pair
  /// The field is not in a Western language.
  case foreign

  init(of field: [UInt8]) {
    self = .neutral
    var index = 0
    while index < field.count {
      guard field[index] >= 0x80 else {
        index += 1
        continue
      }
      let end = field[index...].firstIndex { $0 < 0x80 } ?? field.count
      let before = index > 0 && Self.isASCIILetter(field[index - 1])
      let after = end < field.count && Self.isASCIILetter(field[end])
      switch Self(ofRun: field[index..<end], before: before, after: after) {
      case .foreign:
        self = .foreign
        return
      case .western: self = .western
      case .pair where self == .neutral: self = .pair
      case .pair, .neutral: break
      }
      index = end
    }
    // In two-byte characters, the second byte may be a letter of ASCII, but the first ones are not all letters.
    if self == .western, field.contains(where: { $0 >= 0x80 && !Self.isLetter($0) && !Self.isSign($0) }) {
      self = .neutral
    }
  }

  /// Classifies bytes beyond ASCII that are next to each other, and before or after which there is a letter of ASCII.
  private init(ofRun run: ArraySlice<UInt8>, before: Bool, after: Bool) {
    let signs = run.prefix { Self.isSign($0) }.count
    let trailing = run.dropFirst(signs).reversed().prefix { Self.isSign($0) }.count
    let letters = run.dropFirst(signs).dropLast(trailing)
    let isBefore = before && signs == 0
    let isAfter = after && trailing == 0
    switch letters.count {
    case 0: self = run.count < 3 ? .neutral : .foreign
    case 1: self = letters.allSatisfy { $0 >= 0xC0 } && (isBefore || isAfter) ? .western : .neutral
    case 2 where letters.allSatisfy { $0 >= 0xC0 }:
      self = isBefore && isAfter ? .western : isBefore || isAfter ? .neutral : .pair
    case 2 where letters.allSatisfy { Self.isLetter($0) }: self = .neutral
    default: self = .foreign
    }
  }

  private static func isASCIILetter(_ byte: UInt8) -> Bool { (0x41...0x5A).contains(byte & 0xDF) }

  /// Whether a byte is a letter in Windows-1252.
  private static func isLetter(_ byte: UInt8) -> Bool {
    byte >= 0xC0 || [0x8A, 0x8C, 0x8E, 0x9A, 0x9C, 0x9E, 0x9F].contains(byte)
  }

  /// Whether a byte is a quotation mark, a dash or another sign that stands beside words in Windows-1252.
  private static func isSign(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x82, 0x84, 0x85, 0x8B, 0x91...0x97, 0x99, 0x9B, 0xA0, 0xA1, 0xA9...0xAB, 0xAE, 0xB0, 0xB4, 0xBA, 0xBB, 0xBF:
      true
    default: false
    }
  }
}
