// SPDX-License-Identifier: GPL-3.0-or-later

#if os(Linux)
  import SystemPackage
  import TestSupport
  import Testing

  @testable import Platform

  struct InotifyEventTests {
    private func bytes(_ event: InotifyEvent, padding: Int = 1) -> [UInt8] {
      let length = event.name.isEmpty ? 0 : event.name.count + padding
      let words = [UInt32(bitPattern: event.watch), event.mask.rawValue, event.cookie, UInt32(length)]
      let header = words.flatMap { word in
        (0..<4).map { UInt8(truncatingIfNeeded: word.littleEndian >> (8 * $0)) }
      }
      return header + event.name + [UInt8](repeating: 0, count: length - event.name.count)
    }

    private let events = [
      InotifyEvent(watch: 1, mask: .created, name: [0x61, 0xFF]),
      InotifyEvent(watch: 70_000, mask: [.movedFrom, .isDirectory], cookie: 4_000_000_000, name: [0x62]),
      InotifyEvent(watch: 3, mask: .selfDeleted),
      InotifyEvent(watch: -1, mask: .overflowed),
    ]

    @Test(arguments: [1, 2, 15])
    func `Events are read as the system writes them`(padding: Int) {
      let all = events.flatMap { bytes($0, padding: padding) }
      #expect(InotifyEvent.parse(all[...]) == events)
      #expect(InotifyEvent.parse(([9, 9] + all).dropFirst(2)) == events)
      #expect(InotifyEvent.parse([]).isEmpty)
    }

    @Test func `An incomplete event is ignored`() {
      let all = events.flatMap { bytes($0) }
      let ends = events.indices.map { index in events[...index].flatMap { bytes($0) }.count }
      for count in all.indices {
        let completeCount = ends.count { $0 <= count }
        #expect(InotifyEvent.parse(all[..<count]) == Array(events[..<completeCount]))
      }
    }

    @Test func `The parser and the tree survive garbage`() throws {
      let directory = try TemporaryDirectory()
      for name in ["a/b", "c", "d/e/f"] { try directory.makeDirectory(name) }
      var generator = SeededGenerator(seed: 7)
      for _ in 0..<60 {
        var tree = InotifyTree(directory.path, try Inotify())
        try tree.build()
        for round in 0..<10 {
          var all: [UInt8] = []
          for _ in 0..<Int.random(in: 0...20, using: &generator) {
            // A few watches, names and cookies, so that the events are related.
            let event = InotifyEvent(
              watch: Int32.random(in: -1...8, using: &generator),
              mask: .init(
                rawValue: 1 << UInt32.random(in: 0...15, using: &generator)
                  | (Bool.random(using: &generator) ? 1 << 30 : 0)),
              cookie: UInt32.random(in: 0...2, using: &generator),
              name: [[], [0x61], [0x62], [0x63], [0x2E, 0x2E], [0x61, 0x2F, 0x62]].randomElement(
                using: &generator) ?? [])
            all += bytes(event, padding: Int.random(in: 1...20, using: &generator))
          }
          if Bool.random(using: &generator), !all.isEmpty {
            all[Int.random(in: all.indices, using: &generator)] = UInt8.random(in: 0...255, using: &generator)
          }
          for event in InotifyEvent.parse(all[...]) { _ = tree.apply(event, round: round) }
          tree.complete()
          let changes = tree.takeChanges(before: round)
          #expect(changes.directories.allSatisfy { $0.starts(with: directory.path) })
        }
        tree.drop()
        #expect(tree.directories.count == 0)
      }
    }

    @Test func `Random bytes give no event beyond their end`() {
      var generator = SeededGenerator(seed: 8)
      for _ in 0..<2000 {
        let bytes = (0..<Int.random(in: 0...200, using: &generator)).map { _ in
          Bool.random(using: &generator) ? 0 : UInt8.random(in: 0...255, using: &generator)
        }
        #expect(InotifyEvent.parse(bytes[...]).count <= bytes.count / 16)
      }
    }
  }

  /// Directories that change, whether or not their events are read in time.
  struct InotifyTreeTests {
    @Test(arguments: UInt64(0)..<60)
    func `However late events are read, each directory is watched at its final path`(seed: UInt64) throws {
      var generator = SeededGenerator(seed: seed)
      let directory = try TemporaryDirectory()
      let changes = RandomChanges(
        directory, root: try directory.makeDirectory("music"), outside: try directory.makeDirectory("outside"))
      let inotify = try Inotify()
      var tree = InotifyTree(changes.root, inotify)
      try tree.build()
      var round = 0
      // From reading after nearly every change to reading only at the end.
      let readInterval = Int.random(in: 1...30, using: &generator)
      for _ in 0..<60 {
        try changes.make(using: &generator)
        if Int.random(in: 0..<readInterval, using: &generator) == 0 {
          round += 1
          apply(&tree, round, bufferSize: Int.random(in: 300...4000, using: &generator))
        }
      }
      repeat { round += 1 } while apply(&tree, round, bufferSize: 65_536)
      _ = tree.takeChanges(before: .max)
      while apply(&tree, round, bufferSize: 65_536) {}
      if tree.hasOverflowed { try tree.build() }

      var watched: Set<FilePath> = []
      for watch in tree.directories.watches {
        let path = FilePath(systemBytes: tree.directories.pathBytes(of: watch))
        watched.insert(path)
        #expect((try? inotify.watch(path.systemBytes, .entries)) == watch, "\(path)")
      }
      #expect(watched == Set(changes.directories(below: changes.root)))
    }

    /// Applies the events of one read. Returns whether there were any.
    @discardableResult
    private func apply(_ tree: inout InotifyTree, _ round: Int, bufferSize: Int) -> Bool {
      var buffer = [UInt8](repeating: 0, count: bufferSize)
      let events = tree.inotify.read(&buffer)
      for event in events { _ = tree.apply(event, round: round) }
      tree.complete()
      return !events.isEmpty
    }
  }

  /// Creates, moves and removes directories with few names, within a tree and between it and a directory outside.
  private struct RandomChanges {
    let directory: TemporaryDirectory
    let root: FilePath
    let outside: FilePath

    init(_ directory: TemporaryDirectory, root: FilePath, outside: FilePath) {
      self.directory = directory
      self.root = root
      self.outside = outside
    }

    /// Returns the directories at and below `top`.
    func directories(below top: FilePath) -> [FilePath] {
      let entries = (try? DirectoryListing(of: top))?.entries ?? []
      return [top] + entries.flatMap { directories(below: top.appending($0.name)) }
    }

    func make(using generator: inout SeededGenerator) throws {
      let all = directories(below: root) + directories(below: outside)
      let name = "n\(Int.random(in: 0..<4, using: &generator))"
      guard let path = all.randomElement(using: &generator)?.appending(name) else { return }
      let moved = all.randomElement(using: &generator) ?? root
      let isFree = (try? FileStatus(of: path)) == nil
      switch Int.random(in: 0..<10, using: &generator) {
      case 0..<4 where isFree: try directory.makeDirectory(path.string)
      case 4..<9 where isFree && moved != root && moved != outside && !path.starts(with: moved):
        try moved.rename(to: path)
      case 9 where moved != root && moved != outside && directories(below: moved).count == 1:
        try moved.delete()
      default: break
      }
    }
  }
#endif
