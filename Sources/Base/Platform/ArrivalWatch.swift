// SPDX-License-Identifier: GPL-3.0-or-later

import CStandard
public import SystemPackage

/// Waits for a file, such as the socket of a server, to appear or to be replaced after an attempt to use it has failed.
///
/// On Linux, the file's directory is watched, or the nearest existing directory above it. A wait also ends after a
/// delay, which grows from a tenth of a second to an hour, or to a minute if nothing can be watched. Only one thread
/// may use a watch.
public struct ArrivalWatch: ~Copyable {
  private static let defaultDelay: UInt64 = 100
  private static let watchedLimit: UInt64 = 3_600_000
  private static let unwatchedLimit: UInt64 = 60_000
  /// How long a server may take from creating its socket to listening, in milliseconds.
  private static let listenDelay: UInt64 = 20

  private let path: FilePath?
  private let firstPause: UInt64
  private var pause: UInt64
  private var due: MonotonicInstant?
  #if os(Linux)
    private static let bufferSize = 4_096

    private var inotify: Inotify?
    /// The name to look for in the watched directory: that of the file, or of a missing directory above it.
    private var name: [UInt8] = []
  #endif

  /// Creates a watch for the file at `path`. If `path` is `nil`, only the delays end a wait.
  ///
  /// Create the watch before the first attempt to use the file, so that no later arrival is missed.
  public init(for path: FilePath?) { self.init(for: path, firstPause: Self.defaultDelay) }

  /// Creates a watch whose first delay is `firstPause`, in milliseconds.
  init(for path: FilePath?, firstPause: UInt64) {
    self.path = path
    self.firstPause = firstPause
    pause = firstPause
    watch()
  }

  /// Waits until it is time to try again, and returns `true`. Returns `false` as soon as there is a wake-up in `pipe`;
  /// the next call then waits for the rest of the delay.
  ///
  /// - Parameter longest: The maximum delay, in milliseconds. Use it when the file exists and something else is wrong.
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
        MonotonicInstant.now.advanced(byMilliseconds: Self.listenDelay).sleep()
        pause = firstPause
        due = nil
        return true
      }
    }
    pause = min(pause * 2, watchedDescriptor < 0 ? Self.unwatchedLimit : Self.watchedLimit)
    due = nil
    return true
  }

  /// Resets the delay to its short initial value. Call it after the file has been used successfully.
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

    /// Reads the pending events; returns whether the file may have appeared or the watched directory itself has
    /// changed.
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
