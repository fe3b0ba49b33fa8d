// SPDX-License-Identifier: GPL-3.0-or-later

import AlbumGrouping
import MusicModel
import SystemPackage
import Testing

/// Copies, editions, singles, loose files, discs, and numbers in file names.
struct AlbumGroupingRuleTests {
  /// Returns "title: file file" for each album, with the files' names and suffixes.
  private func groups(_ tracks: [Track]) -> [String] {
    let inOrder = AlbumGrouping.albums(of: tracks).map(\.files)
    #expect(
      inOrder == AlbumGrouping.albums(of: tracks.reversed()).map(\.files),
      "the order of the tracks does not matter")
    return inOrder
  }

  /// Returns tracks of one album with these numbers.
  private func album(
    _ directory: String, suffix: String, title: String? = "Low", artist: String = "Bowie",
    numbers: ClosedRange<Int> = 1...3, disc: Int? = nil, release: String? = nil, year: Int? = nil
  ) -> [Track] {
    numbers.map { number in
      track(
        "\(directory)/\(disc.map { "\($0)-" } ?? "")0\(number).\(suffix)", album: title, artist: artist,
        number: number,
        disc: disc, year: year, release: release)
    }
  }

  // MARK: Copies

  @Test func `Copies in one directory give an album for each format`() {
    #expect(
      groups(album("/m/Low", suffix: "flac") + album("/m/Low", suffix: "MP3")) == [
        "Low: 01.MP3 02.MP3 03.MP3", "Low: 01.flac 02.flac 03.flac",
      ])
  }

  @Test func `Copies without tags are recognised by file name`() {
    let tracks = ["flac", "mp3"].flatMap { (suffix: String) in
      ["Warszawa", "Art Decade"].map { (name: String) in track("/m/Low/\(name).\(suffix)") }
    }
    #expect(
      groups(tracks) == [
        "Low: Art Decade.flac Warszawa.flac", "Low: Art Decade.mp3 Warszawa.mp3",
      ])
  }

  @Test func `Copies of one release are separate albums`() {
    let id = "11111111-1111-1111-1111-111111111111"
    #expect(
      groups(album("/m/Low", suffix: "flac", release: id) + album("/m/Low", suffix: "ogg", release: id)).count
        == 2)
    let unnumbered = ["flac", "ogg"].map { (suffix: String) in
      track("/m/\(suffix)/a.\(suffix)", album: "Low", release: id)
    }
    #expect(groups(unnumbered).count == 2)
  }

  @Test func `An additional track in another format is not an album of its own`() {
    #expect(
      groups(album("/m/Low", suffix: "flac") + album("/m/Low", suffix: "mp3", numbers: 4...5)) == [
        "Low: 01.flac 02.flac 03.flac 04.mp3 05.mp3"
      ])
    // The additional track joins the larger copy.
    #expect(
      groups(
        album("/m/Low", suffix: "flac") + album("/m/Low", suffix: "mp3", numbers: 1...2)
          + album("/m/Low", suffix: "ogg", numbers: 4...4)) == [
          "Low: 01.flac 02.flac 03.flac 04.ogg", "Low: 01.mp3 02.mp3",
        ])
    #expect(
      groups(album("/m/Low", suffix: "flac", numbers: 1...5) + album("/m/Low", suffix: "mp3", numbers: 5...9))
        == ["Low: 01.flac 02.flac 03.flac 04.flac 05.flac 05.mp3 06.mp3 07.mp3 08.mp3 09.mp3"])
  }

  @Test func `Copies in sibling directories are separate albums`() {
    #expect(
      groups(album("/m/Low (FLAC)", suffix: "flac") + album("/m/Low [MP3]", suffix: "mp3")) == [
        "Low: 01.flac 02.flac 03.flac", "Low: 01.mp3 02.mp3 03.mp3",
      ])
  }

  @Test func `Each of several copies may span several directories`() {
    let tracks = ["flac", "mp3"].flatMap { (suffix: String) in
      album("/m/\(suffix) a", suffix: suffix, disc: 1) + album("/m/\(suffix) b", suffix: suffix, disc: 2)
    }
    #expect(groups(tracks).count == 2)
    #expect(Set(AlbumGrouping.albums(of: tracks).map(\.tracks.count)) == [6])
    let discs = ["flac", "mp3"].flatMap { (suffix: String) in
      album("/m/Low/CD1", suffix: suffix) + album("/m/Low/CD2", suffix: suffix)
    }
    #expect(groups(discs).count == 2)
  }

  @Test func `Different suffixes of one format are not copies`() {
    #expect(
      groups([track("/m/A/1.aif", album: "A", number: 1), track("/m/A/2.AIFF", album: "A", number: 1)]) == [
        "A: 1.aif 2.AIFF"
      ])
  }

  @Test func `A track that occurs twice in one format is listed twice, in a stable order`() {
    #expect(
      groups([
        track("/m/A/1 (2).x", album: "A", number: 1), track("/m/A/1.x", album: "A", number: 1),
        track("/m/A/2.x", album: "A", number: 2),
      ]) == ["A: 1 (2).x 1.x 2.x"])
  }

  // MARK: Editions

  @Test func `Editions with different titles are separate albums`() {
    #expect(
      groups(
        album("/m/Low", suffix: "flac")
          + album("/m/Low", suffix: "flac", title: "Low (Remastered)", numbers: 4...6)
      )
      .count == 2)
  }

  @Test
  func
    `Years do not split an album in one directory, but order editions in two directories`()
  {
    #expect(
      groups(
        album("/m/Low", suffix: "flac", year: 1977)
          + album("/m/Low", suffix: "flac", numbers: 4...5, year: 1991)
      )
      .count == 1)
    let editions =
      album("/m/Low 1999", suffix: "flac", year: 1999) + album("/m/Low 1977", suffix: "flac", year: 1977)
    #expect(AlbumGrouping.albums(of: editions).map(\.date?.year) == [1977, 1999])
  }

  // MARK: Singles and loose files

  @Test func `A single is an album under its own title`() {
    #expect(
      groups([
        track("/m/Singles/a.x", album: "a", artist: "X", number: 1),
        track("/m/Singles/b.x", album: "b", artist: "X"),
      ]) == ["a: a.x", "b: b.x"])
  }

  @Test func `Loose files form one album under their directory's name`() {
    let loose = ["A", "B", "C"].map { (name: String) in
      track("/m/Downloads/\(name).x", artist: name, number: 1)
    }
    #expect(groups(loose) == ["Downloads: A.x B.x C.x"])
    #expect(AlbumGrouping.albums(of: loose).map(\.artist) == ["Various Artists"])
    let byOneArtist = ["a", "b"].map { (name: String) in track("/m/Queen/\(name).x", artist: "Queen") }
    #expect(
      groups(byOneArtist + [track("/m/Queen/Jazz/1.x", album: "Jazz", artist: "Queen", number: 1)]).count == 2)
  }

  @Test func `Loose files join an album with their directory's name only if they fit`() {
    #expect(
      groups(
        album("/m/Queen", suffix: "x", title: "Queen", artist: "Queen") + [
          track("/m/Queen/extra.x", artist: "Queen", number: 4),
          track("/m/Queen/loose.x", artist: "Queen", number: 2),
          track("/m/Queen/other.x", artist: "ABBA"),
        ]) == ["Queen: 01.x 02.x 03.x extra.x", "Queen: loose.x other.x"])
  }

  @Test func `Whole untitled albums in one directory are separated by artist`() {
    let tracks = ["A", "B"].flatMap { (artist: String) in
      (1...3).map { (number: Int) in track("/m/Two/\(artist)\(number).x", artist: artist, number: number) }
    }
    #expect(groups(tracks) == ["Two: A1.x A2.x A3.x", "Two: B1.x B2.x B3.x"])
  }

  // MARK: Discs

  @Test(arguments: [
    ("The Wall (Disc 1: Live)", "The Wall"), ("The Wall [CD2 - Extras]", "The Wall"),
    ("The Wall, Disc 1: Live", "The Wall"), ("The Wall - CD 2 - Live", "The Wall"),
    ("The Wall (Disc 1) (Live)", "The Wall (Disc 1) (Live)"), ("Compact Disc 1", "Compact Disc 1"),
    ("Live (CD 2001)", "Live (CD 2001)"), ("ACD-1", "ACD-1"), ("Discovery 2", "Discovery 2"),
  ])
  func `A disc number in an album title may be followed by the title of the disc`(tag: String, title: String) {
    #expect(AlbumGrouping.albums(of: [track("/m/1.x", album: tag)]).map(\.title) == [title])
  }

  @Test func `The discs of a box set are one album`() {
    let tracks = ["CD1 - Live", "Box CD2 - Demos", "Disc 3"].enumerated().map { index, name in
      track("/m/Box/\(name)/1.x", album: "Box", artist: "X", number: 1, disc: index == 2 ? nil : index + 1)
    }
    #expect(AlbumGrouping.albums(of: [tracks[0], tracks[2]]).map(\.tracks.count) == [2])
    #expect(AlbumGrouping.albums(of: tracks).map(\.tracks.count) == [3])
  }

  @Test func `A hidden track comes before the first track`() {
    #expect(
      groups([track("/m/A/b.x", album: "A", number: 1), track("/m/A/a.x", album: "A", number: 0)]) == [
        "A: a.x b.x"
      ])
  }

  /// Returns tracks of one album on a disc with this title.
  private func disc(
    _ subtitle: String?, _ name: String, _ numbers: ClosedRange<Int>, disc: Int? = nil, areNumbered: Bool = true
  ) -> [Track] {
    numbers.map { number in
      var track = track("/m/A/\(name)\(number).x", album: "A", number: areNumbered ? number : nil, disc: disc)
      track.additionalTags = AdditionalTags(subtitle.map { [AdditionalTags.Value(.discSubtitle, $0)] } ?? [])
      return track
    }
  }

  @Test(arguments: [true, false])
  func `Discs that only their titles tell apart come one after the other`(areNumbered: Bool) {
    var tracks = disc("Studio", "b", 1...2, areNumbered: areNumbered)
    tracks += disc("Live", "a", 1...2, areNumbered: areNumbered) + disc("Demos", "c", 1...2, areNumbered: areNumbered)
    #expect(groups(tracks) == ["A: a1.x a2.x b1.x b2.x c1.x c2.x"])
    #expect(AlbumGrouping.albums(of: tracks).flatMap(\.tracks).allSatisfy { $0.disc == nil }, "no number is invented")
  }

  @Test func `Of discs with titles, those with the lower numbers come first, then the one without a title`() {
    #expect(groups(disc("Autumn", "a", 3...4) + disc("Summer", "b", 1...2)) == ["A: b1.x b2.x a3.x a4.x"])
    #expect(groups(disc("Bonus", "a", 1...2) + disc(nil, "b", 1...2)) == ["A: b1.x b2.x a1.x a2.x"])
  }

  @Test func `A title of a disc that some tracks lack, or beside a disc number, does not change the order`() {
    let tracks = disc("Live", "a", 1...1) + disc(nil, "a", 2...2) + disc("Live", "a", 3...4)
    #expect(groups(tracks) == ["A: a1.x a2.x a3.x a4.x"])
    let numbered = disc("Live", "a", 1...2, disc: 2) + disc("Studio", "b", 1...2, disc: 1)
    #expect(groups(numbered) == ["A: b1.x b2.x a1.x a2.x"])
    #expect(groups(numbered + disc("Extra", "c", 1...1)) == ["A: b1.x c1.x b2.x a1.x a2.x"])
  }

  // MARK: Numbers in names

  private func numbers(_ names: [String]) -> [Int?] {
    AlbumGrouping.albums(of: names.map { (name: String) in track("/m/A/\(name).x") }).flatMap(\.tracks).map(
      \.number?.number)
  }

  @Test func `A number before a file name is the track number if all files agree`() throws {
    let album = try #require(
      AlbumGrouping.albums(of: ["2 B", "1 A", "3. C"].map { (name: String) in track("/m/A/\(name).x") }).first
    )
    #expect(album.tracks.map(\.number?.number) == [1, 2, 3])
    #expect(album.tracks.map(\.title) == ["A", "B", "C"])
    #expect(numbers(["99 Luftballons"]) == [nil])
    #expect(numbers(["99 Luftballons", "7 Rings"]) == [nil, nil], "too high")
    #expect(numbers(["1 A", "1 B"]) == [nil, nil], "twice")
    #expect(numbers(["1 A", "2 B", "C"]) == [nil, nil, nil], "not all")
  }

  @Test func `Numbers in tags count when file names are checked`() {
    let tagged = (1...9).map { (number: Int) in track("/m/A/0\(number) x.x", number: number) }
    let numbered = AlbumGrouping.albums(of: tagged + [track("/m/A/10 Last.x")]).flatMap(\.tracks)
    #expect(numbered.last?.number?.number == 10)
    #expect(numbered.last?.title == "Last")
    let clashing = AlbumGrouping.albums(of: tagged + [track("/m/A/9 Last.x")]).flatMap(\.tracks)
    #expect(clashing.last?.title == "9 Last")
    #expect(clashing.last?.number == nil)
  }

  @Test func `A title from a tag is not changed`() {
    var titled = track("/m/A/2 B.x")
    titled.title = "2 Become 1"
    let tracks = AlbumGrouping.albums(of: [track("/m/A/1 A.x"), titled]).flatMap(\.tracks)
    #expect(tracks.map(\.title) == ["1 A", "2 Become 1"])
  }
}

extension Album {
  fileprivate var files: String {
    "\(title): \(tracks.map { $0.path.lastComponent?.string ?? "" }.joined(separator: " "))"
  }
}
