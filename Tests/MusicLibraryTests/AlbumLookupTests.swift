import MusicModel
import SystemPackage
import Testing

@testable import AlbumGrouping
@testable import LibraryIndex
@testable import LibraryScanning
@testable import Tagging

struct AlbumLookupTests {
  private static let albums: [(title: String, artist: String?)] = [
    ("Kind of Blue", "Miles Davis"), ("Kind of Blue (Legacy)", "Miles Davis"), ("A Kind of Magic", "Queen"),
    ("Greatest Hits", "Queen"), ("Greatest Hits", "ABBA"), ("AC/DC Live", "AC/DC"),
    ("Für Elise", "Beethoven"),
    ("夜曲", "久石 譲"), ("Demos", nil), ("Blue", "Joni Mitchell"), ("Live", "Queensrÿche"), ("Live", "Queen"),
  ]

  /// A library with these albums, and with what is to be said of each.
  private static func library(
    _ albums: [(title: String, artist: String?)], _ tags: [(String, String)] = []
  ) throws -> ScanRig {
    let rig = try ScanRig()
    for (number, album) in albums.enumerated() {
      try rig.add(
        "\(number)/1.flac",
        [("TITLE", "One"), ("ALBUM", album.title)] + (album.artist.map { [("ARTIST", $0)] } ?? []) + tags)
    }
    try rig.scan()
    return rig
  }

  private static func find(_ query: String, in rig: ScanRig) throws -> [String] {
    switch try IndexedLibrary(index: rig.index, roots: LibraryRoots(rig.root)).findAlbum(query) {
    case .found(let album): ["=", name(album)]
    case .ambiguous(let albums): ["*"] + albums.map(name)
    case .none(let suggestions): ["?"] + suggestions.map(name)
    }
  }

  private static func name(_ album: AlbumName) -> String { "\(album.artist ?? "-")/\(album.title)" }

  private static let answers: [(query: String, answer: [String])] = [
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
    ("mils davis", ["?", "Miles Davis/Kind of Blue", "Miles Davis/Kind of Blue (Legacy)"]),
    ("Beethofen", ["?", "Beethoven/Für Elise"]),
    ("Queen/Demo", ["?", "-/Demos"]), ("xyzzy", ["?"]), ("", ["?"]), ("  ", ["?"]),
    ("Queen/", ["?", "Queen/A Kind of Magic", "Queen/Greatest Hits", "Queen/Live"]),
    ("demos", ["=", "-/Demos"]), ("Lvie", ["?", "Queensrÿche/Live", "Queen/Live"]),
  ]

  @Test func `A query finds what is called so, or says what is nearest`() throws {
    let rig = try Self.library(Self.albums)
    for (query, answer) in Self.answers {
      let found = try Self.find(query, in: rig)
      #expect(
        found.prefix(1) + found.dropFirst().sorted() == answer.prefix(1) + answer.dropFirst().sorted(),
        "\(query)")
    }
  }

  @Test func `Sort names find too`() throws {
    let rig = try Self.library(
      [("夜曲", "久石 譲")], [("ALBUMSORT", "やきょく"), ("ALBUMARTISTSORT", "Hisaishi, Joe")])
    #expect(try Self.find("やきょく", in: rig) == ["=", "久石 譲/夜曲"])
    #expect(try Self.find("hisaishi/夜", in: rig) == ["=", "久石 譲/夜曲"])
  }

  @Test func `A long query does no harm`() throws {
    let rig = try Self.library([("Album", "Artist")])
    #expect(try Self.find(String(repeating: "a/", count: 50_000), in: rig) == ["?"])
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

struct AlbumOrderTests {
  private func album(
    _ title: String, _ artist: String?, year: Int? = nil, month: Int? = nil, sortArtist: String? = nil,
    sortTitle: String? = nil
  ) -> Album {
    var album = Album(title: title, artist: artist, tracks: [Track(path: "/m/1.x", title: "1")])
    album.date = year.flatMap { ReleaseDate(year: $0, month: month) }
    album.sortArtist = sortArtist
    album.sortTitle = sortTitle
    return album
  }

  @Test func `Keys put albums in order by artist, date and title`() {
    let albums = [
      album("10cc", "10cc"), album("Waterloo", "ABBA", year: 1974), album("The Visitors", "ABBA"),
      album("Volume 9", "ABBA"), album("Volume 10", "ABBA"), album("Post", "BJORK", year: 1995, month: 6),
      album("Debut", "Björk", year: 1996), album("A", "The Beatles", year: 1960, sortArtist: "C"),
      album("Die Mensch-Maschine", "Die Krupps"), album("Los Angeles", "El Ten Eleven"),
      album("a", "宇多田ヒカル", sortArtist: "うただひかる"), album("a", "サカナクション"),
      album("a", "東京事変"), album("A", nil, year: 1990), album("B", nil, year: 1990), album("A", nil),
    ]
    let keys = albums.map { AlbumOrder.sortKey(of: $0) }
    for (index, key) in keys.enumerated().dropFirst() {
      #expect(
        keys[index - 1].lexicographicallyPrecedes(key), "\(albums[index - 1].title), \(albums[index].title)")
    }
    #expect(AlbumOrder.sorted(albums.reversed()) == albums)
  }

  @Test func `Articles do not count but where they are all, and sort names stand in`() {
    func title(_ title: String, sort: String? = nil) -> [UInt8] {
      Array(AlbumOrder.titleKey(of: album(title, nil, sortTitle: sort)).prefix { $0 != 1 })
    }
    #expect(title("The Wall") == title("Wall"))
    #expect(title("a wall") == title("An  Wall"))
    #expect(title("The") != title(""))
    #expect(title("Theory") != title("ory"))
    #expect(title("Die Wall") != title("Wall"))
    #expect(title("X", sort: "Wall") == title("The Wall"))
    var track = Track(path: "/m/1.x", title: "The End")
    #expect(AlbumOrder.titleKey(of: track) == AlbumOrder.nameKey("End"))
    track.sortNames.title = "Finish"
    #expect(AlbumOrder.titleKey(of: track) == AlbumOrder.nameKey("x", sortName: "Finish"))
  }

  @Test func `Artists that match have one key`() {
    #expect(AlbumOrder.artistKey(of: album("", "Björk")) == AlbumOrder.artistKey(of: album("", "bjork")))
    #expect(AlbumOrder.artistKey(of: album("", "The Who")) == AlbumOrder.artistKey(of: album("", "Who")))
  }
}
