// SPDX-License-Identifier: GPL-3.0-or-later

import GRDB
public import LibraryIndex
public import MusicModel
import Platform
public import SystemPackage
public import Tagging

/// A library that is stored in the index: it can be updated from the disk and queried.
///
/// In the index, each of its directories is a library of its own: they are scanned, marked as absent and watched
/// separately, but queried together. An album belongs to one of them. All calls block until the disk has been read or
/// written. They may be made concurrently, from any thread outside the cooperative pool. Only one scan of a directory
/// runs at a time, across all processes; queries never wait for it.
public final class IndexedLibrary: Sendable {
  /// The library's directories.
  public let roots: LibraryRoots
  /// The index in which the library is stored.
  public let index: LibraryIndex
  /// A warning to show to the user, from opening the index; `nil` if there is none.
  public var warning: String? { index.warning }

  /// The maximum time that a scan waits for another one to end, in milliseconds.
  static let scanTimeout: UInt64 = 10_000
  /// The maximum time that a query that scans first waits for another scan to end, in milliseconds.
  static let shortScanTimeout: UInt64 = 1_000
  /// The maximum number of directories in a root for ``refresh(isCancelled:)`` to update it.
  public static let refreshDirectoryLimit = 2_000

  /// The reader for the tags of files.
  let reader: TagReader
  private let threadCount: Int
  /// Whether scans read unchanged files again.
  private let readsUnchanged: Bool
  /// The patterns of the names of files and directories to skip.
  private let ignoredPatterns: [String]
  private let changes: FileChangeReceiver
  /// The directory of saved playlists that was chosen; `nil` for that of the library.
  let playlists: FilePath?

  /// Creates a library of the directories `roots`, which need not exist.
  ///
  /// - Parameters:
  ///   - probe: Opens files whose audio the tag library does not understand.
  ///   - ignoredPatterns: Shell patterns. Files and directories whose names match are skipped, in addition to what
  ///     `.mpdignore` files exclude.
  ///   - playlists: The directory of saved playlists, whose entries follow files that scans find moved; `nil` for that
  ///     of the library.
  public convenience init(
    index: LibraryIndex, roots: LibraryRoots, probe: AudioProbe? = nil, ignoredPatterns: [String] = [],
    playlists: FilePath? = nil
  ) {
    self.init(
      index: index, roots: roots, probe: probe, threadCount: ProcessorCount.available,
      ignoredPatterns: ignoredPatterns, playlists: playlists)
  }

  init(
    index: LibraryIndex, roots: LibraryRoots, probe: AudioProbe?, threadCount: Int,
    readsUnchanged: Bool = false, ignoredPatterns: [String] = [], playlists: FilePath? = nil,
    changes: FileChangeReceiver = FileChangeReceiver()
  ) {
    self.changes = changes
    self.playlists = playlists
    self.ignoredPatterns = ignoredPatterns
    self.readsUnchanged = readsUnchanged
    self.index = index
    self.roots = roots
    self.threadCount = threadCount
    reader = TagReader(probe: probe)
  }

  /// The same library, with scans that read unchanged files again.
  var rereadingAll: IndexedLibrary {
    IndexedLibrary(
      index: index, roots: roots, probe: reader.probe, threadCount: threadCount,
      readsUnchanged: true, ignoredPatterns: ignoredPatterns, playlists: playlists, changes: changes)
  }

  public func onFileChange(_ handle: (@Sendable (FileChange) -> Void)?) {
    changes.current = handle.map { FileChangeReceiver.Handler(handle: $0) }
  }

  /// Updates the index with everything that has changed on disk since the last scan.
  ///
  /// - Parameters:
  ///   - progress: Called several times a second, on the calling thread.
  ///   - isCancelled: Called often, on any thread. When it returns `true`, the scan ends early, and what it has read so
  ///     far is stored.
  /// - Throws: `LibraryError` if nothing can be read or stored, or if another scan does not end within 10 seconds.
  public func scan(
    progress: @escaping @Sendable (ScanProgress) -> Void, isCancelled: @escaping @Sendable () -> Bool
  ) throws(LibraryError) -> ScanSummary {
    try scan(roots.paths.map { ($0, .everything) }, progress: progress, isCancelled: isCancelled)
  }

  /// Updates the index with what has changed in these directories. Files moved between them are recognised if they stay
  /// within one of the library's directories.
  ///
  /// Subdirectories are read if they are not known yet, or if `recursively` is `true`. Directories outside the library
  /// are ignored, and the rows of directories that no longer exist are deleted. Throws like
  /// ``scan(progress:isCancelled:)``.
  public func update(
    directories: [FilePath], recursively: Bool = false,
    isCancelled: @escaping @Sendable () -> Bool = { false }
  ) throws(LibraryError) -> ScanSummary {
    var parts: [(root: FilePath, scope: ScanPlan.Scope)] = []
    for root in roots.paths {
      var requested: Set<RelativePath> = []
      var paths = directories.compactMap { RelativePath($0, below: root) }.filter { requested.insert($0).inserted }
      if recursively { paths = paths.filter { $0 == .root || !$0.parent.isWithin(anyOf: requested) } }
      if recursively, paths == [.root], !roots.isSingle {
        parts.append((root, .everything))
      } else if !paths.isEmpty {
        parts.append((root, .directories(paths, recursively: recursively)))
      }
    }
    return try scan(parts, progress: { _ in }, isCancelled: isCancelled)
  }

