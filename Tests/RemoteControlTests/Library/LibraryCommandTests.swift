// SPDX-License-Identifier: GPL-3.0-or-later

import LibraryScanning
import MusicModel
import PlayerFlow
import SystemPackage
import Tagging
import TestSupport
import Testing

@testable import RemoteControl

@Suite struct LibraryCommandTests {
  /// Requests to which MPD's response has the same lines in the same order.
  static let requestsWithSameLines: [[String]] = [
    ["list", "artist"], ["list", "Album"], ["list", "albumartist"], ["list", "genre"], ["list", "performer"],
    ["list", "composer", "genre", "Classical"], ["list", "album", "The Clockwork Consort"],
    ["list", "album", "group", "date"], ["list", "album", "group", "albumartist", "group", "genre"],
    ["list", "title", "(album == \"Parlour Pieces\")"], ["list", "musicbrainz_albumid"],
    ["list", "album", "albumartist", "Various Artists", "group", "artist"],
    ["list", "foo"], ["list", "title", "x"], ["list"], ["list", "album", "group", "foo"],
    ["count", "album", "Ground and Air"], ["count", "group", "albumartist"], ["count", "group", "genre"],
    ["count", "(base \"時計の楽団\")"], ["count", "artist", "nobody"], ["count"], ["count", "group", "foo"],
    ["count", "(artist != \"\")", "group", "disc"],
    ["listall"], ["listall", "/"], ["listall", "Various Artists"], ["listall", "時計の楽団/日本のうた"],
    ["listall", "The Clockwork Consort/Ground and Air/01 Canon in D, Part One.flac"],
    ["listall", "nope"], ["listall", "../x"], ["lsinfo", "../x"], ["lsinfo", "nope"], ["lsinfo", "a", "b"],
    ["find", "artist"], ["find", "foo", "x"], ["find", "artist", "x", "sort", "foo"],
    ["find", "(artist == \"x\") garbage"], ["find", "(artist == x)"], ["find", "base", "../x"],
    ["find", "artist", "x", "window", "b"],
    ["find", "(base \"nope\")"], ["find", "base", "nope"], ["find", "(base \"../x\")"],
    ["find", "((artist == \"x\") AND (base \"nope\"))"], ["search", "artist", "x", "base", "nope"],
    ["find", "(base \"The Clockwork Consort/nope\")"], ["count", "base", "nope"],
    ["count", "base", "nope", "group", "artist"], ["list", "artist", "base", "nope"],
    ["list", "file", "base", "nope"], ["findadd", "base", "nope"], ["searchadd", "(base \"nope\")"],
    ["searchaddpl", "x", "base", "nope"], ["playlistfind", "base", "nope"],
    ["list", "performer"], ["list", "label"], ["list", "work", "group", "album"],
    ["count", "group", "label"],
    ["albumart", "nope", "0"], ["readpicture", "nope", "0"],
    ["albumart", "Music Box Theatre/Parlour Pieces/CD1/01 Prelude in C.mp3", "0"],
    ["albumart", "The Clockwork Consort/Ground and Air/04 Gymnopedie No. 1.flac", "99999"],
    ["sticker", "get", "song", "nope", "a"], ["sticker", "foo", "song", "x", "y"],
    ["sticker", "get", "mood", "x", "y"],
    ["sticker", "get", "song", "Music Box Theatre/Parlour Pieces/CD1/01 Prelude in C.mp3", "x"],
    ["sticker", "find", "song", "nope", "x"], ["sticker", "find", "song", "", "x", "foo", "1"],
    ["update", "../x"], ["update", "/etc"],
    ["list", "title", "(title =~ \"^[CG]\")"], ["list", "title", "(title !~ \"^[CG]\")"],
    ["list", "album", "(artist =~ \"(?i)clock\")"], ["count", "(title =~ \"^\")"], ["find", "(title =~ \"(\")"],
    ["listpartitions"], ["listmounts"], ["readcomments", "nope"],
  ]

  /// Requests to which MPD's response has the same songs in another order.
  static let requestsWithSameSongs: [[String]] = [
    ["find", "artist", "The Clockwork Consort"], ["find", "Artist", "the clockwork consort"],
    ["find", "title", "さくらさくら"], ["find", "albumartist", "Lute at Dusk"], ["find", "any", "Dance"],
    ["find", "genre", "Folk", "albumartist", "Various Artists"], ["find", "track", "2", "disc", "2"],
    ["find", "date", "2024-03-21"], ["find", "date", "2024"], ["listallinfo", "Various Artists"],
    ["find", "(artist != \"The Clockwork Consort\")"], ["find", "(!(genre == \"Classical\"))"],
    ["find", "((genre == \"Classical\") AND (artist contains \"Box\"))"],
    ["find", "(artist !contains \"e\")"], ["find", "(file contains \"CD2\")"],
    ["find", "file", "時計の楽団/日本のうた/02 荒城の月.flac"], ["find", "(artistsort == \"Clockwork Consort, The\")"],
    ["find", "base", "Various Artists"], ["find", "(base \"\")"], ["find", "musicbrainz_albumid", ""],
    ["find", "(!(base \"nope\"))"], ["find", "label", ""],
    ["find", "(AudioFormat == \"44100:16:2\")"], ["find", "modified-since", "2000-01-01"],
    ["find", "modified-since", "2100-01-01T00:00:00Z"], ["find", "artist", ""],
    ["search", "artist", "CLOCK"], ["search", "title", "GYMNOPÉDIE"], ["search", "title", "gymnopedie"],
    ["search", "any", "ode"], ["search", "filename", "cd1"], ["search", "(title == \"ode to JOY\")"],
    ["search", "title", "canon in d, part"], ["search", "album", ""], ["search", "any", "%"],
    ["search", "title", "さくら"], ["search", "artist", "music", "genre", "rag"],
    ["lsinfo", "The Clockwork Consort/Ground and Air"], ["lsinfo"],
    ["lsinfo", "Music Box Theatre/Parlour Pieces"],
    ["lsinfo", "The Clockwork Consort/Ground and Air/04 Gymnopedie No. 1.flac"], ["listallinfo"],
    ["listfiles", "Various Artists/Old Tunes, New Friends"], ["listfiles"],
    ["find", "albumartist", ""], ["find", "(albumartist != \"\")"], ["find", "albumartistsort", ""],
    ["find", "(any =~ \"[Oo]de\")"], ["search", "(title =~ \"^canon.*ONE$\")"],
    ["find", "(file =~ \"CD[12]/0\")"],
  ]

