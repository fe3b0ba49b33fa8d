// SPDX-License-Identifier: GPL-3.0-or-later

import Platform
import SystemPackage
import TestSupport
import Testing

@testable import LibraryScanning

struct PendingUpdatesTests {
  /// Returns a report of changed and moved directories.
  private func changed(
    _ directories: Set<FilePath>, moves: [(FilePath, FilePath)] = []
  ) -> DirectoryTreeReport {
    .changed(
      .init(directories: directories, moves: moves.map { .init(from: $0.0, to: $0.1, isDirectory: true) }))
  }

  /// Returns the steps that result from these reports, in order.
  private func steps(_ reports: DirectoryTreeReport...) -> [WatcherStep] {
    var pending = PendingUpdates(root: "/m")
    for report in reports { pending.add(report) }
    var steps: [WatcherStep] = []
    while let step = pending.next() { steps.append(step) }
    return steps
  }

  @Test func `Pending changes are merged`() {
    #expect(
      steps(changed(["/m/a", "/m/b"]), changed(["/m/b", "/m/c"]))
        == [.update(["/m/a", "/m/b", "/m/c"])])
    #expect(steps().isEmpty)
  }

  @Test func `A directory that changed before a move is updated at its new path`() {
    let moves: [(FilePath, FilePath)] = [("/m/a", "/m/b"), ("/m/b/x", "/m/b/y")]
    #expect(
      steps(changed(["/m/a/x", "/m/ab"]), changed(["/m"], moves: moves)) == [.update(["/m/b/y", "/m/ab", "/m"])])
  }

  @Test func `A directory within a pending rescan is not updated again`() {
    #expect(
      steps(
        changed(["/m/a/x", "/m/b"]), .readAgain("/m/a", because: .overflowed), changed(["/m/a/y", "/m/c"]))
        == [.rescan("/m/a"), .update(["/m/b", "/m/c"])])
    #expect(
      steps(
        .readAgain("/m/a", because: .overflowed), changed(["/m/b"], moves: [("/m/x", "/m/y")]),
        .readAgain("/m", because: .overflowed), .readAgain("/m/c", because: .overflowed), changed(["/m/d"]))
        == [.rescan("/m")])
  }

  @Test func `A missing root discards pending updates, and its return causes a rescan`() {
    #expect(
      steps(.unwatched(["/m/z"]), .readAgain("/m", because: .began), changed(["/m/a"]), .rootMissing)
        == [.markAbsent])
    #expect(steps(.rootMissing, .readAgain("/m", because: .returned), changed(["/m/a"])) == [.rescan("/m")])
  }

  @Test func `Unwatched directories are reported before the rescan`() {
    #expect(
      steps(.unwatched(["/m/z"]), .readAgain("/m", because: .began)) == [
        .reportUnwatched(["/m/z"]), .rescan("/m"),
      ])
  }

  @Test func `Too many changes and moves to compare cause a rescan`() {
    let many = Set((0..<1001).map { FilePath("/m/\($0)") })
    let moves = (0..<1000).map { (FilePath("/m/a\($0)"), FilePath("/m/b\($0)")) }
    #expect(steps(changed(many), changed(["/m"], moves: moves)) == [.rescan("/m")])
  }
}

extension ProgramLane {
  struct LibraryWatcherTests {
    private let directory: TemporaryDirectory
    private let root: FilePath
    private let performed = Watched<[WatcherStep]>([])
    private let delays = WatchDelays(quiet: .milliseconds(20))

    init() throws {
      directory = try TemporaryDirectory()
      root = try directory.makeDirectory("music")
    }

    /// Returns a watcher whose updates and rescans pass these gates.
    private func watcher(
      update: Gate = Gate(isOpen: true), rescan: Gate = Gate(isOpen: true)
    ) throws -> LibraryWatcher {
      try LibraryWatcher(root, delays: delays) { [performed] step in
        performed.change { $0.append(step) }
        switch step {
        case .update: update.pass()
        case .rescan: rescan.pass()
        case .markAbsent, .reportUnwatched: break
        }
      }
    }

    /// Adds a file to the library in one step, which causes one event.
    private func addSong() throws {
      try directory.write([1], to: "song")
      try directory["song"].rename(to: directory["music/song"])
    }

    private func stop(_ watcher: LibraryWatcher) {
      watcher.stop()
      #expect(watcher.waitUntilStopped(by: .now.advanced(byMilliseconds: 60_000)))
    }

    @Test func `Watching starts with a rescan and then updates what changes`() throws {
      let watcher = try watcher()
      #expect(performed.wait { $0 == [.rescan(root)] })
      try addSong()
      #expect(performed.wait { $0 == [.rescan(root), .update([root])] })
      stop(watcher)
    }

    @Test func `Changes during an update are processed right after it`() throws {
      let gate = Gate()
      for name in ["a", "b"] { try directory.makeDirectory("music/" + name) }
      let watcher = try watcher(update: gate)
      #expect(performed.wait { $0.count == 1 })
      try addSong()
      #expect(gate.awaitArrival())
      for number in 0..<20 { try directory.write([1], to: "music/\(number % 2 == 0 ? "a" : "b")/\(number)") }
      #expect(performed.value.count == 2)
      gate.open()
      #expect(
        performed.wait { performed in
          Set(
            performed.dropFirst(2).flatMap { step -> Set<FilePath> in
              if case .update(let directories) = step { directories } else { [] }
            }) == [directory["music/a"], directory["music/b"]]
        })
      stop(watcher)
    }

    @Test func `A missing library is marked absent, and rescanned when it returns`() throws {
      let watcher = try watcher()
      #expect(performed.wait { $0.count == 1 })
      try root.rename(to: directory["gone"])
      #expect(performed.wait { $0 == [.rescan(root), .markAbsent] })
      try directory.write([1], to: "gone/song")
      try directory["gone"].rename(to: root)
      #expect(performed.wait { $0 == [.rescan(root), .markAbsent, .rescan(root)] })
      stop(watcher)
    }

    @Test func `Watching can stop during an update, and does nothing more`() throws {
      let gate = Gate()
      let watcher = try watcher(rescan: gate)
      #expect(gate.awaitArrival())
      try addSong()
      watcher.stop()
      gate.open()
      stop(watcher)
      #expect(performed.value == [.rescan(root)])
    }
  }
}
