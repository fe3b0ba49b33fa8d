import GRDB
public import LibraryIndex
public import MusicModel
import Platform
public import SystemPackage
public import Tagging

/// A library as the index holds it: it is brought in step with the disk, and asked.
///
/// Each of its directories is a library of its own in the index: read, absent and followed by itself, and asked along
/// with the others. An album lies in one of them. All calls block while the disk does; any thread outside of the
/// cooperative pool, and several at once. One scan of a directory runs at a time, of all processes; who asks never
/// waits for it.
public final class IndexedLibrary: Sendable {
  /// The directories.
  public let roots: LibraryRoots
  /// The index.
  public let index: LibraryIndex
  /// What the user should know of opening the index; `nil` where there is nothing.
  public var warning: String? { index.warning }

  /// How long a scan waits for the end of another, in milliseconds.
  static let patience: UInt64 = 10_000
  /// How long who only asks waits for it.
  static let shortPatience: UInt64 = 1_000
  /// Above this many directories ``freshen(isCancelled:)`` does nothing.
  public static let freshenedDirectories = 2_000

  /// Reads the tags of files.
  let reader: TagReader
  private let threadCount: Int
  private let snapshot: SnapshotLimits
  /// Whether a scan reads the files that have not changed, too.
  private let readsUnchanged: Bool
  /// The patterns of names that are left out.
  private let ignoredPatterns: [String]
  private let changes: FileChangeDesk

  /// The library in the directories `roots`, which need not be there.
  ///
  /// - Parameters:
  ///   - probe: opens as sound what the tag library does not understand.
  ///   - ignoredPatterns: patterns of the shell; files and directories whose names they fit are left out, besides what
  ///     files called `.mpdignore` say of their directories.
  public convenience init(
    index: LibraryIndex, roots: LibraryRoots, probe: AudioProbe? = nil, ignoredPatterns: [String] = []
  ) {
    self.init(
      index: index, roots: roots, probe: probe, threadCount: ProcessorCount.available,
      ignoredPatterns: ignoredPatterns)
  }

  init(
    index: LibraryIndex, roots: LibraryRoots, probe: AudioProbe?, threadCount: Int,
    snapshot: SnapshotLimits = SnapshotLimits(), readsUnchanged: Bool = false, ignoredPatterns: [String] = [],
    changes: FileChangeDesk = FileChangeDesk()
  ) {
    self.changes = changes
    self.ignoredPatterns = ignoredPatterns
    self.readsUnchanged = readsUnchanged
    self.snapshot = snapshot
    self.index = index
    self.roots = roots
    self.threadCount = threadCount
    reader = TagReader(probe: probe)
  }

  /// The same library, of which a scan reads the files that have not changed, too.
  var readingAll: IndexedLibrary {
    IndexedLibrary(
      index: index, roots: roots, probe: reader.probe, threadCount: threadCount, snapshot: snapshot,
      readsUnchanged: true, ignoredPatterns: ignoredPatterns, changes: changes)
  }

  /// Has `see` receive what scans that begin from now on do with each file that has changed, on the thread that calls
  /// them; `nil` for no receiver. An error that ends the scan may undo what was reported.
  public func witness(_ see: (@Sendable (FileChange) -> Void)?) {
    changes.present = see.map { FileChangeDesk.Witness(see: $0) }
  }

  /// Reads what has changed on the disk since the last time.
  ///
  /// - Parameters:
  ///   - progress: told some times a second how far it has come, on the calling thread.
  ///   - isCancelled: asked often, on any thread; where it says so, reading ends early, and what was read is kept.
  /// - Throws: `LibraryError` where nothing could be read, it could not be kept, or another scan of it did not end in
  ///   10 seconds.
  public func scan(
    progress: @escaping @Sendable (ScanProgress) -> Void, isCancelled: @escaping @Sendable () -> Bool
  ) throws(LibraryError) -> ScanSummary {
    try scan(roots.paths.map { ($0, .everything) }, progress: progress, isCancelled: isCancelled)
  }

  /// Reads what has changed in these directories; what was moved between them, within one of the library's, is known as
  /// moved.
  ///
  /// What lies in directories below them is read where the directory is not known yet, or `recursively`. What is not
  /// below the library's directories is passed over; what is not there any more is forgotten. Throws as
  /// ``scan(progress:isCancelled:)`` does.
  public func update(
    directories: [FilePath], recursively: Bool = false,
    isCancelled: @escaping @Sendable () -> Bool = { false }
  ) throws(LibraryError) -> ScanSummary {
    var parts: [(root: FilePath, scope: ScanPlan.Scope)] = []
    for root in roots.paths {
      var asked: Set<RelativePath> = []
      var paths = directories.compactMap { RelativePath($0, below: root) }.filter { asked.insert($0).inserted }
      if recursively { paths = paths.filter { $0 == .root || !$0.parent.isWithin(anyOf: asked) } }
      if recursively, paths == [.root], !roots.isSingle {
        parts.append((root, .everything))
      } else if !paths.isEmpty {
        parts.append((root, .directories(paths, recursively: recursively)))
      }
    }
    return try scan(parts, progress: { _ in }, isCancelled: isCancelled)
  }

