public import SystemPackage

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Watches a directory and all that is below it, and tells what changes there: by inotify(7) on Linux, by FSEvents on
/// macOS.
///
/// Nothing runs while nothing changes. Symbolic links to directories are followed, and a directory is watched once,
/// whatever leads to it; where a real path and a link do, it goes by the real path. (On macOS, what links lead to is
/// not watched.) A link among the directories above the root that is given another target goes unnoticed.
public final class DirectoryTreeWatch: Sendable {
  private let stopSignal: StopSignal
  private let thread: WorkerThread

  /// Begins to watch the directory at `root`, which need not be there yet. Returns at once: a thread of its own does
  /// all.
  ///
  /// - Parameters:
  ///   - root: an absolute path; the paths that are told begin with it.
  ///   - pace: how long changes are gathered.
  ///   - passesOver: whether a name counts for nothing, nor what is below it; on that thread.
  ///   - receive: told what happens, on that thread, one after the other. It may block for as long as it likes: what
  ///     happens meanwhile
  ///     is gathered.
  /// - Throws: `Errno` where the system grants no thread, descriptor, or instance of inotify.
  public convenience init(
    _ root: FilePath, pace: WatchPace = WatchPace(),
    passingOver passesOver: @escaping @Sendable (ArraySlice<UInt8>) -> Bool = { _ in false },
    _ receive: @escaping @Sendable (DirectoryTreeReport) -> Void
  ) throws(Errno) {
    try self.init(root, pace: pace, limit: .max, passingOver: passesOver, receive)
  }

  /// The same, which watches no more than `limit` directories, as where the system grants no more.
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

  /// Has the watch end, if it has not; at most the report that is being told is told to its end. Does not wait.
  public func stop() { stopSignal.give() }

  /// Waits until the watch has ended after ``stop()``, at most until `deadline`; says whether it has. For one thread,
  /// and not for the one that is being told something.
  public func waitUntilStopped(by deadline: MonotonicInstant) -> Bool { thread.join(until: deadline) }
}

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

/// How long changes are gathered before they are told.
public struct WatchPace: Sendable, Hashable {
  /// Changes are told when nothing happened for so long.
  public var quiet: Duration
  /// Changes are told at the latest so long after the first, whatever goes on.
  public var longest: Duration

  /// A pace; at half a second and five seconds, an album that is copied is told once or a few times.
  public init(quiet: Duration = .milliseconds(500), longest: Duration = .seconds(5)) {
    self.quiet = quiet
    self.longest = longest
  }
}

/// Decides when what happened is told: at the end of a quiet time, or when the first of it is too long ago.
struct Debounce {
  private let quiet: UInt64
  private let longest: UInt64
  private var pending: (first: MonotonicInstant, last: MonotonicInstant)?

  init(_ pace: WatchPace) {
    quiet = pace.quiet.wholeMilliseconds
    longest = pace.longest.wholeMilliseconds
  }

  /// Something happened.
  mutating func note(at now: MonotonicInstant) {
    pending = (pending?.first ?? now, now)
  }

  /// All that happened was told.
  mutating func reset() { pending = nil }

  /// When to tell it; `nil` where nothing happened.
  var deadline: MonotonicInstant? {
    pending.map {
      min($0.last.advanced(byMilliseconds: quiet), $0.first.advanced(byMilliseconds: longest))
    }
  }

  /// Whether the quiet time has passed, so that nothing is left half told.
  func isQuiet(at now: MonotonicInstant) -> Bool {
    pending.map { $0.last.advanced(byMilliseconds: quiet) <= now } ?? true
  }
}

/// Tells a thread that polls descriptors to end: a descriptor that can be read from then on.
final class StopSignal: Sendable {
  private let reader: FileDescriptor
  private let writer: FileDescriptor

  /// A signal that has not been given.
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

  /// What to poll for input.
  var descriptor: Int32 { reader.rawValue }

  /// Gives the signal, for good. From any thread, once.
  func give() { _ = try? writer.writeAll(CollectionOfOne(UInt8(0))) }

  /// Waits at most `milliseconds` for the signal, and says whether it was given.
  func isGiven(within milliseconds: Int32 = 0) -> Bool {
    var polled = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return unsafe poll(&polled, 1, milliseconds) > 0
  }
}
