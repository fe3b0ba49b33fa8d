// SPDX-License-Identifier: GPL-3.0-or-later

import CStandard
public import SystemPackage

/// Watches a directory tree and reports its changes, using inotify(7) on Linux and FSEvents on macOS.
///
/// It uses no processor time while nothing changes. Symbolic links to directories are followed. Each directory is
/// watched once, however many paths lead to it; if both a real path and a link do, the real path is reported. (On
/// macOS, the targets of links are not watched.) It is not noticed if a link in the path of the root itself is changed
/// to point elsewhere.
public final class DirectoryTreeWatch: Sendable {
  private let stopSignal: StopSignal
  private let thread: WorkerThread

  /// Starts to watch the directory at `root`, which may be missing for now. Returns immediately: all work is done on a
  /// thread of its own.
  ///
  /// - Parameters:
  ///   - root: An absolute path; all reported paths begin with it.
  ///   - delays: How long changes are collected before they are reported.
  ///   - isIgnored: Whether to ignore a name and everything below it; called on the watch's thread.
  ///   - receive: Called with each report, on the watch's thread, one at a time. It may block for any length of time:
  ///     changes are collected meanwhile.
  /// - Throws: `Errno` if the system grants no thread, descriptor, or inotify instance.
  public convenience init(
    _ root: FilePath, delays: WatchDelays = WatchDelays(),
    ignoring isIgnored: @escaping @Sendable (ArraySlice<UInt8>) -> Bool = { _ in false },
    _ receive: @escaping @Sendable (DirectoryTreeReport) -> Void
  ) throws(Errno) {
    try self.init(root, delays: delays, limit: .max, ignoring: isIgnored, receive)
  }

  /// Starts to watch at most `limit` directories, as if the system granted no more watches.
  init(
    _ root: FilePath, delays: WatchDelays, limit: Int,
    ignoring isIgnored: @escaping @Sendable (ArraySlice<UInt8>) -> Bool = { _ in false },
    _ receive: @escaping @Sendable (DirectoryTreeReport) -> Void
  ) throws(Errno) {
    let stop = try StopSignal()
    stopSignal = stop
    #if os(Linux)
      let inotify = try Inotify()
      thread = try WorkerThread(name: "segue-watch") {
        var watcher = InotifyWatcher(
          root, inotify, delays: delays, limit: limit, isIgnored: isIgnored, stop: stop, receive: receive)
        watcher.run()
      }
    #else
      thread = try WorkerThread(name: "segue-watch") {
        FileSystemEventStream(root, delays: delays, isIgnored: isIgnored, receive: receive)?.run(until: stop)
      }
    #endif
  }

  deinit { stopSignal.give() }

  /// Stops the watch without waiting. A report that is being delivered is completed, but no other follows.
  public func stop() { stopSignal.give() }

  /// Waits until the watch has ended after ``stop()``, at most until `deadline`; returns whether it has. Only one
  /// thread may wait, but not the one that delivers reports.
  public func waitUntilStopped(by deadline: MonotonicInstant) -> Bool { thread.join(until: deadline) }
}

/// A report of a ``DirectoryTreeWatch``.
public enum DirectoryTreeReport: Sendable, Hashable {
  /// The reason why a directory tree has to be read again.
  public enum Reason: Sendable, Hashable {
    /// The watch has begun: earlier changes were not noticed.
    case began
    /// There were more changes than the system could report.
    case overflowed
    /// The root exists again.
    case returned
    /// A file system was mounted or unmounted below the root.
    case mountsChanged
  }

  /// The given directory, which is the root or a directory below it, has to be read again: some earlier changes were
  /// missed. From now on, changes below it are reported. If the root exists, this is the first report.
  case readAgain(FilePath, because: Reason)
  /// These directories, and everything below them, cannot be watched, since the system grants no more watches
  /// (inotify(7), `fs.inotify.max_user_watches`): changes there are not reported.
  ///
  /// The report comes before the ``readAgain(_:because:)`` that it belongs to, or when directories are added. Each
  /// directory stays unwatched until the next ``readAgain(_:because:)``, unless its own attributes or its name change
  /// meanwhile. Directories without read permission are not included: they are watched as soon as they become readable.
  case unwatched([FilePath])
  /// The changes since the last report.
  case changed(DirectoryTreeChanges)
  /// The root was deleted, unmounted or moved away, or was missing from the start. ``readAgain(_:because:)`` reports
  /// its return.
  case rootMissing
}

