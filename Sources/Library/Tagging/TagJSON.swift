// SPDX-License-Identifier: GPL-3.0-or-later

public import MusicModel

/// The tags that have no column of their own, as a JSON object of arrays.
package enum TagJSON {
  /// The maximum length of a value in bytes; longer values are left out.
  static let valueLengthLimit = 64 * 1024
  /// The maximum length of the JSON text in bytes; tags that would exceed it are left out.
  static let lengthLimit = 256 * 1024

  private static let digits = Array("0123456789abcdef".utf8)

  /// Returns the JSON text for these tags, or `nil` if there is nothing to store.
  package static func text(_ fields: TagFields) -> String? {
    var others: [TagFields.Entry] = []
    for entry in fields.entries
    where entry.field?.hasColumn != true && entry.value.utf8.count <= valueLengthLimit {
      others.append(entry)
    }
    others += fields.shownForms
    if others.isEmpty { return nil }
    sort(&others)
    var bytes: [UInt8] = []
    bytes.reserveCapacity(others.reduce(2) { $0 + $1.name.utf8.count + $1.value.utf8.count + 8 })
    bytes.append(UInt8(ascii: "{"))
    var index = 0
    while index < others.count {
      let name = others[index].name
      let start = bytes.count
      if start > 1 { bytes.append(UInt8(ascii: ",")) }
      append(name, to: &bytes)
      bytes.append(UInt8(ascii: ":"))
      var separator = UInt8(ascii: "[")
      while index < others.count, others[index].name == name {
        bytes.append(separator)
        separator = UInt8(ascii: ",")
        append(others[index].value, to: &bytes)
        index += 1
      }
      bytes.append(UInt8(ascii: "]"))
      if bytes.count >= lengthLimit { bytes.removeSubrange(start...) }
    }
    if bytes.count == 1 { return nil }
    bytes.append(UInt8(ascii: "}"))
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Sorts the entries by name; usually they are sorted already. Values of the same name keep their order.
  private static func sort(_ entries: inout [TagFields.Entry]) {
    if zip(entries, entries.dropFirst()).allSatisfy({ $0.name <= $1.name }) { return }
    entries = entries.enumerated().sorted {
      ($0.element.name, $0.offset) < ($1.element.name, $1.offset)
    }.map(\.element)
  }

  private static func append(_ text: String, to bytes: inout [UInt8]) {
    bytes.append(UInt8(ascii: "\""))
    if text.utf8.allSatisfy({ $0 >= 0x20 && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") }) {
      bytes.append(contentsOf: text.utf8)
    } else {
      for byte in text.utf8 { append(escaped: byte, to: &bytes) }
    }
    bytes.append(UInt8(ascii: "\""))
  }

  private static func append(escaped byte: UInt8, to bytes: inout [UInt8]) {
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes += [UInt8(ascii: "\\"), byte]
    case 0..<0x20: bytes += Array("\\u00".utf8) + [digits[Int(byte >> 4)], digits[Int(byte & 15)]]
    default: bytes.append(byte)
    }
  }
}

/// Reads JSON text that ``TagJSON`` wrote, without copying the values that are not needed. Anything that `TagJSON` does
/// not write ends the reading without an error.
public enum TagJSONReader {
  /// The names of tags and their kinds, by the length of the name.
  private static let kinds: [[(name: [UInt8], kind: AdditionalTags.Kind)]] = {
    var kinds = [[(name: [UInt8], kind: AdditionalTags.Kind)]](repeating: [], count: 32)
    for kind in AdditionalTags.Kind.allCases {
      for name in kind.names { kinds[name.utf8.count].append((Array(name.utf8), kind)) }
    }
    return kinds
  }()

  /// Calls `body` with each value of a tag that is one of ``AdditionalTags``, in the order of the text. The bytes are
  /// valid only during the call of `body`.
  public static func read(
    _ bytes: UnsafeRawBufferPointer, _ body: (AdditionalTags.Kind, UnsafeRawBufferPointer) -> Void
  ) {
    var cursor = unsafe TagJSONCursor(bytes)
    guard cursor.take(UInt8(ascii: "{")) else { return }
    // If a kind has several names, the first one counts. The names are in alphabetical order, as in `names`.
    var found: UInt64 = 0
    while let name = cursor.takeText() {
      guard cursor.take(UInt8(ascii: ":")), cursor.take(UInt8(ascii: "[")) else { return }
      var kind = unsafe kind(UnsafeRawBufferPointer(rebasing: bytes[name.range]))
      if let known = kind {
        if found & 1 << UInt64(known.rawValue) != 0 { kind = nil }
        found |= 1 << UInt64(known.rawValue)
      }
      repeat {
        guard let text = cursor.takeText() else { return }
        guard let kind else { continue }
        let value = unsafe UnsafeRawBufferPointer(rebasing: bytes[text.range])
        if text.hasEscapes {
          let plain = unsafe TagJSONCursor.withoutEscapes(value)
          unsafe plain.withUnsafeBytes { unsafe body(kind, $0) }
        } else {
          unsafe body(kind, value)
        }
      } while cursor.take(UInt8(ascii: ","))
      guard cursor.take(UInt8(ascii: "]")), cursor.take(UInt8(ascii: ",")) else { return }
    }
  }

  private static func kind(_ name: UnsafeRawBufferPointer) -> AdditionalTags.Kind? {
    guard name.count < kinds.count else { return nil }
    return kinds[name.count].first { unsafe name.elementsEqual($0.name) }?.kind
  }
}

/// A position in a JSON object of arrays of strings.
@safe private struct TagJSONCursor {
  private let bytes: UnsafeRawBufferPointer
  private var index = 0

  init(_ bytes: UnsafeRawBufferPointer) { unsafe self.bytes = bytes }

  /// Consumes `byte` if it comes next. Returns whether it did.
  mutating func take(_ byte: UInt8) -> Bool {
    guard unsafe index < bytes.count, unsafe bytes[index] == byte else { return false }
    index += 1
    return true
  }

  /// Consumes a string in quotation marks. Returns its range without the quotation marks, and whether it contains
  /// backslashes; `nil` if no string comes next.
  mutating func takeText() -> (range: Range<Int>, hasEscapes: Bool)? {
    guard take(UInt8(ascii: "\"")) else { return nil }
    let start = index
    var hasEscapes = false
    while unsafe index < bytes.count {
      let byte = unsafe bytes[index]
      index += 1
      if byte == UInt8(ascii: "\"") { return (start..<(index - 1), hasEscapes) }
      if byte == UInt8(ascii: "\\") {
        hasEscapes = true
        index += 1
      }
    }
    return nil
  }

  /// Returns the bytes of a string with its escapes resolved.
  static func withoutEscapes(_ bytes: UnsafeRawBufferPointer) -> [UInt8] {
    var plain: [UInt8] = []
    var index = 0
    while index < bytes.count {
      let byte = unsafe bytes[index]
      index += 1
      guard byte == UInt8(ascii: "\\"), index < bytes.count else {
        plain.append(byte)
        continue
      }
      let escaped = unsafe bytes[index]
      index += 1
      if escaped == UInt8(ascii: "u") {
        // A control character. A value has no line breaks, so they become spaces.
        let end = min(index + 4, bytes.count)
        let digits = unsafe String(decoding: bytes[index..<end], as: UTF8.self)
        let byte = UInt8(digits, radix: 16) ?? 0
        index = end
        plain.append((1..<0x20).contains(byte) && !(0x09...0x0D).contains(byte) ? byte : UInt8(ascii: " "))
      } else {
        plain.append(escaped)
      }
    }
    return plain
  }
}

extension AdditionalTags.Kind {
  /// TagLib's names for tags of this kind, in alphabetical order. If a file has several of them, the first one counts.
  package var names: [String] {
    switch self {
    case .name: ["NAME"]
    case .originalDate: ["ORIGINALDATE", "ORIGINALYEAR"]
    case .composerSort: ["COMPOSERSORT"]
    case .performer: ["PERFORMER"]
    case .conductor: ["CONDUCTOR"]
    case .ensemble: ["ENSEMBLE"]
    case .location: ["LOCATION"]
    case .grouping: ["GROUPING"]
    case .label: ["LABEL"]
    case .musicBrainzArtistID: ["MUSICBRAINZ_ARTISTID"]
    case .musicBrainzAlbumArtistID: ["MUSICBRAINZ_ALBUMARTISTID"]
    case .work: ["WORK"]
    case .movement: ["MOVEMENTNAME"]
    // Vorbis comments and APE tags call it MOVEMENT.
    case .movementNumber: ["MOVEMENT", "MOVEMENTNUMBER"]
    case .musicBrainzTrackID: ["MUSICBRAINZ_TRACKID"]
    case .musicBrainzReleaseTrackID: ["MUSICBRAINZ_RELEASETRACKID"]
    case .musicBrainzWorkID: ["MUSICBRAINZ_WORKID"]
    case .mood: ["MOOD"]
    case .showMovement: ["SHOWMOVEMENT"]
    case .musicBrainzReleaseGroupID: ["MUSICBRAINZ_RELEASEGROUPID"]
    case .discSubtitle: ["DISCSUBTITLE"]
    // No tag has these names; see ``TagFields/shownForms``.
    case .artistCredit: ["SHOWN ARTIST"]
    case .albumArtistCredit: ["SHOWN ALBUM ARTIST"]
    case .writtenNumber: ["SHOWN NUMBER"]
    case .releaseDate: ["EDITION DATE"]
    }
  }

  /// The kinds by TagLib's names for their tags.
  fileprivate static let byName: [String: Self] = Dictionary(
    allCases.flatMap { kind in kind.names.map { ($0, kind) } }, uniquingKeysWith: { first, _ in first })
}

extension AdditionalTags {
  private static let valueLimit = 256

  /// Creates the additional tags in `fields`. This is fast for most files, which have none.
  init(_ fields: TagFields) {
    var values: [Value] = []
    var counts: [Kind: Int] = [:]
    // Of the known fields, only the original date is an additional tag.
    for entry in fields.entries
    where entry.field == nil || entry.field == .originalDate || entry.field == .originalYear {
      guard let kind = Kind.byName[entry.name], counts[kind, default: 0] < Self.valueLimit,
        kind.names.first(where: { fields.first($0) != nil }) == entry.name
      else { continue }
      let value = Value(kind, entry.value)
      guard !values.contains(value) else { continue }
      values.append(value)
      counts[kind, default: 0] += 1
    }
    values += Self.shownForms(fields)
    self = values.isEmpty ? AdditionalTags() : AdditionalTags(values)
  }

  /// Creates only the additional tags that are shown in place of properties of a track.
  init(shownFormsOf fields: TagFields) {
    let values = Self.shownForms(fields)
    self = values.isEmpty ? AdditionalTags() : AdditionalTags(values)
  }

  private static func shownForms(_ fields: TagFields) -> [Value] {
    fields.shownForms.compactMap { entry in Kind.byName[entry.name].map { Value($0, entry.value) } }
  }

  /// Creates the additional tags from the column `tags`, which ``TagJSON`` wrote.
  package init(json: String) {
    var values: [Value] = []
    var counts: [Kind: Int] = [:]
    unsafe Array(json.utf8).withUnsafeBytes { bytes in
      unsafe TagJSONReader.read(bytes) { kind, value in
        guard counts[kind, default: 0] < Self.valueLimit else { return }
        let value = unsafe Value(kind, String(decoding: value, as: UTF8.self))
        guard !values.contains(value) else { return }
        values.append(value)
        counts[kind, default: 0] += 1
      }
    }
    self.init(values)
  }
}
