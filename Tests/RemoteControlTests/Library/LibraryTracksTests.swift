// SPDX-License-Identifier: GPL-3.0-or-later

import LibraryIndex
import MusicModel
import NIOCore
import Platform
import SystemPackage
import Tagging
import TestSupport
import Testing

@testable import RemoteControl

@Suite struct LibraryTracksTests {
  private let directory: TemporaryDirectory
  private let rig: LibraryRig

  init() throws {
    directory = try TemporaryDirectory()
    for (name, title) in [
      ("b/2.flac", "B2"), ("b/1.flac", "B1"), ("a/deep/er/x.flac", "X"), ("a b/y.flac", "Y"),
      ("top.flac", "Top"),
    ] {
      try directory.write(SoundBytes.flac([("TITLE", title), ("ALBUM", name)]), to: "music/\(name)")
    }
    try directory.write(SoundBytes.flac([("TITLE", "Out")]), to: "outside/out.flac")
    try directory.link("music/link", to: directory["outside"].string)
    try directory.link("music/file.flac", to: directory["outside/out.flac"].string)
    try directory.write(Array("secret".utf8), to: "outside/notes.txt")
    try directory.write(Array("picture".utf8), to: "outside/cover.jpg")
    try directory.write(Array("out.flac\n".utf8), to: "outside/list.m3u")
    try directory.write(Array("private".utf8), to: "private/notes.txt")
    try directory.write(Array("private".utf8), to: "private/cover.png")
    try directory.link("music/closed", to: directory["private"].string)
    try directory.write(
      SoundBytes.flac([("TITLE", "Whole")], seconds: 100), to: "music/cue/disc.flac")
    try directory.write(
      Array(
        """
        FILE "disc.flac" WAVE
          TRACK 01 AUDIO
            TITLE "One"
            INDEX 01 00:00:00
          TRACK 02 AUDIO
            TITLE "Two"
            INDEX 01 00:30:10
        """.utf8), to: "music/cue/disc.cue")
    let odd = try #require(FilePath(bytes: Array("music/odd/".utf8) + [0xFF, 0x0A] + Array(".flac".utf8)))
    try directory.write(SoundBytes.flac([("TITLE", "Odd")]), to: odd)
    rig = try LibraryRig(directory["music"])
  }

  private func titles(_ uri: String, isLocal: Bool = true) throws(ProtocolError) -> [String] {
    try LibraryTracks(rig.context(isLocal: isLocal)).tracks(uri: uri).tracks.map(\.title)
  }

