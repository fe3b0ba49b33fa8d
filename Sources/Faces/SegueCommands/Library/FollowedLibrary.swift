import MusicLibrary
import MusicModel
import Platform
import QueueFlow
import Synchronization
import SystemPackage

/// Has a library read wherever it changes on the disk, as long as this lives.
final class FollowedLibrary {
  private let followers: [LibraryFollower]

  /// Follows the library of `flow`, each of its directories by itself, beginning with all of it.
  ///
  /// - Throws: `Errno` where the system grants no thread, descriptor, or instance of inotify.
  init(_ flow: LibraryFlow) throws(Errno) {
    let actions = flow.libraryActions
    let roots = flow.index.roots
    let unwatched = UnwatchedDirectories { actions.reportUnwatched($0) }
    followers = try roots.paths.map { root throws(Errno) in
      let whole = roots.isSingle ? ScanScope.everything : .directories([root])
      return try LibraryFollower(
        root,
        updates: LibraryUpdates(
          // Both ends of a move are among the directories, and what was moved is known again by its inode.
          update: { changes, _ in actions.scan(.directories(changes.directories)) },
          rescan: { tree, _ in actions.scan(tree == root ? whole : .directories([tree])) },
          // Finds that it is absent.
          markAbsent: { actions.scan(whole) },
          reportUnwatched: { unwatched.set($0, in: root) }))
    }
  }
}

/// What is not seen of several directories, told as one list. From any thread.
private final class UnwatchedDirectories: Sendable {
  private let known = Mutex<[FilePath: [FilePath]]>([:])
  private let report: @Sendable ([FilePath]) -> Void

  init(_ report: @escaping @Sendable ([FilePath]) -> Void) { self.report = report }

  func set(_ directories: [FilePath], in root: FilePath) {
    known.withLock { known in
      known[root] = directories
      report(
        known.sorted { $0.key.systemBytes.lexicographicallyPrecedes($1.key.systemBytes) }.flatMap(\.value))
    }
  }
}
