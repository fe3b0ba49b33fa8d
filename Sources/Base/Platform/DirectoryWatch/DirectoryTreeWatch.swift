// SPDX-License-Identifier: GPL-3.0-or-later

public import SystemPackage

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Watches a directory tree and reports its changes: by inotify(7) on Linux, by FSEvents on macOS.
///
/// Nothing runs while nothing changes. Symbolic links to directories are followed. Each directory is watched once,
/// whatever leads to it; if both a real path and a link do, the real path is reported. (On macOS, the targets of links
/// are not watched.) A changed target of a link in the path above the root is not noticed.
public final class DirectoryTreeWatch: Sendable {
  private let stopSignal: StopSignal
  private let thread: WorkerThread

  /// Starts to watch the directory at `root`, which may be missing for now. Returns at once: all work is done on a
  /// thread of its own.
  ///
  /// - Parameters:
  ///   - root: An absolute path; all reported paths begin with it.
  ///   - pace: How long changes are collected.
  ///   - passesOver: Whether a name, and everything below it, is ignored; called on that thread.
  ///   - receive: Receives the reports, on that thread, one after the other. It may block for as long as it likes:
  ///     meanwhile changes are collected.
  /// - Throws: `Errno` if the system grants no thread, descriptor, or inotify instance.
  public convenience init(
    _ root: FilePath, pace: WatchPace = WatchPace(),
    passingOver passesOver: @escaping @Sendable (ArraySlice<UInt8>) -> Bool = { _ in false },
    _ receive: @escaping @Sendable (DirectoryTreeReport) -> Void
  ) throws(Errno) {
    try self.init(root, pace: pace, limit: .max, passingOver: passesOver, receive)
  }

  /// Starts a watch of at most `limit` directories, as if the system granted no more.
  init(
    _ root: FilePath, pace: WatchPace, limit: Int,
    passingOver passesOver: @escaping @Sendable (ArraySlice<UInt8>) -> Bool = { _ in false },
    _ receive: @escaping @Sendable (DirectoryTreeReport) -> Void
  ) throws(Errno) {
    let stop = try StopSignal()
    stopSignal = stop
    #if os(Linux)
      let inotify = try Inotify()
      thread = try WorkerThread(name: "segue-watch") {
        var watcher = InotifyWatcher(
          root, inotify, pace: pace, limit: limit, passesOver: passesOver, stop: stop, receive: receive)
        watcher.run()
      }
    #else
      thread = try WorkerThread(name: "segue-watch") {
        FileSystemEventStream(root, pace: pace, passesOver: passesOver, receive: receive)?.run(until: stop)
      }
    #endif
  }

  deinit { stopSignal.give() }

  /// Ends the watch. At most the report in progress is still delivered. Does not wait.
  public func stop() { stopSignal.give() }

  /// Waits until the watch has ended after ``stop()``, at most until `deadline`; returns whether it has. For one
  /// thread, which must not be the one that delivers reports.
  public func waitUntilStopped(by deadline: MonotonicInstant) -> Bool { thread.join(until: deadline) }
}

/// A report of a ``DirectoryTreeWatch``.
public enum DirectoryTreeReport: Sendable, Hashable {
  /// Why a tree has to be read again.
  public enum Reason: Sendable, Hashable {
    /// The watch has begun: earlier changes were not seen.
    case began
    /// More happened than the system could report.
    case overflowed
    /// The root exists again.
    case returned
    /// A file system was mounted or unmounted below the root.
    case mountsChanged
  }

  /// From now on, changes below this directory, which is the root or lies below it, are reported; earlier ones were not
  /// all seen. This is the first report if the root exists.
  case readAgain(FilePath, because: Reason)
  /// These directories, and everything below them, cannot be watched, since the system grants no more watches
  /// (inotify(7), `fs.inotify.max_user_watches`): changes there are not reported. Comes before the
  /// ``readAgain(_:because:)`` that it belongs to, or when directories are added. Each stays unwatched until the next
  /// ``readAgain(_:because:)``, unless its own attributes or its name change meanwhile.
  ///
  /// Directories without read permission are not included: they are watched as soon as they become readable.
  case unwatched([FilePath])
  /// The changes since the last report.
  case changed(DirectoryTreeChanges)
  /// The root was deleted, unmounted or moved away, or was missing from the start. ``readAgain(_:because:)`` reports
  /// its return.
  case rootGone
}