/// The changes in a directory tree over a short time. All paths begin with the root as it was given.
public struct DirectoryTreeChanges: Sendable, Hashable {
  /// A move of a file or directory within the tree.
  public struct Move: Sendable, Hashable {
    /// The path before this move; earlier moves are taken into account.
    public var from: FilePath
    /// The path after this move.
    public var to: FilePath
    /// Whether it is a directory. Its contents move with it.
    public var isDirectory: Bool

    public init(from: FilePath, to: FilePath, isDirectory: Bool) {
      self.from = from
      self.to = to
      self.isDirectory = isDirectory
    }
  }

  /// The directories whose entries changed, by their paths after all changes. A change means that a name was created,
  /// deleted, moved in or out, that a file was written and closed, or that attributes such as permissions and times
  /// changed.
  ///
  /// For a directory that is new to the tree, all directories below it are included. For one that was deleted, only its
  /// parent is.
  public var directories: Set<FilePath>
  /// The moves within the tree, in order. Always empty on macOS, where a move is reported as a deleted entry and a new
  /// one.
  ///
  /// Both parent directories of a move are in ``directories``; the directories below a moved one are not.
  public var moves: [Move]

  public init(directories: Set<FilePath> = [], moves: [Move] = []) {
    self.directories = directories
    self.moves = moves
  }

  /// Whether there are no changes.
  public var isEmpty: Bool { directories.isEmpty && moves.isEmpty }
}

/// Settings for how long changes are collected before they are reported.
public struct WatchDelays: Sendable, Hashable {
  /// The time without further changes after which the changes are reported.
  public var quiet: Duration
  /// The maximum time between the first change and the report.
  public var longest: Duration

  /// Creates delays. With the defaults of half a second and five seconds, copying an album causes one or a few reports.
  public init(quiet: Duration = .milliseconds(500), longest: Duration = .seconds(5)) {
    self.quiet = quiet
    self.longest = longest
  }
}

/// Decides when to report changes: after a quiet period, or when the first change is too old.
struct Debounce {
  private let quiet: UInt64
  private let longest: UInt64
  private var pending: (first: MonotonicInstant, last: MonotonicInstant)?

  init(_ delays: WatchDelays) {
    quiet = delays.quiet.wholeMilliseconds
    longest = delays.longest.wholeMilliseconds
  }

  mutating func note(at now: MonotonicInstant) {
    pending = (pending?.first ?? now, now)
  }

  /// Clears the recorded changes, after they have been reported.
  mutating func reset() { pending = nil }

  /// The instant at which to report the changes; `nil` if there are none.
  var deadline: MonotonicInstant? {
    pending.map {
      min($0.last.advanced(byMilliseconds: quiet), $0.first.advanced(byMilliseconds: longest))
    }
  }

  /// Whether the quiet period has passed since the last change, so that no half-finished change is reported.
  func isQuiet(at now: MonotonicInstant) -> Bool {
    pending.map { $0.last.advanced(byMilliseconds: quiet) <= now } ?? true
  }
}

/// A signal to stop, for a thread that polls file descriptors: it makes a descriptor readable.
final class StopSignal: Sendable {
  private let reader: FileDescriptor
  private let writer: FileDescriptor

  init() throws(Errno) { (reader, writer) = try FileDescriptor.ownPipe() }

  deinit {
    try? reader.close()
    try? writer.close()
  }

  /// The file descriptor to poll for input.
  var descriptor: Int32 { reader.rawValue }

  /// Gives the signal, permanently. Can be called from any thread, but only once.
  func give() { _ = try? writer.writeAll(CollectionOfOne(UInt8(0))) }

  /// Waits at most `milliseconds` for the signal; returns whether it was given.
  func isGiven(within milliseconds: Int32 = 0) -> Bool {
    var polled = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return unsafe poll(&polled, 1, milliseconds) > 0
  }
}
