public import Platform
public import SystemPackage

/// What a ``LibraryFollower`` has done to a library: by whoever keeps its index.
///
/// All are called on the follower's thread, one at a time, and may block. Where `isCancelled` says so, which is asked
/// often, they are to end early: the root is gone, or following ends.
public struct LibraryUpdates: Sendable {
  /// Whether an update is to end early; from any thread.
  public typealias IsCancelled = @Sendable () -> Bool

  /// Brings the index in step with directories whose entries changed, and with moves, in this order: moves first, one
  /// after the other; then each directory by itself, of which some may be gone. What is below one is to be read only
  /// where the index does not have it: that a directory moved may not be known.
  public var update: @Sendable (_ changes: DirectoryTreeChanges, _ isCancelled: IsCancelled) -> Void
  /// Brings the index in step with a directory and all below it. Once where following begins, so that nobody else has
  /// to.
  public var rescan: @Sendable (_ tree: FilePath, _ isCancelled: IsCancelled) -> Void
  /// Marks the library absent: its root is gone. ``rescan`` tells its return.
  public var markAbsent: @Sendable () -> Void
  /// Says that these directories, with all below them, cannot be followed for want of watches:
  /// `fs.inotify.max_user_watches` is too low.
  public var reportUnwatched: @Sendable (_ directories: [FilePath]) -> Void

  /// Updates by these.
  public init(
    update: @escaping @Sendable (_ changes: DirectoryTreeChanges, _ isCancelled: IsCancelled) -> Void,
    rescan: @escaping @Sendable (_ tree: FilePath, _ isCancelled: IsCancelled) -> Void,
    markAbsent: @escaping @Sendable () -> Void,
    reportUnwatched: @escaping @Sendable (_ directories: [FilePath]) -> Void
  ) {
    self.update = update
    self.rescan = rescan
    self.markAbsent = markAbsent
    self.reportUnwatched = reportUnwatched
  }
}
