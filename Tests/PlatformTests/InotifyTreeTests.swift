#if os(Linux)
  import SystemPackage
  import TestSupport
  import Testing

  @testable import Platform

  /// Directories change on, whether or not the events of that are read in time.
  struct InotifyTreeTests {
    @Test(arguments: UInt64(0)..<60)
    func `However late events are read, each directory is watched where it is in the end`(seed: UInt64) throws {
      var generator = SeededGenerator(seed: seed)
      let directory = try TemporaryDirectory()
      let changes = ChanceChanges(
        directory, root: try directory.makeDirectory("music"), outside: try directory.makeDirectory("outside"))
      let inotify = try Inotify()
      var tree = InotifyTree(changes.root, inotify)
      try tree.build()
      var round = 0
      // From reading after nearly each change to reading nothing before the end.
      let reading = Int.random(in: 1...30, using: &generator)
      for _ in 0..<60 {
        try changes.make(using: &generator)
        if Int.random(in: 0..<reading, using: &generator) == 0 {
          round += 1
          take(&tree, round, bufferSize: Int.random(in: 300...4000, using: &generator))
        }
      }
      repeat { round += 1 } while take(&tree, round, bufferSize: 65_536)
      _ = tree.takeChanges(before: .max)
      while take(&tree, round, bufferSize: 65_536) {}
      if tree.hasOverflowed { try tree.build() }

      var watched: Set<FilePath> = []
      for watch in tree.directories.watches {
        let id = try #require(tree.directories.directory(watch: watch))
        let path = FilePath(systemBytes: tree.directories.pathBytes(of: id))
        watched.insert(path)
        #expect((try? inotify.watch(path.systemBytes, .entries)) == watch, "\(path)")
      }
      #expect(watched == Set(changes.directories(below: changes.root)))
    }

    /// Takes in what one read gives; tells whether there was something.
    @discardableResult
    private func take(_ tree: inout InotifyTree, _ round: Int, bufferSize: Int) -> Bool {
      var buffer = [UInt8](repeating: 0, count: bufferSize)
      let events = tree.inotify.read(&buffer)
      for event in events { _ = tree.take(event, round: round) }
      tree.complete()
      return !events.isEmpty
    }
  }

  /// Makes, moves and removes directories of few names, in a tree and between it and a place outside.
  private struct ChanceChanges {
    let directory: TemporaryDirectory
    let root: FilePath
    let outside: FilePath

    init(_ directory: TemporaryDirectory, root: FilePath, outside: FilePath) {
      self.directory = directory
      self.root = root
      self.outside = outside
    }

    /// The directories at and below `top`.
    func directories(below top: FilePath) -> [FilePath] {
      let entries = (try? DirectoryListing(of: top))?.entries ?? []
      return [top] + entries.flatMap { directories(below: top.appending($0.name)) }
    }

    func make(using generator: inout SeededGenerator) throws {
      let all = directories(below: root) + directories(below: outside)
      let name = "n\(Int.random(in: 0..<4, using: &generator))"
      guard let place = all.randomElement(using: &generator)?.appending(name) else { return }
      let moved = all.randomElement(using: &generator) ?? root
      let isFree = (try? FileStatus(of: place)) == nil
      switch Int.random(in: 0..<10, using: &generator) {
      case 0..<4 where isFree: try directory.makeDirectory(place.string)
      case 4..<9 where isFree && moved != root && moved != outside && !place.starts(with: moved):
        try moved.rename(to: place)
      case 9 where moved != root && moved != outside && directories(below: moved).count == 1:
        try moved.delete()
      default: break
      }
    }
  }
#endif
