public import SystemPackage

/// What a ``DirectoryTreeWatch`` has to say of its tree.
public enum DirectoryTreeReport: Sendable, Hashable {
  /// Why a tree has to be read again.
  public enum Reason: Sendable, Hashable {
    /// The watch has begun: what changed earlier was not seen.
    case began
    /// More happened than the system could tell.
    case overflowed
    /// The root is there again.
    case returned
    /// A file system was mounted or unmounted below the root.
    case mountsChanged
  }

  /// From now on changes below this directory, which is the root or lies below it, are told; those before were not all
  /// seen. Comes first of all where the root is there.
  case readAgain(FilePath, because: Reason)
  /// These directories and what is below them cannot be watched, since the system grants no more watches (inotify(7),
  /// `fs.inotify.max_user_watches`): changes there are not told. Comes before the ``readAgain(_:because:)`` that it
  /// belongs to, or when directories are added. Each stays unwatched until the next, unless its own attributes or its
  /// name change meanwhile.
  ///
  /// A directory that may not be read is not among them: it is watched from when it may.
  case unwatched([FilePath])
  /// What has changed since the last report.
  case changed(DirectoryTreeChanges)
  /// The root was deleted, unmounted or moved away, or was not there in the first place. ``readAgain(_:because:)``
  /// tells its return.
  case rootGone
}

/// What changed in a tree in a short time. Paths begin with the root as it was given.
public struct DirectoryTreeChanges: Sendable, Hashable {
  /// A file or directory that has another path now.
  public struct Move: Sendable, Hashable {
    /// The path before this move, and after those before it.
    public var from: FilePath
    /// The path after it.
    public var to: FilePath
    /// Whether it is a directory, which takes all below it along.
    public var isDirectory: Bool

    /// A move from `from` to `to`.
    public init(from: FilePath, to: FilePath, isDirectory: Bool) {
      self.from = from
      self.to = to
      self.isDirectory = isDirectory
    }
  }

  /// The directories whose entries changed, by the paths that they have at the end: a name was made, deleted, moved in
  /// or out, a file was written and closed, or attributes such as permissions and times changed.
  ///
  /// Of a directory that is new to the tree all directories below it are among them. Where one was deleted, only the
  /// one above is.
  public var directories: Set<FilePath>
  /// The moves from one place in the tree to another, in their order. Both parents are among ``directories``; what lies
  /// below a directory that moved is not. Always empty on macOS, where a move is an entry that goes and one that comes.
  public var moves: [Move]

  /// Changes of these directories, and these moves.
  public init(directories: Set<FilePath> = [], moves: [Move] = []) {
    self.directories = directories
    self.moves = moves
  }

  /// Whether nothing changed.
  public var isEmpty: Bool { directories.isEmpty && moves.isEmpty }
}
