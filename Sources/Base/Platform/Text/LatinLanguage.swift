// SPDX-License-Identifier: GPL-3.0-or-later

/// A language in Latin script, with its letters that are not ASCII.
///
/// The same bytes are letters in Windows-1252 and in the encodings of other languages: "Dvořák" is "Dvoøák".
/// libuchardet recognises the language of an album's titles well, but of a few words not always, so its answer is
/// believed only if the letters of the words belong to one language of that encoding, rather than to one in
/// Windows-1252.
struct LatinLanguage {
  private let letters: Set<Unicode.Scalar>

  private init(_ lowercase: String) {
    letters = Set(lowercase.unicodeScalars).union(lowercase.uppercased().unicodeScalars)
  }

  /// French, German, Spanish, Portuguese, Italian, Danish and Norwegian, Swedish and Finnish, Icelandic, Faroese,
  /// Dutch, Catalan, and names in English.
  static let western = [
    "àâæçéèêëîïôœùûüÿ", "äöüß", "áéíóúüñ¿ªº", "áàâãçéêíóôõúüªº", "àèéìîòóùú", "æøåéèêóòâôü", "åäöéüšž", "áéíóúýþæöð",
    "áíóúýæøðö", "éèêëïóöüáí", "àçèéíïòóúü", "éèêëïöçñáÿü",
  ].map(Self.init)

  /// Polish, Czech, Slovak, Hungarian, Croatian and its neighbours, Romanian.
  private static let central = [
    "ąćęłńóśźż", "áčďéěíňóřšťúůýž", "áäčďéíĺľňóôŕšťúýž", "áéíóöőúüű", "čćđšž", "ăâîşţ",
  ].map(Self.init)

  private static let turkish = [Self("çğıöşüâîûİ")]

  /// Latvian, Lithuanian, Estonian.
  private static let baltic = ["āčēģīķļņšūž", "ąčęėįšųūž", "äõöüšž"].map(Self.init)

  /// The languages that are written in this character set.
  static func all(in set: LegacyText.CharacterSet) -> [Self] {
    switch set {
    case .windows1250, .iso88592: central
    case .windows1254: turkish
    case .windows1257: baltic
    default: []
    }
  }

  /// Whether all letters of a word are letters of this language.
  func has(_ word: some Sequence<Unicode.Scalar>) -> Bool { word.allSatisfy { $0.isASCII || letters.contains($0) } }

  /// The ranges of the words of a text that are not ASCII. Signs other than punctuation are part of a word, so that it
  /// is in no language if they are no letters of it.
  static func words(of text: [Unicode.Scalar]) -> [Range<Int>] {
    text.indices.split { isBetweenWords(text[$0]) }.filter { !text[$0].allSatisfy(\.isASCII) }
  }

  fileprivate static func isBetweenWords(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x41...0x5A, 0x61...0x7A: false
    // Guillemets, and spaces, dashes, quotation marks and dots of all kinds.
    case ..<0x80, 0xA0, 0xA1, 0xAB, 0xBB, 0xA9, 0xAE, 0xB4, 0x2000...0x206F: true
    default: false
    }
  }
}

extension LegacyText {
  /// The encoding of text in a language in Latin script that Windows-1252 does not have.
  struct LatinText: Sendable, Hashable {
    let set: CharacterSet
    /// The index of the language among those of the set.
    private let language: Int

    /// Detects the encoding of text; returns `nil` if it is more likely Windows-1252, or not in Latin script.
    ///
    /// At least half of the words must be in one language of the encoding, more than in any language of Windows-1252,
    /// and nearly all others in one of these: names of foreign artists.
    init?(detectedIn bytes: UnsafeBufferPointer<UInt8>) {
      let sets = unsafe CharacterSet.latin(detectedIn: bytes)
      if sets.isEmpty { return nil }
      let western = Array(unsafe LegacyText.decode(bytes, as: .windows1252).unicodeScalars)
      let westernWords = LatinLanguage.words(of: western)
      var bestCount =
        LatinLanguage.western.map { language in westernWords.count { language.has(western[$0]) } }.max() ?? 0
      var best: (set: CharacterSet, language: Int)?
      for set in sets {
        let text = Array(unsafe set.lossyText(of: bytes).text.unicodeScalars)
        // Each byte is one character, so that the words are at the same places.
        guard text.count == western.count else { continue }
        let words = LatinLanguage.words(of: text)
        for (index, language) in LatinLanguage.all(in: set).enumerated() {
          let others = words.filter { !language.has(text[$0]) }
          let count = words.count - others.count
          let flaws = others.count { word in !LatinLanguage.western.contains { $0.has(western[word]) } }
          if count > bestCount, count * 2 >= words.count, flaws * 5 <= words.count {
            (best, bestCount) = ((set, index), count)
          }
        }
      }
      guard let best else { return nil }
      (set, language) = best
    }

    /// Detects the encoding of these fields, taken together.
    init?(of fields: [[UInt8]]) {
      let joined = Array(fields.joined(separator: [0x0A]))
      let detected = unsafe joined.withUnsafeBufferPointer { unsafe Self(detectedIn: $0) }
      guard let detected else { return nil }
      self = detected
    }

    /// Whether all words of a field are in this language.
    func fits(_ field: [UInt8]) -> Bool {
      let language = LatinLanguage.all(in: set)[language]
      return language.has(
        set.lossyText(of: field).text.unicodeScalars.lazy.filter { !LatinLanguage.isBetweenWords($0) })
    }
  }
}
