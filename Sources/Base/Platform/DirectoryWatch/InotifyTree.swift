#if os(Linux)
  import SystemPackage

  /// A tree of directories that an inotify instance watches, kept in step with its events.
  ///
  /// - Directories are watched before they are listed, so that nothing falls between. Links to directories are
  ///   followed, after all that lies in the tree itself; a directory is watched once, whatever leads to it.
  /// - Changes are kept by directory, not by path: what is told at the end has the paths of the end.
  struct InotifyTree {
    typealias ID = WatchedDirectories.ID
    typealias Name = ArraySlice<UInt8>

    /// How often at most to look again at what was incomplete before further events are taken.
    private static let mostLooks = 8

    let inotify: Inotify
    /// The root's path.
    let root: FilePath
    private let rootBytes: [UInt8]
    /// At most so many directories are watched.
    private let limit: Int
    /// Whether a name counts for nothing.
    let passesOver: @Sendable (Name) -> Bool

    var directories: WatchedDirectories
    /// The directories with a mark.
    var marked: [ID] = []
    var moves: [DirectoryTreeChanges.Move] = []
    /// The first halves of moves, by cookie.
    var departures: [UInt32: Departure] = [:]
    /// Directories below which something was not found, since one above has another name by now.
    var incomplete: Set<ID> = []
    /// What is not watched for want of watches.
    private var unwatched: [FilePath] = []
    /// Whether events were lost, or contradict what is known: all further ones are meaningless until the tree is read
    /// again.
    var hasOverflowed = false
    /// Whether the root may have another path, or none.
    var isRootDoubtful = false
    /// The root was deleted or unmounted.
    var isRootGone = false
    /// Watches of the directories above the root.
    var outerWatches: Set<Int32> = []

    /// Something that was moved to nobody knows where yet.
    struct Departure {
      var path: FilePath
      /// The watch of a directory that is watched.
      var watch: Int32?
      /// In which round of reading it went.
      var round: Int
    }

    /// A tree at `root` of which nothing is watched yet.
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

    /// Watches all anew: whatever was known or noted before is dropped.
    ///
    /// - Throws: the error number with which the root cannot be watched.
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

    /// Watches nothing any more.
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

    /// Watches what is new below these directories, which are watched: breadth first, so that where watches run out, it
    /// is far down.
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

    /// Watches the directory `name` in another, and gives it where that is new: neither where it is none or cannot be
    /// watched, nor where it was watched already.
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
        // What is below it goes with it, and that may be what was found.
        remove(known)
        return add(name, to: parent, isLinked: isLinked)
      }
      if let elsewhere = directories.directory(watch: watch) {
        // A link leads to where another path does; or a move of which the news is still to come.
        guard !isLinked, elsewhere != WatchedDirectories.root else { return nil }
        if !directories.isLinked(elsewhere), let parent = directories.parent(of: elsewhere) {
          incomplete.insert(parent)
        }
        if place(elsewhere, in: parent, name) { mark(elsewhere) }
        return nil
      }
      return directories.insert(watch: watch, parent: parent, name: name, isLinked: isLinked)
    }

    /// Gives a directory another place; `false` where that is inside itself by what is known: then all is read again.
    mutating func place(_ directory: ID, in parent: ID, _ name: Name) -> Bool {
      hasOverflowed = hasOverflowed || directories.isInside(parent, directory)
      if !hasOverflowed { directories.move(directory, to: parent, name: name, isLinked: false) }
      return !hasOverflowed
    }

    /// Watches no longer what is below this directory, and itself.
    mutating func remove(_ directory: ID) {
      for watch in directories.remove(directory) { end(watch) }
    }

    private func end(_ watch: Int32) {
      if !outerWatches.contains(watch) { inotify.end(watch) }
    }

    /// Looks again where something was not found under the name that it had; for when all events have been taken.
    mutating func complete() {
      // What is found may have been known elsewhere, where something else is by now. What changes all the while has
      // further events.
      for _ in 0..<Self.mostLooks where !incomplete.isEmpty {
        let again = incomplete.filter { directories.contains($0) }
        incomplete = []
        walk(Array(again), marking: true)
      }
    }

    // MARK: Telling

    /// Notes that a directory's entries changed.
    mutating func mark(_ directory: ID) {
      if !directories.mark(directory) { marked.append(directory) }
    }

    /// Whether there is something to tell.
    var hasNews: Bool {
      !marked.isEmpty || !departures.isEmpty || hasOverflowed || !unwatched.isEmpty || !moves.isEmpty
    }

    /// What cannot be watched, once.
    mutating func takeUnwatched() -> [FilePath] {
      defer { unwatched = [] }
      return unwatched
    }

    /// What changed, once. What went in a round before `round` and did not come is taken for gone.
    mutating func takeChanges(before round: Int) -> DirectoryTreeChanges {
      for (cookie, departure) in departures where departure.round < round {
        departures[cookie] = nil
        guard let watch = departure.watch, let id = directories.directory(watch: watch) else { continue }
        // Another may be there under its name, and may have been found in its place.
        if let parent = directories.parent(of: id) { incomplete.insert(parent) }
        remove(id)
      }
      complete()
      var changes = DirectoryTreeChanges(moves: moves)
      moves = []
      // One that is no more may be listed, and its number stand for another, which is then listed twice.
      for id in marked where directories.mark(id, false) {
        changes.directories.insert(FilePath(systemBytes: directories.pathBytes(of: id)))
      }
      marked = []
      return changes
    }
  }
#endif
