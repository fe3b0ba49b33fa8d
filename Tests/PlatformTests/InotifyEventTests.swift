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

    @Test func `One that is cut short is passed over`() {
      let all = events.flatMap { bytes($0) }
      let ends = events.indices.map { index in events[...index].flatMap { bytes($0) }.count }
      for count in all.indices {
        let whole = ends.count { $0 <= count }
        #expect(InotifyEvent.parse(all[..<count]) == Array(events[..<whole]))
      }
    }

    @Test func `Garbage is survived by the parser and by the tree`() throws {
      let directory = try TemporaryDirectory()
      for name in ["a/b", "c", "d/e/f"] { try directory.makeDirectory(name) }
      var generator = SeededGenerator(seed: 7)
      for _ in 0..<60 {
        var tree = InotifyTree(directory.path, try Inotify())
        try tree.build()
        for round in 0..<10 {
          var all: [UInt8] = []
          for _ in 0..<Int.random(in: 0...20, using: &generator) {
            // A few watches, names and cookies, so that the events have to do with each other.
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
          for event in InotifyEvent.parse(all[...]) { _ = tree.take(event, round: round) }
          tree.complete()
          let changes = tree.takeChanges(before: round)
          #expect(changes.directories.allSatisfy { $0.starts(with: directory.path) })
        }
        tree.drop()
        #expect(tree.directories.count == 0)
      }
    }

    @Test func `Random bytes are no events beyond their end`() {
      var generator = SeededGenerator(seed: 8)
      for _ in 0..<2000 {
        let bytes = (0..<Int.random(in: 0...200, using: &generator)).map { _ in
          Bool.random(using: &generator) ? 0 : UInt8.random(in: 0...255, using: &generator)
        }
        #expect(InotifyEvent.parse(bytes[...]).count <= bytes.count / 16)
      }
    }
  }
#endif
