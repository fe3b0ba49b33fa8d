// SPDX-License-Identifier: GPL-3.0-or-later

#if os(Linux)
  import CStandard
  import SystemPackage

  /// Watches a directory tree with inotify(7), on the thread that calls ``run()``. The thread sleeps in poll(2) until
  /// something happens.
  struct InotifyWatcher: ~Copyable {
    /// The size of the buffer for events, in bytes: room for more than a hundred events with long names.
    private static let bufferSize = 65_536

    /// The maximum number of reads before changes are reported, however many events arrive.
    private static let maximumReads = 64

    private let inotify: Inotify
    private let stop: StopSignal
    private let receive: @Sendable (DirectoryTreeReport) -> Void
    private let mountPoints = MountPoints()
    private let delays: WatchDelays
    private var tree: InotifyTree
    private var debounce: Debounce
    private var buffer = [UInt8](repeating: 0, count: bufferSize)
    private var round = 0
    private var identity: FileStatus.Identity?
    private var mounts: Set<[UInt8]> = []
    private var isOutOfWatches = false

    init(
      _ root: FilePath, _ inotify: Inotify, delays: WatchDelays, limit: Int,
      isIgnored: @escaping @Sendable (ArraySlice<UInt8>) -> Bool, stop: StopSignal,
      receive: @escaping @Sendable (DirectoryTreeReport) -> Void
    ) {
      self.inotify = inotify
      self.stop = stop
      self.receive = receive
      self.delays = delays
      tree = InotifyTree(root, inotify, limit: limit, isIgnored: isIgnored)
      debounce = Debounce(delays)
    }

    /// Runs until the stop signal is given.
    mutating func run() {
      var reason = DirectoryTreeReport.Reason.began
      while !stop.isGiven() {
        if begin(reason) {
          guard follow() else { return }
          reason = .returned
        } else {
          // The root was missing from the start, or was removed again since its return.
          if reason == .began, !isOutOfWatches { receive(.rootMissing) }
          if isOutOfWatches { receive(.unwatched([tree.root])) }
          reason = .returned
        }
        guard awaitReturn() else { return }
      }
    }

    // MARK: The root exists

    /// Starts to watch the tree; returns whether the root exists.
    private mutating func begin(_ reason: DirectoryTreeReport.Reason) -> Bool {
      do throws(Errno) {
        identity = try FileStatus(of: tree.root).identity
        try tree.build()
        watchOuter([.departure, .adding])
        // The directories above it may have changed before they were watched.
        guard try FileStatus(of: tree.root).identity == identity else { throw .noSuchFileOrDirectory }
      } catch {
        tree.drop()
        isOutOfWatches = error == .noSpace || error == .noMemory
        return false
      }
      isOutOfWatches = false
      mounts = mountPoints.at(tree.root.resolvedOrSame)
      debounce.reset()
      reportUnwatched()
      receive(.readAgain(tree.root, because: reason))
      return true
    }

    /// Reports changes until the root is missing; returns `false` if the watch has been stopped.
    private mutating func follow() -> Bool {
      while true {
        let result = wait(until: debounce.deadline)
        if result.isStopped { return false }
        if result.hasEvents { applyEvents() }
        if result.hasMounts, !checkMounts() { return true }
        if isRootMissing {
          tree.drop()
          debounce.reset()
          receive(.rootMissing)
          return true
        }
        let now = MonotonicInstant.now
        if let deadline = debounce.deadline, deadline <= now, !reportChanges(now) { return true }
        // During continuous changes, let many events accumulate for each read.
        if debounce.deadline != nil, stop.isGiven(within: batchDelay) { return false }
      }
    }

    /// How long to let events accumulate in the kernel's queue, in milliseconds: so briefly that even a million events
    /// per second do not overflow it.
    private var batchDelay: Int32 { Int32(clamping: min(10, delays.quiet.wholeMilliseconds / 8)) }

    /// Reads and applies the pending events.
    private mutating func applyEvents() {
      var isRelevant = false
      for _ in 0..<Self.maximumReads where !stop.isGiven() {
        round += 1
        let events = inotify.read(&buffer)
        if events.isEmpty { break }
        for event in events where tree.apply(event, round: round) { isRelevant = true }
      }
      tree.complete()
      if isRelevant || tree.hasChanges && debounce.deadline == nil { debounce.note(at: .now) }
    }

    private var isRootMissing: Bool {
      mutating get {
        if tree.rootNeedsCheck {
          tree.rootNeedsCheck = false
          if (try? FileStatus(of: tree.root))?.identity != identity { tree.isRootMissing = true }
        }
        return tree.isRootMissing
      }
    }

    /// Reads the tree again if something was mounted or unmounted in it; returns whether the root still exists.
    private mutating func checkMounts() -> Bool {
      if (try? FileStatus(of: tree.root))?.identity != identity { tree.isRootMissing = true }
      if isRootMissing || mounts == mountPoints.at(tree.root.resolvedOrSame) { return true }
      return begin(.mountsChanged) || reportMissing()
    }

    private func reportMissing() -> Bool {
      receive(.rootMissing)
      return false
    }

    /// Reports changes that are due; returns whether the root still exists.
    private mutating func reportChanges(_ now: MonotonicInstant) -> Bool {
      if tree.hasOverflowed { return begin(.overflowed) || reportMissing() }
      let changes = tree.takeChanges(before: debounce.isQuiet(at: now) ? .max : round)
      reportUnwatched()
      debounce.reset()
      if tree.hasChanges { debounce.note(at: now) }
      if !changes.isEmpty { receive(.changed(changes)) }
      return true
    }

    private mutating func reportUnwatched() {
      let unwatched = tree.takeUnwatched()
      if !unwatched.isEmpty { receive(.unwatched(unwatched)) }
    }

    // MARK: The root is missing

    /// Waits until the root exists; returns `false` if the watch has been stopped.
    private mutating func awaitReturn() -> Bool {
      var hasToWait = isOutOfWatches
      while true {
        watchOuter([.departure, .arrivals, .adding])
        if rootExists, !hasToWait { return true }
        hasToWait = false
        let result = wait(until: nil)
        if result.isStopped { return false }
        while result.hasEvents, !inotify.read(&buffer).isEmpty, !stop.isGiven() {}
      }
    }

    private var rootExists: Bool {
      guard let entries = (try? DirectoryListing(of: tree.root))?.entries else { return false }
      // An empty directory is a mount point without its file system; it does not count as the root's return.
      return identity == nil || !entries.isEmpty
    }

    /// Watches the existing directories above the root, and the root itself while it is not watched.
    private mutating func watchOuter(_ request: Inotify.Request) {
      let old = tree.outerWatches
      tree.outerWatches = []
      var path = tree.root
      var isRoot = true
      while true {
        let isOuter = !isRoot || request.contains(.arrivals)
        if isOuter, let watch = try? inotify.watch(path.systemBytes, request) {
          tree.outerWatches.insert(watch)
        }
        isRoot = false
        guard path.removeLastComponent() else { break }
      }
      for watch in old.subtracting(tree.outerWatches)
      where !tree.directories.contains(watch) { inotify.end(watch) }
    }

    // MARK: Waiting

    private struct PollResult {
      var isStopped: Bool
      var hasEvents: Bool
      var hasMounts: Bool
    }

    private func wait(until deadline: MonotonicInstant?) -> PollResult {
      var polled = [
        pollfd(fd: stop.descriptor, events: Int16(POLLIN), revents: 0),
        pollfd(fd: inotify.descriptor, events: Int16(POLLIN), revents: 0),
        pollfd(fd: mountPoints.descriptor, events: Int16(POLLPRI), revents: 0),
      ]
      let count = unsafe poll(&polled, nfds_t(polled.count), deadline?.pollTimeout ?? -1)
      guard count > 0 else { return PollResult(isStopped: false, hasEvents: false, hasMounts: false) }
      return PollResult(
        isStopped: polled[0].revents != 0, hasEvents: polled[1].revents != 0,
        hasMounts: polled[2].revents != 0)
    }
  }

  /// The mounted file systems, as `/proc/self/mountinfo` lists them; see proc(5).
  struct MountPoints: ~Copyable {
    private let file: FileDescriptor?

    /// Opens the list of mount points. On systems without that file, there are no mount points.
    init() {
      file = try? unsafe FileDescriptor.open("/proc/self/mountinfo", .readOnly, options: .closeOnExec)
    }

    deinit { try? file?.close() }

    /// The file descriptor to poll for an exceptional condition, which appears when something is mounted or unmounted,
    /// and lasts until the next poll.
    var descriptor: Int32 { file?.rawValue ?? -1 }

    /// Returns the lines of the mount points at or below `path`, which must not contain links.
    func at(_ path: FilePath) -> Set<[UInt8]> {
      guard let file, (try? file.seek(offset: 0, from: .start)) != nil else { return [] }
      var bytes: [UInt8] = []
      var chunk = [UInt8](repeating: 0, count: 4096)
      while let count = unsafe try? chunk.withUnsafeMutableBytes({ unsafe try file.read(into: $0) }), count > 0 {
        bytes += chunk[..<count]
      }
      return Self.lines(of: bytes, at: path.systemBytes)
    }

    /// Returns the lines of `table` whose mount point is `path`, or below it.
    static func lines(of table: [UInt8], at path: [UInt8]) -> Set<[UInt8]> {
      let parent = path == [UInt8(ascii: "/")] ? path : path + [UInt8(ascii: "/")]
      var found: Set<[UInt8]> = []
      for line in table.split(separator: UInt8(ascii: "\n")) {
        let fields = line.split(separator: UInt8(ascii: " "), maxSplits: 5)
        guard fields.count > 4 else { continue }
        let point = unescaped(fields[4])
        if point == path || point.starts(with: parent) { found.insert(Array(line)) }
      }
      return found
    }

    /// Decodes spaces and other characters that are escaped as a backslash and three octal digits.
    private static func unescaped(_ text: ArraySlice<UInt8>) -> [UInt8] {
      var bytes: [UInt8] = []
      var rest = text
      while let byte = rest.popFirst() {
        let digits = rest.prefix(3).map { $0 &- UInt8(ascii: "0") }
        if byte == UInt8(ascii: "\\"), digits.count == 3, digits.allSatisfy({ $0 < 8 }) {
          bytes.append(digits[0] << 6 | digits[1] << 3 | digits[2])
          rest = rest.dropFirst(3)
        } else {
          bytes.append(byte)
        }
      }
      return bytes
    }
  }
#endif
