// SPDX-License-Identifier: GPL-3.0-or-later

/// The text attributes of an ASF file (Windows Media) and its rating, of which TagLib drops some, and confuses the
/// order of others.
///
/// The first value of a field is usually in one object of the header, and the others are in another, which may come
/// before it. A damaged file has the attributes before the damage. (Advanced Systems Format Specification 01.20.05)
enum ASFAttributes {
  /// The maximum number of objects, and of attributes of one object, that are read.
  private static let countLimit = 4_096
  private static let textType = 0
  private static let numberType = 3

  /// The objects that hold attributes, in the order in which their values count.
  private enum Holder: Int, CaseIterable {
    case content, extendedContent, metadata, metadataLibrary

    /// The identifier of the object, as it is stored.
    var identifier: [UInt8] {
      switch self {
      case .content: [0x33, 0x26, 0xB2, 0x75, 0x8E, 0x66, 0xCF, 0x11, 0xA6, 0xD9, 0x00, 0xAA, 0x00, 0x62, 0xCE, 0x6C]
      case .extendedContent:
        [0x40, 0xA4, 0xD0, 0xD2, 0x07, 0xE3, 0xD2, 0x11, 0x97, 0xF0, 0x00, 0xA0, 0xC9, 0x5E, 0xA8, 0x50]
      case .metadata: [0xEA, 0xCB, 0xF8, 0xC5, 0xAF, 0x5B, 0x77, 0x48, 0x84, 0x67, 0xAA, 0x8C, 0x44, 0xFA, 0x4C, 0xCA]
      case .metadataLibrary:
        [0x94, 0x1C, 0x23, 0x44, 0x98, 0x94, 0xD1, 0x49, 0xA1, 0x41, 0x1D, 0x13, 0x4E, 0x45, 0x70, 0x54]
      }
    }
  }

  private static let headerExtension: [UInt8] = [
    0xB5, 0x03, 0xBF, 0x5F, 0x2E, 0xA9, 0xCF, 0x11, 0x8E, 0xE3, 0x00, 0xC0, 0x0C, 0x20, 0x53, 0x65,
  ]

  /// Returns the attributes of `file`, by TagLib's names.
  static func values(of file: inout TagFile) -> NamedValues {
    var values = NamedValues()
    guard let head = try? file.bytes(at: 0, count: 30), let size = Int(exactly: head.littleEndian64(at: 16)) else {
      return values
    }
    var holders: [(holder: Holder, range: Range<Int>)] = []
    for (identifier, range) in objects(of: &file, 30..<min(max(30, size), file.length)) {
      if let holder = Holder.allCases.first(where: { $0.identifier == identifier }) {
        holders.append((holder, range))
      } else if identifier == headerExtension, range.count > 22 {
        for (identifier, range) in objects(of: &file, range.dropFirst(22)) {
          if let holder = Holder.allCases.first(where: { $0.identifier == identifier }) {
            holders.append((holder, range))
          }
        }
      }
    }
    for holder in Holder.allCases {
      for (_, range) in holders.filter({ $0.holder == holder }) {
        try? add(holder, range, of: &file, to: &values)
      }
    }
    return values
  }

  /// Returns the objects in a range of the file, with the ranges of their contents.
  private static func objects(of file: inout TagFile, _ range: Range<Int>) -> [([UInt8], Range<Int>)] {
    var (found, offset): ([([UInt8], Range<Int>)], Int) = ([], range.lowerBound)
    while found.count < countLimit, offset <= range.upperBound - 24 {
      guard let head = try? file.bytes(at: offset, count: 24), let size = Int(exactly: head.littleEndian64(at: 16)),
        size >= 24, size <= range.upperBound - offset
      else { break }
      found.append((Array(head.prefix(16)), offset + 24..<offset + size))
      offset += size
    }
    return found
  }

  private static func add(
    _ holder: Holder, _ range: Range<Int>, of file: inout TagFile, to values: inout NamedValues
  ) throws(UnusualFileError) {
    switch holder {
    case .content: try addContent(range, of: &file, to: &values)
    case .extendedContent:
      try addAttributes(range, of: &file, to: &values) { file, offset throws(UnusualFileError) in
        let nameLength = try file.bytes(at: offset, count: 2).littleEndian16(at: 0)
        let head = try file.bytes(at: offset + 2 + nameLength, count: 4)
        return Attribute(
          name: offset + 2..<offset + 2 + nameLength, type: head.littleEndian16(at: 0),
          start: offset + 6 + nameLength, count: head.littleEndian16(at: 2))
      }
    case .metadata, .metadataLibrary:
      try addAttributes(range, of: &file, to: &values) { file, offset throws(UnusualFileError) in
        let head = try file.bytes(at: offset, count: 12)
        let start = offset + 12 + head.littleEndian16(at: 4)
        return Attribute(
          name: offset + 12..<start, type: head.littleEndian16(at: 6), start: start, count: head.littleEndian32(at: 8))
      }
    }
  }

