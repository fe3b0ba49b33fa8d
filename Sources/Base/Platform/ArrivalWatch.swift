public import SystemPackage

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Waits for a file that may come, or come anew, such as the socket of a server: after an
/// attempt to use it that has failed.
///
/// On Linux the directory is watched, or the nearest one above it that is there. Besides, it is time to try again after
/// pauses that grow: from a tenth of a second to an hour, or to a minute where nothing can be watched. One thread
/// calls all of it.
public struct ArrivalWatch: ~Copyable {
  private static let usualPause: UInt64 = 100
  private static let watchedLimit: UInt64 = 3_600_000
  private static let unwatchedLimit: UInt64 = 60_000
  /// How long a server may take from making its socket to listening there.
  private static let settling: UInt64 = 20

  private let path: FilePath?
  private let firstPause: UInt64
  private var pause: UInt64
  private var due: MonotonicInstant?
  #if os(Linux)
    private static let bufferSize = 4_096

    private var inotify: Inotify?
    /// The name that is looked for in the directory that is watched.
    private var name: [UInt8] = []
  #endif

  /// A watch for the file at `path`; with `nil`, only the pauses count.
  ///
  /// Best made before the first attempt: what comes after it is not missed.
  public init(for path: FilePath?) { self.init(for: path, firstPause: Self.usualPause) }

  /// The same with another first pause, in milliseconds.
  init(for path: FilePath?, firstPause: UInt64) {
    self.path = path
    self.firstPause = firstPause
    pause = firstPause
    watch()
  }

  /// Waits until it is time to try again, and returns `true`, or until `pipe` is woken, and returns `false`: then the
  /// next call waits for the rest of the pause.
  ///
  /// - Parameter longest: how long a pause may be, in milliseconds, where the file is there and something else is
  ///   wrong.
  public mutating func wait(until pipe: WakePipe? = nil, longest: UInt64 = .max) -> Bool {
    let end = due ?? MonotonicInstant.now.advanced(byMilliseconds: min(pause, longest))
    due = end
    while true {
      let timeout = end.pollTimeout
      if timeout == 0 { break }
      var polled = [pipe?.reader.rawValue ?? -1, watchedDescriptor].map { descriptor in
        pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      }
      guard unsafe poll(&polled, nfds_t(polled.count), timeout) > 0 else { continue }
      if polled[0].revents != 0 {
        pipe?.clear()
        return false
      }
      if hasArrived() {
        MonotonicInstant.now.advanced(byMilliseconds: Self.settling).sleep()
        pause = firstPause
        due = nil
        return true
      }
    }
    pause = min(pause * 2, watchedDescriptor < 0 ? Self.unwatchedLimit : Self.watchedLimit)
    due = nil
    return true
  }

  /// Begins again with short pauses: what was waited for was there meanwhile.
  public mutating func restart() {
    pause = firstPause
    due = nil
  }

  #if os(Linux)
    private var watchedDescriptor: Int32 { inotify?.descriptor ?? -1 }

    /// Watches the nearest directory above the file that is there.
    private mutating func watch() {
      inotify = nil
      guard let path, path.isAbsolute, let instance = try? Inotify() else { return }
      var (directory, component) = (path.removingLastComponent(), path.lastComponent)
      while let name = component {
        if (try? instance.watch(directory.systemBytes, [.arrivals, .departure])) != nil {
          inotify = instance
          self.name = FilePath(root: nil, CollectionOfOne(name)).systemBytes
          return
        }
        (directory, component) = (directory.removingLastComponent(), directory.lastComponent)
      }
    }

    /// Whether what is looked for may have come, or the directory has changed.
    private mutating func hasArrived() -> Bool {
      var buffer = [UInt8](repeating: 0, count: Self.bufferSize)
      var hasArrived = false
      while let events = inotify?.read(&buffer), !events.isEmpty {
        hasArrived = hasArrived || events.contains { $0.name.isEmpty || $0.name.elementsEqual(name) }
      }
      // A directory that came may have the file in it, or the next directory.
      if hasArrived { watch() }
      return hasArrived
    }
  #else
    private var watchedDescriptor: Int32 { -1 }
    private mutating func watch() {}
    private mutating func hasArrived() -> Bool { false }
  #endif
}
