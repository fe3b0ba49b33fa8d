public import SystemPackage

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
