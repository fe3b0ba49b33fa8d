// SPDX-License-Identifier: GPL-3.0-or-later

import GRDB
import MusicModel
import Testing

@testable import LibraryIndex

@Suite struct TextSearchTests {
  let sample: SampleIndex

  init() throws {
    var sample = try SampleIndex()
    try sample.add("Blue Train", by: "John Coltrane", ["Blue Train", "Moment's Notice"], genre: "Jazz")
    try sample.add("Blue Trains", by: "Zoe", ["My Blue Train", "Train Blue", "Bluer"], genre: "Pop")
    try sample.add("Coltrane", by: "John Coltrane", ["Out of This World"], genre: "Jazz")
    try sample.add("Homage", by: "Alice Coltrane", ["Blue Nile"], genre: "Jazz")
    try sample.add("Best Of", by: "Various Artists", ["One", "The One"], artists: ["Coltrane"], genre: "Pop")
    try sample.add("夜曲", by: "!!!", ["夜", "東京の夜"])
    self.sample = sample
  }

  private func search(_ text: String, _ query: LibraryQuery = .everything, limit: Int = 20) throws -> [String] {
    let reader = IndexReader(database: sample.database, libraries: LibraryScope(1))
    return try reader.search(text, among: query, limit: limit).map { hit in
      switch hit {
      case .artist(let artist): "artist \(artist.name)"
      case .album(let album): "album \(album.title)"
      case .track(let track): "track \(track.track.title)"
      }
    }
  }

  @Test(arguments: [
    (
      "blue train",
      [
        "album Blue Train", "track Blue Train", "album Blue Trains", "track My Blue Train",
        "track Train Blue",
      ]
    ),
    (
      "Coltrane",
      [
        "artist Coltrane", "album Coltrane", "artist Alice Coltrane", "artist John Coltrane",
      ]
    ),
    ("coltrane blue train", ["album Blue Train", "track Blue Train"]),
    ("train coltr", ["album Blue Train", "track Blue Train"]),
    ("alice", ["artist Alice Coltrane"]),
    ("blue ", ["album Blue Train", "album Blue Trains", "track Blue Nile", "track Blue Train"]),
    ("夜", ["track 夜", "album 夜曲", "track 東京の夜"]), ("!!!", ["artist !!!"]),
    ("o", ["track Out of This World", "track One"]),
    ("the o", ["track The One"]), ("", []), ("\u{301}", []), ("zzz", []), ("jazz", []),
  ])
  func `The best hits come first`(text: String, hits: [String]) throws {
    #expect(try Array(search(text).prefix(hits.isEmpty ? 20 : hits.count)) == hits)
  }

  @Test func `A search is limited to a query's tracks and to a number of hits, and finds each hit once`() throws {
    let pop = LibraryQuery.text(.genre, TextPattern("pop"))
    #expect(try search("coltrane", pop) == ["artist Coltrane", "track One", "track The One"])
    #expect(
      try search("blue", pop) == [
        "album Blue Trains", "track Bluer", "track My Blue Train", "track Train Blue",
      ])
    #expect(try search("blue train", limit: 2) == ["album Blue Train", "track Blue Train"])
    #expect(try search("blue", limit: 0) == [])
    for text in ["b", "bl", "blu", "blue", "coltrane", "o", "train", "夜"] {
      let hits = try search(text)
      #expect(Set(hits).count == hits.count && !hits.isEmpty)
    }
  }

  @Test func `A search finds nothing in other libraries`() throws {
    try sample.database.write { database in
      try database.execute(sql: "INSERT INTO artist (key, name, sort) VALUES (' nobody ', 'Nobody', x'00')")
    }
    #expect(try search("nobody") == [])
    let other = IndexReader(database: sample.database, libraries: LibraryScope(2))
    #expect(try other.search("coltrane", among: .everything, limit: 9) == [])
    #expect(try other.search("blue train", among: .everything, limit: 9) == [])
  }
}

@Suite struct SpellingTests {
  private let sample: SampleIndex

  init() throws {
    var sample = try SampleIndex()
    try sample.add("Back in Black", by: "AC/DC", ["Hells Bells"])
    try sample.add("Murmur", by: "R.E.M.", ["Radio Free Europe"])
    try sample.add("Rumours", by: "Fleetwood Mac", ["Don’t Stop", "I’ll Follow"])
    try sample.add("Dont Stop", by: "REM", ["Stop"])
    try sample.add("The Blueprint", by: "Jay-Z", ["Ain't No Love"])
    try sample.add("Blue Train", by: "John Coltrane", ["Moment's Notice"])
    try sample.add("Coltrain", by: "Others", ["Trane"])
    try sample.add("Animal", by: "Ke$ha", ["Blah Blah Blah"])
    try sample.add("Группа крови", by: "Кино-Театр", ["Звезда"])
    try sample.add("M83", by: "M-83", ["Sitting"])
    try sample.add("100000", by: "Numbers", ["12345"])
    try sample.database.write { try JoinedWords($0).fill() }
    self.sample = sample
  }