  @Test func `The tracks of a file, a part of a file, a directory and the root are found`() throws {
    #expect(try titles("b/1.flac") == ["B1"])
    #expect(
      try titles("b") == ["B1", "B2"] && titles("b/") == ["B1", "B2"] && titles("./b//") == ["B1", "B2"])
    #expect(try titles("a") == ["X"])
    #expect(try titles("cue/disc.flac") == ["One", "Two"])
    #expect(try titles("cue/disc.flac/track2260") == ["Two"])
    #expect(try titles("path:odd/%FF%0A.flac") == ["Odd"])
    let all = ["Out", "Top", "X", "Y", "B1", "B2", "One", "Two", "Out", "Odd"]
    #expect(try titles("").sorted() == all.sorted() && titles("/") == titles(""))
    #expect(try Array(titles("").drop { $0 != "X" }.prefix(4)) == ["X", "Y", "B1", "B2"])
  }

  @Test func `The owner may name files by absolute paths, inside the library and outside`() throws {
    #expect(try titles("file://\(directory["music/b/2.flac"])") == ["B2"])
    #expect(try titles(directory["music/b"].string) == ["B1", "B2"])
    #expect(try titles(directory["outside/out.flac"].string) == ["Out"])
    #expect(throws: ProtocolError.self) { try titles(directory["outside"].string) }
    #expect(throws: ProtocolError.self) { try titles("/dev/null") }
  }

  @Test(arguments: [
    "../outside/out.flac", "b/../../outside/out.flac", "/etc/passwd", "file:///etc/passwd",
    "closed", "closed/notes.txt", "link/notes.txt", "link/../../private/notes.txt", "nope", "b/nope.flac",
    "b/1.flac/track0", "cue/disc.flac/track7", "cue/disc.flac/track-1",
    "cue/disc.flac/track99999999999999999999", "path:%", "path:%ZZ", "path:..%2Foutside%2Fout.flac",
    "path:%2Fetc%2Fpasswd", "ftp://localhost/x", "\u{1}", "b/1.flac/b/1.flac", "x\u{0}y",
  ]) func `A network client gets nothing outside the library`(uri: String) {
    #expect(throws: ProtocolError(.noExist, "No such directory")) { try titles(uri, isLocal: false) }
  }

  @Test func `A network client may follow links as far as the index shows their targets`() throws {
    #expect(try titles("link", isLocal: false) == ["Out"] && titles("link/out.flac", isLocal: false) == ["Out"])
    #expect(try titles("file.flac", isLocal: false) == ["Out"])
    let reach = try LibraryTracks(rig.context(isLocal: false)).reach
    let real = try directory.path.realPath()
    #expect(reach.resolve(directory["music/link"]) == real.appending("outside"))
    #expect(reach.resolve(directory["music/b"]) == real.appending("music").appending("b"))
    #expect(reach.resolve(directory["music"]) == real.appending("music"))
    #expect(reach.resolve(directory["music/closed"]) == nil && reach.resolve(directory["music/link/notes.txt"]) == nil)
    #expect(reach.file(directory["music/link/out.flac"])?.path == real.appending("outside").appending("out.flac"))
    #expect(reach.file(directory["music/link/list.m3u"], isBesideMusic: true) != nil)
    #expect(reach.file(directory["music/closed/cover.png"], isBesideMusic: true) == nil)
    #expect(reach.file(directory["music/b"]) == nil && reach.resolve(directory["music/none"]) == nil)
    let closed = directory["music/closed"]
    #expect(try LibraryTracks(rig.context(isLocal: true)).reach.resolve(closed) == closed)
  }

  @Test func `A network client gets files, pictures and playlists behind links if the index shows them`() throws {
    func execute(_ name: String, _ arguments: String...) throws -> String {
      var context = rig.context(isLocal: false)
      let command = try #require(CommandTable.library.first { $0.names.contains(name) })
      try command.body(Arguments(words: arguments, command: name), &context)
      return String(decoding: context.response.take().readableBytesView, as: UTF8.self)
    }
    let files = try execute("listfiles", "link")
    #expect(files.contains("file: out.flac") && !files.contains("notes.txt") && !files.contains("cover.jpg"))
    #expect(try execute("albumart", "link/out.flac", "0").contains("picture"))
    #expect(try execute("readcomments", "link/out.flac").contains("TITLE: Out"))
    for words in [["listfiles", "closed"], ["albumart", "closed", "0"], ["readcomments", "closed/notes.txt"]] {
      #expect(throws: ProtocolError.self) { try execute(words[0], words[1], words.count > 2 ? words[2] : "") }
    }
    let access = try PlaylistAccess(rig.context(isLocal: false))
    #expect(try access.tracks("link/list.m3u", .all).map(\.title) == ["Out"])
    #expect(throws: ProtocolError.self) { try access.tracks("closed/list.m3u", .all) }
  }

  @Test(arguments: [["add"], ["addid"], ["playlistadd", "list"], ["lsinfo"]])
  func `A network client needs a permission of its own to add an address`(words: [String]) throws {
    let table = CommandTable.all(NetworkAccess(), MessageBoard { _, _ in })
    let command = try #require(table[words[0]])
    let arguments = Arguments(words: words.dropFirst() + ["http://127.0.0.1:1/"], command: words[0])
    var context = rig.context(isLocal: false)
    context.client.permission.remove(.addresses)
    #expect(throws: ProtocolError(.permission, "you don't have permission for addresses")) {
      try command.body(arguments, &context)
    }
    #expect(context.queue.items.isEmpty)
    for isLocal in [true, false] {
      var context = rig.context(isLocal: isLocal)
      try command.body(arguments, &context)
    }
  }

  @Test func `The tracks of a filter have the requested order and window`() throws {
    let tracks = try LibraryTracks(rig.context(isLocal: false))
    let order = TrackOrder(.field(.title), isDescending: true)
    let range = try ProtocolRange("1:3")
    let found = try tracks.tracks(matching: .within("b"), order: order).tracks.map(\.title)
    #expect(found == ["B2", "B1"])
    #expect(try tracks.tracks(matching: .everything, order: order, range: range).tracks.count == 2)
  }
}
