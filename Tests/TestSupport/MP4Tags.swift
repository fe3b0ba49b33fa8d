// SPDX-License-Identifier: GPL-3.0-or-later

/// Creates tags in MP4 files.
public enum MP4Tags {
  /// Returns a tag that has a name rather than a code, usually one of iTunes.
  public static func freeform(
    _ name: String, _ texts: String..., mean: String = "com.apple.iTunes"
  ) -> [UInt8] {
    box(
      "----",
      box("mean", [0, 0, 0, 0] + mean.utf8) + box("name", [0, 0, 0, 0] + name.utf8) + texts.flatMap { data($0) })
  }

  /// Returns a tag with a code, whose first byte is 0xA9 where it begins with "©".
  public static func text(_ code: String, _ texts: String...) -> [UInt8] {
    let content = texts.flatMap { data($0) }
    return big(content.count + 8) + code.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) } + content
  }

  /// Returns metadata with keys (`mdta`), as QuickTime and some programs write them.
  public static func keyed(_ fields: [(key: String, text: String)]) -> [UInt8] {
    let keys = fields.flatMap { box("mdta", Array($0.key.utf8)) }
    let items = fields.enumerated().flatMap { index, field -> [UInt8] in
      let content = data(field.text)
      return big(content.count + 8) + big(index + 1) + content
    }
    let handler = box("hdlr", big(0) + big(0) + "mdta".utf8 + [UInt8](repeating: 0, count: 13))
    return box("meta", big(0) + handler + box("keys", big(0) + big(fields.count) + keys) + box("ilst", items))
  }

  private static func data(_ text: String) -> [UInt8] { box("data", [0, 0, 0, 1, 0, 0, 0, 0] + text.utf8) }

  /// Returns a cover in the format JPEG.
  public static func cover(_ picture: [UInt8]) -> [UInt8] {
    box("covr", box("data", [0, 0, 0, 13, 0, 0, 0, 0] + picture))
  }

  /// Returns `file` with a tag, or with another box at the end of those in `path`. The list of tags has to exist, and
  /// to be the last thing in the file.
  public static func adding(
    _ tag: [UInt8], to file: [UInt8], in path: [String] = ["moov", "udta", "meta", "ilst"]
  ) -> [UInt8] {
    var file = file
    for name in path {
      guard let start = file.firstRange(of: Array(name.utf8))?.lowerBound else { continue }
      let size = file[(start - 4)..<start].reduce(0) { $0 << 8 | Int($1) }
      file.replaceSubrange((start - 4)..<start, with: big(size + tag.count))
    }
    return file + tag
  }

  /// Returns `file` with `count` bytes of free space behind its first box, the type of the file, and with the places of
  /// the sound after it.
  public static func inserting(_ count: Int, into file: [UInt8]) -> [UInt8] {
    var file = file
    if let table = file.firstRange(of: Array("stco".utf8))?.upperBound {
      let entries = number(file[(table + 4)..<(table + 8)])
      for entry in stride(from: table + 8, to: table + 8 + 4 * entries, by: 4) {
        file.replaceSubrange(entry..<(entry + 4), with: big(number(file[entry..<(entry + 4)]) + count))
      }
    }
    file.insert(contentsOf: box("free", [UInt8](repeating: 0, count: count - 8)), at: number(file[..<4]))
    return file
  }

  private static func number(_ bytes: ArraySlice<UInt8>) -> Int { bytes.reduce(0) { $0 << 8 | Int($1) } }

  private static func box(_ name: String, _ content: [UInt8]) -> [UInt8] {
    big(content.count + 8) + name.utf8 + content
  }

  private static func big(_ value: Int) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
  }
}
