import Platform
import SystemPackage
import Testing

@testable import MusicLibrary

struct PendingUpdatesTests {
  private func changed(
    _ directories: Set<FilePath>, moves: [(FilePath, FilePath)] = []
  ) -> DirectoryTreeReport {
    .changed(
      .init(directories: directories, moves: moves.map { .init(from: $0.0, to: $0.1, isDirectory: true) }))
  }

  private func steps(_ reports: DirectoryTreeReport...) -> [PendingUpdates.Step] {
    var pending = PendingUpdates(root: "/m")
    for report in reports { pending.add(report) }
    var steps: [PendingUpdates.Step] = []
    while let step = pending.next() { steps.append(step) }
    return steps
  }

  @Test func `Changes that wait are merged`() {
    #expect(
      steps(changed(["/m/a", "/m/b"]), changed(["/m/b", "/m/c"]))
        == [.update(.init(directories: ["/m/a", "/m/b", "/m/c"]))])
    #expect(steps().isEmpty)
  }

  @Test func `What changed before a move is looked for where it is after it`() {
    let moves: [(FilePath, FilePath)] = [("/m/a", "/m/b"), ("/m/b/x", "/m/b/y")]
    #expect(
      steps(changed(["/m/a/x", "/m/ab"]), changed(["/m"], moves: moves))
        == [
          .update(
            .init(
              directories: ["/m/b/y", "/m/ab", "/m"],
              moves: moves.map { .init(from: $0.0, to: $0.1, isDirectory: true) }))
        ])
  }

  @Test func `What lies in a tree that will be read is not read twice`() {
    #expect(
      steps(
        changed(["/m/a/x", "/m/b"]), .readAgain("/m/a", because: .overflowed), changed(["/m/a/y", "/m/c"]))
        == [.rescan("/m/a"), .update(.init(directories: ["/m/b", "/m/c"]))])
    #expect(
      steps(
        .readAgain("/m/a", because: .overflowed), changed(["/m/b"], moves: [("/m/x", "/m/y")]),
        .readAgain("/m", because: .overflowed), .readAgain("/m/c", because: .overflowed), changed(["/m/d"]))
        == [.rescan("/m")])
  }

  @Test func `With the root all goes that was to be done, and its return is a rescan`() {
    #expect(
      steps(.unwatched(["/m/z"]), .readAgain("/m", because: .began), changed(["/m/a"]), .rootGone)
        == [.markAbsent])
    #expect(steps(.rootGone, .readAgain("/m", because: .returned), changed(["/m/a"])) == [.rescan("/m")])
  }

  @Test func `What cannot be watched is told before the rescan`() {
    #expect(
      steps(.unwatched(["/m/z"]), .readAgain("/m", because: .began)) == [
        .reportUnwatched(["/m/z"]), .rescan("/m"),
      ])
  }

  @Test func `Too many changes and moves to compare are a rescan`() {
    let many = Set((0..<1001).map { FilePath("/m/\($0)") })
    let moves = (0..<1000).map { (FilePath("/m/a\($0)"), FilePath("/m/b\($0)")) }
    #expect(steps(changed(many), changed(["/m"], moves: moves)) == [.rescan("/m")])
  }
}
