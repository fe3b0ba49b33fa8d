// SPDX-License-Identifier: GPL-3.0-or-later

import Platform
import SystemPackage
import TestSupport
import Testing

@testable import Playlists

/// Edits of the text of playlists.
struct PlaylistEditTests {
  private static let path: FilePath = "/music/lists/list.m3u"

  private func edited(_ contents: [UInt8], _ edits: PlaylistEdit..., as format: PlaylistFormat) throws -> [UInt8] {
    try PlaylistDocument.edited(contents, format, at: Self.path, edits, RelativePaths(below: "/music/lists")).contents
  }

  private func edited(_ text: String, _ edits: PlaylistEdit..., as format: PlaylistFormat = .m3u8) throws -> String {
    let paths = RelativePaths(below: "/music/lists")
    return String(
      decoding: try PlaylistDocument.edited(Array(text.utf8), format, at: Self.path, edits, paths).contents,
      as: UTF8.self)
  }

  private func entry(_ path: String, title: String? = nil) -> PlaylistEntry {
    var entry = PlaylistEntry(.path(Array(path.utf8)))
    entry.title = title
    return entry
  }

  private static let radio = """
    #EXTM3U url-tvg="http://x/guide.xml"
    #PLAYLIST:My radio
    #EXTALBUMARTURL:http://x/cover.jpg
    # my own comment

    #EXTINF:-1 tvg-logo="http://x/l.png" group-title="Rock",Rock
    #EXTVLCOPT:http-user-agent=Foo
    http://127.0.0.1:9/rock
    # --- at home ---
    #EXTINF:2,A - One
    #KODIPROP:inputstream=x
    one.flac
      two.flac
    #a comment that is no directive
    #EXTINF:3,A - Three
    three.flac
    # the end

    """

  @Test func `An entry that is added to M3U leaves all lines as they are`() throws {
    let text = try edited(Self.radio, .insert([entry("/music/new.flac", title: "New")], at: nil))
    #expect(text == Self.radio + "#EXTINF:-1,New\n/music/new.flac\n")
    let first = try edited(Self.radio, .insert([entry("new.flac")], at: 0))
    #expect(first == Self.radio.replacing("#EXTINF:-1 tvg", with: "new.flac\n#EXTINF:-1 tvg"))
    let middle = try edited(Self.radio, .insert([entry("new.flac"), entry("#.flac")], at: 3))
    #expect(middle == Self.radio.replacing("#EXTINF:3", with: "new.flac\n./#.flac\n#EXTINF:3"))
  }

