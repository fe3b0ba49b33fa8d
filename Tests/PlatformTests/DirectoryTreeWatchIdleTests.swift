#if os(Linux)
  import SystemPackage
  import TestSupport
  import Testing

  @testable import Platform

  extension ProgramLane {
    struct DirectoryTreeWatchIdleTests {
      /// The lines of a status file in `/proc`, by their names.
      private func status(_ path: FilePath) throws -> [Substring: String] {
        let text = String(decoding: try contents(of: path), as: UTF8.self)
        let lines = text.split(separator: "\n").map { $0.split(separator: ":", maxSplits: 1) }
        return Dictionary(
          uniqueKeysWithValues: lines.compactMap { line in
            line.count == 2 ? (line[0], line[1].filter { !$0.isWhitespace }) : nil
          })
      }

      @Test func `A watch under which nothing happens does not wake`() throws {
        let directory = try TemporaryDirectory()
        try directory.makeDirectory("a/b")
        let thread = Watched<String?>(nil)
        let watch = try DirectoryTreeWatch(directory.path, pace: WatchPace(quiet: .milliseconds(20))) {
          report in
          guard case .changed = report else { return }
          let number = try? status("/proc/thread-self/status")["Pid"]
          thread.change { $0 = number }
        }
        defer { watch.stop() }
        while thread.value == nil {
          try directory.write([1], to: "a/b/song")
          _ = thread.wait(seconds: 0.5) { $0 != nil }
        }
        let file = FilePath("/proc/self/task").appending(try #require(thread.value)).appending("status")
        while try status(file)["State"]?.first != "S" {}
        // The last file may still be told.
        var before = try status(file)
        for attempt in 0..<3 {
          MonotonicInstant.now.advanced(byMilliseconds: 2000).sleep()
          let after = try status(file)
          let names: [Substring] = ["voluntary_ctxt_switches", "nonvoluntary_ctxt_switches"]
          if names.allSatisfy({ before[$0] != nil && before[$0] == after[$0] }) { return }
          #expect(attempt < 2, "it woke in each of three spells of two seconds")
          before = after
        }
      }
    }
  }
#endif
