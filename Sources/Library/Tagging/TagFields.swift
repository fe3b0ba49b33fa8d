// SPDX-License-Identifier: GPL-3.0-or-later

import MusicModel
import Platform

/// The tags of a file, by the names of TagLib's property map. Text from the file is not trusted, but normalised.
///
/// A NUL separates values (as in ID3v2.4), line breaks and tabs become spaces, and blank values are dropped.
package struct TagFields: Sendable, Equatable {
  package struct Entry: Sendable, Equatable {
    /// The field; `nil` if the name is not that of a known field.
    let field: TagField?
    /// The name of the field, in upper case.
    package let name: String
    /// The value: a single line that is not blank.
    package fileprivate(set) var value: String
    /// The bytes of the value, if the tag does not state their encoding, and they are not UTF-8.
    var bytes: [UInt8]?
  }

  /// The values in the order of the tags.
  package private(set) var entries: [Entry] = []
  /// The cue sheet in the tags, with its line breaks; `nil` if there is none.
  package private(set) var cueSheet: String?
  /// The fields of single tracks of the cue sheet in the tags, by the numbers of the tracks.
  package private(set) var cueTracks: [Int: TagFields] = [:]
  /// What identifies the sound that has these tags; `nil` if that is not known.
  package var fingerprint: SoundFingerprint?
  /// Whether the encoding of some values is not stated.
  package private(set) var hasUndecoded = false
  private var present = TagFieldSet()

  /// The maximum number of values of one field that are used; real files have fewer.
  private static let valueLimit = 256

  package init() {}

  var isEmpty: Bool { entries.isEmpty && cueSheet == nil }

  /// Adds a value under a name, which must be in upper case.
  package mutating func append(_ text: String, to name: String) {
    let field = TagField(name: name)
    if field == .cueSheet {
      cueSheet = cueSheet ?? text
    } else if text.isCleanLine {
      if entries.isEmpty { entries.reserveCapacity(24) }
      append(Entry(field: field, name: field?.name ?? name, value: text, bytes: nil))
    } else {
      for part in text.split(separator: "\0") {
        let line = part.asSingleLine
        if !line.isEmpty { append(Entry(field: field, name: field?.name ?? name, value: line, bytes: nil)) }
      }
    }
  }

  /// Adds a value whose encoding is not stated under a name, which must be in upper case. It is decoded as UTF-8 if it
  /// is valid, and otherwise by ``decode(by:)``.
  package mutating func append(undecoded bytes: some Collection<UInt8>, to name: String) {
    let field = TagField(name: name)
    if field == .cueSheet {
      cueSheet = cueSheet ?? LegacyText.decode(bytes)
      return
    }
    for part in bytes.split(separator: 0) {
      if let text = String(validating: part, as: UTF8.self) {
        append(text, to: name)
      } else {
        let value = LegacyText.decode(part, as: .windows1252)[...].asSingleLine
        append(Entry(field: field, name: field?.name ?? name, value: value, bytes: Array(part)))
        hasUndecoded = true
      }
    }
  }

  /// The values whose encoding is not stated.
  package var undecoded: [[UInt8]] { hasUndecoded ? entries.compactMap(\.bytes) : [] }

  /// The texts of the values whose encoding is not stated.
  package var decoded: [String] { hasUndecoded ? entries.filter { $0.bytes != nil }.map(\.value) : [] }

  /// Decodes the values whose encoding is not stated: by `decoder`, or each file by its own fields if it is `nil`.
  mutating func decode(by decoder: LegacyText.FieldDecoder?) {
    guard hasUndecoded else { return }
    let bytes = undecoded
    var texts = (decoder ?? LegacyText.FieldDecoder(bytes)).texts(of: bytes)[...]
    for index in entries.indices where entries[index].bytes != nil {
      guard let text = texts.popFirst()?[...].asSingleLine else { return }
      if !text.isEmpty { entries[index].value = text }
    }
  }

  /// Moves the fields of single tracks to ``cueTracks``.
  mutating func separateCueTracks() {
    let named = entries.compactMap { entry in CueTrackName(entry.name).map { ($0, entry.value) } }
    if named.isEmpty { return }
    entries.removeAll { CueTrackName($0.name) != nil }
    for (name, value) in named where TagField(name: name.field) != .cueSheet {
      cueTracks[name.number, default: TagFields()].append(value, to: name.field)
    }
  }

  /// Adds values instead of all values that their names have. The fields are in the order of their names, as in TagLib.
  mutating func replace(with values: [(name: String, value: TagText)]) {
    let names = Set(values.lazy.map { TagField(name: $0.name)?.name ?? $0.name })
    if names.isEmpty { return }
    entries.removeAll { names.contains($0.name) }
    for (name, value) in values { append(value, to: name) }
    entries.sort { $0.name < $1.name }
  }

  mutating func append(_ value: TagText, to name: String) {
    if let bytes = value.bytes { append(undecoded: bytes, to: name) } else { append(value.text, to: name) }
  }

  /// Adds values under names, instead of all values that these have.
  mutating func replace(with values: NamedValues) {
    let names = Set(values.fields.lazy.map { TagField(name: $0.name)?.name ?? $0.name })
    if names.isEmpty { return }
    entries.removeAll { names.contains($0.name) }
    for (name, values) in values.fields {
      for value in values { append(value, to: name) }
    }
  }

  private mutating func append(_ entry: Entry) {
    if let field = entry.field { present.insert(field) }
    entries.append(entry)
  }

  /// Returns the values of the first of these fields that has any, without duplicates.
  func all(_ fields: [TagField]) -> [String] {
    for field in fields where present.contains(field) {
      var found: [String] = []
      for entry in entries where entry.field == field && !found.contains(entry.value) {
        found.append(entry.value)
        if found.count == Self.valueLimit { break }
      }
      return found
    }
    return []
  }

  func first(_ field: TagField) -> String? {
    guard present.contains(field) else { return nil }
    for entry in entries where entry.field == field { return entry.value }
    return nil
  }

  /// Calls `read` with the first value of each of these fields, and returns the first result that is not `nil`.
  ///
  /// This is a loop, because the generic types of lazy sequences would have to be created when the first tags are read,
  /// which would delay the first sound.
  private func search<Value>(_ fields: [TagField], _ read: (String) -> Value?) -> Value? {
    for field in fields {
      if let text = first(field), let value = read(text) { return value }
    }
    return nil
  }

  /// Returns the first value with this name, or `nil` if there is none.
  package func first(_ name: String) -> String? {
    for entry in entries where entry.name == name { return entry.value }
    return nil
  }

  /// Returns the number in the first of `fields` that has a value ("3", "03/12"). The total comes from the same value
  /// or, if it has none, from one of `totals`.
  ///
  /// A Roman number counts, too, and if `hasSides`, the number on a side of a record; see ``WrittenNumber``.
  ///
  /// Returns `nil` if the number is invalid, negative or above 9,999. A total below 1 is ignored.
  func ordinal(_ fields: [TagField], totals: [TagField], hasSides: Bool = false) -> Ordinal? {
    guard let text = search(fields, { $0 }) else { return nil }
    let slash = text.utf8.firstIndex(of: UInt8(ascii: "/"))
    let part = text.utf8[..<(slash ?? text.utf8.endIndex)]
    guard let number = Self.leadingNumber(part) ?? WrittenNumber(part, hasSides: hasSides)?.value else { return nil }
    let totalText = slash.map { text.utf8[text.utf8.index(after: $0)...] } ?? search(totals) { $0.utf8[...] }
    let total = totalText.flatMap { Self.leadingNumber($0) }
    return Ordinal(number, of: total.flatMap { $0 > 0 ? $0 : nil })
  }

  private static let albumCredits: [TagField] = [.albumArtist, .albumArtistSpaced, .albumArtistUnderscored]

  /// The artists, one by one: `ARTISTS`, unless `ARTIST` has more values.
  var persons: [String] { persons(.artists, creditedIn: [.artist]) }

  /// The album artists, one by one: `ALBUMARTISTS`, unless `ALBUMARTIST` has more values.
  var albumPersons: [String] { persons(.albumArtists, creditedIn: Self.albumCredits) }

  private func persons(_ list: TagField, creditedIn fields: [TagField]) -> [String] {
    let credited = all(fields)
    guard present.contains(list) else { return credited }
    let persons = all([list])
    return persons.count < credited.count ? credited : persons
  }

  /// Returns what the fields say of the persons in `list`, or `nil` if that is only their names.
  private func credit(_ fields: [TagField], of list: TagField) -> String? {
    guard present.contains(list) else { return nil }
    let credit = all(fields).joined(separator: ", ")
    return credit.isEmpty || credit == persons(list, creditedIn: fields).joined(separator: ", ") ? nil : credit
  }

  /// What is shown in place of the artists, the album artists and the track number, where they are not shown as they
  /// are sorted and found; and the date of the edition, where another one may be shown.
  var shownForms: [Entry] {
    var forms: [Entry] = []
    if let credit = credit([.artist], of: .artists) {
      forms.append(Entry(field: nil, name: "SHOWN ARTIST", value: credit))
    }
    if let credit = credit(Self.albumCredits, of: .albumArtists) {
      forms.append(Entry(field: nil, name: "SHOWN ALBUM ARTIST", value: credit))
    }
    if let text = first(.trackNumber) ?? first(.track), Self.leadingNumber(text.utf8[...]) == nil,
      let number = WrittenNumber(text.utf8.prefix { $0 != UInt8(ascii: "/") }, hasSides: true)
    {
      forms.append(Entry(field: nil, name: "SHOWN NUMBER", value: number.text))
    }
    // A plain date alone is the one that is shown.
    let others: [TagField] = [.originalDate, .originalYear, .releaseDate]
    if others.contains(where: { present.contains($0) }), let release = dates.release {
      forms.append(Entry(field: nil, name: "EDITION DATE", value: release.text))
    }
    return forms
  }

  /// The date when the recording first came out, that of this edition, and the one that is not said to be either.
  ///
  /// Programs write the date of the edition, of the recording or of the first release into the plain field. It counts
  /// as that of the edition unless the tags state this one too.
  private var dates: (original: ReleaseDate?, release: ReleaseDate?, plain: ReleaseDate?) {
    let plain = date([.date, .year])
    return (date([.originalDate, .originalYear]), date([.releaseDate]) ?? plain, plain)
  }

  /// Returns the date that is shown, and by which albums are sorted.
  func shownDate(by choice: DateChoice = .current) -> ReleaseDate? {
    let dates = dates
    return switch choice {
    case .original: dates.original ?? dates.plain ?? dates.release
    case .release: dates.release ?? dates.original
    }
  }

  /// Returns the date in the first of these fields that contains one.
  func date(_ fields: [TagField]) -> ReleaseDate? {
    search(fields) { ReleaseDate(tag: $0) }
  }

  /// Returns the number at the beginning of a value such as "-7.32 dB", or `nil` if it is not in `range`.
  func decibelsOrPeak(_ field: TagField, in range: ClosedRange<Double>) -> Double? {
    guard let text = first(field), let value = text.plainDecimal ?? text.leadingDecimal else { return nil }
    return range.contains(value) ? value : nil
  }

  /// Returns the value of a field as an integer, or `nil` if it is not an integer in `range`.
  func integer(_ field: TagField, in range: ClosedRange<Int>) -> Int? {
    guard let text = first(field), let value = Int(text), range.contains(value) else { return nil }
    return value
  }

  /// Whether a field has a value other than 0, false or no.
  func flag(_ field: TagField) -> Bool {
    guard let text = first(field)?.lowercased() else { return false }
    return !["0", "false", "no", "n"].contains(text)
  }

  /// Returns the decimal number at the beginning of `text`, after any spaces. Returns `nil` if there is none, or if it
  /// is above 9,999.
  private static func leadingNumber(_ text: Substring.UTF8View) -> Int? {
    var number: Int?
    for byte in text.drop(while: { $0 == UInt8(ascii: " ") }) {
      guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { break }
      let next = (number ?? 0) * 10 + Int(byte - UInt8(ascii: "0"))
      if next > 9_999 { return nil }
      number = next
    }
    return number
  }
}

