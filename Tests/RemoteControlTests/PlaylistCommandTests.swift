// SPDX-License-Identifier: GPL-3.0-or-later

import MusicModel
import Platform
import PlayerFlow
import SystemPackage
import TestSupport
import Testing

@testable import RemoteControl

@Suite struct PlaylistCommandTests {
  private static let canon = RemoteLibraryRig.canon
  private static let one = "file: \(canon)/01 Canon in D, Part One.flac"
  private static let two = "file: \(canon)/02 Canon in D, Part Two.flac"
  private static let three = "file: \(canon)/03 Canon in D, Part Three.flac"
  private static let four = "file: \(canon)/04 Gymnopedie No. 1.flac"
  private static let green = "file: \(RemoteLibraryRig.greensleeves)"

  /// Returns a client of a server with a playlist "p" of the four tracks of an album.
  private static func client() throws -> (RemoteLibraryRig, LineClient) {
    let library = try RemoteLibraryRig()
    var client = try LineClient(library)
    #expect(try client.request("playlistadd p \"\(canon)\"") == [])
    return (library, client)
  }

  @Test func `The queue is saved, listed and loaded`() throws {
    let library = try RemoteLibraryRig()
    var client = try LineClient(library)
    #expect(try client.request("listplaylists") == [])
    _ = try client.request("add \"\(Self.canon)\"")
    #expect(try client.request("save \"of an evening\"") == [])
    let lists = try client.request("listplaylists")
    #expect(lists.first == "playlist: of an evening")
    #expect(lists.last?.wholeMatch(of: /Last-Modified: \d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/) != nil)
    #expect(try client.request("listplaylist \"of an evening\"") == [Self.one, Self.two, Self.three, Self.four])
    _ = try client.request("clear")
    #expect(try client.request("load \"of an evening\"") == [])
    #expect(
      try client.values("file", "playlistinfo").map { "file: \($0)" } == [
        Self.one, Self.two, Self.three, Self.four,
      ])
    #expect(library.rig.queue.queue.undoable.last == "add of an evening (4 items)")
  }

  @Test func `The songs of a playlist are listed with their tags`() throws {
    var (_, client) = try Self.client()
    #expect(
      try client.values("Title", "listplaylistinfo p") == [
        "Canon in D, Part One", "Canon in D, Part Two", "Canon in D, Part Three", "Gymnopédie No. 1",
      ])
    #expect(try client.values("file", "listplaylistinfo p 1:3").count == 2)
  }

  @Test(arguments: [
    ("load p 1:2", [two]), ("load p 9:", []), ("load p 4:", []), ("load p 3:99", [four]),
    ("load p 0:1 0", [one]), ("load p 2 0", [three]), ("load p -1", [one, two, three, four]),
  ])
  func `A range of a playlist is loaded at a position`(_ line: String, _ files: [String]) throws {
    var (_, client) = try Self.client()
    _ = try client.request("add \"\(RemoteLibraryRig.greensleeves)\"")
    #expect(try client.request(line) == [])
    let queue = try client.values("file", "playlistinfo").map { "file: \($0)" }
    #expect(queue == (line.hasSuffix(" 0") ? files + [Self.green] : [Self.green] + files))
  }

  @Test func `The save mode decides what happens to an existing playlist`() throws {
    var (_, client) = try Self.client()
    _ = try client.request("add \"\(RemoteLibraryRig.greensleeves)\"")
    #expect(try client.request("save p") == ["ACK 56 Playlist already exists"])
    #expect(try client.request("save p create") == ["ACK 56 Playlist already exists"])
    #expect(try client.request("save p append") == [])
    #expect(try client.request("listplaylist p") == [Self.one, Self.two, Self.three, Self.four, Self.green])
    #expect(try client.request("save p replace") == [])
    #expect(try client.request("listplaylist p") == [Self.green])
    #expect(try client.request("save q append") == ["ACK 50 No such playlist"])
    #expect(try client.request("save q replace") == ["ACK 50 No such playlist"])
    #expect(
      try client.request("save q foo") == [
        "ACK 2 Unrecognized save mode, expected one of 'create', 'append', 'replace'"
      ])
  }

  @Test(arguments: [
    ("playlistdelete p 1", [one, three, four]), ("playlistdelete p 0:2", [three, four]),
    ("playlistdelete p 2:", [one, two]), ("playlistdelete p 3:99", [one, two, three]),
    ("playlistdelete p 4", [one, two, three, four]), ("playlistclear p", []),
    ("playlistmove p 0 3", [two, three, four, one]), ("playlistmove p 3 0", [four, one, two, three]),
    ("playlistmove p 1 1", [one, two, three, four]), ("playlistmove p 0:2 2", [three, four, one, two]),
    ("playlistadd p \"\(RemoteLibraryRig.greensleeves)\"", [one, two, three, four, green]),
    ("playlistadd p \"\(RemoteLibraryRig.greensleeves)\" 1", [one, green, two, three, four]),
    ("playlistadd p \"\(RemoteLibraryRig.greensleeves)\" 4", [one, two, three, four, green]),
  ])
  func `A playlist is edited`(_ line: String, _ files: [String]) throws {
    var (_, client) = try Self.client()
    #expect(try client.request(line) == [])
    #expect(try client.request("listplaylist p") == files)
  }

  @Test(arguments: [
    ("listplaylist none", "ACK 50 No such playlist"), ("listplaylistinfo none", "ACK 50 No such playlist"),
    ("load none", "ACK 50 No such playlist"), ("rm none", "ACK 50 No such playlist"),
    ("rename none other", "ACK 50 No such playlist"), ("playlistclear none", "ACK 50 No such playlist"),
    ("playlistdelete none 0", "ACK 50 No such playlist"),
    ("playlistmove none 0 1", "ACK 50 No such playlist"), ("rename p p", "ACK 56 Playlist already exists"),
    ("playlistadd p nosuch", "ACK 50 No such directory"),
    ("playlistadd q nosuch", "ACK 50 No such directory"),
    ("playlistadd p \"\" x", "ACK 2 Integer expected: x"), ("playlistadd p \"\" 5", "ACK 2 Bad position"),
    ("playlistadd q \"\" 1", "ACK 2 Bad position"), ("playlistdelete p 5", "ACK 2 Bad song index"),
    ("playlistdelete p x", "ACK 2 Integer or range expected: x"), ("playlistmove p 0 4", "ACK 2 Bad range"),
    ("playlistmove p 4 0", "ACK 2 Bad range"), ("playlistmove p 0:2 3", "ACK 2 Bad range"),
    ("playlistmove p 0: 0", "ACK 2 Bad range"), ("playlistmove p 2:2 0", "ACK 2 Bad range"),
    ("load p x", "ACK 2 Integer or range expected: x"), ("load p 0:1 9", "ACK 2 Number too large: 9"),
    ("load p 0:1 +0", "ACK 55 No current song"),
  ])
  func `Invalid requests are rejected, and no playlist changes`(_ line: String, _ response: String) throws {
    var (library, client) = try Self.client()
    #expect(try client.request(line) == [response])
    #expect(try client.request("listplaylist p") == [Self.one, Self.two, Self.three, Self.four])
    #expect(try library.files == ["p.m3u8"])
  }

  @Test(arguments: [
    "a/b", "../p", ".hidden", "..", "", "\\\\", "a\u{7}b", String(repeating: "n", count: 201),
  ])
  func `A playlist name that leads elsewhere, or cannot be a file name, is rejected`(_ name: String) throws {
    var (library, client) = try Self.client()
    _ = try client.request("add \"\(RemoteLibraryRig.greensleeves)\"")
    for line in [
      "save \"\(name)\"", "load \"\(name)\"", "rm \"\(name)\"", "listplaylist \"\(name)\"",
      "rename p \"\(name)\"",
      "rename \"\(name)\" q", "playlistadd \"\(name)\" \"\(Self.canon)\"", "playlistclear \"\(name)\"",
    ] {
      let response = try client.request(line).first ?? ""
      #expect(response.hasPrefix("ACK 2 Bad playlist name"), "\(line)")
    }
    #expect(try library.files == ["p.m3u8"])
  }

  @Test func `A playlist is renamed and removed`() throws {
    var (library, client) = try Self.client()
    _ = try client.request("playlistadd q \"\(RemoteLibraryRig.greensleeves)\"")
    #expect(try client.request("rename q p") == ["ACK 56 Playlist already exists"])
    #expect(try client.request("rename q r") == [])
    #expect(try client.request("rm p") == [])
    #expect(try client.request("rm p") == ["ACK 50 No such playlist"])
    #expect(try library.files == ["r.m3u8"])
  }

  @Test func `Playlists with the same name in two formats are distinguished by their suffix`() throws {
    var (library, client) = try Self.client()
    try library.directory.write("#EXTM3U\n/nosuch/a.flac\n".utf8, to: "lists/P.m3u")
    #expect(try client.values("playlist", "listplaylists").sorted() == ["P.m3u", "p.m3u8"])
    #expect(try client.request("listplaylist P.m3u") == ["file: /nosuch/a.flac"])
    #expect(try client.request("listplaylist p.m3u8").count == 4)
  }

  @Test
  func `Every entry of a playlist is listed, even if it cannot be played, so that positions match those of edits`()
    throws
  {
    var (library, client) = try Self.client()
    let lines = [
      "http://radio.example/a", "gone.flac", "other.m3u8", "\(library.root)/\(RemoteLibraryRig.greensleeves)",
    ]
    try library.directory.write(("#EXTM3U\n" + lines.joined(separator: "\n") + "\n").utf8, to: "lists/l.m3u8")
    try library.directory.write("#EXTM3U\n".utf8, to: "lists/other.m3u8")
    let files = try client.request("listplaylist l")
    #expect(files.count == 4 && files.first == "file: http://radio.example/a" && files.last == Self.green)
    #expect(try client.values("file", "listplaylistinfo l").map { "file: \($0)" } == files)
    #expect(try client.request("playlistdelete l 0") == [])
    #expect(try client.request("listplaylist l") == Array(files.dropFirst()))
  }

  @Test func `A client waiting for stored playlists is notified of each change, but not of rejected requests`() throws {
    let (library, _) = try Self.client()
    var watcher = try LineClient(library)
    var client = try LineClient(library)
    for line in [
      "playlistadd p \"\(RemoteLibraryRig.greensleeves)\"", "playlistmove p 0 1", "playlistdelete p 0",
      "save q",
      "rename q r", "rm r", "playlistclear p",
    ] {
      #expect(try client.request(line) == [])
      #expect(try watcher.request("idle stored_playlist") == ["changed: stored_playlist"], "\(line)")
    }
    _ = try client.request("rm none")
    _ = try client.request("playlistdelete p 99")
    _ = try client.request("playlistadd p \"\(RemoteLibraryRig.greensleeves)\"")
    #expect(try watcher.request("idle stored_playlist") == ["changed: stored_playlist"])
  }

  @Test func `A playlist written by MPD, relative to the music directory, is loaded`() throws {
    let library = try RemoteLibraryRig()
    try library.directory.write("\(RemoteLibraryRig.greensleeves)\n".utf8, to: "lists/mpd.m3u")
    var client = try LineClient(library)
    #expect(try client.request("load mpd") == [])
    #expect(try client.values("file", "playlistinfo").map { "file: \($0)" } == [Self.green])
    #expect(try client.request("listplaylist mpd") == [Self.green])
  }

  @Test func `A playlist of which no track can be found is rejected`() throws {
    let library = try RemoteLibraryRig()
    try library.directory.write("none.flac\nftp://radio.example/\n".utf8, to: "lists/none.m3u")
    try library.directory.write([], to: "lists/empty.m3u")
    var client = try LineClient(library)
    #expect(try client.request("load none") == ["ACK 50 None of the playlist's songs can be found"])
    #expect(try client.request("load empty") == [])
    #expect(try client.request("playlistinfo") == [])
  }

  @Test func `Playlists and cue sheets in the library are listed and loaded`() throws {
    let music = try TemporaryDirectory()
    try music.write(SoundBytes.flac([("TITLE", "Whole")], seconds: 60), to: "Low/low.flac")
    try music.write(SoundBytes.flac([("TITLE", "Other")]), to: "Low/other.flac")
    let sheet = """
      TITLE "Low"
      FILE "low.flac" WAVE
      TRACK 01 AUDIO
      TITLE "One"
      INDEX 01 00:00:00
      TRACK 02 AUDIO
      TITLE "Two"
      INDEX 01 00:20:00
      """
    try music.write(sheet.utf8, to: "Low/low.cue")
    try music.write("other.flac\n".utf8, to: "Low/some.m3u")
    try music.write("Low/other.flac\n".utf8, to: "all.m3u8")
    let library = try RemoteLibraryRig(root: music.path)
    var client = try LineClient(library)
    #expect(try client.values("playlist", "lsinfo Low") == ["Low/low.cue", "Low/some.m3u"])
    #expect(try client.values("playlist", "lsinfo") == ["all.m3u8"])
    #expect(try client.request("load Low/low.cue") == [])
    #expect(try client.values("Title", "playlistinfo") == ["One", "Two"])
    _ = try client.request("clear")
    #expect(try client.request("load Low/low.cue 1:2") == [])
    #expect(try client.request("load Low/some.m3u") == [])
    #expect(try client.request("load all.m3u8") == [])
    #expect(try client.values("Title", "playlistinfo") == ["Two", "Other", "Other"])
    #expect(
      try client.request("listplaylist Low/low.cue") == ["file: Low/low.flac/track0", "file: Low/low.flac/track1500"])
    #expect(try client.values("Title", "listplaylistinfo Low/low.cue") == ["One", "Two"])
    #expect(try client.request("listplaylist Low/some.m3u") == ["file: Low/other.flac"])
    #expect(try client.request("load Low/none.m3u").first?.hasPrefix("ACK ") == true)
    #expect(try client.request("load ../out.m3u").first?.hasPrefix("ACK ") == true)
    #expect(try client.request("load Low/low.flac").first?.hasPrefix("ACK ") == true)
  }

  @Test func `Directories that contain only playlists are listed, but not those without any`() throws {
    let music = try TemporaryDirectory()
    try music.write(SoundBytes.flac([("TITLE", "Song")]), to: "Low/song.flac")
    try music.write("Low/song.flac\n".utf8, to: "Lists/Evening/late.m3u")
    try music.write([1], to: "Scans/front.jpg")
    let library = try RemoteLibraryRig(root: music.path)
    var client = try LineClient(library)
    #expect(try client.values("directory", "lsinfo") == ["Lists", "Low"])
    #expect(try client.values("directory", "lsinfo Lists") == ["Lists/Evening"])
    #expect(try client.values("playlist", "lsinfo Lists/Evening") == ["Lists/Evening/late.m3u"])
    #expect(try client.request("lsinfo Scans") == ["ACK 50 No such directory"])
    #expect(try client.values("directory", "listall") == ["Low"])
    #expect(try client.request("load Lists/Evening/late.m3u") == [])
    #expect(try client.values("Title", "playlistinfo") == ["Song"])
  }

  @Test func `A playlist does not give a network client access outside the library`() throws {
    let library = try RemoteLibraryRig(addresses: [ListenAddress(host: "127.0.0.1", port: 0)])
    let secret = try library.directory.write([1], to: "secret.flac")
    try library.directory.write(
      "#EXTM3U\n\(secret)\n\(library.root)/\(RemoteLibraryRig.greensleeves)\n".utf8, to: "lists/l.m3u8")
    let port = try #require(library.rig.server.addresses.first?.port)
    let response = try NetworkClient.response(to: "load l\nplaylist\nadd \(secret)\nclose\n", port: port)
    #expect(
      response == """
        OK MPD 0.24.0
        OK
        0:\(Self.green)
        OK
        ACK [50@0] {add} No such directory

        """)
    // The owner may have playlists of any files.
    var client = try LineClient(library)
    _ = try client.request("clear")
    _ = try client.request("load l")
    #expect(try client.values("file", "playlistinfo").first == secret.string)
  }

  @Test func `Clients that change a playlist at the same time lose nothing`() throws {
    let (library, _) = try Self.client()
    let threads = try (0..<6).map { number in
      try WorkerThread(name: "client \(number)") {
        guard var client = try? LineClient(library) else { return }
        for _ in 0..<10 { _ = try? client.request("playlistadd p \"\(RemoteLibraryRig.greensleeves)\"") }
      }
    }
    for thread in threads { #expect(thread.join(until: .now.advanced(byMilliseconds: 60_000))) }
    var client = try LineClient(library)
    #expect(try client.request("listplaylist p").count == 64)
  }
}
