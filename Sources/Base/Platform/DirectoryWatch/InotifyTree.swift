// SPDX-License-Identifier: GPL-3.0-or-later

#if os(Linux)
  import SystemPackage

  /// A tree of directories that an inotify instance watches, kept up to date by its events.
  ///
  /// - Directories are watched before they are listed, so that no change is missed. Links to directories are followed
  ///   after everything in the tree itself; a directory is watched once, whatever leads to it.
  /// - Changes are recorded by directory, not by path: reports have the paths after all changes.
  struct InotifyTree {
    typealias ID = WatchedDirectories.ID
    typealias Name = ArraySlice<UInt8>

    /// The greatest number of times to look again at incomplete directories before further events are read.
    private static let mostLooks = 8

    let inotify: Inotify
    /// The path of the root.
    let root: FilePath
    private let rootBytes: [UInt8]
    /// The greatest number of directories to watch.
    private let limit: Int
    /// Whether a name is ignored.
    let passesOver: @Sendable (Name) -> Bool

    var directories: WatchedDirectories
    /// The directories that are marked as changed.
    var marked: [ID] = []
    var moves: [DirectoryTreeChanges.Move] = []
    /// The first halves of moves, by cookie.
    var departures: [UInt32: Departure] = [:]
    /// Directories below which something was not found, since a directory above it has another name by now.
    var incomplete: Set<ID> = []
    /// The directories that cannot be watched for lack of watches.
    private var unwatched: [FilePath] = []
    /// Whether events were lost, or contradict the known tree: further ones are meaningless until the tree is read
    /// again.
    var hasOverflowed = false
    /// Whether the root may have another path, or none.
    var isRootDoubtful = false
    /// Whether the root was deleted or unmounted.
    var isRootGone = false
    /// The watches of the directories above the root.
    var outerWatches: Set<Int32> = []

    /// Something that was moved away, to a place not known yet.
    struct Departure {
      var path: FilePath
      /// The watch, if it is a watched directory.
      var watch: Int32?
      /// The round of reading in which it was moved away.
      var round: Int
    }

    /// Creates a tree at `root` that is not watched yet.
    init(
      _ root: FilePath, _ inotify: Inotify, limit: Int = .max,
      passesOver: @escaping @Sendable (Name) -> Bool = { _ in false }
    ) {
      self.passesOver = passesOver
      self.inotify = inotify
      self.root = root
      self.limit = limit
      rootBytes = root.systemBytes
      directories = WatchedDirectories(root: rootBytes)
    }

    // MARK: Reading the tree

    /// Watches the whole tree again: everything known or recorded before is dropped.
    ///
    /// - Throws: The error number with which the root cannot be watched.
    mutating func build() throws(Errno) {
      let old = directories.watches
      forget()
      let watch: Int32
      do throws(Errno) {
        watch = try inotify.watch(rootBytes, .entries)
      } catch {
        for watch in old { end(watch) }
        throw error
      }
      walk([directories.insertRoot(watch: watch)], marking: false)
      for watch in old where directories.directory(watch: watch) == nil { end(watch) }
    }

    /// Ends all watches.
    mutating func drop() {
      for watch in directories.watches { end(watch) }
      forget()
    }

    private mutating func forget() {
      directories = WatchedDirectories(root: rootBytes)
      marked = []
      moves = []
      departures = [:]
      incomplete = []
      unwatched = []
      hasOverflowed = false
      isRootDoubtful = false
      isRootGone = false
    }

    /// Watches new directories below these, which are watched: breadth first, so that only deep ones stay unwatched if
    /// watches run out.
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
        guard directories.contains(directory), let names = list(directory) else { continue }
        for name in names.directories { visit(name, directory, false, marking, &pending) }
        links += names.links.reversed().map { (directory, $0) }
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

    private mutating func list(_ directory: ID) -> SubdirectoryNames? {
      do throws(Errno) {
        return try SubdirectoryNames(of: directories.pathBytes(of: directory), without: passesOver)
      } catch {
        if error == .noSuchFileOrDirectory || error == .notDirectory { incomplete.insert(directory) }
        return nil
      }
    }

    /// Watches the directory `name` in another, and returns it if it is new: not if it is no directory, cannot be
    /// watched, or was watched already.
    mutating func add(_ name: Name, to parent: ID, isLinked: Bool) -> ID? {
      let path = directories.pathBytes(of: parent, appending: name)
      let watch: Int32
      do throws(Errno) {
        watch = try inotify.watch(path, isLinked ? .entries : [.entries, .unlinked])
        if directories.count >= limit, directories.directory(watch: watch) == nil {
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
        if directories.watch(of: known) == watch { return nil }
        // Its contents are removed with it, and may include the directory that was found.
        remove(known)
        return add(name, to: parent, isLinked: isLinked)
      }
      if let elsewhere = directories.directory(watch: watch) {
        // Either the link leads to a directory that has another path, or the events of a move are still to come.
        guard !isLinked, elsewhere != WatchedDirectories.root else { return nil }
        if !directories.isLinked(elsewhere), let parent = directories.parent(of: elsewhere) {
          incomplete.insert(parent)
        }
        if place(elsewhere, in: parent, name) { mark(elsewhere) }
        return nil
      }
      return directories.insert(watch: watch, parent: parent, name: name, isLinked: isLinked)
    }

    /// Moves a directory in the tree; returns `false` if it would be inside itself as far as is known: then the whole
    /// tree is read again.
    mutating func place(_ directory: ID, in parent: ID, _ name: Name) -> Bool {
      hasOverflowed = hasOverflowed || directories.isInside(parent, directory)
      if !hasOverflowed { directories.move(directory, to: parent, name: name, isLinked: false) }
      return !hasOverflowed
    }

    /// Ends the watches of this directory and everything below it.
    mutating func remove(_ directory: ID) {
      for watch in directories.remove(directory) { end(watch) }
    }

    private func end(_ watch: Int32) {
      if !outerWatches.contains(watch) { inotify.end(watch) }
    }

    /// Looks again for directories that were not found under their earlier names; call when all events are read.
    mutating func complete() {
      // A directory that is found may be known under another path, at which something else is by now. Continuous
      // changes have further events.
      for _ in 0..<Self.mostLooks where !incomplete.isEmpty {
        let again = incomplete.filter { directories.contains($0) }
        incomplete = []
        walk(Array(again), marking: true)
      }
    }

    // MARK: Reporting

    /// Marks a directory as changed.
    mutating func mark(_ directory: ID) {
      if !directories.mark(directory) { marked.append(directory) }
    }

    /// Whether there is something to report.
    var hasNews: Bool {
      !marked.isEmpty || !departures.isEmpty || hasOverflowed || !unwatched.isEmpty || !moves.isEmpty
    }

    /// Removes and returns the directories that cannot be watched.
    mutating func takeUnwatched() -> [FilePath] {
      defer { unwatched = [] }
      return unwatched
    }

    /// Removes and returns the changes. What was moved away before `round` and has not arrived counts as having left
    /// the tree.
    mutating func takeChanges(before round: Int) -> DirectoryTreeChanges {
      for (cookie, departure) in departures where departure.round < round {
        departures[cookie] = nil
        guard let watch = departure.watch, let id = directories.directory(watch: watch) else { continue }
        // Another directory may have its name, and may have been found in its place.
        if let parent = directories.parent(of: id) { incomplete.insert(parent) }
        remove(id)
      }
      complete()
      var changes = DirectoryTreeChanges(moves: moves)
      moves = []
      // The id of a removed directory may be reused, and is then listed twice.
      for id in marked where directories.mark(id, false) {
        changes.directories.insert(FilePath(systemBytes: directories.pathBytes(of: id)))
      }
      marked = []
      return changes
    }
  }
#endif