  private func hits(_ text: String, limit: Int = 20) throws -> [String] {
    let reader = IndexReader(database: sample.database, libraries: LibraryScope(1))
    return try reader.search(text, among: .everything, limit: limit).map { hit in
      switch hit {
      case .artist(let artist): artist.name
      case .album(let album): "\(album.title)/"
      case .track(let track): track.track.title
      }
    }
  }

  @Test(arguments: [
    ("acdc", ["AC/DC", "Back in Black/", "Hells Bells"]), ("acd", ["AC/DC", "Back in Black/", "Hells Bells"]),
    ("acdc hells", ["Hells Bells"]), ("jayz", ["Jay-Z", "The Blueprint/", "Ain't No Love"]),
    ("rem", ["REM", "Dont Stop/", "Stop", "R.E.M.", "Murmur/", "Radio Free Europe"]),
    ("r.e.m.", ["R.E.M.", "Murmur/", "Radio Free Europe", "REM", "Dont Stop/", "Stop"]),
    ("dont stop", ["Dont Stop/", "Stop", "Don’t Stop"]), ("dont sto", ["Dont Stop/", "Stop", "Don’t Stop"]),
    ("don't stop", ["Don’t Stop", "Dont Stop/", "Stop"]), ("ill follow", ["I’ll Follow"]),
    ("kesha", ["Ke$ha", "Animal/", "Blah Blah Blah"]), ("кинотеатр", ["Кино-Театр", "Группа крови/", "Звезда"]),
    ("m83", ["M83/", "Sitting", "M-83"]), ("aint no", ["Ain't No Love"]), ("zacdc", []), ("cdc", []),
  ])
  func `Words are found whatever stands between their letters, after those that are as typed`(
    text: String, expected: [String]
  ) throws {
    #expect(try hits(text) == expected)
    #expect(try hits(text, limit: 1) == Array(expected.prefix(1)))
  }

  @Test(arguments: [
    ("coltrain", ["Coltrain/", "Trane", "John Coltrane", "Blue Train/", "Moment's Notice"]),
    ("coltranr", ["John Coltrane", "Blue Train/", "Moment's Notice"]),
    ("cotrane", ["John Coltrane", "Blue Train/", "Moment's Notice"]), ("xoltrane", ["John Coltrane"]),
    ("oltrane", ["John Coltrane"]), ("clotrane", ["John Coltrane"]), ("coltrrane", ["John Coltrane"]),
    ("coltranee", ["John Coltrane"]), ("coltren", ["John Coltrane"]), ("ccoltrane", ["John Coltrane"]),
    ("blue trian", ["Blue Train/"]), ("jonh coltrane", []), ("flwetwood rumuors", ["Rumours/"]),
    ("dont folow", []), ("ill folow", ["I’ll Follow"]), ("acdc blakc", ["Back in Black/"]), ("tran", ["Trane"]),
    ("tren", []), ("gruppa", []), ("групп крови", ["Группа крови/"]), ("крвои", ["Группа крови/"]),
    ("12346", []), ("100001", []), ("sittin", ["Sitting"]), ("zitting", ["Sitting"]),
  ])
  func `One slip in a word of five or more letters still finds`(text: String, expected: [String]) throws {
    #expect(try Array(hits(text).prefix(expected.isEmpty ? 20 : expected.count)) == expected)
  }

  @Test func `What is as typed comes before slips`() throws {
    #expect(try hits("coltrane") == ["John Coltrane", "Blue Train/", "Moment's Notice"])
    #expect(try hits("coltraine") == ["John Coltrane", "Coltrain/", "Blue Train/", "Moment's Notice", "Trane"])
    #expect(try hits("stopp") == ["Dont Stop/", "Don’t Stop", "Stop"])
  }

  @Test func `Listings find words whatever stands between their letters, but no slips`() throws {
    let reader = IndexReader(database: sample.database, libraries: LibraryScope(1))
    func titles(_ query: LibraryQuery) throws -> Set<String> {
      Set(try reader.tracks(query, order: LibraryOrder(), window: .init()).elements.map(\.track.title))
    }
    #expect(try titles(.text(.anywhere, TextPattern("acdc"))) == ["Hells Bells"])
    #expect(try titles(.text(.artist, TextPattern("rem"))) == ["Radio Free Europe", "Stop"])
    #expect(try titles(.text(.artist, TextPattern("R.E.M.", kind: .words))) == ["Radio Free Europe", "Stop"])
    #expect(try titles(.text(.artist, TextPattern("rem", kind: .exact))) == ["Stop"])
    #expect(try titles(.text(.title, TextPattern("dont st"))) == ["Don’t Stop"])
    #expect(try titles(.text(.artist, TextPattern("coltranr"))) == [])
    let others = try titles(.not(.text(.artist, TextPattern("acdc"))))
    #expect(!others.contains("Hells Bells") && others.count == sample.tracks.count - 1)
    #expect(try reader.artists(.text(.artist, TextPattern("jayz")), window: .init()).elements.map(\.name) == ["Jay-Z"])
    #expect(try reader.count(of: .tracks, matching: .text(.anywhere, TextPattern("acdc"))) == 1)
  }
}