  /// Brings what has at most ``freshenedDirectories`` directories in step with the disk as far as names have come, gone
  /// or changed: by looking at each directory's time. `nil` where all is larger, or was never read to its end.
  ///
  /// Waits for another scan no longer than a second; throws otherwise as ``scan(progress:isCancelled:)`` does, and what
  /// is known can be asked all the same.
  public func freshen(
    isCancelled: @escaping @Sendable () -> Bool = { false }
  ) throws(LibraryError) -> ScanSummary? {
    var isSmall = false
    var parts: [(root: FilePath, scope: ScanPlan.Scope)] = []
    for root in roots.paths {
      guard let directories = try fault({ () throws(LibraryIndexError) in try index.directories(of: root) })
      else { continue }
      isSmall = true
      var stale: [RelativePath] = []
      for (path, time) in directories where !isCancelled() {
        let status = try? FileStatus(of: FilePath(systemBytes: path.absolute(in: root.systemBytes)))
        if status?.modificationTime != time { stale.append(path) }
      }
      if !stale.isEmpty { parts.append((root, .directories(stale, recursively: false))) }
    }
    guard isSmall else { return nil }
    return try scan(parts, patience: Self.shortPatience, progress: { _ in }, isCancelled: isCancelled)
  }

  /// Reads what has changed in a part of each of these roots; one that is not there does not hold up the others.
  private func scan(
    _ parts: [(root: FilePath, scope: ScanPlan.Scope)], patience: UInt64 = IndexedLibrary.patience,
    progress: @escaping @Sendable (ScanProgress) -> Void, isCancelled: @escaping @Sendable () -> Bool
  ) throws(LibraryError) -> ScanSummary {
    var run = RootsScan(count: parts.count, progress)
    for (root, scope) in parts where run.isFirst || !isCancelled() {
      do throws(LibraryError) {
        run.add(
          try scan(root, scope, patience: patience, progress: run.progress, isCancelled: isCancelled),
          of: root)
      } catch {
        run.add(error, of: root)
      }
    }
    return try run.summary()
  }

  /// Reads what has changed in `scope` of the library in `root`; waits so many milliseconds for the end of another
  /// scan.
  func scan(
    _ root: FilePath, _ scope: ScanPlan.Scope, patience: UInt64 = IndexedLibrary.patience,
    progress: @escaping @Sendable (ScanProgress) -> Void, isCancelled: @escaping @Sendable () -> Bool
  ) throws(LibraryError) -> ScanSummary {
    let presence = LibraryPresence(root)
    return try fault { () throws(LibraryIndexError) in
      let known = try index.library(root)
      if let error = presence.error, !known.isKnown { throw LibraryIndexError.noDirectory(root, error) }
      let lock = try lock(known.id, of: root, patience: patience, isCancelled: isCancelled)
      defer { withExtendedLifetime(lock) {} }
      // Another scan may have come to its end since.
      let library = try index.library(root)
      return try index.write { database in
        let isAbsent =
          try presence.error != nil
          || presence.isWithoutMusic && library.isElsewhere(presence.device, database)
        if isAbsent {
          try library.mark(isAbsent: true, database)
          var summary = ScanSummary()
          summary.isAbsent = true
          return summary
        }
        let (first, needsAll) = try run(scope, library, root, database, progress, isCancelled)
        guard needsAll, scope != .everything, !isCancelled() else { return first }
        let (all, _) = try run(.everything, library, root, database, progress, isCancelled)
        return all.including(first)
      }
    }
  }

  private func run(
    _ scope: ScanPlan.Scope, _ library: LibraryRow, _ root: FilePath, _ database: Database,
    _ progress: @escaping @Sendable (ScanProgress) -> Void, _ isCancelled: @escaping @Sendable () -> Bool
  ) throws -> (summary: ScanSummary, needsAll: Bool) {
    let plan = ScanPlan(
      root: root.systemBytes, library: library.id, scope: scope, isKnown: library.isKnown, reader: reader,
      ignoredPatterns: ignoredPatterns, readsUnchanged: readsUnchanged, snapshot: snapshot, witness: changes.present,
      isCancelled: isCancelled)
    let scan = LibraryScan(plan, index: index, threadCount: threadCount, progress: progress)
    let (summary, needsAll) = try scan.run(database)
    try library.mark(summary, scope, isComplete: !isCancelled(), database)
    return (summary, needsAll)
  }

  private func lock(
    _ library: Int64, of root: FilePath, patience: UInt64, isCancelled: @Sendable () -> Bool
  ) throws(LibraryIndexError) -> FileLock? {
    let file = index.path.removingLastComponent().appending("library-\(library).lock")
    let deadline = MonotonicInstant.now.advanced(byMilliseconds: patience)
    while true {
      do throws(Errno) {
        return try FileLock(file, until: min(deadline, MonotonicInstant.now.advanced(byMilliseconds: 100)))
      } catch {
        guard error == .wouldBlock else {
          throw .unusable(index.path, "its directory cannot be written: \(error)")
        }
        if MonotonicInstant.now >= deadline || isCancelled() { throw .busy(root) }
      }
    }
  }

  /// Says why the index could not do what `body` asks of it.
  func fault<Value>(
    _ body: () throws(LibraryIndexError) -> Value
  ) throws(LibraryError) -> Value {
    do throws(LibraryIndexError) { return try body() } catch { throw LibraryError(error) }
  }
}
