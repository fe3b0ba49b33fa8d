// SPDX-License-Identifier: GPL-3.0-or-later

#if canImport(Darwin)
  import CoreServices
  import Darwin
  import Dispatch
  import SystemPackage

  /// Watches a directory tree with FSEvents, which collects changes itself and reports them by directory.
  final class FileSystemEventStream: Sendable {
    private let root: FilePath
    private let rootBytes: [UInt8]
    private let realRootBytes: [UInt8]
    private let latency: Double
    private let isIgnored: @Sendable (ArraySlice<UInt8>) -> Bool
    private let receive: @Sendable (DirectoryTreeReport) -> Void

    /// Creates a stream of changes below `root`; `nil` if its path is not valid UTF-8, which FSEvents requires.
    init?(
      _ root: FilePath, delays: WatchDelays, isIgnored: @escaping @Sendable (ArraySlice<UInt8>) -> Bool,
      receive: @escaping @Sendable (DirectoryTreeReport) -> Void
    ) {
      guard String(validating: root) != nil else { return nil }
      self.root = root
      self.isIgnored = isIgnored
      rootBytes = root.systemBytes
      realRootBytes = root.resolvedOrSame.systemBytes
      latency = Double(delays.quiet.wholeMilliseconds) / 1000
      self.receive = receive
    }

    /// Reports changes, on a dispatch queue of its own, until the signal is given.
    func run(until stop: StopSignal) {
      var context = unsafe FSEventStreamContext(
        version: 0, info: Unmanaged.passUnretained(self).toOpaque(), retain: nil, release: nil,
        copyDescription: nil)
      let queue = DispatchQueue(label: "segue-watch")
      let flags = kFSEventStreamCreateFlagWatchRoot
      let stream = unsafe FSEventStreamCreate(
        nil, Self.callback, &context, [root.string] as CFArray,
        FSEventStreamEventId(kFSEventStreamEventIdSinceNow), latency, FSEventStreamCreateFlags(flags))
      guard let stream = unsafe stream else { return }
      unsafe FSEventStreamSetDispatchQueue(stream, queue)
      unsafe FSEventStreamStart(stream)
      queue.sync { reportRoot(.began) }
      _ = stop.isGiven(within: -1)
      unsafe FSEventStreamStop(stream)
      unsafe FSEventStreamInvalidate(stream)
      // No callback runs after this.
      queue.sync {}
      unsafe FSEventStreamRelease(stream)
    }

    private static let callback: FSEventStreamCallback = { _, info, count, paths, flags, _ in
      guard let info = unsafe info else { return }
      let stream = unsafe Unmanaged<FileSystemEventStream>.fromOpaque(info).takeUnretainedValue()
      let names = unsafe paths.assumingMemoryBound(to: UnsafePointer<CChar>.self)
      let events = (0..<count).map { index in
        (path: unsafe FilePath(platformString: names[index]), flags: unsafe Int(flags[index]))
      }
      stream.handle(events)
    }

    private func handle(_ events: [(path: FilePath, flags: Int)]) {
      var changes = DirectoryTreeChanges()
      for event in events {
        if event.flags & kFSEventStreamEventFlagRootChanged != 0 { return reportRoot(.returned) }
        guard let path = pathAsGiven(event.path) else { continue }
        if event.flags & (kFSEventStreamEventFlagMount | kFSEventStreamEventFlagUnmount) != 0 {
          return reportRoot(.mountsChanged)
        }
        if event.flags & kFSEventStreamEventFlagMustScanSubDirs != 0 {
          receive(.readAgain(path, because: .overflowed))
        } else {
          changes.directories.insert(path)
        }
      }
      if !changes.isEmpty { receive(.changed(changes)) }
    }

    private func reportRoot(_ reason: DirectoryTreeReport.Reason) {
      let exists = (try? FileStatus(of: root).kind) == .directory
      receive(exists ? .readAgain(root, because: reason) : .rootMissing)
    }

    /// Returns `path` beginning with the root as it was given, since FSEvents resolves the links in the root's path.
    /// Returns `nil` for ignored names and everything below them.
    private func pathAsGiven(_ path: FilePath) -> FilePath? {
      let bytes = path.systemBytes
      let prefix = bytes.starts(with: realRootBytes) ? realRootBytes : rootBytes
      guard bytes.starts(with: prefix) else { return root }
      let below = FilePath(systemBytes: Array(bytes.dropFirst(prefix.count).drop { $0 == UInt8(ascii: "/") }))
      if below.components.contains(where: { isIgnored(FilePath(root: nil, [$0]).systemBytes[...]) }) { return nil }
      return root.pushing(below)
    }
  }
#endif
