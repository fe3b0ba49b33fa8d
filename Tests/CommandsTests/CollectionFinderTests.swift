// SPDX-License-Identifier: GPL-3.0-or-later

import FaceExamples
import LibraryIndex
import LibraryScanning
import MusicModel
import Platform
import PlayerFlow
import PlayerPort
import SystemPackage
import Tagging
import TestSupport
import Testing

@testable import Commands
@testable import Screens

struct CollectionFinderTests {
  private let directory: TemporaryDirectory
  private let finder: CollectionFinder

  init() throws {
    directory = try TemporaryDirectory()
    for (artist, album, titles) in [
      ("Miles Davis", "Kind of Blue", ["So What", "Blue in Green"]),
      ("Miles Davis", "Blue Haze", ["Blue Haze"]),
      ("Joni Mitchell", "Blue", ["Blue", "All I Want"]), ("Weezer", "Weezer", ["Buddy Holly"]),
      ("Other", "Weezer", ["Else"]),
    ] {
      for (index, title) in titles.enumerated() {
        let tags = [
          ("TITLE", title), ("ARTIST", artist), ("ALBUM", album), ("TRACKNUMBER", "\(index + 1)"),
        ]
        try directory.write(SoundBytes.flac(tags), to: FilePath("lib/\(artist)/\(album)/\(index).flac"))
      }
    }
    try directory.write([], to: "lib/broken/a.mp3")
    finder = Self.finder(directory["lib"], in: directory)
  }

  private static func finder(_ library: FilePath, in directory: borrowing TemporaryDirectory)
    -> CollectionFinder
  {
    let request = LibraryRequest(roots: LibraryRoots(library), dataDirectory: directory["data"])
    let language = QueryLanguage(
      parse: { text throws(LibraryQueryError) in
        guard let today = ReleaseDate(year: 2026, month: 1, day: 31) else { return .everything }
        return try LibraryQueryParser(today: today).parse(text)
      }, makeQuery: { $0.query })
    let source = IndexSource(request, language: language) { request throws(PlayerError) in
      do throws(LibraryIndexError) {
        return IndexedLibrary(index: try LibraryIndex(directory: request.dataDirectory), roots: request.roots)
      } catch {
        throw PlayerError(.failure, error.description)
      }
    }
    return CollectionFinder(library: source, scanner: LibraryScanner())
  }

  @Test(arguments: [
    ("kind", nil, "Kind of Blue", 0), ("KIND OF BLUE", "2", "Kind of Blue", 1), ("blue", "all", "Blue", 1),
    ("Other/weezer", nil, "Weezer", 0), ("haze", "Blue Haze", "Blue Haze", 0),
    ("miles/kind", "1-2", "Kind of Blue", 1),
  ])
  func `An album and a track are found by their names`(
    album: String, track: String?, title: String, item: Int
  ) throws {
    let found = try finder.find(album: album, track: track)
    #expect(found.collection.title == title)
    #expect(found.item == item)
    #expect(found.problems.isEmpty)
  }

  /// Returns the error of a lookup, which must fail.
  private func error(_ album: String, _ track: String? = nil) throws -> PlayerError {
    try #require(throws: PlayerError.self) { try finder.find(album: album, track: track) }
  }

  @Test func `A number refers to the last listing, unless it is an album's title`() throws {
    let source = finder.library
    let albums = try ["kind", "haze"].map { name in
      guard case .found(let found) = try source.album(named: name) else { return ListedReference(.album, name: name) }
      var reference = ListedReference(.album, name: found.title)
      reference.album = found.id
      return reference
    }
    let kindOfBlue = try finder.find(album: "kind", track: nil).collection
    var track = ListedReference(.track, name: "Blue in Green")
    (track.album, track.path) = (albums[0].album, kindOfBlue.tracks[1].path.systemBytes)
    var deletedAlbum = ListedReference(.album, name: "Gone")
    deletedAlbum.album = 99_999
    let listing = LastListing(in: directory["state"])
    try listing.store([ListedReference(.artist, name: "Miles Davis"), track, deletedAlbum] + albums)
    var finder = finder
    finder.listing = listing
    #expect(try finder.find(album: "1", track: nil).collection.tracks.count == 3)
    let found = try finder.find(album: "2", track: nil)
    #expect(found.isTrack && found.item == 1 && found.collection.title == kindOfBlue.title)
    #expect(throws: PlayerError.self) { try finder.find(album: "3", track: nil) }
    #expect(try finder.find(album: "4", track: "2").item == 1)
    #expect(throws: PlayerError.self) { try finder.find(album: "6", track: nil) }
    try directory.write(
      SoundBytes.flac([("TITLE", "a"), ("ARTIST", "b"), ("ALBUM", "1"), ("TRACKNUMBER", "1")]),
      to: "lib/b/1/1.flac")
    _ = try finder.library.update()
    #expect(try finder.find(album: "1", track: nil).collection.title == "1")
  }

