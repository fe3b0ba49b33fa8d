// SPDX-License-Identifier: GPL-3.0-or-later

public import SystemPackage

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Waits for a file to appear, or to be replaced, such as the socket of a server, after a failed attempt to use it.
///
/// On Linux it watches the directory, or the nearest existing one above it. In addition it ends after growing delays:
/// from a tenth of a second to an hour, or to a minute if nothing can be watched. Only one thread may use it.
public struct ArrivalWatch: ~Copyable {
  private static let usualPause: UInt64 = 100
  private static let watchedLimit: UInt64 = 3_600_000
  private static let unwatchedLimit: UInt64 = 60_000
  /// How long a server may take from creating its socket to listening, in milliseconds.
  private static let settling: UInt64 = 20

  private let path: FilePath?
  private let firstPause: UInt64
  private var pause: UInt64
  private var due: MonotonicInstant?
  #if os(Linux)
    private static let bufferSize = 4_096

    private var inotify: Inotify?
    /// The name to look for in the watched directory.
    private var name: [UInt8] = []
  #endif

  /// Creates a watch for the file at `path`; with `nil`, there are only the delays.
  ///
  /// Best created before the first attempt, so that later arrivals are not missed.
  public init(for path: FilePath?) { self.init(for: path, firstPause: Self.usualPause) }

  /// Creates a watch with another first delay, in milliseconds.
  init(for path: FilePath?, firstPause: UInt64) {
    self.path = path
    self.firstPause = firstPause
    pause = firstPause
    watch()
  }

  /// Waits until it is time to try again, and returns `true`, or until `pipe` is woken, and returns `false`: then the
  /// next call waits for the rest of the delay.
  ///
  /// - Parameter longest: The greatest delay, in milliseconds, for when the file exists and something else is wrong.
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

  /// Starts again with short delays, after the file was usable.
  public mutating func restart() {
    pause = firstPause
    due = nil
  }

  #if os(Linux)
    private var watchedDescriptor: Int32 { inotify?.descriptor ?? -1 }

    /// Watches the nearest existing directory above the file.
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

    /// Whether the file may have appeared, or the directory has changed.
    private mutating func hasArrived() -> Bool {
      var buffer = [UInt8](repeating: 0, count: Self.bufferSize)
      var hasArrived = false
      while let events = inotify?.read(&buffer), !events.isEmpty {
        hasArrived = hasArrived || events.contains { $0.name.isEmpty || $0.name.elementsEqual(name) }
      }
      // A new directory may contain the file, or the next directory.
      if hasArrived { watch() }
      return hasArrived
    }
  #else
    private var watchedDescriptor: Int32 { -1 }
    private mutating func watch() {}
    private mutating func hasArrived() -> Bool { false }
  #endif
}
