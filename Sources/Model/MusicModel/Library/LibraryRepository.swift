// SPDX-License-Identifier: GPL-3.0-or-later

public import SystemPackage

/// A library as the flow uses it: it can be updated from the disk and queried.
///
/// All calls block for as long as the disk does; they may be made concurrently, from any thread outside the cooperative
/// pool.
public protocol LibraryRepository: Sendable {
  /// Updates the library with everything that has changed on the disk since the last scan.
  ///
  /// - Parameters:
  ///   - progress: Called several times a second, on any thread.
  ///   - isCancelled: Called often, on any thread. When it returns true, the scan ends early; what was read so far is
  ///     kept.
  /// - Throws: ``LibraryError`` if nothing can be read or stored.
  func scan(
    progress: @escaping @Sendable (ScanProgress) -> Void, isCancelled: @escaping @Sendable () -> Bool
  ) throws(LibraryError) -> ScanSummary

  /// Updates a part of the library; otherwise like ``scan(progress:isCancelled:)``.
  func scan(
    _ scope: ScanScope, progress: @escaping @Sendable (ScanProgress) -> Void,
    isCancelled: @escaping @Sendable () -> Bool
  ) throws(LibraryError) -> ScanSummary

  /// Returns the tracks that match `query`.
  func tracks(
    _ query: LibraryQuery, order: LibraryOrder, window: LibraryPage<TrackEntry>.Window
  ) throws(LibraryError) -> LibraryPage<TrackEntry>

  /// Returns the albums with a track that matches `query`.
  func albums(
    _ query: LibraryQuery, order: LibraryOrder, window: LibraryPage<AlbumEntry>.Window
  ) throws(LibraryError) -> LibraryPage<AlbumEntry>

  /// Returns the artists, of tracks or albums, with a track that matches `query`, by sort name. The counts are those of
  /// all their tracks and albums.
  func artists(
    _ query: LibraryQuery, window: LibraryPage<NameEntry>.Window
  ) throws(LibraryError) -> LibraryPage<NameEntry>

  /// Returns the genres with a track that matches `query`, by name. The counts are those of all their tracks and
  /// albums.
  func genres(
    _ query: LibraryQuery, window: LibraryPage<NameEntry>.Window
  ) throws(LibraryError) -> LibraryPage<NameEntry>

  /// Returns at most `limit` hits for `text`, which may end within a word, among the tracks that match `query`; the
  /// best come first.
  func search(_ text: String, among query: LibraryQuery, limit: Int) throws(LibraryError) -> [SearchHit]

  /// Returns the album with this id and its tracks in playing order, or `nil` if it no longer exists.
  func album(_ id: Int64) throws(LibraryError) -> Album?

  /// Returns the files and directories that could not be added to the library, by path.
  func problems(
    window: LibraryPage<ProblemEntry>.Window
  ) throws(LibraryError) -> LibraryPage<ProblemEntry>
}

extension LibraryRepository {
  /// Returns one page of the hits of ``search(_:among:limit:)``.
  public func hits(
    _ text: String, among query: LibraryQuery, window: LibraryPage<SearchHit>.Window
  ) throws(LibraryError) -> LibraryPage<SearchHit> {
    let end = window.limit.map { window.offset.addingReportingOverflow($0) } ?? (.max, true)
    // One additional hit shows whether more follow.
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
  /// The reason in words, to end a line.
  public var reason: String

  /// Creates the problem of a path.
  public init(path: FilePath, reason: String) {
    self.path = path
    self.reason = reason
  }
}

/// The reason why a library could not be read or queried.
public struct LibraryError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The cause of the error.
  public enum Kind: Sendable, Hashable {
    /// The directory does not exist or cannot be read.
    case directory
    /// The index cannot be read, written or updated.
    case index
  }

  /// The cause of the error.
  public var kind: Kind
  /// A one-line message: the problem, the path, and what to do about it. Not yet escaped for a terminal.
  public var description: String

  /// Creates an error of this kind.
  public init(_ kind: Kind, _ description: String) {
    self.kind = kind
    self.description = description
  }
}

extension LibraryRepository {
  /// Scans everything, which is correct for every scope.
  public func scan(
    _ scope: ScanScope, progress: @escaping @Sendable (ScanProgress) -> Void,
    isCancelled: @escaping @Sendable () -> Bool
  ) throws(LibraryError) -> ScanSummary {
    try scan(progress: progress, isCancelled: isCancelled)
  }
}
