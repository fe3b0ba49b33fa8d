// SPDX-License-Identifier: GPL-3.0-or-later

#if os(Linux)
  import SystemPackage
  import TestSupport
  import Testing

  @testable import Platform

  extension ProgramLane {
    /// Lost events, a missing root, and stopping a watch.
    struct DirectoryTreeWatchLimitTests {
      @Test func `After an overflow, a rescan is requested, and the tree is still followed`() throws {
        let gate = Gate()
        let directory = try TemporaryDirectory()
        let root = try directory.makeDirectory("music/a").removingLastComponent()
        let recorded = Watched<[DirectoryTreeReport]>([])
        let watch = try DirectoryTreeWatch(root, delays: WatchDelays(quiet: .milliseconds(20))) { report in
          recorded.change { $0.append(report) }
          if case .changed = report { gate.pass() }
        }
        defer { watch.stop() }
        #expect(recorded.wait { !$0.isEmpty })
        try directory.write([1], to: "music/a/song")
        #expect(gate.awaitArrival())
        // No events are read now, and each file causes three.
        let limit = try contents(of: "/proc/sys/fs/inotify/max_queued_events")
        let count = try #require(Int(String(decoding: limit, as: UTF8.self).filter(\.isNumber)))
        try directory["music/a"].makeAndDeleteFiles(count / 3 + 100, deletingAtOnce: true)
        try directory.makeDirectory("music/new/deep")
        gate.open()
        #expect(recorded.wait { $0.contains(.readAgain(root, because: .overflowed)) })
        try directory.write([1], to: "music/new/deep/song")
        #expect(recorded.wait { $0.last == .changed(.init(directories: [root.pushing("new/deep")])) })
      }

      @Test func `When watches run out, the upper directories are followed, and the others are reported`() throws {
        let tree = try WatchedTree(limit: 4) { directory in
          for name in ["a/x/y", "b/x", "c"] { try directory.makeDirectory("music/" + name) }
        }
        #expect(tree.waitUntilStarted())
        #expect(Set(tree.recorded.value.unwatched) == [tree["a/x"], tree["b/x"]])
        guard case .unwatched = tree.recorded.value.reports.first else {
          Issue.record("unwatched directories are reported first")
          return
        }
        for name in ["a", "b", "c"] { #expect(try tree.isFollowed(name)) }
        tree.forget()
        try tree.directory.makeDirectory("music/d")
        #expect(tree.reportsChange(""))
        #expect(tree.recorded.value.unwatched == [tree["d"]])
      }

      @Test func `A deleted root is reported, and so is its return`() throws {
        let tree = try WatchedTree { try $0.makeDirectory("music/a") }
        #expect(tree.waitUntilStarted())
        try tree["a"].delete()
        try tree.root.delete()
        #expect(tree.recorded.wait { $0.reports.last == .rootMissing })
        // An empty directory may be the mount point of a missing file system.
        try tree.write("a/song")
        #expect(tree.reportsReadAgain(.returned))
        #expect(try tree.isFollowed("a"))
      }

      @Test(arguments: ["far", "far/away", "far/away/music"])
      func `A root that is moved away with its parent is reported, and so is its return`(moved: String) throws {
        let tree = try WatchedTree(root: "far/away/music") { try $0.makeDirectory("far/away/music/a") }
        #expect(tree.waitUntilStarted())
        try tree.directory[moved].rename(to: tree.directory["gone"])
        #expect(tree.recorded.wait { $0.reports.last == .rootMissing })
        tree.forget()
        try tree.directory["gone"].rename(to: tree.directory[moved])
        #expect(tree.reportsReadAgain(.returned))
        tree.forget()
        try tree.directory.write([1], to: "far/away/music/a/song")
        #expect(tree.reportsChange("a"))
      }

      @Test func `A root that is missing at first is awaited`() throws {
        let directory = try TemporaryDirectory()
        let root = directory["a/b/music"]
        let recorded = Watched<[DirectoryTreeReport]>([])
        let watch = try DirectoryTreeWatch(root, delays: WatchDelays(quiet: .milliseconds(20))) { report in
          recorded.change { $0.append(report) }
        }
        defer { watch.stop() }
        #expect(recorded.wait { $0 == [.rootMissing] })
        try directory.makeDirectory("a")
        try directory.makeDirectory("a/b/c")
        try directory["a/b/c"].rename(to: root)
        #expect(recorded.wait { $0 == [.rootMissing, .readAgain(root, because: .returned)] })
        try directory.write([1], to: "a/b/music/song")
        #expect(recorded.wait { $0.last == .changed(.init(directories: [root])) })
      }

      @Test func `A watch can be stopped under a flood of events, and reports nothing afterwards`() throws {
        let tree = try WatchedTree(quiet: .milliseconds(1), longest: .milliseconds(20))
        #expect(tree.waitUntilStarted())
        let isWriting = Watched(true)
        let writer = try WorkerThread(name: "writer") { [directory = tree.directory] in
          var number = 0
          while isWriting.value {
            _ = try? directory.write([1], to: "music/\(number % 50)/song")
            number += 1
          }
        }
        #expect(tree.recorded.wait { $0.batches.count > 3 })
        tree.watch.stop()
        #expect(tree.watch.waitUntilStopped(by: .now.advanced(byMilliseconds: 60_000)))
        let count = tree.recorded.value.reports.count
        isWriting.change { $0 = false }
        #expect(writer.join(until: .now.advanced(byMilliseconds: 60_000)))
        #expect(tree.recorded.value.reports.count == count)
      }

      @Test func `Continuous changes are reported, too`() throws {
        let tree = try WatchedTree(quiet: .seconds(3600), longest: .milliseconds(50))
        #expect(tree.waitUntilStarted())
        try tree.write("song")
        #expect(tree.reportsChange(""))
      }

      @Test func `A released watch ends its thread`() throws {
        final class Captured: Sendable {}
        weak var reference: Captured?
        let directory = try TemporaryDirectory()
        do {
          let captured = Captured()
          reference = captured
          let watch = try DirectoryTreeWatch(directory.path) { _ in withExtendedLifetime(captured) {} }
          withExtendedLifetime(watch) {}
        }
        #expect(eventually { reference == nil })
      }
    }
  }

  extension ProgramLane {
    struct DirectoryTreeWatchIdleTests {
      /// Returns the lines of a status file in `/proc`, by their names.
      private func status(_ path: FilePath) throws -> [Substring: String] {
        let text = String(decoding: try contents(of: path), as: UTF8.self)
        let lines = text.split(separator: "\n").map { $0.split(separator: ":", maxSplits: 1) }
        return Dictionary(
          uniqueKeysWithValues: lines.compactMap { line in
            line.count == 2 ? (line[0], line[1].filter { !$0.isWhitespace }) : nil
          })
      }

      @Test func `A watch does not wake without changes`() throws {
        let directory = try TemporaryDirectory()
        try directory.makeDirectory("a/b")
        let thread = Watched<String?>(nil)
        let watch = try DirectoryTreeWatch(directory.path, delays: WatchDelays(quiet: .milliseconds(20))) {
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
        // The report of the last file may still be under way.
        var before = try status(file)
        for attempt in 0..<3 {
          MonotonicInstant.now.advanced(byMilliseconds: 2000).sleep()
          let after = try status(file)
          let names: [Substring] = ["voluntary_ctxt_switches", "nonvoluntary_ctxt_switches"]
          if names.allSatisfy({ before[$0] != nil && before[$0] == after[$0] }) { return }
          #expect(attempt < 2, "it woke in each of three periods of two seconds")
          before = after
        }
      }
    }
  }
#endif
