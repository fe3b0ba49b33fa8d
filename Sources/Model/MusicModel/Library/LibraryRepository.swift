public import SystemPackage

/// A library as the flow sees it: something that can be brought in step with the disk, and asked.
///
/// All calls block while the disk does; from any thread outside of the cooperative pool, and from several at once.
public protocol LibraryRepository: Sendable {
  /// Reads what has changed on the disk since the last time.
  ///
  /// - Parameters:
  ///   - progress: told some times a second how far it has come, on any thread.
  ///   - isCancelled: asked often, on any thread; where it says so, reading ends early, and what was read is kept.
  /// - Throws: ``LibraryError`` where nothing could be read, or it could not be kept.
  func scan(
    progress: @escaping @Sendable (ScanProgress) -> Void, isCancelled: @escaping @Sendable () -> Bool
  ) throws(LibraryError) -> ScanSummary

  /// Reads what has changed in a part of the library; otherwise as ``scan(progress:isCancelled:)``.
  func scan(
    _ scope: ScanScope, progress: @escaping @Sendable (ScanProgress) -> Void,
    isCancelled: @escaping @Sendable () -> Bool
  ) throws(LibraryError) -> ScanSummary

  /// The tracks of which `query` is true.
  func tracks(
    _ query: LibraryQuery, order: LibraryOrder, window: LibraryPage<TrackEntry>.Window
  ) throws(LibraryError) -> LibraryPage<TrackEntry>

  /// The albums with a track of which `query` is true.
  func albums(
    _ query: LibraryQuery, order: LibraryOrder, window: LibraryPage<AlbumEntry>.Window
  ) throws(LibraryError) -> LibraryPage<AlbumEntry>

  /// The artists, of tracks or albums, with a track of which `query` is true, by sort name; the counts are of what they
  /// have in all.
  func artists(
    _ query: LibraryQuery, window: LibraryPage<NameEntry>.Window
  ) throws(LibraryError) -> LibraryPage<NameEntry>

  /// The genres with a track of which `query` is true, by name; the counts are of what they have in all.
  func genres(
    _ query: LibraryQuery, window: LibraryPage<NameEntry>.Window
  ) throws(LibraryError) -> LibraryPage<NameEntry>

  /// What `text`, which may end within a word, finds among the tracks of which `query` is true: best first, at most
  /// `limit`.
  func search(_ text: String, among query: LibraryQuery, limit: Int) throws(LibraryError) -> [SearchHit]

  /// The album with this id and its tracks in playing order; `nil` where there is none any more.
  func album(_ id: Int64) throws(LibraryError) -> Album?

  /// The files and directories that cannot be in the library, by path.
  func problems(
    window: LibraryPage<ProblemEntry>.Window
  ) throws(LibraryError) -> LibraryPage<ProblemEntry>
}

extension LibraryRepository {
  /// The part `window` of what ``search(_:among:limit:)`` finds.
  public func hits(
    _ text: String, among query: LibraryQuery, window: LibraryPage<SearchHit>.Window
  ) throws(LibraryError) -> LibraryPage<SearchHit> {
    let end = window.limit.map { window.offset.addingReportingOverflow($0) } ?? (.max, true)
    // One more says whether there are more.
    let limit = end.overflow || end.partialValue == .max ? .max : end.partialValue + 1
    let hits = try search(text, among: query, limit: limit).dropFirst(window.offset)
    return LibraryPage(
      Array(hits.prefix(window.limit ?? .max)), hasMore: window.limit.map { hits.count > $0 } ?? false)
  }
}

/// A file or directory that cannot be in the library, and why.
public struct ProblemEntry: Sendable, Hashable {
  /// Where it is; absolute.
  public var path: FilePath
  /// Why, in words, as the end of a line.
  public var reason: String

  /// The problem `reason` with `path`.
  public init(path: FilePath, reason: String) {
    self.path = path
    self.reason = reason
  }
}

/// Why a library could not be read or asked.
public struct LibraryError: Error, Sendable, Hashable, CustomStringConvertible {
  /// What is at fault.
  public enum Kind: Sendable, Hashable {
    /// The directory is not there, or cannot be read.
    case directory
    /// The index cannot be read, written, or brought in step with the disk.
    case index
  }

  /// What is at fault.
  public var kind: Kind
  /// One line: what, where, and what to do. Not yet safe for a terminal.
  public var description: String

  /// A fault of this kind.
  public init(_ kind: Kind, _ description: String) {
    self.kind = kind
    self.description = description
  }
}

extension LibraryRepository {
  /// Reads all, which is right for every scope.
  public func scan(
    _ scope: ScanScope, progress: @escaping @Sendable (ScanProgress) -> Void,
    isCancelled: @escaping @Sendable () -> Bool
  ) throws(LibraryError) -> ScanSummary {
    try scan(progress: progress, isCancelled: isCancelled)
  }
}
