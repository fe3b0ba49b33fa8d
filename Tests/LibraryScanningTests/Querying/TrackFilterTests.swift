// SPDX-License-Identifier: GPL-3.0-or-later

import SystemPackage
import TestSupport
import Testing
import UnicodeText

@testable import LibraryIndex
@testable import LibraryScanning
@testable import MusicModel

@Suite struct TrackFilterTests {
  private static let pieces = [
    "Blue", "blue", "BLUE", "Train", "é", "e\u{301}", "É", "ß", "ss", "夜曲", "ｶﾞ", "ガ", " ", "-", "'", "’", "/",
    "12\"",
    "!!!", "ﬁ", "fi", "İ", "x", "%", "_", "\\", "Ø", "o",
  ]

  private static func text(_ random: inout SeededGenerator, _ range: ClosedRange<Int>) -> String {
    (0..<Int.random(in: range, using: &random)).map { _ in pieces.randomElement(using: &random) ?? "" }
      .joined()
  }

  private static func filter(_ random: inout SeededGenerator, depth: Int) -> TrackFilter {
    if depth > 0, Int.random(in: 0..<3, using: &random) == 0 {
      let inner = (0..<Int.random(in: 0...3, using: &random)).map { _ in
        filter(&random, depth: depth - 1)
      }
      return Bool.random(using: &random) ? .all(inner) : .not(.all(inner))
    }
    let fields: [TrackTag] = [
      .artist, .albumArtist, .album, .title, .genre, .artistSort, .additional(.performer), .additional(.label),
    ]
    let subject: TrackFilter.Subject =
      Int.random(in: 0..<6, using: &random) == 0
      ? .anyField : .field(fields.randomElement(using: &random) ?? .artist)
    let comparison =
      [TrackFilter.Comparison.equals, .contains, .begins].randomElement(using: &random) ?? .equals
    let ignoresCase = Bool.random(using: &random)
    return .text(
      subject, comparison, text(&random, 0...2), ignoresCase: ignoresCase,
      ignoresDiacritics: ignoresCase && Int.random(in: 0..<4, using: &random) == 0)
  }

  private static let tags: [TrackTag] = [
    .artist, .album, .albumArtist, .title, .genre, .track, .disc, .date, .releaseDate, .additional(.performer),
    .additional(.label),
    .additional(.work),
  ]

  /// Returns whether a track matches a filter, comparing its values one by one.
  private static func matches(_ filter: TrackFilter, _ track: Track) -> Bool {
    switch filter {
    case .not(let inner): return !matches(inner, track)
    case .all(let parts): return parts.allSatisfy { matches($0, track) }
    case .text(let subject, let comparison, let text, let ignoresCase, let ignoresDiacritics):
      var values: [String]
      if case .field(let field) = subject {
        values = ([field] + field.fallbacks).lazy.map { track.values(of: $0) }.first { !$0.isEmpty } ?? []
      } else {
        values = Self.tags.flatMap { track.values(of: $0) }
      }
      if text.isEmpty { return comparison == .equals ? values.isEmpty : true }
      let fold = { (text: String) in
        ignoresDiacritics ? text.foldedForMatching : ignoresCase ? text.caseFolded : text
      }
      values = values.map(fold)
      let foldedText = Array(fold(text).utf8)
      if foldedText.isEmpty { return comparison == .equals ? values.contains("") : !values.isEmpty }
      return values.contains { value in
        let value = Array(value.utf8)
        switch comparison {
        case .equals: return value == foldedText
        case .begins: return value.starts(with: foldedText)
        case .matches: return false
        case .contains:
          return value.indices.contains { value[$0...].starts(with: foldedText) }
        }
      }
    default: return true
    }
  }

  @Test func `A filter finds exactly the matching tracks, whatever their tags contain`() throws {
    let rig = try ScanRig()
    var random = SeededGenerator(seed: 11)
    for number in 0..<60 {
      var tags: [(String, String)] = []
      for name in [
        "TITLE", "ARTIST", "ARTIST", "ALBUM", "ALBUMARTIST", "GENRE", "PERFORMER", "PERFORMER", "LABEL",
      ] {
        let text = Self.text(&random, 0...3)
        if !text.isEmpty { tags.append((name, text)) }
      }
      try rig.add("\(number % 5)/\(number).flac", tags)
    }
    try rig.scan()
    let library = rig.library()
    let tracks = try library.browse { try $0.tracks(try $0.trackIDs(.everything)) } ?? []
    #expect(tracks.count == 60)
    for seed in 0..<400 {
      var random = SeededGenerator(seed: UInt64(seed))
      let filter = Self.filter(&random, depth: 3)
      let found = Set(try library.browse { try $0.trackIDs(filter) } ?? [])
      let expected = Set(tracks.filter { Self.matches(filter, $0.track) }.map(\.id))
      #expect(found == expected, "seed \(seed): \(filter)")
    }
  }