/// The changes of a tree over a short time. Paths begin with the root as it was given.
public struct DirectoryTreeChanges: Sendable, Hashable {
  /// A file or directory that was moved.
  public struct Move: Sendable, Hashable {
    /// The path before this move, and after the moves before it.
    public var from: FilePath
    /// The path after this move.
    public var to: FilePath
    /// Whether it is a directory, whose contents move with it.
    public var isDirectory: Bool

    /// Creates a move.
    public init(from: FilePath, to: FilePath, isDirectory: Bool) {
      self.from = from
      self.to = to
      self.isDirectory = isDirectory
    }
  }

  /// The directories whose entries changed, by their paths after all changes: a name was created, deleted, moved in or
  /// out, a file was written and closed, or attributes such as permissions and times changed.
  ///
  /// For a directory that is new to the tree, all directories below it are included. For one that was deleted, only its
  /// parent is.
  public var directories: Set<FilePath>
  /// The moves within the tree, in order. Both parents are in ``directories``; what lies below a moved directory is
  /// not. Always empty on macOS, where a move is a deleted entry and a new one.
  public var moves: [Move]

  /// Creates changes.
  public init(directories: Set<FilePath> = [], moves: [Move] = []) {
    self.directories = directories
    self.moves = moves
  }

  /// Whether there are no changes.
  public var isEmpty: Bool { directories.isEmpty && moves.isEmpty }
}

/// How long changes are collected before they are reported.
public struct WatchPace: Sendable, Hashable {
  /// Changes are reported after this long without another one.
  public var quiet: Duration
  /// Changes are reported at the latest this long after the first.
  public var longest: Duration

  /// Creates a pace; with half a second and five seconds, copying an album gives one or a few reports.
  public init(quiet: Duration = .milliseconds(500), longest: Duration = .seconds(5)) {
    self.quiet = quiet
    self.longest = longest
  }
}

/// Decides when changes are reported: after a quiet time, or when the first is too old.
struct Debounce {
  private let quiet: UInt64
  private let longest: UInt64
  private var pending: (first: MonotonicInstant, last: MonotonicInstant)?

  init(_ pace: WatchPace) {
    quiet = pace.quiet.wholeMilliseconds
    longest = pace.longest.wholeMilliseconds
  }

  /// Records a change.
  mutating func note(at now: MonotonicInstant) {
    pending = (pending?.first ?? now, now)
  }

  /// Records that all changes were reported.
  mutating func reset() { pending = nil }

  /// When to report; `nil` if there are no changes.
  var deadline: MonotonicInstant? {
    pending.map {
      min($0.last.advanced(byMilliseconds: quiet), $0.first.advanced(byMilliseconds: longest))
    }
  }

  /// Whether the quiet time has passed, so that no change is reported half done.
  func isQuiet(at now: MonotonicInstant) -> Bool {
    pending.map { $0.last.advanced(byMilliseconds: quiet) <= now } ?? true
  }
}

/// Tells a thread that polls descriptors to end, by a descriptor that becomes readable.
final class StopSignal: Sendable {
  private let reader: FileDescriptor
  private let writer: FileDescriptor

  /// Creates a signal that has not been given.
  init() throws(Errno) {
    do {
      (reader, writer) = try FileDescriptor.pipe()
    } catch {
      throw error as? Errno ?? .ioError
    }
  }

  deinit {
    try? reader.close()
    try? writer.close()
  }

  /// The descriptor to poll for input.
  var descriptor: Int32 { reader.rawValue }

  /// Gives the signal, for good. From any thread, once.
  func give() { _ = try? writer.writeAll(CollectionOfOne(UInt8(0))) }

  /// Waits at most `milliseconds` for the signal; returns whether it was given.
  func isGiven(within milliseconds: Int32 = 0) -> Bool {
    var polled = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return unsafe poll(&polled, 1, milliseconds) > 0
  }
}
