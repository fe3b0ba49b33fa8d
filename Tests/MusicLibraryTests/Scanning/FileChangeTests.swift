import Synchronization
import SystemPackage
import TestSupport
import Testing

@testable import MusicLibrary

struct FileChangeTests {
  private final class Told: Sendable {
    let changes = Mutex<[FileChange]>([])

    func take() -> [String] {
      changes.withLock { changes in
        defer { changes = [] }
        return changes.map(\.description).sorted()
      }
    }
  }

  @Test func `A witness is told what becomes of each file that is not as it was known`() throws {
    let rig = try ScanRig()
    let library = rig.library()
    let told = Told()
    library.witness { change in told.changes.withLock { $0.append(change) } }
    func scan() throws -> [String] {
      _ = try library.scan(progress: { _ in }, isCancelled: { false })
      return told.take()
    }
    try rig.add("a/1.flac", album: "A", 1)
    try rig.add("a/2.flac", album: "A", 2)
    try rig.directory.write([], to: "music/a/3.flac")
    let first = try scan()
    #expect(first.prefix(2) == ["added \(rig.root)/a/1.flac", "added \(rig.root)/a/2.flac"])
    #expect(first.count == 3 && first.last?.hasPrefix("refused \(rig.root)/a/3.flac: ") == true, "\(first)")
    #expect(try scan().isEmpty)
    try rig.add("a/1.flac", album: "A", 1, padding: 10)
    try rig.move("a/2.flac", to: "b/2.flac")
    try rig.remove("a/3.flac")
    #expect(
      try scan() == [
        "changed \(rig.root)/a/1.flac", "moved \(rig.root)/b/2.flac, which was \(rig.root)/a/2.flac",
      ])
    try rig.remove("a/1.flac")
    #expect(try scan() == ["gone \(rig.root)/a/1.flac"])
    library.witness(nil)
    try rig.add("a/4.flac", album: "A", 4)
    #expect(try scan().isEmpty)
  }
}
