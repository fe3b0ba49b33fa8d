// SPDX-License-Identifier: GPL-3.0-or-later

import Platform
import SystemPackage

extension PlaylistDocument {
  /// Creates the document of an M3U file. An entry has its line, and the directives between it and the entry before.
  ///
  /// Before the first entry, directives of other programs belong to the file if they are separated from the entry by a
  /// comment, a blank line or a directive for the whole file.
  init(m3u contents: [UInt8]) {
    let declared = M3UParser.declaredEncoding(contents)
    var lines = PlaylistText(contents, declared: declared)
    var (pieces, pending, count): ([Piece], [(index: Int, isDescription: Bool)], Int) = ([], [], 0)
    func own() { for (index, _) in pending { pieces[index].entry = count } }
    while let line = lines.next() {
      pieces.append(Piece(bytes: line.whole))
      switch M3ULine(line) {
      case .description: pending.append((pieces.count - 1, true))
      case .otherDirective: pending.append((pieces.count - 1, false))
      case .comment, .fileDirective: if count == 0 { pending.removeAll { !$0.isDescription } }
      case .location:
        pieces[pieces.count - 1].entry = count
        own()
        (pending, count) = ([], count + 1)
      }
    }
    own()
    self.init(.m3u, pieces, count: count)
    use(lines, declared)
  }

  /// Creates the document of a PLS file. An entry has all lines with its number.
  init(pls contents: [UInt8]) {
    var (lines, pieces, numbers): (PlaylistText, [Piece], [Int?]) = (PlaylistText(contents), [], [])
    var files: Set<Int> = []
    while let line = lines.next() {
      pieces.append(Piece(bytes: line.whole))
      let key = PLSKey(line.text)
      numbers.append(key?.number)
      if let key, let number = key.number, key.name == "file" { files.insert(number) }
    }
    let sorted = files.sorted()
    let positions = Dictionary(uniqueKeysWithValues: zip(sorted, 0...))
    for (index, number) in numbers.enumerated() { pieces[index].entry = number.flatMap { positions[$0] } }
    let last =
      pieces.lastIndex { $0.entry != nil }
      ?? pieces.firstIndex { $0.bytes.drop { $0 <= 0x20 }.first == UInt8(ascii: "[") }
    pieces.insert(Piece(bytes: [], entry: sorted.count), at: last.map { $0 + 1 } ?? pieces.endIndex)
    let isFromZero = sorted.first == 0 && sorted.last == sorted.count - 1
    self.init(.pls(first: isFromZero ? 0 : 1), pieces, count: sorted.count)
    use(lines, nil)
  }

  /// Takes the encoding and the line breaks of `lines`.
  private mutating func use(_ lines: PlaylistText, _ declared: LegacyText.Encoding?) {
    (encoding, mark) = (lines.encoding, lines.mark)
    isConverted = encoding.isWide
    if let declared, mark.isEmpty, !isConverted, pieces.allSatisfy({ $0.bytes.allSatisfy { $0 < 0x80 } }) {
      encoding = declared
    }
    if let line = pieces.first(where: { !$0.bytes.isEmpty })?.bytes {
      let end = line.suffix(2).drop { $0 != 0x0A && $0 != 0x0D }
      if !end.isEmpty { lineBreak = Array(end) }
    }
  }

  /// Creates the document of an XSPF file. An entry has its `track` element and the white space before it.
  init(xspf contents: [UInt8], _ path: FilePath) throws(PlaylistError) {
    var (text, encoding, parser) = (contents, LegacyText.Encoding?.none, XSPFParser(limit: Playlist.entryLimit))
    do throws(XMLError) {
      (parser, encoding) = try XSPFParser.parse(contents, limit: Playlist.entryLimit)
      if let encoding {
        text = Array(LegacyText.decode(contents, as: encoding).utf8)
        parser = try XMLDocument.read(text, encoding: "UTF-8", into: XSPFParser(limit: Playlist.entryLimit))
      }
    } catch {
      throw .malformed(path, line: error.line, reason: error.reason)
    }
    guard let tag = parser.listTag, tag.upperBound <= text.count, !tag.isEmpty else {
      throw .malformed(path, line: 1, reason: "it has no trackList")
    }
    var (pieces, end): ([Piece], Int) = ([], 0)
    func add(_ range: Range<Int>, _ entry: Int? = nil) {
      if !range.isEmpty { pieces.append(Piece(bytes: text[range], entry: entry)) }
      end = range.upperBound
    }
    let name = text[tag].dropFirst().prefix { $0 > 0x20 && $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: ">") }
    var indent: [UInt8] = []
    for (number, track) in parser.tracks.enumerated() where track.lowerBound >= end && track.upperBound <= text.count {
      let space = text[end..<track.lowerBound].reversed().prefix { $0 <= 0x20 }.count
      let start = track.lowerBound - space
      if number == 0 { indent = Array(text[start..<track.lowerBound]) }
      add(end..<start)
      add(start..<track.upperBound, number)
    }
    let isSingleTag = parser.tracks.isEmpty && text[tag].suffix(2).first == UInt8(ascii: "/")
    if parser.tracks.isEmpty { add(0..<tag.upperBound - (isSingleTag ? 2 : 0)) }
    if isSingleTag { pieces.append(Piece(bytes: [UInt8(ascii: ">")])) }
    pieces.append(Piece(bytes: [], entry: parser.tracks.count))
    if isSingleTag { pieces.append(Piece(bytes: ("\n  </".utf8 + name + ">".utf8)[...])) }
    add((isSingleTag ? tag.upperBound : end)..<text.count)

    let lineBreak: [UInt8] = text.firstRange(of: [0x0D, 0x0A]) == nil ? [0x0A] : [0x0D, 0x0A]
    let colon = name.firstIndex(of: UInt8(ascii: ":"))
    let form = XSPFForm(
      prefix: colon.map { String(decoding: name[...$0], as: UTF8.self) } ?? "",
      indent: indent.isEmpty ? lineBreak + "    ".utf8 : indent,
      isUTF8: encoding?.isWide == true || XSPFParser.isUTF8(text),
      hasBase: parser.hasBase)
    self.init(.xspf(form), pieces, count: parser.tracks.count)
    self.lineBreak = lineBreak
    if let encoding {
      (self.encoding, isConverted) = (encoding, true)
      if contents.starts(with: encoding.byteOrderMark) { mark = encoding.byteOrderMark }
    }
  }
}
