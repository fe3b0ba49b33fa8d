// SPDX-License-Identifier: GPL-3.0-or-later

#if os(Linux)
  import SystemPackage

  /// A directory tree that an inotify instance watches, updated by the events of that instance.
  ///
  /// - Directories are watched before they are listed, so that no change is missed. Links to directories are followed
  ///   after everything in the tree itself; a directory is watched once, however many paths lead to it.
  /// - Changes are recorded by directory, not by path: reports have the paths after all changes.
  struct InotifyTree {
    typealias ID = WatchedDirectories.ID
    typealias Name = ArraySlice<UInt8>

    /// The maximum number of times to look again at incomplete directories before further events are read.
    private static let maximumLooks = 8

    let inotify: Inotify
    let root: FilePath
    private let rootBytes: [UInt8]
    /// The maximum number of directories to watch.
    private let limit: Int
    let isIgnored: @Sendable (Name) -> Bool

    var directories: WatchedDirectories
    var marked: [ID] = []
    var moves: [DirectoryTreeChanges.Move] = []
    /// The first halves of moves, by cookie: entries that were moved away and have not arrived yet.
    var departures: [UInt32: Departure] = [:]
    /// Directories below which something was not found, because a directory above it was renamed meanwhile.
    var incomplete: Set<ID> = []
    /// The directories that cannot be watched, because the system grants no more watches.
    private var unwatched: [FilePath] = []
    /// Whether events were lost, or contradict the known tree. Then further events are meaningless until the tree is
    /// read again.
    var hasOverflowed = false
    /// Whether the root may have been moved or deleted.
    var rootNeedsCheck = false
    /// Whether the root was deleted or unmounted.
    var isRootMissing = false
    /// The watches of the directories above the root.
    var outerWatches: Set<Int32> = []

    /// A file or directory that was moved away, to a path that is not known yet.
    struct Departure {
      var path: FilePath
      /// A watched directory; `nil` for anything else.
      var directory: ID?
      /// The number of the read in which the entry was moved away.
      var round: Int
    }

    /// Creates a tree for `root`, without watching it yet.
    init(
      _ root: FilePath, _ inotify: Inotify, limit: Int = .max,
      isIgnored: @escaping @Sendable (Name) -> Bool = { _ in false }
    ) {
      self.isIgnored = isIgnored
      self.inotify = inotify
      self.root = root
      self.limit = limit
      rootBytes = root.systemBytes
      directories = WatchedDirectories(root: rootBytes)
    }

    // MARK: Reading the tree

    /// Watches the whole tree from scratch, and discards everything known or recorded before.
    ///
    /// - Throws: The error number if the root cannot be watched.
    mutating func build() throws(Errno) {
      let old = directories.watches
      reset()
      let watch: Int32
      do throws(Errno) {
        watch = try inotify.watch(rootBytes, .entries)
      } catch {
        for watch in old { end(watch) }
        throw error
      }
      directories.insertRoot(watch)
      walk([watch], marking: false)
      for watch in old where !directories.contains(watch) { end(watch) }
    }

    /// Ends all watches.
    mutating func drop() {
      for watch in directories.watches { end(watch) }
      reset()
    }

    private mutating func reset() {
      directories = WatchedDirectories(root: rootBytes)
      marked = []
      moves = []
      departures = [:]
      incomplete = []
      unwatched = []
      hasOverflowed = false
      rootNeedsCheck = false
      isRootMissing = false
    }

    /// Watches all new directories below those in `start`, which are already watched. The order is breadth first, so
    /// that only deep directories stay unwatched if watches run out.
    mutating func walk(_ start: [ID], marking: Bool) {
      var pending = start
      var links: [(parent: ID, name: Name)] = []
      var next = 0
      while next < pending.count || !links.isEmpty {
        if next == pending.count {
          let link = links.removeLast()
          if directories.contains(link.parent) { visit(link.name, link.parent, true, marking, &pending) }
          continue
        }
        let directory = pending[next]
        next += 1
        guard directories.contains(directory), let listing = list(directory) else { continue }
        for entry in listing.entries where !entry.isLink {
          visit(listing.names[entry.name], directory, false, marking, &pending)
        }
        links += listing.entries.filter(\.isLink).reversed().map { (directory, listing.names[$0.name]) }
      }
    }

    private mutating func visit(
      _ name: Name, _ parent: ID, _ isLinked: Bool, _ marking: Bool, _ pending: inout [ID]
    ) {
      guard directories.child(of: parent, named: name) == nil,
        let id = add(name, to: parent, isLinked: isLinked)
      else { return }
      if marking { mark(id) }
      pending.append(id)
    }

    /// Returns the subdirectories of a directory and its links to directories, without ignored names.
    private mutating func list(_ directory: ID) -> StatusListing? {
      do throws(Errno) {
        let path = FilePath(systemBytes: directories.pathBytes(of: directory))
        return try unsafe StatusListing(of: path, ignoring: { unsafe isIgnored(ArraySlice($0)) }, where: { _ in false })
      } catch {
        if error == .noSuchFileOrDirectory || error == .notDirectory { incomplete.insert(directory) }
        return nil
      }
    }

    /// Watches the directory `name` in `parent`, and returns it if it is new. Returns `nil` if it is not a directory,
    /// cannot be watched, or was already watched.
    mutating func add(_ name: Name, to parent: ID, isLinked: Bool) -> ID? {
      let path = directories.pathBytes(of: parent, appending: name)
      let watch: Int32
      do throws(Errno) {
        watch = try inotify.watch(path, isLinked ? .entries : [.entries, .notFollowingLinks])
        if directories.count >= limit, !directories.contains(watch) {
          end(watch)
          throw .noSpace
        }
      } catch {
        switch error {
        case .noSpace, .noMemory: unwatched.append(FilePath(systemBytes: path))
        case .noSuchFileOrDirectory: incomplete.insert(parent)
        default: break
        }
        return nil
      }
      if let known = directories.child(of: parent, named: name) {
        if known == watch { return nil }
        // Its contents are removed with it, and may include the directory that was just found.
        remove(known)
        return add(name, to: parent, isLinked: isLinked)
      }
      if directories.contains(watch) {
        // Either the link leads to a directory that has another path, or the events of a move are still to come.
        guard !isLinked, watch != directories.root else { return nil }
        if !directories.isLinked(watch), let parent = directories.parent(of: watch) { incomplete.insert(parent) }
        if move(watch, to: parent, name) { mark(watch) }
        return nil
      }
      directories.insert(watch, in: parent, name: name, isLinked: isLinked)
      return watch
    }

    /// Moves a directory within the tree. Returns `false` if, as far as is known, it would then be inside itself: in
    /// that case the whole tree is read again.
    mutating func move(_ directory: ID, to parent: ID, _ name: Name) -> Bool {
      hasOverflowed = hasOverflowed || directories.isInside(parent, directory)
      if !hasOverflowed { directories.move(directory, to: parent, name: name, isLinked: false) }
      return !hasOverflowed
    }

    /// Stops watching a directory and everything below it.
    mutating func remove(_ directory: ID) {
      for watch in directories.remove(directory) { end(watch) }
    }

    private func end(_ watch: Int32) {
      if !outerWatches.contains(watch) { inotify.end(watch) }
    }

    /// Looks again for directories that were not found under their earlier names. Call it after all events have been
    /// read.
    mutating func complete() {
      // A directory that is found may be known under another path, at which there is something else by now. If changes
      // continue, there will be further events.
      for _ in 0..<Self.maximumLooks where !incomplete.isEmpty {
        let retried = incomplete.filter { directories.contains($0) }
        incomplete = []
        walk(Array(retried), marking: true)
      }
    }

    // MARK: Reporting

    mutating func mark(_ directory: ID) {
      if !directories.mark(directory) { marked.append(directory) }
    }

    var hasChanges: Bool {
      !marked.isEmpty || !departures.isEmpty || hasOverflowed || !unwatched.isEmpty || !moves.isEmpty
    }

    /// Removes and returns the directories that cannot be watched.
    mutating func takeUnwatched() -> [FilePath] {
      defer { unwatched = [] }
      return unwatched
    }

    /// Removes and returns the changes. Entries that were moved away before `round`, and have not arrived, count as
    /// having left the tree.
    mutating func takeChanges(before round: Int) -> DirectoryTreeChanges {
      for (cookie, departure) in departures where departure.round < round {
        departures[cookie] = nil
        guard let directory = departure.directory, directories.contains(directory) else { continue }
        // Another directory may have its name, and may have been found in its place.
        if let parent = directories.parent(of: directory) { incomplete.insert(parent) }
        remove(directory)
      }
      complete()
      var changes = DirectoryTreeChanges(moves: moves)
      moves = []
      // A directory that was removed meanwhile is no longer marked.
      for id in marked where directories.mark(id, false) {
        changes.directories.insert(FilePath(systemBytes: directories.pathBytes(of: id)))
      }
      marked = []
      return changes
    }
  }
#endif