@Suite struct CompletionTests {
  private let sample: SampleIndex
  private let reader: IndexReader
  private let jazz = LibraryQuery.text(.genre, TextPattern("jazz", kind: .exact))

  init() throws {
    var sample = try SampleIndex()
    try sample.add("Blue Train", by: "John Coltrane", ["Blue Train", "Locomotion"], genre: "Jazz")
    try sample.add("Blue", by: "Joni Mitchell", ["Carey"], genre: "Folk")
    try sample.add("Blue", by: "Third Eye Blind", ["Anything"], genre: "Rock")
    try sample.add("Kind of Blue", by: "Miles Davis", ["So What"], genre: "Jazz")
    try sample.add("Étude", by: "!!!", ["One"], genre: "Acid Jazz")
    try sample.add("夜曲", by: "夜の人", ["夜"], genre: "歌")
    self.sample = sample
    reader = IndexReader(database: sample.database, libraries: LibraryScope(1))
  }

  private func albums(_ text: String, _ query: LibraryQuery = .everything, limit: Int = 20) throws -> [String] {
    try AlbumCompletion(reader: reader, query: query, limit: limit).albums(text).map {
      ($0.isByArtist ? "by \($0.name.artist ?? "")/" : "") + $0.name.title + ($0.isAmbiguous ? "*" : "")
    }
  }

  @Test(arguments: [
    ("blue", ["Blue Train", "Blue*", "Blue*", "Kind of Blue"]),
    ("BLUE ", ["Blue Train", "Blue*", "Blue*", "Kind of Blue"]),
    ("blue t", ["Blue Train"]), ("b", ["Blue Train", "Blue*", "Blue*"]),
    ("o", ["Kind of Blue"]), ("etu", ["Étude"]), ("夜", ["夜曲"]), ("夜曲", ["夜曲"]), ("zzz", []), ("?", []),
    ("joni", ["by Joni Mitchell/Blue*"]), ("joni mitchell/b", ["by Joni Mitchell/Blue*"]),
    ("joni/", ["by Joni Mitchell/Blue*"]), ("joni/z", []), ("mitchell", []),
  ])
  func `Albums whose title begins with the text come first, then those with a word that does`(
    text: String, titles: [String]
  ) throws {
    #expect(try albums(text) == titles)
  }

  @Test func `Completed albums match the query and are limited in number`() throws {
    #expect(try albums("blue", jazz) == ["Blue Train", "Kind of Blue"])
    #expect(try albums("", jazz) == ["Blue Train", "Kind of Blue"])
    #expect(try albums("").count == 6)
    #expect(try albums("joni", jazz).isEmpty)
    #expect(try albums("blue", limit: 2) == ["Blue Train", "Blue*"])
    #expect(try albums("blue", limit: 0).isEmpty)
  }

  @Test func `Artists and genres are completed by their first word, or by any word`() throws {
    func names(_ kind: NameKind, _ text: String, _ query: LibraryQuery = .everything) throws -> [String] {
      try NameCompletion(reader: reader, query: query, limit: 20).names(kind, text)
    }
    #expect(try names(.artists, "j") == ["John Coltrane", "Joni Mitchell"])
    #expect(try names(.artists, "colt") == ["John Coltrane"])
    #expect(try names(.artists, "j", jazz) == ["John Coltrane"])
    #expect(try names(.artists, "夜") == ["夜の人"])
    #expect(try names(.artists, "", jazz) == ["John Coltrane", "Miles Davis"])
    #expect(try names(.genres, "jazz") == ["Jazz", "Acid Jazz"])
    #expect(try names(.genres, "jazz", jazz) == ["Jazz"])
    #expect(try names(.genres, "?").isEmpty)
  }

  @Test func `Only decades and formats of existing tracks are listed`() throws {
    try sample.database.write {
      try $0.execute(sql: "UPDATE track SET year = 1957 WHERE title = 'So What'")
      try $0.execute(sql: "UPDATE track SET year = 1971 WHERE title = 'Carey'")
    }
    let everything = NameCompletion(reader: reader, query: .everything, limit: 20)
    #expect(try everything.decades() == [1950, 1970])
    let narrowed = NameCompletion(reader: reader, query: jazz, limit: 20)
    #expect(try narrowed.decades() == [1950])
    #expect(try !everything.formats().isEmpty)
  }
}