  /// Skips roots with more than ``refreshDirectoryLimit`` directories, and roots that were never completely scanned.
  /// Returns `nil` if it skips all of them.
  public func refresh(
    isCancelled: @escaping @Sendable () -> Bool = { false }
  ) throws(LibraryError) -> ScanSummary? {
    var hasSmallRoot = false
    var parts: [(root: FilePath, scope: ScanPlan.Scope)] = []
    for root in roots.paths {
      guard let directories = try index.directories(of: root) else { continue }
      hasSmallRoot = true
      var stale: [RelativePath] = []
      for (path, time) in directories where !isCancelled() {
        let status = try? FileStatus(of: FilePath(systemBytes: path.absolute(in: root.systemBytes)))
        if status?.modificationTime != time { stale.append(path) }
      }
      // The library may have continued under another name, of which its own directories know nothing.
      if stale.isEmpty, try index.hasContinuation(root) { stale = [.root] }
      if !stale.isEmpty { parts.append((root, .directories(stale, recursively: false))) }
    }
    guard hasSmallRoot else {
      followMoves()
      return nil
    }
    return try scan(parts, timeout: Self.shortScanTimeout, progress: { _ in }, isCancelled: isCancelled)
  }

  /// Updates a part of the library in each of these roots. A missing root does not prevent the others from being
  /// updated.
  private func scan(
    _ parts: [(root: FilePath, scope: ScanPlan.Scope)], timeout: UInt64 = IndexedLibrary.scanTimeout,
    progress: @escaping @Sendable (ScanProgress) -> Void, isCancelled: @escaping @Sendable () -> Bool
  ) throws(LibraryError) -> ScanSummary {
    var combined = CombinedScan(count: parts.count, progress)
    beginFollowing()
    defer { followMoves() }
    for (root, scope) in parts where combined.isFirst || !isCancelled() {
      do throws(LibraryError) {
        combined.add(
          try scan(root, scope, timeout: timeout, progress: combined.progress, isCancelled: isCancelled),
          of: root)
      } catch {
        combined.add(error, of: root)
      }
    }
    return try combined.summary()
  }

  /// Updates `scope` of the library in `root`.
  ///
  /// - Parameter timeout: The maximum time to wait for another scan to end, in milliseconds.
  func scan(
    _ root: FilePath, _ scope: ScanPlan.Scope, timeout: UInt64 = IndexedLibrary.scanTimeout,
    progress: @escaping @Sendable (ScanProgress) -> Void, isCancelled: @escaping @Sendable () -> Bool
  ) throws(LibraryError) -> ScanSummary {
    let presence = LibraryPresence(root)
    let known = try index.library(root)
    if let error = presence.error, !known.isKnown { throw LibraryError(.noDirectory(root, error)) }
    let lock = try lock(known.id, of: root, timeout: timeout, isCancelled: isCancelled)
    defer { withExtendedLifetime(lock) {} }
    // Another scan may have written in the meantime.
    let present = try index.library(root)
    return try index.write { database in
      var library = present
      let isAbsent =
        try presence.error != nil
        || presence.hasNoMusic && library.isOnOtherDevice(presence.device, database)
      if isAbsent {
        try library.mark(isAbsent: true, database)
        var summary = ScanSummary()
        summary.isAbsent = true
        return summary
      }
      let renamed = RenamedLibrary(database, library: library.id, root: root)
      var otherLock: FileLock?
      defer { withExtendedLifetime(otherLock) {} }
      if !library.isKnown {
        try renamed.carryOver()
      } else if let other = try renamed.continuation() {
        otherLock = try self.lock(other, of: root, timeout: timeout, isCancelled: isCancelled)
        try renamed.exchange(with: other)
        library = try index.library(root)
      }
      let (first, needsFullScan) = try run(scope, library, root, database, progress, isCancelled)
      guard needsFullScan, scope != .everything, !isCancelled() else { return first }
      let (all, _) = try run(.everything, library, root, database, progress, isCancelled)
      return all.including(first)
    }
  }

  private func run(
    _ scope: ScanPlan.Scope, _ library: LibraryRow, _ root: FilePath, _ database: Database,
    _ progress: @escaping @Sendable (ScanProgress) -> Void, _ isCancelled: @escaping @Sendable () -> Bool
  ) throws -> (summary: ScanSummary, needsFullScan: Bool) {
    let plan = ScanPlan(
      root: root.systemBytes, library: library.id, scope: scope, isKnown: library.isKnown, reader: reader,
      ignoredPatterns: ignoredPatterns, readsUnchanged: readsUnchanged,
      fileChangeHandler: changes.current,
      isCancelled: isCancelled)
    let scan = LibraryScan(plan, index: index, threadCount: threadCount, progress: progress)
    let (summary, needsFullScan) = try scan.run(database)
    try library.mark(summary, scope, isComplete: !isCancelled(), database)
    return (summary, needsFullScan)
  }

  private func lock(
    _ library: Int64, of root: FilePath, timeout: UInt64, isCancelled: @Sendable () -> Bool
  ) throws(LibraryError) -> FileLock? {
    let file = index.path.removingLastComponent().appending("library-\(library).lock")
    let deadline = MonotonicInstant.now.advanced(byMilliseconds: timeout)
    while true {
      do throws(Errno) {
        return try FileLock(file, until: min(deadline, MonotonicInstant.now.advanced(byMilliseconds: 100)))
      } catch {
        guard error == .wouldBlock else {
          throw LibraryError(.unusable(index.path, "cannot write to its directory: \(error)"))
        }
        if MonotonicInstant.now >= deadline || isCancelled() { throw LibraryError(.busy(root)) }
      }
    }
  }
}
