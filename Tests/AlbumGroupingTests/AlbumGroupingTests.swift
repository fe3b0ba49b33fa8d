// SPDX-License-Identifier: GPL-3.0-or-later

import AlbumGrouping
import MusicModel
import SystemPackage
import Testing

/// Returns a track with this path and these tags.
func track(
  _ path: String, album: String? = nil, artist: String? = nil, albumArtist: String? = nil, number: Int? = nil,
  disc: Int? = nil, year: Int? = nil, release: String? = nil, isCompilation: Bool = false
) -> Track {
  let path = FilePath(path)
  var track = Track(path: path, title: path.stem ?? "")
  track.album = album
  track.artists = artist.map { [$0] } ?? []
  track.albumArtists = albumArtist.map { [$0] } ?? []
  track.number = number.map { Ordinal($0) }
  track.disc = disc.map { Ordinal($0) }
  track.date = year.flatMap { ReleaseDate(year: $0) }
  track.musicBrainzAlbumID = release
  track.isCompilation = isCompilation
  return track
}

struct AlbumGroupingTests {
  /// Returns "artist/title: file file" for each album.
  private func groups(_ tracks: [Track]) -> [String] {
    let inOrder = AlbumGrouping.albums(of: tracks).map(\.summary)
    let reversed = AlbumGrouping.albums(of: tracks.reversed()).map(\.summary)
    #expect(inOrder == reversed, "the order of the tracks does not matter")
    return inOrder
  }

  @Test func `No tracks give no albums`() {
    #expect(AlbumGrouping.albums(of: []).isEmpty)
  }