extension String {
  /// Whether the string is a single line without spaces at its ends, and not blank.
  fileprivate var isCleanLine: Bool {
    guard let first = utf8.first, let last = utf8.last, first != 0x20, last != 0x20 else { return false }
    // U+0085, U+2028 and U+2029 are line breaks, too. Text with their first two bytes is examined more closely.
    var previous: UInt8 = 0
    for byte in utf8 {
      if byte < 0x20 || byte == 0x85 && previous == 0xC2 || byte == 0x80 && previous == 0xE2 { return false }
      previous = byte
    }
    return true
  }
}

extension Substring {
  /// The text on a single line: line breaks and tabs, with the spaces around them, become one space, and the ends are
  /// trimmed.
  fileprivate var asSingleLine: String {
    guard unicodeScalars.contains(where: \.isBreak) || first == " " || last == " " else {
      return String(self)
    }
    let lines = split { $0.unicodeScalars.contains(where: \.isBreak) }
    return lines.map(\.trimmed).filter { !$0.isEmpty }.joined(separator: " ")
  }

  private var trimmed: Substring {
    var text = self.drop { $0 == " " }
    while text.last == " " { text.removeLast() }
    return text
  }
}

extension Unicode.Scalar {
  fileprivate var isBreak: Bool {
    switch value {
    case 0x09...0x0D, 0x85, 0x2028, 0x2029: true
    default: false
    }
  }
}

