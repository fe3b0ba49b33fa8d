import SystemPackage
import TestSupport
import Testing
import UnicodeText

@testable import MusicLibrary
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
      .artist, .albumArtist, .album, .title, .genre, .artistSort, .further(.performer), .further(.label),
    ]
    let subject: TrackFilter.Subject =
      Int.random(in: 0..<6, using: &random) == 0
      ? .anyField : .field(fields.randomElement(using: &random) ?? .artist)
    let comparison =
      [TrackFilter.Comparison.equals, .contains, .begins].randomElement(using: &random) ?? .equals
    return .text(subject, comparison, text(&random, 0...2), ignoresCase: Bool.random(using: &random))
  }

  private static let tags: [TrackTag] = [
    .artist, .album, .albumArtist, .title, .genre, .track, .disc, .date, .further(.performer),
    .further(.label),
    .further(.work),
  ]

  /// What a filter says of a track, one value after the other.
  private static func naive(_ filter: TrackFilter, _ track: Track) -> Bool {
    switch filter {
    case .not(let inner): return !naive(inner, track)
    case .all(let parts): return parts.allSatisfy { naive($0, track) }
    case .text(let subject, let comparison, let text, let ignoresCase):
      let own: [String]
      var values: [String]
      if case .field(let field) = subject {
        own = track.values(of: field)
        values = own.isEmpty ? field.fallback.map { track.values(of: $0) } ?? [] : own
      } else {
        values = Self.tags.flatMap { track.values(of: $0) }
        own = values
      }
      if text.isEmpty { return comparison == .equals ? own.isEmpty : true }
      if ignoresCase { values = values.map(\.caseFolded) }
      let wanted = Array((ignoresCase ? text.caseFolded : text).utf8)
      return values.contains { value in
        let value = Array(value.utf8)
        switch comparison {
        case .equals: return value == wanted
        case .begins: return value.starts(with: wanted)
        case .contains:
          return value.indices.contains { value[$0...].starts(with: wanted) }
        }
      }
    default: return true
    }
  }

  @Test func `A filter finds the tracks of which it is true, whatever stands in their tags`() throws {
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
      let expected = Set(tracks.filter { Self.naive(filter, $0.track) }.map(\.id))
      #expect(found == expected, "seed \(seed): \(filter)")
    }
  }

  @Test func `Deep and wide filters are answered`() throws {
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

  @Test func `Directories are told level by level, without those that have no music`() throws {
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
    #expect(try rig.library().browse { try $0.place("empty") } == .some(nil))
  }
}

extension Track {
  /// The values of a field.
  fileprivate func values(of field: TrackTag) -> [String] {
    switch field {
    case .artist: artists
    case .album: album.map { [$0] } ?? []
    case .albumArtist: albumArtists
    case .title: [title]
    case .genre: genres
    case .track: number.map { ["\($0.number)"] } ?? []
    case .disc: disc.map { ["\($0.number)"] } ?? []
    case .date: date.map { ["\($0.year)"] } ?? []
    case .further(let kind): furtherTags[kind]
    case .artistSort, .albumSort, .albumArtistSort, .composer, .musicBrainzAlbumID: []
    }
  }
}
