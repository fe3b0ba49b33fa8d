// SPDX-License-Identifier: GPL-3.0-or-later

/// The items of an MP4 file of which TagLib drops some: those that a file repeats, those with names of their own
/// (`----`), and those that a list of keys names (`mdta`).
///
/// A damaged file has the items before the damage. (ISO/IEC 14496-12; QuickTime File Format, "Metadata")
enum MP4Items {
  /// The maximum number of boxes that are looked at in one box.
  private static let boxLimit = 4_096
  private static let textTypes = [0, 1]
  private static let wideTextType = 2
  private static let integerTypes = [21, 22]

  struct Box {
    let name: ArraySlice<UInt8>
    /// The offset of the content in the file.
    let start: Int
    let end: Int

    func isNamed(_ text: String) -> Bool { name.elementsEqual(text.utf8) }
  }

  /// Returns the items of `file`, by TagLib's names.
  static func values(of file: inout TagFile) -> NamedValues {
    var values = NamedValues()
    guard let movie = boxes(of: &file, 0..<file.length, until: "moov").last, movie.isNamed("moov") else {
      return values
    }
    for box in boxes(of: &file, movie.start..<movie.end) {
      if box.isNamed("meta") { add(box, of: &file, to: &values) }
      guard box.isNamed("udta") else { continue }
      for box in boxes(of: &file, box.start..<box.end) where box.isNamed("meta") {
        add(box, of: &file, to: &values)
      }
    }
    return values
  }

  /// Returns the boxes in a range of the file, up to the first one that is called `last`.
  static func boxes(of file: inout TagFile, _ range: Range<Int>, until last: String? = nil) -> [Box] {
    var (found, offset): ([Box], Int) = ([], range.lowerBound)
    while found.count < boxLimit, offset <= range.upperBound - 8 {
      guard let head = try? file.bytes(at: offset, count: 8) else { break }
      var (size, headSize) = (head.bigEndian32(at: 0), 8)
      if size == 1 {
        guard let large = try? file.bytes(at: offset + 8, count: 8),
          let length = Int(exactly: large.bigEndian64(at: 0))
        else { break }
        (size, headSize) = (length, 16)
      } else if size == 0 {
        size = range.upperBound - offset
      }
      guard size >= headSize, size <= range.upperBound - offset else { break }
      found.append(Box(name: head.from(4), start: offset + headSize, end: offset + size))
      if let last, head.holds(last, at: 4) { break }
      offset += size
    }
    return found
  }

  /// Adds the items in a box of metadata.
  private static func add(_ meta: Box, of file: inout TagFile, to values: inout NamedValues) {
    // In QuickTime, the box has no version.
    let isPlain = (try? file.bytes(at: meta.start, count: 8))?.holds("hdlr", at: 4) ?? false
    let start = meta.start + (isPlain ? 0 : 4)
    guard start <= meta.end else { return }
    let parts = boxes(of: &file, start..<meta.end)
    let keys = parts.first { $0.isNamed("keys") }.map { Self.keys($0, of: &file) } ?? []
    guard let list = parts.first(where: { $0.isNamed("ilst") }) else { return }
    for item in boxes(of: &file, list.start..<list.end) {
      let number = item.name.bigEndian32(at: 0)
      if item.isNamed("----") {
        addFreeform(item, of: &file, to: &values)
      } else if (1...max(1, keys.count)).contains(number) {
        if !keys.isEmpty { add(item, as: name(ofKey: keys[number - 1]), of: &file, to: &values) }
      } else if let name = names.first(where: { $0.code.elementsEqual(item.name) })?.name {
        add(item, as: name, of: &file, to: &values)
      }
    }
  }

  private static func addFreeform(_ item: Box, of file: inout TagFile, to values: inout NamedValues) {
    let name = boxes(of: &file, item.start..<item.end).first { $0.isNamed("name") }
    guard let name, name.end - name.start <= 4 + NamedValues.nameLimit,
      let bytes = try? file.bytes(at: name.start, count: name.end - name.start)
    else { return }
    let text = String(decoding: bytes.dropFirst(4).filter { $0 != 0 }, as: UTF8.self)
    add(item, as: NamedValues.taggersName(text), of: &file, to: &values)
  }

  /// Adds the values of an item.
  private static func add(_ item: Box, as name: String, of file: inout TagFile, to values: inout NamedValues) {
    for data in boxes(of: &file, item.start..<item.end) where data.isNamed("data") {
      let count = data.end - data.start - 8
      guard (1...NamedValues.valueLimit).contains(count), let head = try? file.bytes(at: data.start, count: 8),
        let content = try? file.longBytes(at: data.start + 8, count: count)
      else { continue }
      let type = head.bigEndian32(at: 0) & 0xFF_FFFF
      if textTypes.contains(type) {
        values.append(String(decoding: content, as: UTF8.self), to: name)
      } else if type == wideTextType {
        let units = stride(from: 0, to: count - 1, by: 2).map { UInt16(content[$0]) << 8 | UInt16(content[$0 + 1]) }
        values.append(String(decoding: units, as: UTF16.self), to: name)
      } else if integerTypes.contains(type), count <= 4 {
        values.append(String(content.reduce(0) { $0 << 8 | Int($1) }), to: name)
      }
    }
  }

  /// Returns the names in a list of keys, in their order.
  private static func keys(_ list: Box, of file: inout TagFile) -> [String] {
    boxes(of: &file, min(list.start + 8, list.end)..<list.end).map { key in
      let count = min(key.end - key.start, NamedValues.nameLimit)
      let bytes = try? file.bytes(at: key.start, count: count)
      return bytes.map { String(decoding: $0, as: UTF8.self) } ?? ""
    }
  }

  /// Returns TagLib's name for a key: one of QuickTime ("com.apple.quicktime.title"), or any other program's.
  private static func name(ofKey key: String) -> String {
    let prefix = "com.apple.quicktime."
    let name = key.hasPrefix(prefix) ? String(key.dropFirst(prefix.count)) : key
    return ForeignNames.taglibName(name)
  }

  /// The codes of the items of text that may have several values, and TagLib's names for them.
  private static let names: [(code: [UInt8], name: String)] = [
    ([0xA9] + Array("ART".utf8), "ARTIST"), (Array("aART".utf8), "ALBUMARTIST"),
    ([0xA9] + Array("gen".utf8), "GENRE"), ([0xA9] + Array("wrt".utf8), "COMPOSER"),
    ([0xA9] + Array("grp".utf8), "GROUPING"), ([0xA9] + Array("cmt".utf8), "COMMENT"),
    ([0xA9] + Array("con".utf8), "CONDUCTOR"), (Array("soar".utf8), "ARTISTSORT"),
    (Array("soaa".utf8), "ALBUMARTISTSORT"), (Array("soco".utf8), "COMPOSERSORT"),
  ]
}
