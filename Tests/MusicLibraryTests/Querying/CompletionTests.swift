import GRDB
import MusicModel
import Testing

@testable import MusicLibrary

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
    reader = IndexReader(database: sample.database, libraries: AskedLibraries(1))
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
  func `Albums that begin so come first, then those with a word that does`(
    text: String, titles: [String]
  ) throws {
    #expect(try albums(text) == titles)
  }

  @Test func `Albums are narrowed by the query, and no more than asked for`() throws {
    #expect(try albums("blue", jazz) == ["Blue Train", "Kind of Blue"])
    #expect(try albums("", jazz) == ["Blue Train", "Kind of Blue"])
    #expect(try albums("").count == 6)
    #expect(try albums("joni", jazz).isEmpty)
    #expect(try albums("blue", limit: 2) == ["Blue Train", "Blue*"])
    #expect(try albums("blue", limit: 0).isEmpty)
  }

  @Test func `Names of artists and genres begin so, or have a word that does`() throws {
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

  @Test func `Decades and formats are those that there are`() throws {
    try sample.database.write {
      try $0.execute(sql: "UPDATE track SET year = 1957 WHERE title = 'So What'")
      try $0.execute(sql: "UPDATE track SET year = 1971 WHERE title = 'Carey'")
    }
    let all = NameCompletion(reader: reader, query: .everything, limit: 20)
    #expect(try all.decades() == [1950, 1970])
    let narrowed = NameCompletion(reader: reader, query: jazz, limit: 20)
    #expect(try narrowed.decades() == [1950])
    #expect(try !all.formats().isEmpty)
  }
}
