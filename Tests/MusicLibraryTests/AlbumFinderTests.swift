import MusicLibrary
import MusicModel
import Testing

struct AlbumFinderTests {
  private static func album(_ title: String, _ artist: String?) -> Album {
    Album(title: title, artist: artist, tracks: [track("/m/1.x", album: title, artist: artist)])
  }

  private let finder = AlbumFinder([
    album("Kind of Blue", "Miles Davis"), album("Kind of Blue (Legacy)", "Miles Davis"),
    album("A Kind of Magic", "Queen"), album("Greatest Hits", "Queen"), album("Greatest Hits", "ABBA"),
    album("AC/DC Live", "AC/DC"), album("Für Elise", "Beethoven"), album("夜曲", "久石 譲"), album("Demos", nil),
    album("Blue", "Joni Mitchell"), album("Live", "Queensrÿche"), album("Live", "Queen"),
  ])

  private func find(_ query: String) -> [String] {
    switch finder.find(query) {
    case .found(let album): ["=", name(album)]
    case .ambiguous(let albums): ["*"] + albums.map(name)
    case .none(let suggestions): ["?"] + suggestions.map(name)
    }
  }

  private func name(_ album: Album) -> String { "\(album.artist ?? "-")/\(album.title)" }

  @Test(
    arguments: [
      // Exact before prefix before substring.
      ("Kind of Blue", ["=", "Miles Davis/Kind of Blue"]),
      ("kind OF  blue", ["=", "Miles Davis/Kind of Blue"]),
      ("Blue", ["=", "Joni Mitchell/Blue"]),
      ("Kind", ["*", "Miles Davis/Kind of Blue", "Miles Davis/Kind of Blue (Legacy)"]),
      ("kind of m", ["=", "Queen/A Kind of Magic"]), ("legacy", ["=", "Miles Davis/Kind of Blue (Legacy)"]),
      // Case, diacritics, width.
      ("fur elise", ["=", "Beethoven/Für Elise"]), ("ｂｌｕｅ", ["=", "Joni Mitchell/Blue"]),
      ("夜曲", ["=", "久石 譲/夜曲"]),
      // Several.
      ("Greatest Hits", ["*", "Queen/Greatest Hits", "ABBA/Greatest Hits"]),
      ("great", ["*", "Queen/Greatest Hits", "ABBA/Greatest Hits"]),
      // With the artist.
      ("ABBA/Greatest Hits", ["=", "ABBA/Greatest Hits"]), ("abba / great", ["=", "ABBA/Greatest Hits"]),
      ("Davis/Kind of Blue", ["=", "Miles Davis/Kind of Blue"]), ("Queen/Live", ["=", "Queen/Live"]),
      ("Quee/Live", ["*", "Queensrÿche/Live", "Queen/Live"]),
      // A slash in a name.
      ("AC/DC Live", ["=", "AC/DC/AC/DC Live"]), ("AC/DC/AC/DC Live", ["=", "AC/DC/AC/DC Live"]),
      ("ac/dc/live", ["=", "AC/DC/AC/DC Live"]),
      // None.
      ("Kind of Bleu", ["?", "Miles Davis/Kind of Blue", "Miles Davis/Kind of Blue (Legacy)"]),
      ("Miles Davis", ["?", "Miles Davis/Kind of Blue", "Miles Davis/Kind of Blue (Legacy)"]),
      ("Queen/Demo", ["?", "-/Demos"]), ("xyzzy", ["?"]), ("", ["?"]), ("  ", ["?"]),
      ("Queen/", ["?"]), ("demos", ["=", "-/Demos"]), ("Lvie", ["?", "Queensrÿche/Live", "Queen/Live"]),
    ] as [(String, [String])])
  func `A query finds`(query: String, expected: [String]) {
    #expect(find(query) == expected)
  }

  @Test func `Sort names find too`() {
    var album = Self.album("夜曲", "久石 譲")
    album.sortTitle = "やきょく"
    album.sortArtist = "Hisaishi, Joe"
    #expect(AlbumFinder([album]).find("やきょく") == .found(album))
    #expect(AlbumFinder([album]).find("hisaishi/夜") == .found(album))
  }

  @Test func `A long query in a large library does no harm`() {
    let albums = (0..<2_000).map { Self.album("Album \($0)", "Artist") }
    let query = String(repeating: "a/", count: 50_000)
    #expect(AlbumFinder(albums).find(query) == .none(suggestions: []))
  }
}

struct TrackFinderTests {
  private let single = [
    track("/m/Intro.x", number: 1), track("/m/So What.x", number: 2), track("/m/What.x", number: 3),
    track("/m/7.x", number: 4), track("/m/1999.x", number: 5), track("/m/Café.x", number: 6),
  ]
  private let double =
    (1...3).map { (n: Int) in track("/m/A\(n).x", number: n, disc: 1) }
    + (1...5).map { (n: Int) in track("/m/B\(n).x", number: n, disc: 2) }
  private let plain = ["b", "a"].map { track("/m/\($0).x") }

  @Test(
    arguments: [
      ("1", Match.found(0)), ("3", .found(2)), ("03", .found(2)), ("３", .found(2)), ("6", .found(5)),
      ("1-2", .found(1)), ("so what", .found(1)), ("what", .found(2)), ("cafe", .found(5)),
      ("int", .found(0)),
      ("7", .found(3)), ("1999", .found(4)), ("0", .none(suggestions: [])), ("8", .none(suggestions: [])),
      ("2-1", .none(suggestions: [])), ("99999999999999999999", .none(suggestions: [])),
      ("", .none(suggestions: [])),
      ("-1", .none(suggestions: [])), ("So Waht", .none(suggestions: [1])), ("a", .ambiguous([1, 2, 5])),
    ] as [(String, Match<Int>)])
  func `On one disc`(query: String, expected: Match<Int>) {
    #expect(TrackFinder(single).find(query) == expected)
  }

  @Test(
    arguments: [
      ("2", Match.found(1)), ("2-2", .found(4)), ("1-3", .found(2)), ("8", .found(7)),
      ("4", .ambiguous([3, 6])),
      ("9", .none(suggestions: [])), ("3-1", .none(suggestions: [])), ("B2", .found(4)), ("6", .found(5)),
    ] as [(String, Match<Int>)])
  func `On two discs`(query: String, expected: Match<Int>) {
    #expect(TrackFinder(double).find(query) == expected)
  }

  @Test func `Without numbers tracks are counted`() {
    #expect(TrackFinder(plain).find("2") == .found(1))
    #expect(TrackFinder(plain).find("3") == .none(suggestions: []))
    #expect(TrackFinder([]).find("1") == .none(suggestions: []))
  }

  @Test func `One number on two tracks is ambiguous`() {
    #expect(TrackFinder([single[0], single[0]]).find("1") == .ambiguous([0, 1]))
  }
}