  @Test func `A song has its tags, its duration and its modification time`() throws {
    let rig = try LibraryRig()
    let lines = try rig.request("find", "title", "Gymnopédie No. 1")
    #expect(lines.first == "file: The Clockwork Consort/Ground and Air/04 Gymnopedie No. 1.flac")
    #expect(lines.contains("Artist: The Clockwork Consort") && lines.contains("Track: 4"))
    #expect(lines.contains("Format: 44100:16:2") && lines.contains("Time: 20"))
    #expect(lines.contains { $0.hasPrefix("Last-Modified: 2") && $0.hasSuffix("Z") })
  }

  @Test func `Windows and sort orders apply to the matches`() throws {
    let rig = try LibraryRig()
    func titles(_ words: String...) throws -> [String] {
      var client = try rig.remoteRig.client()
      return try client.request(words).filter { $0.hasPrefix("Title: ") }.map { String($0.dropFirst(7)) }
    }
    let all = try titles("find", "(base \"\")", "sort", "title")
    #expect(all.count == 16)
    #expect(try titles("find", "(base \"\")", "sort", "title", "window", "3:5") == Array(all[3..<5]))
    #expect(try titles("find", "(base \"\")", "sort", "-title", "window", "0:1") == [all[15]])
    #expect(try titles("find", "(base \"\")", "window", "40:50").isEmpty)
    #expect(try titles("find", "base", "Music Box Theatre", "sort", "Track", "window", "0:2").count == 2)
  }

  @Test func `An update is requested from the library, and its job number is returned`() throws {
    let rig = try LibraryRig()
    #expect(try rig.request("update", "Various Artists") == ["updating_db: 1"])
    #expect(
      rig.remoteLibrary.store.state.waiting == .directories([rig.library.roots.first.appending("Various Artists")]))
    #expect(try rig.request("rescan") == ["updating_db: 1"])
    #expect(rig.remoteLibrary.store.state.waiting == .rereading(.everything))
    #expect(try rig.request("status").contains("updating_db: 1"))
    #expect(try rig.request("update", "../x") == ["ACK 2 Malformed path"])
  }

  @Test func `The statistics count the library`() throws {
    let lines = try LibraryRig().request("stats")
    #expect(lines.contains("songs: 16") && lines.contains("albums: 4") && lines.contains("artists: 6"))
    #expect(lines.contains { $0.hasPrefix("db_update: ") })
  }

  @Test func `Stickers of a song are set, read, found and removed, and clients are notified`() throws {
    let rig = try LibraryRig()
    let song = "Music Box Theatre/Parlour Pieces/CD1/01 Prelude in C.mp3"
    var client = try rig.remoteRig.client()
    #expect(try client.request(["sticker", "set", "song", song, "rating", "5"]) == [])
    #expect(try client.request(["idle", "sticker"]) == ["changed: sticker"])
    #expect(try client.request(["sticker", "set", "song", song, "a=b", "x\\\"y"]) == [])
    #expect(try client.request(["sticker", "get", "song", song, "rating"]) == ["sticker: rating=5"])
    #expect(
      try client.request(["sticker", "list", "song", song]) == ["sticker: a=b=x\\\"y", "sticker: rating=5"])
    for (words, isFound) in [
      (["", "rating"], true), (["Music Box Theatre", "rating"], true),
      (["Various Artists", "rating"], false),
      (["", "rating", "=", "5"], true), (["", "rating", "=", "4"], false), (["", "rating", ">", "4"], true),
      (["", "rating", "<", "4"], false), (["", "rating", "lt", "10"], true),
      (["", "rating", "<", "10"], false),
      (["", "other"], false), (["../x", "rating"], false), (["", "rating", "starts_with", "5"], true),
    ] {
      let found = isFound ? ["file: \(song)", "sticker: rating=5"] : []
      #expect(try client.request(["sticker", "find", "song"] + words) == found, "\(words)")
    }
    #expect(try client.request(["sticker", "delete", "song", song, "rating"]) == [])
    #expect(try client.request(["sticker", "delete", "song", song]) == [])
    #expect(try client.request(["sticker", "delete", "song", song]) == ["ACK 50 no such sticker"])
    #expect(
      try client.request(["sticker", "set", "song", "Music Box Theatre", "a", "b"]) == ["ACK 50 No such song"])
  }
}