  private struct Attribute {
    let name: Range<Int>
    let type: Int
    /// The offset and the length of the value.
    let start: Int
    let count: Int
  }

  /// Adds the author from the object that has five texts without names.
  private static func addContent(
    _ range: Range<Int>, of file: inout TagFile, to values: inout NamedValues
  ) throws(UnusualFileError) {
    guard range.count >= 10 else { return }
    let head = try file.bytes(at: range.lowerBound, count: 10)
    let (title, author) = (head.littleEndian16(at: 0), head.littleEndian16(at: 2))
    guard 10 + title + author <= range.count else { return }
    values.append(try text(of: &file, range.lowerBound + 10 + title, author), to: "ARTIST")
  }

  private static func addAttributes(
    _ range: Range<Int>, of file: inout TagFile, to values: inout NamedValues,
    _ next: (inout TagFile, Int) throws(UnusualFileError) -> Attribute
  ) throws(UnusualFileError) {
    let count = try file.bytes(at: range.lowerBound, count: 2).littleEndian16(at: 0)
    var offset = range.lowerBound + 2
    for _ in 0..<min(count, countLimit) {
      let attribute = try next(&file, offset)
      offset = attribute.start + attribute.count
      guard offset <= range.upperBound else { return }
      if attribute.type == numberType, attribute.count == 4, attribute.name.count <= 2 * NamedValues.nameLimit,
        try text(of: &file, attribute.name.lowerBound, attribute.name.count).uppercased() == rating
      {
        values.append("\(try file.bytes(at: attribute.start, count: 4).littleEndian32(at: 0))", to: rating)
      }
      guard attribute.type == textType, attribute.name.count <= 2 * NamedValues.nameLimit,
        attribute.count <= NamedValues.valueLimit,
        let name = taglibName(try text(of: &file, attribute.name.lowerBound, attribute.name.count))
      else { continue }
      values.append(try text(of: &file, attribute.start, attribute.count), to: name)
    }
  }

  /// Returns the UTF-16 text at an offset, without the NULs at its end.
  private static func text(of file: inout TagFile, _ offset: Int, _ count: Int) throws(UnusualFileError) -> String {
    let bytes = try file.longBytes(at: offset, count: count)
    var units = stride(from: 0, to: count - 1, by: 2).map { UInt16(bytes[$0]) | UInt16(bytes[$0 + 1]) << 8 }
    while units.last == 0 { units.removeLast() }
    return String(decoding: units, as: UTF16.self)
  }

  /// Returns TagLib's name for an attribute with this name; `nil` for one of Windows Media itself that TagLib reads, or
  /// that describes the audio.
  private static func taglibName(_ name: String) -> String? {
    let upper = name.uppercased()
    if let known = names[upper] { return known }
    return upper.hasPrefix("WM") ? nil : NamedValues.taggersName(upper)
  }

  /// The name of the attribute with the user's rating, a number.
  private static let rating = "WM/SHAREDUSERRATING"

  /// TagLib's names for the attributes that may have several values.
  private static let names = [
    "AUTHOR": "ARTIST", "WM/ALBUMARTIST": "ALBUMARTIST", "WM/GENRE": "GENRE", "WM/COMPOSER": "COMPOSER",
    "WM/CONDUCTOR": "CONDUCTOR", "WM/ARTISTS": "ARTISTS", "WM/ALBUMARTISTS": "ALBUMARTISTS",
    "WM/WRITER": "LYRICIST", "WM/MODIFIEDBY": "REMIXER", "WM/PRODUCER": "PRODUCER", "WM/PUBLISHER": "LABEL",
    "WM/CONTENTGROUPDESCRIPTION": "GROUPING", "WM/MOOD": "MOOD", "WM/ARTISTSORTORDER": "ARTISTSORT",
    "WM/ALBUMARTISTSORTORDER": "ALBUMARTISTSORT", "WM/ORIGINALRELEASETIME": "ORIGINALDATE",
    "WM/ORIGINALRELEASEYEAR": "ORIGINALYEAR",
  ]
}