  @Test func `A file URI is treated as a path`() throws {
    let album = directory["lib"].appending("Miles Davis").appending("Blue Haze").string
    let uri = "file://" + album.replacing(" ", with: "%20")
    #expect(try finder.find(album: uri, track: nil).collection.tracks.count == 1)
    #expect(throws: PlayerError.self) { try finder.find(album: "file://elsewhere" + album, track: nil) }
  }

  @Test func `Ambiguous albums are listed so that each can be named`() throws {
    let error = try error("weezer")
    #expect(error.status == .ambiguous)
    #expect(error.choices == ["Other/Weezer (1 track)", "Weezer/Weezer (1 track)"])
    #expect(error.answers == ["Other/Weezer", "Weezer/Weezer"])
    for answer in error.answers {
      #expect(try finder.find(album: answer, track: nil).collection.tracks.count == 1)
    }
  }

  @Test func `Albums with the same name are distinguished by directory`() throws {
    let tags = [("TITLE", "Buddy Holly"), ("ARTIST", "Weezer"), ("ALBUM", "Weezer"), ("TRACKNUMBER", "1")]
    try directory.write(SoundBytes.flac(tags), to: "lib/Weezer/Remaster/0.flac")
    var error = try error("weezer/weezer")
    #expect(
      error.choices.sorted() == ["Weezer/Weezer (1 track) in Remaster", "Weezer/Weezer (1 track) in Weezer"])
    #expect(error.answers.sorted() == ["Remaster", "Weezer"].map { directory["lib/Weezer/\($0)"].string })
    for answer in error.answers {
      let tracks = try finder.find(album: answer, track: nil).collection.tracks
      #expect(tracks.map(\.path.string) == ["\(answer)/0.flac"])
    }
    // What tells them apart is shown in place of the directory.
    try directory.write(SoundBytes.flac(tags + [("DATE", "1994")]), to: "lib/Weezer/Remaster/0.flac")
    try finder.library.update()
    error = try self.error("weezer/weezer")
    #expect(error.choices.sorted() == ["Weezer/Weezer (1 track)", "Weezer/Weezer (1994, 1 track)"])
  }

  @Test func `An error quotes only the beginning of a very long name`() throws {
    #expect(try error(String(repeating: "long ", count: 2_000)).message.utf8.count < 400)
  }

  @Test(arguments: [("all i want", "All I Want"), ("BUDDY", "Buddy Holly"), ("green", "Blue in Green")])
  func `A text that matches no album finds a single track by title`(text: String, title: String) throws {
    let found = try finder.find(album: text, track: nil)
    #expect(found.collection.title == title && found.collection.tracks.map(\.title) == [title])
    #expect(found.item == 0)
  }

  @Test(arguments: [("kindd of blue", "Kind of Blue"), ("buddy hloly", "Buddy Holly"), ("other/weezre", "Weezer")])
  func `A slip in a word of five or more letters finds what was meant`(text: String, title: String) throws {
    #expect(try finder.find(album: text, track: nil).collection.title == title)
  }

  @Test func `What the text names exactly comes before what it may have been meant as`() throws {
    _ = try finder.find(album: "kind", track: nil)
    #expect(try error("wezer").answers.sorted() == ["Other/Weezer", "Weezer/Weezer"])
    let tags = [("TITLE", "x"), ("ARTIST", "y"), ("ALBUM", "Kinds of Blue")]
    try directory.write(SoundBytes.flac(tags), to: "lib/new/x.flac")
    #expect(try finder.find(album: "kinds of blue", track: nil).collection.title == "Kinds of Blue")
  }

  @Test func `Ambiguous track titles are listed so that each can be named`() throws {
    for (album, number) in [("Kind of Blue", 7), ("Blue", 8)] {
      let tags = [("TITLE", "Hush \"now\""), ("ARTIST", "X"), ("ALBUM", album), ("TRACKNUMBER", "\(number)")]
      let artist = album == "Blue" ? "Joni Mitchell" : "Miles Davis"
      try directory.write(SoundBytes.flac(tags), to: FilePath("lib/\(artist)/\(album)/\(number).flac"))
    }
    let error = try error("hush")
    #expect(error.status == .ambiguous && error.choices.count == 2)
    #expect(error.choices.sorted() == [#"Hush "now", X, Blue"#, #"Hush "now", X, Kind of Blue"#])
    #expect(error.answers.first?.contains(#"title:="Hush \"now\"" album:="#) == true)
    for answer in error.answers {
      #expect(try finder.find(album: answer, track: nil).collection.tracks.count == 1)
    }
  }

  @Test(arguments: [
    ("kind of blue", "Kind of Blue", 0), ("kind of blue 2", "Kind of Blue", 1),
    ("Kind of Blue So What", "Kind of Blue", 0),
    ("blue in green", "Blue in Green", 0), ("Blue all i want", "Blue", 1), ("blue haze", "Blue Haze", 0),
    ("miles davis/kind of blue 2", "Kind of Blue", 1), ("all i want", "All I Want", 0),
    ("kind green", "Kind of Blue", 1),
    ("artist:davis title:green", "artist:davis title:green", 0), ("artist:davis 2", "artist:davis", 2),
    ("other/weezer 1", "Weezer", 0),
    ("kindd 2", "Kind of Blue", 1), ("buddy hloly", "Buddy Holly", 0),
  ])
  func `Words that follow each other need no quotation marks`(line: String, title: String, item: Int) throws {
    let found = try finder.find(words: line.split(separator: " ").map(String.init))
    #expect(found.collection.title == title && found.item == item)
  }

  @Test(arguments: [
    ("kind of blue 9", PlayerErrorKind.notFound, "no track of Kind of Blue matches \"9\""),
    ("weezer 1", .ambiguous, "\"weezer\" matches 2 albums"),
    ("the battle for wesnoth", .notFound, "\"the battle for wesnoth\""),
    ("kind 9", .notFound, "no track of Kind of Blue"), ("nosuch 9", .notFound, "\"nosuch 9\""),
  ])
  func `What is wrong with several words is said of those that mean something`(
    line: String, kind: PlayerErrorKind, message: String
  ) throws {
    let error = try #require(throws: PlayerError.self) {
      try finder.find(words: line.split(separator: " ").map(String.init))
    }
    #expect(error.status == (kind == .notFound ? .notFound : .ambiguous))
    #expect(error.message.contains(message), "\(error.message)")
  }

  enum PlayerErrorKind { case notFound, ambiguous }

  @Test func `A path is followed by a track, and may have spaces`() throws {
    let album = directory["lib"].appending("Miles Davis").appending("Kind of Blue").string
    #expect(try finder.find(words: [album, "2"]).item == 1)
    let words = album.split(separator: " ").map(String.init)
    #expect(try finder.find(words: words).collection.tracks.count == 2)
    #expect(try finder.find(words: words + ["2"]).item == 1)
  }

  @Test func `The name of an artist is answered with the artist's albums`() throws {
    _ = try finder.find(album: "kind", track: nil)
    let error = try error("joni")
    #expect(error.status == .ambiguous && error.ambiguousText == "joni")
    #expect(
      error.message == "\"joni\" is an artist, not an album: choose an album, or use artist:joni for all tracks")
    #expect(error.choices == ["all 2 tracks of Joni Mitchell", "Joni Mitchell/Blue (2 tracks)"])
    for answer in error.answers { #expect(try finder.find(album: answer, track: nil).collection.tracks.count == 2) }
    #expect(throws: PlayerError.self) { try finder.find(words: ["joni", "mitchell"]) }
    let several = try self.error("davis")
    #expect(several.choices.first == "all 3 tracks of Miles Davis")
  }

  @Test(arguments: [("so what", "So What"), ("kind of blue 2", "Blue in Green"), ("blue all i want", "All I Want")])
  func `A single track is found by its title, or by its album and a track`(line: String, title: String) throws {
    _ = try finder.find(album: "kind", track: nil)
    #expect(try finder.track(line.split(separator: " ").map(String.init)).title == title)
  }

  @Test func `A name of several tracks is answered with these`() throws {
    let error = try #require(throws: PlayerError.self) { try finder.track(["kind", "of", "blue"]) }
    #expect(error.status == .ambiguous && error.choices == ["01 So What", "02 Blue in Green"])
    for answer in error.answers { #expect(throws: Never.self) { try finder.track([answer]) } }
  }

  @Test func `One title may be several words of a command that takes several names`() throws {
    #expect(try finder.findTitle(["kind", "of", "blue"])?.collection.title == "Kind of Blue")
    #expect(try finder.findTitle(["so", "what"])?.collection.title == "So What")
    #expect(try finder.findTitle(["kind", "blue"]) == nil && finder.findTitle(["blue"]) == nil)
  }

  @Test(arguments: [
    ("nosuch", nil), ("", nil), ("?!", nil), ("*", nil), ("kind", "9"), ("kind", ""), ("kind", "nosuch"),
    ("kind", "0"),
    ("kind", "99999999999999999999"),
  ])
  func `A text without a match is reported as not found in one line`(album: String, track: String?) throws {
    let error = try error(album, track)
    #expect(error.status == .notFound)
    #expect(!error.message.contains("\n") && error.choices.isEmpty)
  }

  @Test func `A misspelt name yields a suggestion`() throws {
    #expect(try error("kidnnd of blue").message.contains("did you mean \"Miles Davis/Kind of Blue\"?"))
    #expect(try error("kind", "so wat").message.contains("did you mean \"So What\"?"))
  }

  @Test func `Ambiguous tracks are listed with their numbers`() throws {
    try directory.write(
      SoundBytes.flac([
        ("TITLE", "So Long"), ("ARTIST", "Miles Davis"), ("ALBUM", "Kind of Blue"), ("TRACKNUMBER", "3"),
      ]),
      to: "lib/Miles Davis/Kind of Blue/3.flac")
    let error = try error("kind", "so")
    #expect(error.status == .ambiguous)
    #expect(error.choices == ["01 So What", "03 So Long"])
    #expect(error.ambiguousText == "so" && error.answers == ["1-1", "1-3"])
    for answer in error.answers { #expect(throws: Never.self) { try finder.find(album: "kind", track: answer) } }
  }

  @Test(arguments: [
    ("artist:davis", 3), ("title:blue", 3), ("title:=\"Blue Haze\"", 1), ("blue -haze -joni", 2),
    ("genre:jazz or weezer", 2),
  ])
  func `A query plays the tracks that match it`(query: String, count: Int) throws {
    let found = try? finder.find(album: query, track: nil)
    #expect(found?.collection.tracks.count == count)
    #expect(found?.collection.title == query)
  }

  @Test(arguments: ["ftp://host/x.mp3", "rtmp://host", "file://host/x.flac"])
  func `An address that is not that of a stream is refused`(address: String) {
    let error = #expect(throws: PlayerError.self) { try finder.find(album: address, track: nil) }
    #expect(error?.message == "cannot play \(address): only files and addresses with http or https can be played")
  }

  @Test func `The address of a stream is a track of its own, without a look into the library`() throws {
    let found = try finder.find(album: "https://radio.example/a", track: nil)
    #expect(found.collection.tracks.map(\.path.shown) == ["https://radio.example/a"])
    #expect(found.collection.title == "https://radio.example/a" && found.isTrack)
  }

  @Test func `An invalid query is refused with the column`() throws {
    let error = try error("artist:davis year:nineteen")
    #expect(error.status == .usage)
    #expect(error.message.contains("column"))
  }

  @Test func `A deleted album is not offered, and a new one is found`() throws {
    #expect(try finder.find(album: "haze", track: nil).collection.title == "Blue Haze")
    directory.remove("lib/Miles Davis/Blue Haze/0.flac")
    #expect(try error("haze").status == .notFound)
    try directory.write(SoundBytes.flac([("ALBUM", "Milestones")]), to: "lib/new/0.flac")
    #expect(try finder.find(album: "milestones", track: nil).collection.tracks.count == 1)
  }

  @Test func `A text that looks like a path is treated as one`() throws {
    #expect(
      try finder.find(album: directory["lib/Joni Mitchell"].string, track: "2").collection.title == "Blue")
    #expect(
      try finder.find(album: directory["lib/Miles Davis"].string, track: nil).collection.tracks.count == 3)
    let file = try finder.find(album: directory["lib/Miles Davis/Kind of Blue/1.flac"].string, track: nil)
    #expect(file.collection.title == "Blue in Green" && file.collection.tracks.count == 1)
    #expect(try error(directory["nosuch"].string).status == .notFound)
    #expect(try error("./nosuch-\(directory.path.lastComponent?.string ?? "")").status == .notFound)
  }

  @Test func `The entries of a playlist are also looked for below the library, where mpd means them`() throws {
    let list = try directory.write("Weezer/Weezer/0.flac\n".utf8, to: "lists/mpd.m3u")
    let found = try finder.find(album: list.string, track: nil)
    #expect(found.collection.tracks.map(\.path) == [directory["lib/Weezer/Weezer/0.flac"]])
    #expect(found.collection.tracks.map(\.title) == ["Buddy Holly"] && found.problems.isEmpty)
  }

  @Test func `A path reports skipped files, and why nothing can be played`() throws {
    try directory.write([], to: "lib/Joni Mitchell/Blue/empty.mp3")
    let problems = try finder.find(album: directory["lib/Joni Mitchell"].string, track: nil).problems
    #expect(problems.map(\.reason.description) == ["the file is empty"])
    let error = try error(directory["lib/broken"].string)
    #expect(error.status == .nothingPlayable)
    #expect(error.message.contains("a.mp3: the file is empty"))
    #expect(try self.error(directory["lib/broken/a.mp3"].string).status == .nothingPlayable)
    try directory.makeFIFO("pipe.mp3")
    #expect(try self.error(directory["pipe.mp3"].string).status == .unreadableLibrary)
  }

  @Test(arguments: ["nosuch", "pipe"])
  func `An unreadable library is an error that mentions --library`(name: String) throws {
    try directory.makeFIFO("pipe")
    let finder = Self.finder(directory[name], in: directory)
    let error = try #require(throws: PlayerError.self) { try finder.find(album: "blue", track: nil) }
    #expect(error.status == .unreadableLibrary)
    #expect(error.message.contains("--library"))
  }

  @Test func `A track number includes the disc if there are several`() {
    #expect(Examples.track("a", number: 3).numberPrefix == "03 ")
    #expect(Examples.track("a", number: 12, disc: Ordinal(1)).numberPrefix == "12 ")
    #expect(Examples.track("a", number: 3, disc: Ordinal(1, of: 2)).numberPrefix == "1-03 ")
    #expect(Examples.track("a", number: 3, disc: Ordinal(2)).numberPrefix == "2-03 ")
    #expect(Examples.track("a").numberPrefix.isEmpty)
  }

  @Test func `Rendering over a track that is played is refused`() throws {
    let found = try finder.find(album: "kind", track: nil)
    try directory.link("link.wav", to: "lib/Miles Davis/Kind of Blue/0.flac")
    for path in [directory["link.wav"], found.collection.tracks[1].path] {
      let error = try #require(throws: PlayerError.self) { try found.collection.check(isNotWrittenTo: path) }
      #expect(error.status == .usage)
    }
    try found.collection.check(isNotWrittenTo: directory["new.wav"])
    try found.collection.check(isNotWrittenTo: nil)
  }
}
