// SPDX-License-Identifier: GPL-3.0-or-later

import LibraryScanning
import MusicModel
import NIOCore
import SystemPackage
import TestSupport
import Testing

@testable import RemoteControl

@Suite struct FeatureCommandTests {
  private let directory: TemporaryDirectory
  private let rig: LibraryRig

  init() throws {
    directory = try TemporaryDirectory()
    let songs: [[(String, String)]] = [
      [("TITLE", "Été"), ("ARTIST", "Ann"), ("ALBUM", "A"), ("MOOD", "calm"), ("DISCSUBTITLE", "First")],
      [
        ("TITLE", "The Two"), ("TITLESORT", "Two, The"), ("ARTIST", "Bob"), ("ALBUM", "A"), ("ALBUMARTIST", "Both"),
        ("SHOWMOVEMENT", "1"), ("MUSICBRAINZ_RELEASEGROUPID", "0123abcd-0000-1111-2222-333344445555"),
      ],
      [("TITLE", "Three"), ("ALBUM", "B"), ("COMMENT", "none of these"), ("X-1", "odd")],
    ]
    for (number, tags) in songs.enumerated() {
      try directory.write(SoundBytes.flac(tags, seconds: 10), to: "music/a/\(number + 1).flac")
    }
    rig = try LibraryRig(directory["music"])
  }

  /// Sends requests through one connection, and returns the response to the last.
  private func lastResponse(_ requests: [[String]]) throws -> [String] {
    var client = try rig.remoteRig.client()
    var response: [String] = []
    for words in requests { response = try client.request(words) }
    return response
  }

  /// Returns the titles in the response to the last request.
  private func titles(_ requests: [String]...) throws -> [String] {
    try lastResponse(requests).filter { $0.hasPrefix("Title: ") }.map { String($0.dropFirst(7)) }
  }

