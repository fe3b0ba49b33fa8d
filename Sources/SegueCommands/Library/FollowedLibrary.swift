import MusicLibrary
import MusicModel
import Platform
import QueueFlow
import SystemPackage

/// Has a library read wherever it changes on the disk, as long as this lives.
final class FollowedLibrary {
  private let follower: LibraryFollower

  /// Follows the library of `flow`, beginning with all of it.
  ///
  /// - Throws: `Errno` where the system grants no thread, descriptor, or instance of inotify.
  init(_ flow: LibraryFlow) throws(Errno) {
    let actions = flow.libraryActions
    let root = flow.index.root
    follower = try LibraryFollower(
      root,
      updates: LibraryUpdates(
        // Both ends of a move are among the directories, and what was moved is known again by its inode.
        update: { changes, _ in actions.scan(.directories(changes.directories)) },
        rescan: { tree, _ in actions.scan(tree == root ? .everything : .directories([tree])) },
        // Finds that it is absent.
        markAbsent: { actions.scan(.everything) },
        reportUnwatched: { actions.reportUnwatched($0) }))
  }
}