  @Test func `Regular expressions match in any tag`() throws {
    let rig = try ScanRig()
    try rig.add("a/1.flac", [("TITLE", "Gymnopédie No. 1"), ("PERFORMER", "Ann Lee"), ("DATE", "1888")])
    try rig.add("a/2.flac", [("TITLE", "Nocturne"), ("ARTIST", "Bob"), ("ARTIST", "Eve")])
    try rig.scan()
    func titles(_ filter: TrackFilter) throws -> [String] {
      try rig.library().browse { try $0.tracks($0.trackIDs(filter)).map(\.track.title) } ?? []
    }
    func pattern(_ text: String, _ subject: TrackFilter.Subject, ignoresCase: Bool = false) -> TrackFilter {
      .text(subject, .matches, text, ignoresCase: ignoresCase)
    }
    #expect(try titles(pattern("^N.*e$", .field(.title))) == ["Nocturne"])
    #expect(try titles(pattern("^n.*E$", .field(.title))) == [])
    #expect(try titles(pattern("^n.*E$", .field(.title), ignoresCase: true)) == ["Nocturne"])
    #expect(try titles(pattern("^Eve$", .field(.artist))) == ["Nocturne"])
    #expect(try titles(.not(pattern("^Eve$", .field(.artist)))) == ["Gymnopédie No. 1"])
    #expect(try titles(pattern("^188\\d$", .anyField)) == ["Gymnopédie No. 1"])
    #expect(try titles(pattern("n L", .anyField)) == ["Gymnopédie No. 1"])
    #expect(try titles(pattern("n L", .field(.additional(.performer)))) == ["Gymnopédie No. 1"])
    #expect(try titles(pattern("2\\.flac", .file)) == ["Nocturne"])
    #expect(try titles(pattern("", .anyField)).count == 2 && titles(pattern("(", .anyField)).isEmpty)
  }

  @Test func `A regular expression that would take too long is abandoned soon`() throws {
    let rig = try ScanRig()
    for number in 0..<50 {
      try rig.add("a/\(number).flac", [("TITLE", String(repeating: "a", count: 2_000) + "\(number)")])
    }
    try rig.scan()
    let filter = TrackFilter.text(.anyField, .matches, "^(a+)+$", ignoresCase: false)
    #expect(
      try rig.library().browse { browser in
        _ = try browser.trackIDs(filter)
        return browser.isIncomplete
      } == true)
  }

  @Test func `A missing tag with a fallback does not count as empty`() throws {
    let rig = try ScanRig()
    try rig.add("a/1.flac", [("TITLE", "One"), ("ARTIST", "X"), ("ALBUM", "A")])
    try rig.add("a/2.flac", [("TITLE", "Two"), ("ALBUM", "A")])
    try rig.scan()
    func count(_ tag: TrackTag) throws -> Int? {
      try rig.library().browse {
        try $0.trackIDs(.text(.field(tag), .equals, "", ignoresCase: false)).count
      }
    }
    #expect(try count(.albumArtist) == 1 && count(.albumArtistSort) == 1 && count(.artistSort) == 1)
    #expect(try count(.albumSort) == 0 && count(.titleSort) == 0 && count(.genre) == 2)
  }

  @Test func `Deep and wide filters are evaluated`() throws {
    let rig = try ScanRig()
    try rig.add("a/1.flac", album: "A", 1)
    try rig.scan()
    var deep = TrackFilter.text(.field(.artist), .equals, "Artist", ignoresCase: false)
    for _ in 0..<40 {
      deep = .not(.all([.text(.field(.title), .contains, "no", ignoresCase: true), .not(deep)]))
    }
    let wide = TrackFilter.all(
      (0..<256).map {
        .text(.field(.artist), .equals, $0.isMultiple(of: 2) ? "Artist" : "", ignoresCase: true)
      })
    #expect(try rig.library().browse { try $0.trackIDs(wide) } == [])
    #expect(try rig.library().browse { try $0.trackIDs(.not(wide)) }?.count == 1)
    _ = try rig.library().browse { try $0.trackIDs(deep) }
  }

  @Test func `Directories are listed level by level, without those that have no music`() throws {
    let rig = try ScanRig()
    for name in ["a/x/1.flac", "a b/1.flac", "a0/1.flac", "b/1.flac", "b/c/d/1.flac", "1.flac"] {
      try rig.add(name, album: name, 1)
    }
    try rig.directory.makeDirectory("music/empty/er")
    try rig.scan()
    func directories(_ path: FilePath) throws -> [FilePath] {
      try rig.library().browse { try $0.directories(in: path).map(\.path) } ?? []
    }
    #expect(try directories("") == ["a", "a b", "a0", "b"])
    #expect(try directories("a") == ["a/x"] && directories("b") == ["b/c"] && directories("b/c") == ["b/c/d"])
    #expect(try directories("empty").isEmpty && directories("nope").isEmpty)
    #expect(try rig.library().browse { try $0.target(at: "empty") } == .some(nil))
  }
}

extension Track {
  /// Returns the values of a field.
  fileprivate func values(of field: TrackTag) -> [String] {
    switch field {
    case .artist: artists
    case .album: album.map { [$0] } ?? []
    case .albumArtist: albumArtists
    case .title: [title]
    case .genre: genres
    case .track: number.map { ["\($0.number)"] } ?? []
    case .disc: disc.map { ["\($0.number)"] } ?? []
    case .date, .releaseDate: date.map { ["\($0.year)"] } ?? []
    case .additional(let kind): additionalTags[kind]
    case .artistSort, .albumSort, .albumArtistSort, .titleSort, .composer, .musicBrainzAlbumID: []
    }
  }
}
