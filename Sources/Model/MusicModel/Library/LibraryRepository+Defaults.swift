import SystemPackage

extension LibraryRepository {
  /// Reads all, which is right for every scope.
  public func scan(
    _ scope: ScanScope, progress: @escaping @Sendable (ScanProgress) -> Void,
    isCancelled: @escaping @Sendable () -> Bool
  ) throws(LibraryFault) -> ScanSummary {
    try scan(progress: progress, isCancelled: isCancelled)
  }

  /// Counts decades and formats track by track, a thousand at a time.
  public func choices(
    of kind: LibraryFilters.Kind, among query: LibraryQuery, window: LibraryPage<NameEntry>.Window
  ) throws(LibraryFault) -> LibraryPage<NameEntry> {
    switch kind {
    case .genre: return try genres(query, window: window)
    case .artist: return try artists(query, window: window)
    case .decade, .format: break
    }
    var counts: [String: (albums: Set<Int64>, trackCount: Int)] = [:]
    var offset = 0
    while true {
      let page = try tracks(query, order: LibraryOrder(), window: .init(offset: offset, limit: 1000))
      for entry in page.elements {
        guard let name = kind == .decade ? entry.decade : entry.format else { continue }
        counts[name, default: ([], 0)].trackCount += 1
        if let album = entry.albumID { counts[name]?.albums.insert(album) }
      }
      offset += page.elements.count
      if !page.hasMore || page.elements.isEmpty { break }
    }
    let entries = counts.sorted { $0.key < $1.key }.dropFirst(window.offset).map { name, count in
      NameEntry(name: name, albumCount: count.albums.count, trackCount: count.trackCount)
    }
    let part = Array(entries.prefix(window.limit ?? entries.count))
    return LibraryPage(part, hasMore: part.count < entries.count)
  }
}

extension TrackEntry {
  /// The ten years of its release: "1950s".
  fileprivate var decade: String? { track.date.map { "\($0.year / 10 * 10)s" } }

  /// The suffix of its file.
  fileprivate var format: String? { track.path.extension?.lowercased() }
}