  @Test func `Tracks are sorted by disc, then number, then natural name`() {
    #expect(
      groups([
        track("/m/b10.x", album: "A"), track("/m/b9.x", album: "A"), track("/m/z.x", album: "A", number: 2),
        track("/m/y.x", album: "A", number: 10), track("/m/x.x", album: "A", number: 1, disc: 2),
        track("/m/w.x", album: "A", number: 0),
      ]) == ["-/A: w z y b9 b10 x"])
  }

  @Test func `Titles and artists are compared in folded form`() {
    #expect(
      groups([
        track("/m/1.x", album: "Für Elise", artist: "Björk", number: 1),
        track("/m/2.x", album: "FUR ELISE", artist: "Bjork", number: 2),
      ]) == ["Björk/Für Elise: 1 2"])
  }

  @Test func `An album has one credit, whether or not each of its tracks lists the persons`() throws {
    var listed = track("/m/1.x", album: "Duets", artist: "A", number: 1)
    listed.albumArtists = ["Ann", "Bea"]
    listed.additionalTags = AdditionalTags([.init(.albumArtistCredit, "Ann & Bea")])
    let plain = track("/n/2.x", album: "Duets", artist: "B", albumArtist: "Ann & Bea", number: 2)
    #expect(groups([listed, plain]) == ["Ann & Bea/Duets: 1 2"])
    // Another credit of the same persons is another album.
    var other = listed
    other.path = "/o/3.x"
    other.additionalTags = AdditionalTags([.init(.albumArtistCredit, "Bea with Ann")])
    #expect(groups([listed, other]).count == 2)
    #expect(listed.isContinued(by: plain))
  }

  @Test func `Without an album artist, an album has the credit of its tracks`() {
    let credited = ["Ann feat. Bea", "Ann feat. Bea", "Ann & Bea"].enumerated().map { index, credit in
      var track = track("/m/\(index).x", album: "Duets", number: index)
      track.artists = ["Ann", "Bea"]
      track.additionalTags = AdditionalTags([.init(.artistCredit, credit)])
      return track
    }
    #expect(groups(Array(credited[..<2])) == ["Ann feat. Bea/Duets: 0 1"])
    #expect(groups(credited) == ["Ann, Bea/Duets: 0 1 2"])
  }

  @Test func `The album artist takes precedence over the artist`() {
    #expect(
      groups([
        track("/m/1.x", album: "Duets", artist: "A", albumArtist: "Band", number: 1),
        track("/m/2.x", album: "Duets", artist: "B", albumArtist: "Band", number: 2),
        track("/m/3.x", album: "Duets", artist: "C", number: 3),
      ]) == ["Band/Duets: 1 2 3"])
  }

  @Test func `Albums with one title by different artists are separate`() {
    let byDirectory = [
      track("/m/q/1.x", album: "Greatest Hits", artist: "Queen", number: 1),
      track("/m/a/2.x", album: "Greatest Hits", artist: "ABBA", number: 2),
    ]
    #expect(groups(byDirectory) == ["ABBA/Greatest Hits: 2", "Queen/Greatest Hits: 1"])
    let byAlbumArtist = [
      track("/m/1.x", album: "Greatest Hits", albumArtist: "Queen", number: 1),
      track("/m/2.x", album: "Greatest Hits", albumArtist: "ABBA", number: 2),
    ]
    #expect(groups(byAlbumArtist) == ["ABBA/Greatest Hits: 2", "Queen/Greatest Hits: 1"])
    let inOneDirectory = ["Queen", "ABBA"].flatMap { (artist: String) in
      (1...3).map { (n: Int) in track("/m/\(artist)\(n).x", album: "Greatest Hits", artist: artist, number: n)
      }
    }
    #expect(
      groups(inOneDirectory) == [
        "ABBA/Greatest Hits: ABBA1 ABBA2 ABBA3", "Queen/Greatest Hits: Queen1 Queen2 Queen3",
      ])
  }

  @Test func `Different artists with one title in one directory make a compilation`() {
    let tracks = (1...4).map { (n: Int) in track("/m/\(n).x", album: "Mix", artist: "Artist \(n)", number: n)
    }
    #expect(groups(tracks) == ["[Various Artists]/Mix: 1 2 3 4"])
    // Two discs without a disc tag.
    let twoDiscs = (1...4).map { (n: Int) in
      track("/m/b\(n).x", album: "Mix", artist: "Other \(n)", number: n)
    }
    #expect(groups(tracks + twoDiscs).count == 1)
  }

  @Test func `Guests do not make a compilation`() {
    #expect(
      groups([
        track("/m/1.x", album: "A", artist: "Star", number: 1),
        track("/m/2.x", album: "A", artist: "Star feat. Guest", number: 2),
        track("/m/3.x", album: "A", artist: "Star (ft. Other)", number: 3),
      ]) == ["Star/A: 1 2 3"])
  }

  @Test(arguments: [
    "Star feat. Guest", "Star Feat Guest", "Star feat.Guest", "Star\u{A0}feat. Guest", "Star [ft. Guest]",
    "Star featuring Guest", "Star (ft.Guest)",
  ])
  func `Guests are recognised in any spelling`(artist: String) {
    let tracks = [
      track("/m/1.x", album: "A", artist: "Star", number: 1), track("/m/2.x", album: "A", artist: artist, number: 2),
    ]
    let albums = AlbumGrouping.albums(of: tracks)
    #expect(albums.map(\.artist) == ["Star"] && albums.map(\.isCompilation) == [false])
  }

  @Test func `An artist whom every track names is the album's artist`() {
    var first = track("/m/1.x", album: "A", number: 1)
    first.artists = ["Guest", "Star"]
    var second = track("/m/2.x", album: "A", number: 2)
    second.artists = ["Star", "Other"]
    #expect(groups([first, second]) == ["Star/A: 1 2"])
  }

  @Test func `Various Artists, in any spelling, is a compilation`() {
    for name in ["Various Artists", "various", "VA"] {
      let albums = AlbumGrouping.albums(of: [
        track("/m/1.x", album: "A", artist: "X", albumArtist: name, number: 1),
        track("/n/2.x", album: "A", artist: "Y", albumArtist: name, number: 2),
      ])
      #expect(albums.map(\.isCompilation) == [true])
      #expect(albums.map(\.artist) == [name])
    }
  }

  @Test func `The compilation flag keeps an album together, even across its artists' directories`() {
    #expect(
      groups([
        track("/m/ABBA/1.x", album: "Hits", artist: "ABBA", number: 1, isCompilation: true),
        track("/m/Queen/2.x", album: "Hits", artist: "Queen", number: 2, isCompilation: true),
      ]) == ["[Various Artists]/Hits: 1 2"])
    #expect(
      groups([
        track("/m/1.x", album: "Hits", artist: "ABBA", albumArtist: "ABBA", number: 1, isCompilation: true),
        track("/m/2.x", album: "Hits", artist: "Queen", albumArtist: "Queen", number: 2, isCompilation: true),
      ]) == ["[Various Artists]/Hits: 1 2"])
  }

  @Test func `The compilation flag on an album of one artist does not change the album's artist`() {
    #expect(
      groups([
        track("/m/1.x", album: "Best", artist: "Queen", number: 1, isCompilation: true),
        track("/m/2.x", album: "Best", artist: "Queen", number: 2, isCompilation: true),
      ]) == ["Queen/Best: 1 2"])
  }

  @Test(arguments: [
    ("CD1", "CD2"), ("Disc 1", "Disc 2"), ("disk-01", "disk-02"), ("CD 1 - Live", "CD 2 - Studio"),
    ("Wall (Disc 1)", "Wall (Disc 2)"), ("Wall CD1", "Wall CD2"), ("[cd1]", "[cd2]"),
  ])
  func `Disc directories are merged under their parent`(first: String, second: String) {
    let albums = AlbumGrouping.albums(of: [
      track("/m/Wall/\(second)/1.x", album: "The Wall", artist: "PF", number: 1),
      track("/m/Wall/\(first)/1.x", album: "The Wall", artist: "PF", number: 1),
    ])
    #expect(albums.count == 1)
    #expect(albums.first?.tracks.map(\.disc?.number) == [1, 2])
    // Without tags, the parent's name is the title.
    let untagged = AlbumGrouping.albums(of: [track("/m/Wall/\(second)/1.x"), track("/m/Wall/\(first)/1.x")])
    #expect(untagged.map(\.title) == ["Wall"])
    #expect(untagged.first?.tracks.map(\.disc?.number) == [1, 2])
  }

  @Test(arguments: ["Discovery", "ABCD1", "CD", "Disco 2", "CD 101", "Discs", "CD1x", "Acid 3"])
  func `Directories that only look like discs are not merged`(name: String) {
    let albums = AlbumGrouping.albums(of: [track("/m/Parent/\(name)/1.x")])
    #expect(albums.map(\.title) == [name])
    #expect(albums.first?.tracks.first?.disc == nil)
  }

  @Test func `A disc in a title tag is the disc number`() {
    let albums = AlbumGrouping.albums(of: [
      track("/m/a/1.x", album: "The Wall (Disc 2)", artist: "PF", number: 1),
      track("/m/b/1.x", album: "The Wall [CD1]", artist: "PF", number: 1),
    ])
    #expect(albums.map(\.title) == ["The Wall"])
    #expect(albums.first?.tracks.map(\.disc?.number) == [1, 2])
    #expect(AlbumGrouping.albums(of: [track("/m/1.x", album: "Disc 1")]).map(\.title) == ["Disc 1"])
  }

  @Test func `One title in several directories is one album unless track numbers clash`() {
    #expect(
      groups([
        track("/a/1.x", album: "A", artist: "X", number: 1),
        track("/b/2.x", album: "A", artist: "X", number: 2),
      ]) == ["X/A: 1 2"])
    #expect(
      groups([
        track("/a/1.x", album: "A", artist: "X", number: 1, disc: 1),
        track("/b/2.x", album: "A", artist: "X", number: 1, disc: 2),
      ]) == ["X/A: 1 2"])
    #expect(
      groups([
        track("/flac/1.x", album: "A", artist: "X", number: 1),
        track("/mp3/2.x", album: "A", artist: "X", number: 1),
      ]) == ["X/A: 1", "X/A: 2"])
    #expect(
      groups([
        track("/a/1.x", album: "A", artist: "X"), track("/b/2.x", album: "A", artist: "X"),
      ]) == ["X/A: 1", "X/A: 2"])
    #expect(groups([track("/a/Live/1.x"), track("/b/Live/2.x")]) == ["-/Live: 1", "-/Live: 2"])
  }

  @Test func `A MusicBrainz id joins and separates albums`() {
    let first = "11111111-1111-1111-1111-111111111111"
    let second = "22222222-2222-2222-2222-222222222222"
    #expect(
      groups([
        track("/a/1.x", album: "A", artist: "X", release: first),
        track("/b/2.x", album: "A (bonus)", artist: "Y", release: first),
      ]) == ["[Various Artists]/A: 1 2"])
    #expect(
      groups([
        track("/a/1.x", album: "A", artist: "X", number: 1, release: first),
        track("/a/2.x", album: "A", artist: "X", number: 2, release: second),
      ]) == ["X/A: 1", "X/A: 2"])
    #expect(
      groups([
        track("/a/1.x", album: "A", artist: "X", number: 1, release: first),
        track("/a/2.x", album: "A", artist: "X", number: 2), track("/a/3.x", album: "A", number: 3),
        track("/a/4.x", album: "A", artist: "Y", number: 4),
      ]) == ["X/A: 1 2 3", "Y/A: 4"])
  }

  @Test func `Untagged files form an album with their directory's name`() {
    #expect(
      groups([
        track("/m/Demos/b.x"), track("/m/Demos/a.x"), track("/m/Demos/c.x", album: "Tagged"),
        track("/m/Demos/d.x", album: "Demos"),
      ]) == ["-/Demos: a b d", "-/Tagged: c"])
    #expect(groups([track("a.x")]) == ["-/Untitled: a"])
  }

  @Test func `An album has the title and date of most of its tracks`() throws {
    let album = try #require(
      AlbumGrouping.albums(of: [
        track("/m/1.x", album: "the wall", artist: "PF", number: 1, year: 1979),
        track("/m/2.x", album: "The Wall", artist: "PF", number: 2, year: 1980),
        track("/m/3.x", album: "The Wall", artist: "PF", number: 3, year: 1980),
      ]).first)
    #expect(album.title == "The Wall")
    #expect(album.date?.year == 1980)
  }

  @Test func `Albums are sorted by artist, date and title, with sort names and without articles`() {
    func album(_ title: String, _ artist: String?, _ year: Int? = nil, sort: String? = nil) -> Track {
      var track = track("/m/\(title)/1.x", album: title, artist: artist, year: year)
      track.sortNames.artist = sort
      return track
    }
    #expect(
      groups([
        album("Z", nil), album("Kind of Blue", "Miles Davis", 1959, sort: "Davis, Miles"),
        album("Abbey Road", "The Beatles", 1969), album("Help!", "The Beatles", 1965),
        album("Volume 10", "ABBA"), album("The Volume 9", "ABBA"), album("Waterloo", "ABBA", 1974),
        album("Unknown", "Éa"), album("A", "The"),
      ]).map { $0.prefix { $0 != ":" } } == [
        "ABBA/Waterloo", "ABBA/The Volume 9", "ABBA/Volume 10", "The Beatles/Help!", "The Beatles/Abbey Road",
        "Miles Davis/Kind of Blue", "Éa/Unknown", "The/A", "-/Z",
      ])
  }

  @Test(arguments: [UInt64(1), 2, 3, 4, 5])
  func `Every track is in exactly one album, whatever the tags`(seed: UInt64) {
    var random = SeededRandom(state: seed)
    let releases = ["11111111-1111-1111-1111-111111111111", "22222222-2222-2222-2222-222222222222"]
    let tracks = (0..<300).map { index in
      track(
        "/m/\(["a", "b", "CD1", "CD2", "a/Disc 1"].randomElement(using: &random) ?? "")/\(index).x",
        album: [nil, "A", "B", "A (Disc 2)"].randomElement(using: &random) ?? nil,
        artist: [nil, "X", "Y", "X feat. Y"].randomElement(using: &random) ?? nil,
        albumArtist: [nil, nil, "X", "VA"].randomElement(using: &random) ?? nil,
        number: [nil, 1, 2, index].randomElement(using: &random) ?? nil,
        release: [nil, nil, releases[0], releases[1]].randomElement(using: &random) ?? nil,
        isCompilation: index % 7 == 0)
    }
    let grouped = groups(tracks)
    let files = grouped.flatMap { $0.drop { $0 != ":" }.dropFirst(2).split(separator: " ") }
    #expect(files.map(String.init).sorted() == tracks.map(\.title).sorted())
  }

  @Test func `Many copies of one album stay separate`() {
    let tracks = (0..<1_000).map { track("/m/\($0)/1.x", album: "A", artist: "X", number: 1) }
    #expect(AlbumGrouping.albums(of: tracks).count == 1_000)
  }
}

private struct SeededRandom: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return state ^ (state >> 33)
  }
}

extension Album {
  fileprivate var summary: String {
    let artist = artist.map { isCompilation ? "[\($0)]" : $0 } ?? "-"
    return "\(artist)/\(title): \(tracks.map(\.title).joined(separator: " "))"
  }
}