  @Test func `An entry is removed from M3U with its directives, and comments stay`() throws {
    let text = try edited(Self.radio, .remove([0..<2]))
    #expect(
      text == """
        #EXTM3U url-tvg="http://x/guide.xml"
        #PLAYLIST:My radio
        #EXTALBUMARTURL:http://x/cover.jpg
        # my own comment

        # --- at home ---
          two.flac
        #a comment that is no directive
        #EXTINF:3,A - Three
        three.flac
        # the end

        """)
    let cleared = try edited(Self.radio, .clear)
    #expect(
      cleared == """
        #EXTM3U url-tvg="http://x/guide.xml"
        #PLAYLIST:My radio
        #EXTALBUMARTURL:http://x/cover.jpg
        # my own comment

        # --- at home ---
        #a comment that is no directive
        # the end

        """)
  }

  @Test func `Entries of M3U are moved with their directives`() throws {
    let text = try edited(Self.radio, .move([0..<1, 3..<4], to: 1))
    let order = try PlaylistReader.playlist(in: Array(text.utf8), of: "a.m3u8").entries
    let before = try PlaylistReader.playlist(in: Array(Self.radio.utf8), of: "a.m3u8").entries
    #expect(order == [before[1], before[0], before[3], before[2]])
    let rock = "#EXTINF:-1 tvg-logo=\"http://x/l.png\" group-title=\"Rock\",Rock\n#EXTVLCOPT:http-user-agent=Foo\n"
    #expect(text.contains("one.flac\n\(rock)http://127.0.0.1:9/rock\n#EXTINF:3,A - Three\nthree.flac\n  two.flac\n"))
    #expect(Set(text.split(separator: "\n")) == Set(Self.radio.split(separator: "\n")))
  }

  @Test(arguments: [
    PlaylistEdit.insert([], at: 5), .insert([], at: -1), .remove([5..<6]), .remove([-1..<1]), .move([0..<5], to: 0),
    .move([1..<1], to: 0), .move([0..<2], to: 3), .move([0..<1], to: -1), .move([3..<(.max)], to: 0),
  ])
  func `Positions that the playlist does not have are refused`(edit: PlaylistEdit) {
    #expect(throws: PlaylistError.noPosition(Self.path)) { try edited(Self.radio, edit) }
  }

  @Test func `A range may begin at the end of the playlist and reach beyond it`() throws {
    #expect(try edited(Self.radio, .remove([4..<9])) == Self.radio)
    #expect(try edited(Self.radio, .remove([1..<(.max)])) == edited(Self.radio, .remove([1..<2, 2..<4])))
  }

  @Test func `Line breaks, a byte order mark and a last line without a break stay`() throws {
    let text = "\u{FEFF}a.flac\r\n# c\r\n#EXTINF:1,B\r\nb.flac"
    let added = try edited(text, .insert([entry("new.flac", title: "Ü")], at: nil))
    #expect(added == text + "\r\n#EXTINF:-1,Ü\r\nnew.flac\r\n")
    #expect(try edited(text, .move([1..<2], to: 0)) == "\u{FEFF}#EXTINF:1,B\r\nb.flac\r\na.flac\r\n# c\r\n")
    #expect(try edited(text, .remove([0..<1])) == "\u{FEFF}# c\r\n#EXTINF:1,B\r\nb.flac")
    #expect(try edited("a\rb", .insert([entry("c")], at: 1)) == "a\rc\rb")
    #expect(try edited("a", .insert([entry("b")], at: nil)) == "a\nb\n")
    #expect(try edited("a\n#EXTINF:9,Nothing", .insert([entry("b")], at: nil)) == "a\nb\n#EXTINF:9,Nothing")
  }

  @Test(arguments: [
    (LegacyText.Encoding.windows1252, "Björk – Jóga.mp3", "Sigur Rós.mp3"),
    (.other(.shiftJIS), "中島みゆき/地上の星.mp3", "ヘッドライト・テールライト.mp3"),
    (.other(.windows1251), "Кино/Группа крови на рукаве, мой порядковый номер.mp3", "Звезда по имени Солнце.mp3"),
    (.other(.gb18030), "王菲/红豆还没好好地感受雪花绽放的气候.mp3", "我愿意为你忘记我姓名.mp3"),
    (.utf16LittleEndian, "Björk 日本.mp3", "Ü.mp3"), (.utf16BigEndian, "Björk 日本.mp3", "Ü.mp3"),
    (.utf32LittleEndian, "Björk 日本.mp3", "Ü.mp3"), (.utf32BigEndian, "Björk 日本.mp3", "Ü.mp3"),
  ])
  func `A playlist stays in its encoding`(encoding: LegacyText.Encoding, old: String, new: String) throws {
    func bytes(_ text: String) throws -> [UInt8] { try #require(LegacyText.encode(text, as: encoding)) }
    for mark in [encoding.byteOrderMark, []] {
      let m3u = "#EXTM3U\r\n#EXTINF:1,\(old)\r\n\(old)\r\n"
      #expect(
        try edited(mark + bytes(m3u), .insert([entry(new, title: new)], at: nil), as: .m3u)
          == mark + bytes(m3u + "#EXTINF:-1,\(new)\r\n\(new)\r\n"))
      let pls = "[playlist]\nFile1=\(old)\nTitle1=\(old)\n"
      #expect(
        try edited(mark + bytes(pls), .insert([entry(new, title: new)], at: nil), as: .pls)
          == mark + bytes(pls + "File2=\(new)\nTitle2=\(new)\nLength2=-1\n"))
    }
  }

  @Test func `A playlist in UTF-16 gets a byte order mark if what is left does not show its encoding`() throws {
    for encoding in [LegacyText.Encoding.utf16LittleEndian, .utf16BigEndian] {
      let bytes = try #require(LegacyText.encode("a.mp3\n地上\n", as: encoding))
      let left = try edited(bytes, .remove([0..<1]), as: .m3u)
      #expect(try left == encoding.byteOrderMark + #require(LegacyText.encode("地上\n", as: encoding)))
      #expect(try edited(left, .clear, as: .m3u) == encoding.byteOrderMark)
    }
  }

  @Test(arguments: [LegacyText.Encoding.utf16LittleEndian, .utf16BigEndian, .utf32LittleEndian, .utf32BigEndian])
  func `An XSPF playlist in UTF-16 or UTF-32 is read, and stays so`(encoding: LegacyText.Encoding) throws {
    func text(_ tracks: String...) -> String {
      let list = tracks.map { "    <track>\n      <location>\($0)</location>\n    </track>\n" }.joined()
      return "<?xml version=\"1.0\" encoding=\"UTF-16\"?>\n<playlist version=\"1\" xmlns=\"http://xspf.org/ns/0/\">\n"
        + "  <trackList>\n\(list)  </trackList>\n</playlist>\n"
    }
    for mark in [encoding.byteOrderMark, []] {
      let bytes = try mark + #require(LegacyText.encode(text("a.flac", "é.flac"), as: encoding))
      #expect(
        try PlaylistReader.playlist(in: bytes, of: Self.path).entries.map(\.location) == [
          .path(Array("a.flac".utf8)), .path(Array("é.flac".utf8)),
        ])
      let rest = try edited(bytes, .remove([0..<1]), as: .xspf)
      #expect(try rest == mark + #require(LegacyText.encode(text("é.flac"), as: encoding)))
    }
  }

  @Test func `A path that the encoding of the playlist does not have becomes a URI`() throws {
    let latin = try #require(LegacyText.encode("Björk.mp3\n", as: .windows1252))
    let bytes = try edited(latin, .insert([entry("日本.mp3", title: "日本")], at: nil), as: .m3u)
    #expect(bytes == latin + "file:%E6%97%A5%E6%9C%AC.mp3\n".utf8)
    #expect(
      try PlaylistReader.playlist(in: bytes, of: Self.path).entries.map(\.location) == [
        .path(Array(latin.dropLast())), .path(Array("日本.mp3".utf8)),
      ])
    // A declared encoding also applies to a file that is still ASCII.
    let declared = Array("#EXTENC:ISO-8859-1\na.mp3\n".utf8)
    let added = try edited(declared, .insert([entry("é.mp3")], at: nil), as: .m3u)
    #expect(added == declared + [0xE9] + ".mp3\n".utf8)
  }

  private static let pls = """
    ; made by hand
    [playlist]
    numberofentries = 3
    File1=http://127.0.0.1:9/a
    File2=b.mp3
    File3=c.mp3
    Title1=A
    Title2=B
    Genre2=Rock
    Title7=nobody
    Version=2

    """

  @Test func `Entries of PLS are numbered anew, and other keys stay`() throws {
    let removed = try edited(Self.pls, .remove([0..<1]), as: .pls)
    #expect(
      removed == """
        ; made by hand
        [playlist]
        numberofentries = 2
        File1=b.mp3
        File2=c.mp3
        Title1=B
        Genre1=Rock
        Title7=nobody
        Version=2

        """)
    let added = try edited(Self.pls, .insert([entry("/music/new.mp3", title: "N")], at: nil), as: .pls)
    #expect(
      added
        == Self.pls.replacing("= 3", with: "= 4").replacing(
          "Genre2=Rock\n", with: "Genre2=Rock\nFile4=/music/new.mp3\nTitle4=N\nLength4=-1\n"))
    let moved = try edited(Self.pls, .move([2..<3], to: 0), as: .pls)
    let order = try PlaylistReader.playlist(in: Array(moved.utf8), of: "a.pls").entries
    let before = try PlaylistReader.playlist(in: Array(Self.pls.utf8), of: "a.pls").entries
    #expect(order == [before[2], before[0], before[1]])
    #expect(moved.contains("Genre3=Rock\n"))
    // An entry does not take over the title of a number without a file.
    let many = try edited(Self.pls, .insert((0..<5).map { entry("\($0).mp3") }, at: nil), as: .pls)
    #expect(try PlaylistReader.playlist(in: Array(many.utf8), of: "a.pls").entries.map(\.title).last == .some(nil))
    #expect(many.contains("=nobody\n"))
    let cleared = try edited(Self.pls, .clear, as: .pls)
    #expect(try edited(cleared, .insert([entry("x")], at: nil), as: .pls).contains("[playlist]\nFile1=x\n"))
    #expect(try edited("File0=a\nFile1=b\n", .remove([0..<1]), as: .pls) == "File0=b\n")
  }

  private static let xspf = """
    <?xml version="1.0" encoding="utf-8"?>
    <!-- mine -->
    <p:playlist version="1" xmlns:p="http://xspf.org/ns/0/">
      <p:title>Ünder</p:title>
      <p:extension application="http://x"><q xmlns="y">kept</q></p:extension>
      <p:trackList>
        <p:track><p:location>a.mp3</p:location><p:meta rel="r">1</p:meta><!-- t --></p:track>
        <!-- between -->
        <p:track/>
        <p:track>
          <p:location>file:///music/c%20d.mp3</p:location>
        </p:track>
      </p:trackList>
      <p:link rel="x">y</p:link>
    </p:playlist>

    """

  @Test func `Elements of XSPF that are not known stay`() throws {
    #expect(
      try edited(Self.xspf, .remove([1..<3]), as: .xspf)
        == Self.xspf.replacing(
          "\n    <p:track/>\n    <p:track>\n      <p:location>file:///music/c%20d.mp3</p:location>\n    </p:track>",
          with: ""))
    let added = try edited(Self.xspf, .insert([entry("/music/é&.mp3", title: "é")], at: 1), as: .xspf)
    let track = """

          <p:track>
            <p:location>file:///music/%C3%A9%26.mp3</p:location>
            <p:title>é</p:title>
          </p:track>
      """
    #expect(added == Self.xspf.replacing("\n    <p:track/>", with: "\(track)\n    <p:track/>"))
    let moved = try edited(Self.xspf, .move([2..<3], to: 0), as: .xspf)
    let order = try PlaylistReader.playlist(in: Array(moved.utf8), of: "a.xspf").entries.map(\.location)
    #expect(order == [.path(Array("/music/c d.mp3".utf8)), .path(Array("a.mp3".utf8)), .path([])])
    #expect(moved.contains("<p:meta rel=\"r\">1</p:meta><!-- t -->") && moved.contains("<!-- between -->"))
  }

  @Test func `A track can be added to an XSPF without any, in any encoding and below any base`() throws {
    let head = "<playlist version='1' xmlns='http://xspf.org/ns/0/'>"
    let empty = "\(head)\r\n <trackList a='b'/>\r\n<x/></playlist>"
    let added = try edited(empty, .insert([entry("a.mp3")], at: nil), as: .xspf)
    #expect(
      added.hasPrefix("\(head)\r\n <trackList a='b'>\r\n    <track>\r\n")
        && added.hasSuffix("</trackList>\r\n<x/></playlist>"))
    #expect(try edited(added, .clear, .insert([entry("b")], at: 0), as: .xspf).contains("<location>b</location>"))
    let latin = Array("<?xml version='1.0' encoding='ISO-8859-1'?>\(head)<title>".utf8) + [0xE9]
    let end = Array("</title><trackList></trackList></playlist>".utf8)
    for declared in ["ISO-8859-1", "windows-1252"] {
      let document = Array(
        String(decoding: latin.dropLast(), as: UTF8.self).replacing("ISO-8859-1", with: declared).utf8)
      let bytes = try edited(document + [0xE9] + end, .insert([entry("日.mp3", title: "日")], at: nil), as: .xspf)
      #expect(bytes.starts(with: document + [0xE9] + "</title>".utf8))
      #expect(try PlaylistReader.playlist(in: bytes, of: "a.xspf").entries.map(\.title) == ["日"])
    }
    let based = "<playlist xmlns='http://xspf.org/ns/0/' xml:base='file:///other/'><trackList></trackList></playlist>"
    let bytes = Array(try edited(based, .insert([entry("/music/a.mp3")], at: nil), as: .xspf).utf8)
    #expect(
      try PlaylistReader.playlist(in: bytes, of: "a.xspf").entries.map(\.location) == [
        .path(Array("/music/a.mp3".utf8))
      ])
    #expect(throws: PlaylistError.malformed(Self.path, line: 1, reason: "it has no trackList")) {
      try edited("<html/>", .insert([entry("a")], at: nil), as: .xspf)
    }
  }

  @Test func `An entry gets another location, and everything else about it stays`() throws {
    let moved = PlaylistLocation.path(Array("/music/lists/a&b/x.flac".utf8))
    #expect(
      try edited(Self.radio, .relocate([1: moved])) == Self.radio.replacing("one.flac", with: "a&b/x.flac"))
    let pls = "[playlist]\r\nTitle1=One\r\nFile1=one.flac\r\nX1=y\r\nNumberOfEntries=1\r\n"
    #expect(
      try edited(pls, .relocate([0: moved]), as: .pls)
        == pls.replacing("one.flac", with: "a&b/x.flac"))
    let xspf = """
      <playlist xmlns:x="http://xspf.org/ns/0/"><trackList>
      <track><title>A</title><location>one.flac</location><location>two.flac</location><extension a="b"/></track>
      </trackList></playlist>
      """
    #expect(
      try edited(xspf, .relocate([0: moved]), as: .xspf)
        == xspf.replacing("one.flac", with: "a%26b/x.flac"))
    #expect(throws: PlaylistError.self) { try edited(Self.radio, .relocate([4: moved])) }
  }

  @Test func `A large playlist is edited in little time`() throws {
    let text = (0..<20_000).map { "#EXTINF:1,\($0)\n\($0).mp3\n" }.joined()
    let added = try edited(
      text, .move([0..<1, 19_999..<20_000], to: 5), .insert([entry("x")], at: nil), .remove([0..<1]))
    #expect(added.utf8.count == text.utf8.count - "#EXTINF:1,1\n1.mp3\n".utf8.count + 2)
  }
}

