// SPDX-License-Identifier: GPL-3.0-or-later

public import SystemPackage

/// A library that can be updated from the disk and queried, as the player's flow needs it.
///
/// All calls block until the disk has been read or written. They may be made concurrently, from any thread outside the
/// cooperative pool.
public protocol LibraryRepository: Sendable {
  /// Updates the library with everything that has changed on disk since the last scan.
  ///
  /// - Parameters:
  ///   - progress: Called several times a second, on any thread.
  ///   - isCancelled: Called often, on any thread. When it returns `true`, the scan ends early, and what it has read so
  ///     far is stored.
  /// - Throws: ``LibraryError`` if nothing can be read or stored.
  func scan(
    progress: @escaping @Sendable (ScanProgress) -> Void, isCancelled: @escaping @Sendable () -> Bool
  ) throws(LibraryError) -> ScanSummary

  /// Updates the part of the library in `scope`; otherwise like ``scan(progress:isCancelled:)``.
  func scan(
    _ scope: ScanScope, progress: @escaping @Sendable (ScanProgress) -> Void,
    isCancelled: @escaping @Sendable () -> Bool
  ) throws(LibraryError) -> ScanSummary

  /// Returns a page of the tracks that match `query`.
  func tracks(
    _ query: LibraryQuery, order: LibraryOrder, window: LibraryPage<TrackEntry>.Window
  ) throws(LibraryError) -> LibraryPage<TrackEntry>

  /// Returns a page of the albums that have a track that matches `query`.
  func albums(
    _ query: LibraryQuery, order: LibraryOrder, window: LibraryPage<AlbumEntry>.Window
  ) throws(LibraryError) -> LibraryPage<AlbumEntry>

  /// Returns a page of the artists (of tracks or albums) that have a track that matches `query`, sorted by sort name.
  /// The counts include all of their tracks and albums, not only those that match.
  func artists(
    _ query: LibraryQuery, window: LibraryPage<NameEntry>.Window
  ) throws(LibraryError) -> LibraryPage<NameEntry>

  /// Returns a page of the genres that have a track that matches `query`, sorted by name. The counts include all of
  /// their tracks and albums, not only those that match.
  func genres(
    _ query: LibraryQuery, window: LibraryPage<NameEntry>.Window
  ) throws(LibraryError) -> LibraryPage<NameEntry>

  /// Searches the tracks that match `query` for `text`, which may end within a word. Returns at most `limit` results,
  /// the best first.
  func search(_ text: String, among query: LibraryQuery, limit: Int) throws(LibraryError) -> [SearchHit]

  /// Returns the album with this ID and its tracks in playing order, or `nil` if it no longer exists.
  func album(_ id: Int64) throws(LibraryError) -> Album?

  /// Returns a page of the files and directories that could not be added to the library, sorted by path.
  func problems(
    window: LibraryPage<ProblemEntry>.Window
  ) throws(LibraryError) -> LibraryPage<ProblemEntry>
}

extension LibraryRepository {
  /// Returns one page of the results of ``search(_:among:limit:)``.
  public func hits(
    _ text: String, among query: LibraryQuery, window: LibraryPage<SearchHit>.Window
  ) throws(LibraryError) -> LibraryPage<SearchHit> {
    let end = window.limit.map { window.offset.addingReportingOverflow($0) } ?? (.max, true)
    // Request one more result, to find out whether more follow.
    let limit = end.overflow || end.partialValue == .max ? .max : end.partialValue + 1
    let hits = try search(text, among: query, limit: limit).dropFirst(window.offset)
    return LibraryPage(
      Array(hits.prefix(window.limit ?? .max)), hasMore: window.limit.map { hits.count > $0 } ?? false)
  }
}

/// A file or directory that could not be added to the library, and why.
public struct ProblemEntry: Sendable, Hashable {
  /// The absolute path.
  public var path: FilePath
  /// The reason in words, suitable for the end of a line.
  public var reason: String

  /// Creates an entry for a path and the reason.
  public init(path: FilePath, reason: String) {
    self.path = path
    self.reason = reason
  }
}

/// An error from reading, updating or querying a library.
public struct LibraryError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The cause of the error.
  public enum Kind: Sendable, Hashable {
    /// A directory does not exist or cannot be read.
    case directory
    /// The index cannot be read, written or updated.
    case index
  }

  /// The cause of the error.
  public var kind: Kind
  /// A one-line message with the problem, the path, and what to do about it. It is not yet escaped for a terminal.
  public var description: String

  /// Creates an error of this kind.
  public init(_ kind: Kind, _ description: String) {
    self.kind = kind
    self.description = description
  }
}

extension LibraryRepository {
  /// Scans the whole library, which covers every scope.
  public func scan(
    _ scope: ScanScope, progress: @escaping @Sendable (ScanProgress) -> Void,
    isCancelled: @escaping @Sendable () -> Bool
  ) throws(LibraryError) -> ScanSummary {
    try scan(progress: progress, isCancelled: isCancelled)
  }
}
