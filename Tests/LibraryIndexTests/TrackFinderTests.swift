// SPDX-License-Identifier: GPL-3.0-or-later

import LibraryIndex
import MusicModel
import SystemPackage
import Testing

struct TrackFinderTests {
  private let oneDisc = [
    track("/m/Intro.x", number: 1), track("/m/So What.x", number: 2), track("/m/What.x", number: 3),
    track("/m/7.x", number: 4), track("/m/1999.x", number: 5), track("/m/Café.x", number: 6),
  ]
  private let twoDiscs =
    (1...3).map { (n: Int) in track("/m/A\(n).x", number: n, disc: 1) }
    + (1...5).map { (n: Int) in track("/m/B\(n).x", number: n, disc: 2) }
  private let unnumbered = ["b", "a"].map { track("/m/\($0).x") }

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
  func `Finds tracks on one disc`(query: String, expected: Match<Int>) {
    #expect(TrackFinder(oneDisc).find(query) == expected)
  }

  @Test(
    arguments: [
      ("2", Match.found(1)), ("2-2", .found(4)), ("1-3", .found(2)), ("8", .found(7)),
      ("4", .ambiguous([3, 6])),
      ("9", .none(suggestions: [])), ("3-1", .none(suggestions: [])), ("B2", .found(4)), ("6", .found(5)),
    ] as [(String, Match<Int>)])
  func `Finds tracks on two discs`(query: String, expected: Match<Int>) {
    #expect(TrackFinder(twoDiscs).find(query) == expected)
  }

  @Test(
    arguments: [
      ("A1", Match.found(0)), ("b1", .found(2)), ("Ｂ1", .found(2)), ("101", .found(0)), ("B3", .found(3)),
      ("C1", .none(suggestions: [])),
    ] as [(String, Match<Int>)])
  func `Finds tracks by a number that is not in digits`(query: String, expected: Match<Int>) {
    var tracks = [("A1", 101), ("A2", 102), ("B1", 201)].map { written, number in
      var track = track("/m/Song \(number).x", number: number)
      track.additionalTags = AdditionalTags([.init(.writtenNumber, written)])
      return track
    }
    tracks.append(track("/m/B3.x", number: 9))
    #expect(TrackFinder(tracks).find(query) == expected)
  }

  @Test(
    arguments: [
      ("dont stop", Match.found(0)), ("dont", .found(0)), ("don't stop believing", .found(1)), ("believign", .found(1)),
      ("dont stpo", .none(suggestions: [0])), ("tnt", .found(2)), ("t.n.t", .found(2)), ("hells belsl", .found(3)),
      ("hlels blels", .found(3)), ("20000", .none(suggestions: [4])), ("op", .found(0)),
    ] as [(String, Match<Int>)])
  func `Titles are found whatever stands between their letters, and with a slip in a long word`(
    query: String, expected: Match<Int>
  ) {
    let titles = ["Don’t Stop", "Don't Stop Believing", "TNT", "Hells Bells", "10000"]
    let tracks = titles.map { title in
      var track = track("/m/x")
      track.title = title
      return track
    }
    let found = TrackFinder(tracks).find(query)
    switch (found, expected) {
    case (.none, .none): break
    default: #expect(found == expected || expected == .found(0) && found == .ambiguous([0, 1]))
    }
  }

  @Test func `Tracks without numbers are counted in order`() {
    #expect(TrackFinder(unnumbered).find("2") == .found(1))
    #expect(TrackFinder(unnumbered).find("3") == .none(suggestions: []))
    #expect(TrackFinder([]).find("1") == .none(suggestions: []))
  }

  @Test func `A number that two tracks have is ambiguous`() {
    #expect(TrackFinder([oneDisc[0], oneDisc[0]]).find("1") == .ambiguous([0, 1]))
  }
}

/// Returns a track with this path and these numbers.
private func track(_ path: String, number: Int? = nil, disc: Int? = nil) -> Track {
  let path = FilePath(path)
  var track = Track(path: path, title: path.stem ?? "")
  track.number = number.map { Ordinal($0) }
  track.disc = disc.map { Ordinal($0) }
  return track
}