/// Edits of damaged playlists. `SEGUE_FUZZ_CASES` and `SEGUE_FUZZ_SEED` set how many, and which.
struct PlaylistEditFuzzTests {
  @Test func `Edits of damaged playlists change what they name, and nothing else`() throws {
    let names = [
      "extended.m3u8", "messy.pls", "base.xspf", "shift-jis.m3u", "utf-16le.m3u", "shift-jis.pls", "windows-1252.xspf",
      "windows-1252.m3u",
    ]
    let sources = try names.map { name in
      (FilePath(name), try contents(of: Fixture.directory.appending("Playlists").appending(name)))
    }
    let failure = try FuzzRun.firstFailure(count: FuzzRun.count(standard: 2000)) { seed in
      var mutator = Mutator(seed: seed)
      let (name, source) = sources[Int(seed % UInt64(sources.count))]
      let bytes =
        seed.isMultiple(of: 3)
        ? source : mutator.damaged(source, other: sources[mutator.number(0...(sources.count - 1))].1)
      guard let before = try? PlaylistReader.playlist(in: bytes, of: name).entries.map(\.location),
        let format = PlaylistFormat(contents: bytes) ?? PlaylistFormat(name)
      else { return nil }
      let new = [PlaylistEntry(.path(Array("/x/ä é.mp3".utf8))), PlaylistEntry(.path(Array("/x/日.mp3".utf8)))]
      let count = before.count
      let start = mutator.number(0...count)
      let range = start..<mutator.number(start...count)
      var expected = before
      let edit: PlaylistEdit
      switch mutator.number(0...2) {
      case 0:
        edit = .insert(new, at: start)
        expected.insert(contentsOf: new.map(\.location), at: start)
      case 1:
        edit = .remove([range])
        expected.removeSubrange(range)
      default:
        guard !range.isEmpty else { return nil }
        let target = mutator.number(0...(count - range.count))
        edit = .move([range], to: target)
        expected.removeSubrange(range)
        expected.insert(contentsOf: before[range], at: target)
      }
      let paths = RelativePaths(below: "/nosuch")
      let edited: [UInt8]
      do throws(PlaylistError) {
        edited = try PlaylistDocument.edited(bytes, format, at: name, [edit], paths).contents
      } catch .malformed(_, _, "it has no trackList") { return nil } catch { return "\(name): \(error)" }
      guard let after = try? PlaylistReader.playlist(in: edited, of: name) else { return "\(name) is not read" }
      // A path in the encoding of the file is read as its bytes, and as an alternative in UTF-8.
      let locations = after.entries.map { entry in
        new.contains { $0.location == entry.alternatives.first } ? entry.alternatives[0] : entry.location
      }
      return locations == expected ? nil : "\(name) after \(edit): \(locations) instead of \(expected)"
    }
    #expect(failure == nil)
  }
}