  @Test func `Features are turned on and off by name`() throws {
    #expect(try lastResponse([["protocol"]]) == [])
    #expect(try lastResponse([["protocol", "available"]]) == ["feature: hide_playlists_in_root"])
    #expect(
      try lastResponse([["protocol", "enable", "HIDE_playlists_in_root"], ["protocol"]])
        == ["feature: hide_playlists_in_root"])
    #expect(
      try lastResponse([["protocol", "all"], ["protocol", "disable", "hide_playlists_in_root"], ["protocol"]]) == [])
    #expect(try lastResponse([["protocol", "all"], ["protocol", "clear"], ["protocol"]]) == [])
    #expect(try lastResponse([["protocol", "enable", "x"]]) == ["ACK 2 Unknown protocol feature"])
    #expect(try lastResponse([["protocol", "enable"]]) == ["ACK 2 Not enough arguments"])
    #expect(try lastResponse([["protocol", "x"]]) == ["ACK 2 Unknown sub command"])
    #expect(
      try lastResponse([["stringnormalization", "all"], ["stringnormalization"]])
        == ["stringnormalization: strip_diacritics"])
    #expect(try lastResponse([["stringnormalization", "enable", "x"]]) == ["ACK 2 Unknown string normalization"])
  }

  @Test func `With strip_diacritics, a search ignores diacritics, and a case-sensitive find does not`() throws {
    #expect(try titles(["search", "title", "ete"]) == [])
    #expect(try titles(["stringnormalization", "all"], ["search", "title", "ETE"]) == ["Été"])
    #expect(try titles(["stringnormalization", "all"], ["search", "any", "été"]) == ["Été"])
    #expect(try titles(["stringnormalization", "all"], ["find", "title", "Ete"]) == [])
  }

  @Test func `The available tags are listed, and the wanted tags can be set at once`() throws {
    let all = try lastResponse([["tagtypes"]])
    #expect(all.contains("tagtype: TitleSort") && all.contains("tagtype: Mood") && all.count == SongTag.allCases.count)
    #expect(try lastResponse([["tagtypes", "clear"], ["tagtypes", "available"]]) == all)
    #expect(
      try lastResponse([["tagtypes", "reset", "title", "mood"], ["tagtypes"]]) == ["tagtype: Title", "tagtype: Mood"])
    #expect(try lastResponse([["tagtypes", "reset"]]) == ["ACK 2 Not enough arguments"])
    #expect(try lastResponse([["tagtypes", "reset", "x"]]) == ["ACK 2 Unknown tag type"])
  }

  @Test func `All tags of a file are sent, listed and found`() throws {
    #expect(try lastResponse([["list", "mood"]]) == ["Mood: ", "Mood: calm"])
    #expect(try titles(["find", "mood", "calm"]) == ["Été"] && titles(["find", "discsubtitle", "First"]) == ["Été"])
    #expect(try titles(["find", "titlesort", "Two, The"]) == ["The Two"])
    #expect(try titles(["find", "titlesort", "Three"]) == ["Three"])
    #expect(try titles(["find", "showmovement", "1"]) == ["The Two"])
    let song = try lastResponse([["find", "title", "The Two"]])
    for line in [
      "TitleSort: Two, The", "ShowMovement: 1", "MUSICBRAINZ_RELEASEGROUPID: 0123abcd-0000-1111-2222-333344445555",
    ] { #expect(song.contains(line)) }
    // The queue and the listing of the directory give the same lines.
    let queued = try lastResponse([["findadd", "title", "The Two"], ["playlistinfo"]])
    #expect(queued.filter { !$0.hasPrefix("Pos: ") && !$0.hasPrefix("Id: ") } == song)
    #expect(try lastResponse([["listallinfo"]]).contains("TitleSort: Two, The"))
  }

  @Test func `The fallbacks of the album artist apply when filtering for an absent one`() throws {
    #expect(try titles(["find", "albumartist", ""]) == ["Three"])
    #expect(try titles(["find", "(albumartist != '')", "sort", "title"]) == ["Été", "The Two"])
    #expect(try titles(["add", "a"], ["playlistfind", "albumartist", ""]) == ["Three"])
  }

  @Test func `Items of the queue are found by their priority`() throws {
    let queue = [["clear"], ["add", "a"], ["prio", "10", "1:2"]]
    func found(_ filter: String...) throws -> [String] {
      try lastResponse(queue + [["playlistfind"] + filter]).filter { $0.hasPrefix("Title: ") }
    }
    let all = try found("(prio >= 0)")
    #expect(all.count == 3)
    #expect(try found("(prio >= 10)") == [all[1]] && found("(prio >= 11)") == [])
    #expect(try found("(!(prio >= 1))") == [all[0], all[2]] && found("prio", "5") == [all[1]])
    #expect(try lastResponse([["playlistfind", "(prio == 1)"]]) == ["ACK 2 '>=' expected"])
    #expect(try lastResponse([["playlistfind", "(prio >= x)"]]) == ["ACK 2 Number expected"])
    // Nothing in the library has a priority.
    #expect(try lastResponse([["find", "(prio >= 1)"]]) == [])
  }

  @Test func `The list command accepts a window`() throws {
    let all = try lastResponse([["list", "title"]])
    #expect(all == ["Title: The Two", "Title: Three", "Title: Été"])
    #expect(try lastResponse([["list", "title", "window", "1:2"]]) == ["Title: Three"])
    #expect(try lastResponse([["list", "title", "album", "A", "window", "1:"]]) == ["Title: Été"])
    #expect(
      try lastResponse([["list", "title", "group", "album", "window", "0:1"]])
        == ["Album: A", "Title: The Two", "Title: Été"])
    #expect(try lastResponse([["list", "file", "window", "2:9"]]).count == 1)
    #expect(try lastResponse([["list", "title", "window", "x"]]) == ["ACK 2 Integer or range expected: x"])
  }

  @Test func `A song says when it was added, in every listing, and the status which playlist was loaded last`() throws {
    let found = try lastResponse([["find", "title", "The Two"]])
    #expect(found.contains { $0.wholeMatch(of: /Added: 20\d\d-\d\d-\d\dT\d\d:\d\d:\d\dZ/) != nil })
    let added = found.filter { $0.hasPrefix("Added: ") }
    #expect(try lastResponse([["listallinfo", "a/2.flac"]]).filter { $0.hasPrefix("Added: ") } == added)
    #expect(try lastResponse([["lsinfo", "a"]]).count { $0.hasPrefix("Added: ") } == 3)
    let load = [["add", "a/2.flac"], ["save", "Last"], ["load", "Last"]]
    #expect(try lastResponse(load + [["playlistinfo", "1"]]).filter { $0.hasPrefix("Added: ") } == added)
    #expect(try lastResponse([["listplaylistinfo", "Last"]]).filter { $0.hasPrefix("Added: ") } == added)
    #expect(try lastResponse([["status"]]).contains("lastloadedplaylist: Last"))
    #expect(try lastResponse([["clear"], ["status"]]).contains("lastloadedplaylist: "))
    let config = try lastResponse([["config"]])
    #expect(config.contains("pcre: 1") && config.contains { $0.hasPrefix("playlist_directory: ") })
  }

  @Test func `The comments of a file are listed by name`() throws {
    let comments = try lastResponse([["readcomments", "a/3.flac"]])
    #expect(comments.contains("TITLE: Three") && comments.contains("COMMENT: none of these"))
    // A name with characters other than letters is left out.
    #expect(!comments.contains { $0.hasPrefix("X-1") })
    #expect(try lastResponse([["readcomments", "a"]]) == ["ACK 50 No such file"])
    #expect(try lastResponse([["readcomments", "a/9.flac"]]) == ["ACK 50 No such directory"])
  }

  @Test func `The names of stickers are listed once, with their types`() throws {
    let set: [[String]] = [
      ["sticker", "set", "song", "a/1.flac", "rating", "1"], ["sticker", "set", "song", "a/2.flac", "rating", "2"],
      ["sticker", "set", "song", "a/2.flac", "mood", "x"],
    ]
    #expect(try lastResponse(set + [["stickernames"]]) == ["name: mood", "name: rating"])
    #expect(
      try lastResponse([["stickernamestypes"]]) == ["name: mood", "type: song", "name: rating", "type: song"])
    #expect(try lastResponse([["stickernamestypes", "song"]]).count == 4)
    #expect(try lastResponse([["stickernamestypes", "album"]]) == [])
    #expect(try lastResponse([["stickernamestypes", "date"]]) == ["ACK 2 unknown sticker domain \"date\""])
    let types = try lastResponse([["stickertypes"]])
    #expect(
      types.prefix(4) == ["stickertype: song", "stickertype: playlist", "stickertype: filter", "stickertype: Title"])
    #expect(types.count == 15)
    // The same name is listed once for each type.
    let album = ["sticker", "set", "album", "A", "rating", "6"]
    #expect(try lastResponse([album, ["stickernames"]]) == ["name: mood", "name: rating"])
    #expect(try lastResponse([["stickernamestypes", "Album"]]) == ["name: rating", "type: Album"])
  }

  @Test func `Albums, filters and playlists have stickers`() throws {
    let filter = "((AlbumArtist == 'A') AND (Album == 'A'))"
    let other = "(Album == 'A')"
    #expect(
      try lastResponse([["sticker", "set", "filter", filter, "rating", "8"]]) == [
        "ACK 50 no matches found: \"\(filter)\""
      ])
    #expect(try lastResponse([["sticker", "set", "filter", other, "rating", "8"]]) == [])
    #expect(try lastResponse([["sticker", "get", "filter", other, "rating"]]) == ["sticker: rating=8"])
    let named = "((AlbumArtist == \"Ann\") AND (Album == \"A\"))"
    #expect(
      try lastResponse([["sticker", "find", "filter", "", "rating"]]) == ["filter: \(named)", "sticker: rating=8"])
    #expect(try lastResponse([["sticker", "set", "filter", "(x", "rating", "8"]]).first?.hasPrefix("ACK 2") == true)
    #expect(try lastResponse([["sticker", "set", "ALBUM", "A", "rating", "6"]]) == [])
    #expect(try lastResponse([["sticker", "list", "Album", "A"]]) == ["sticker: rating=6"])
    #expect(try lastResponse([["sticker", "set", "Album", "C", "rating", "6"]]) == ["ACK 50 no such Album: \"C\""])
    #expect(
      try lastResponse([["sticker", "set", "playlist", "x", "rating", "6"]]) == ["ACK 50 no such playlist: \"x\""])
    #expect(
      try lastResponse([
        ["playlistadd", "x", "a/1.flac"], ["sticker", "set", "playlist", "x", "rating", "6"],
        ["sticker", "list", "playlist", "x"],
      ]) == ["sticker: rating=6"])
    // The stickers of a playlist follow its name, and go with it.
    #expect(
      try lastResponse([["rename", "x", "y"], ["sticker", "list", "playlist", "y"]]) == ["sticker: rating=6"])
    #expect(try lastResponse([["rm", "y"], ["sticker", "delete", "playlist", "y"]]) == ["ACK 50 no such sticker"])
    #expect(try lastResponse([["sticker", "set", "mood", "A", "x", "1"]]) == ["ACK 2 unknown sticker domain \"mood\""])
  }

  @Test func `The rating of a filter that names one album is that of the album`() throws {
    let (one, other) = ("((AlbumArtist == \"Ann\") AND (Album == \"X \\\"Y\\\"\"))", "(Album == \"B\")")
    for number in 1...2 {
      let tags = [("TITLE", "X\(number)"), ("ARTIST", "Ann"), ("ALBUM", "X \"Y\""), ("DATE", "1999-05")]
      try directory.write(SoundBytes.flac(tags, seconds: 10), to: "music/x/\(number).flac")
    }
    _ = try rig.library.scan(progress: { _ in }, isCancelled: { false })
    #expect(try lastResponse([["sticker", "set", "filter", one, "rating", "8"]]) == [])
    #expect(try lastResponse([["sticker", "get", "filter", one, "rating"]]) == ["sticker: rating=8"])
    #expect(try lastResponse([["sticker", "get", "song", "x/2.flac", "albumRating"]]) == ["sticker: albumRating=8"])
    // Set by the user, it is found by the expression that clients use.
    _ = try lastResponse([["sticker", "set", "song", "a/3.flac", "albumRating", "6"]])
    #expect(try lastResponse([["sticker", "list", "filter", other]]) == ["sticker: rating=6"])
    let named = "((AlbumArtist == \"Ann\") AND (Album == \"X \\\"Y\\\"\") AND (Date == \"1999-05\"))"
    #expect(
      try lastResponse([["sticker", "find", "filter", "", "rating"]])
        == ["filter: ((Album == \"B\"))", "sticker: rating=6", "filter: \(named)", "sticker: rating=8"])
    #expect(
      try lastResponse([["sticker", "find", "filter", "", "rating", "gt", "7"]])
        == ["filter: \(named)", "sticker: rating=8"])
    #expect(try lastResponse([["sticker", "get", "filter", named, "rating"]]) == ["sticker: rating=8"])
    #expect(
      try lastResponse([["sticker", "inc", "filter", named, "rating", "1"], ["sticker", "list", "filter", one]])
        == ["sticker: rating=9"])
    #expect(try lastResponse([["stickernamestypes", "filter"]]) == ["name: rating", "type: filter"])
    // Other names, and other filters, are texts of their own.
    #expect(
      try lastResponse([
        ["sticker", "set", "filter", one, "mood", "x"], ["sticker", "list", "filter", one],
      ]) == ["sticker: mood=x", "sticker: rating=9"])
    let title = "((Album == \"X \\\"Y\\\"\") AND (Title == \"X1\"))"
    #expect(
      try lastResponse([
        ["sticker", "set", "filter", title, "rating", "2"], ["sticker", "get", "filter", one, "rating"],
      ]) == ["sticker: rating=9"])
    #expect(try lastResponse([["sticker", "get", "filter", title, "rating"]]) == ["sticker: rating=2"])
    #expect(
      try lastResponse([
        ["sticker", "delete", "filter", one, "rating"], ["sticker", "get", "filter", named, "rating"],
      ])
        == ["ACK 50 no such sticker"])
    #expect(try lastResponse([["sticker", "list", "song", "x/1.flac"]]) == [])
  }

  @Test func `The number in a sticker is increased and decreased`() throws {
    func value(_ command: String, _ number: String) throws -> [String] {
      try lastResponse([
        ["sticker", command, "song", "a/1.flac", "count", number], ["sticker", "get", "song", "a/1.flac", "count"],
      ])
    }
    #expect(try value("inc", "3") == ["sticker: count=3"])
    #expect(try value("inc", "4") == ["sticker: count=7"])
    #expect(try value("dec", "10") == ["sticker: count=-3"])
    #expect(try value("inc", "\(Int64.max)") == ["sticker: count=\(Int64.max - 3)"])
    #expect(try value("inc", "9") == ["sticker: count=\(Int64.max)"])
    #expect(try value("set", "many") == ["sticker: count=many"])
    #expect(try value("dec", "2") == ["sticker: count=-2"])
    #expect(
      try lastResponse([["sticker", "inc", "song", "a/1.flac", "count", "x"]]) == ["ACK 2 Integer expected: x"])
    #expect(
      try lastResponse([["sticker", "dec", "song", "a/1.flac", "count", "\(Int64.min)"]]).first?.hasPrefix("ACK 2")
        == true)
    #expect(
      try lastResponse([["sticker", "inc", "Album", "A", "count", "2"], ["sticker", "list", "Album", "A"]]) == [
        "sticker: count=2"
      ])
  }

  @Test func `Stickers that are found are sorted, and a window selects some`() throws {
    let set: [[String]] = [("1", "9"), ("2", "10"), ("3", "2")].map {
      ["sticker", "set", "song", "a/\($0).flac", "rating", $1]
    }
    _ = try lastResponse(set)
    func found(_ options: String...) throws -> [String] {
      try lastResponse([["sticker", "find", "song", "", "rating"] + options]).filter { $0.hasPrefix("sticker") }
        .map { String($0.dropFirst("sticker: rating=".count)) }
    }
    #expect(try found() == ["9", "10", "2"])
    #expect(try found("sort", "uri") == ["9", "10", "2"] && found("sort", "-uri") == ["2", "10", "9"])
    #expect(try found("sort", "value") == ["10", "2", "9"] && found("sort", "-value") == ["9", "2", "10"])
    #expect(try found("sort", "value_int") == ["2", "9", "10"] && found("sort", "-value_int") == ["10", "9", "2"])
    #expect(try found("sort", "value_int", "window", "1:") == ["9", "10"])
    #expect(try found("gt", "5", "sort", "-value_int", "window", "0:1") == ["10"])
    #expect(try found("window", "7:9") == [])
    #expect(try lastResponse([["sticker", "find", "song", "", "rating", "sort", "x"]]) == ["ACK 2 Unknown sort type"])
    #expect(try lastResponse([["sticker", "find", "song", "", "rating", "x"]]) == ["ACK 2 bad request"])
  }

  @Test func `There is one mount, and one partition`() throws {
    #expect(try lastResponse([["listmounts"]]) == ["mount: ", "storage: \(directory["music"])"])
    #expect(try lastResponse([["listpartitions"]]) == ["partition: default"])
    var context = rig.context(isLocal: false)
    let command = try #require(
      CommandTable.connection(NetworkAccess(), PasswordGuesses()).first { $0.names == ["listmounts"] })
    try command.body(Arguments(words: [], command: "listmounts"), &context)
    #expect(String(decoding: context.response.take().readableBytesView, as: UTF8.self) == "mount: \n")
  }

  @Test func `The length of a playlist, and the matches in it, are reported`() throws {
    let library = try RemoteLibraryRig()
    var client = try library.rig.client()
    func request(_ words: String...) throws -> [String] { try client.request(words) }
    for _ in 0..<2 { _ = try request("playlistadd", "p", RemoteLibraryRig.canon) }
    #expect(try request("playlistlength", "p") == ["songs: 8", "playtime: 93"])
    let found = try request("searchplaylist", "p", "title", "CANON", "window", "1:3")
    #expect(
      found.filter { $0.hasPrefix("Title: ") } == ["Title: Canon in D, Part Two", "Title: Canon in D, Part Three"])
    #expect(found.filter { $0.hasPrefix("Pos: ") } == ["Pos: 1", "Pos: 2"])
    #expect(try request("searchplaylist", "p", "(title =~ 'Gym')").contains("Pos: 7"))
    #expect(try request("playlistlength", "none") == ["ACK 50 No such playlist"])
    #expect(try request("searchplaylist", "none", "title", "x") == ["ACK 50 No such playlist"])
  }

  @Test func `Consume can be limited to one song`() throws {
    #expect(try lastResponse([["consume", "oneshot"], ["status"]]).contains("consume: oneshot"))
    #expect(try lastResponse([["consume", "1"], ["status"]]).contains("consume: 1"))
    #expect(try lastResponse([["consume", "2"]]) == ["ACK 2 Boolean (0/1) expected: 2"])
  }

  @Test func `A pattern that takes too long is rejected, in the library and in the queue`() throws {
    let long = String(repeating: "a", count: 3_000) + "!"
    try directory.write(SoundBytes.flac([("TITLE", long), ("ALBUM", "L")]), to: "other/1.flac")
    let rig = try LibraryRig(directory["other"])
    var client = try rig.remoteRig.client()
    let refusal = ["ACK 2 The regular expression takes too long"]
    #expect(try client.request(["find", "(title =~ '^(a+)+$')"]) == refusal)
    #expect(try client.request(["count", "(title =~ '^(a+)+$')"]) == refusal)
    _ = try client.request(["add", "1.flac"])
    #expect(try client.request(["playlistfind", "(title =~ '^(a+)+$')"]) == refusal)
    #expect(try client.request(["find", "(title =~ '^a+!$')"]).contains("Title: \(long)"))
  }
}