extension TagFields {
  /// The difference between the reference loudness of R128 tags, -23 LUFS, and that of ReplayGain, -18 LUFS, in dB.
  private static let r128Offset = 5.0

  /// The loudness values in the tags, without implausible ones.
  ///
  /// R128 tags, which Opus files have (RFC 7845, section 5.2.1), take precedence over `REPLAYGAIN_` tags, which Opus
  /// files should not have. There is no R128 tag for a peak.
  var replayGain: ReplayGainTags {
    ReplayGainTags(
      trackGain: r128Gain(.r128TrackGain)
        ?? decibelsOrPeak(.trackGain, in: ReplayGainTags.gains),
      trackPeak: decibelsOrPeak(.trackPeak, in: ReplayGainTags.peaks),
      albumGain: r128Gain(.r128AlbumGain)
        ?? decibelsOrPeak(.albumGain, in: ReplayGainTags.gains),
      albumPeak: decibelsOrPeak(.albumPeak, in: ReplayGainTags.peaks))
  }

  /// Returns an R128 gain, which is in 256ths of a decibel, as a ReplayGain gain in dB.
  private func r128Gain(_ field: TagField) -> Double? {
    guard let value = integer(field, in: -32_768...32_767) else { return nil }
    let gain = Double(value) / 256 + Self.r128Offset
    return ReplayGainTags.gains.contains(gain) ? gain : nil
  }
}
