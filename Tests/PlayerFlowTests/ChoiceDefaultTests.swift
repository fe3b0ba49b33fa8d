import MusicModel
import SystemPackage
import Testing

/// What a repository offers as choices that has no better way of counting.
@Suite struct ChoiceDefaultTests {
  @Test func `decades and formats are counted over all tracks, by name`() throws {
    let library = TrackPile((0..<30).map { ($0 % 3 == 0 ? 1959 : 1962, $0 % 5 == 0 ? "FLAC" : "mp3") })
    let decades = try library.choices(of: .decade, among: .everything, window: .init())
    #expect(decades.elements.map(\.name) == ["1950s", "1960s"])
    #expect(decades.elements.map(\.trackCount) == [10, 20] && !decades.hasMore)
    #expect(decades.elements.map(\.albumCount) == [1, 1])
    let formats = try library.choices(of: .format, among: .everything, window: .init(limit: 1))
    #expect(formats.elements == [NameEntry(name: "flac", albumCount: 2, trackCount: 6)] && formats.hasMore)
    let rest = try library.choices(of: .format, among: .everything, window: .init(offset: 1))
    #expect(rest.elements.map(\.name) == ["mp3"] && !rest.hasMore)
  }
}

/// Tracks of these years and suffixes, an album a year, at most seven a page.
private struct TrackPile: LibraryRepository {
  let entries: [TrackEntry]

  init(_ facts: [(year: Int, suffix: String)]) {
    entries = facts.enumerated().map { number, fact in
      var track = Track(path: FilePath("/m/\(number).\(fact.suffix)"), title: "\(number)")
      track.date = ReleaseDate(year: fact.year)
      return TrackEntry(id: Int64(number), track: track, albumID: Int64(fact.year), added: 0)
    }
  }

  func tracks(
    _ query: LibraryQuery, order: LibraryOrder, window: LibraryPage<TrackEntry>.Window
  ) throws(LibraryFault) -> LibraryPage<TrackEntry> {
    let rest = entries.dropFirst(window.offset)
    let part = rest.prefix(min(7, window.limit ?? rest.count))
    return LibraryPage(Array(part), hasMore: part.count < rest.count)
  }

  func scan(
    progress: @escaping @Sendable (ScanProgress) -> Void, isCancelled: @escaping @Sendable () -> Bool
  ) throws(LibraryFault) -> ScanSummary { ScanSummary() }

  func albums(
    _ query: LibraryQuery, order: LibraryOrder, window: LibraryPage<AlbumEntry>.Window
  ) throws(LibraryFault) -> LibraryPage<AlbumEntry> { LibraryPage([]) }

  func artists(
    _ query: LibraryQuery, window: LibraryPage<NameEntry>.Window
  ) throws(LibraryFault) -> LibraryPage<NameEntry> { LibraryPage([]) }

  func genres(
    _ query: LibraryQuery, window: LibraryPage<NameEntry>.Window
  ) throws(LibraryFault) -> LibraryPage<NameEntry> { LibraryPage([]) }

  func search(_ text: String, among query: LibraryQuery, limit: Int) throws(LibraryFault) -> [SearchHit] {
    []
  }

  func album(_ id: Int64) throws(LibraryFault) -> Album? { nil }

  func problems(
    window: LibraryPage<ProblemEntry>.Window
  ) throws(LibraryFault) -> LibraryPage<ProblemEntry> { LibraryPage([]) }
}
