import MusicModel
import SystemPackage
import Testing

@testable import SegueCommands

@Suite struct QueueEditTests {
  private static func album(_ count: Int, _ title: String) -> TrackCollection {
    TrackCollection(
      title: title,
      tracks: (1...count).map { Track(path: FilePath("/Music/\(title)/\($0).flac"), title: "\($0)") })
  }

  private static func queue(_ actions: QueueAction...) -> PlayQueue {
    var queue = PlayQueue()
    for action in actions { queue.reduce(action) }
    return queue
  }

  @Test func `What entered is told from what others added and removed meanwhile`() {
    let before = Self.queue(.enqueue(Self.album(5, "first"), item: 0))
    var after = before
    after.reduce(.add(Self.album(1, "other"), at: .end))
    after.reduce(.add(Self.album(10, "mine"), at: .end))
    after.reduce(.add(Self.album(2, "third"), at: .end))
    after.reduce(.remove(.positions([0..<1])))
    let edit = QueueEdit(before: before, after: after)
    #expect(edit.place(of: Self.album(10, "mine").tracks, from: 5) == 5..<15)
    #expect(edit.removedCount == 1)
    // What was there, or is no longer together, has no place of its own.
    #expect(edit.place(of: Self.album(5, "first").tracks, from: 0) == nil)
    after.reduce(.remove(.positions([7..<8])))
    #expect(QueueEdit(before: before, after: after).place(of: Self.album(10, "mine").tracks, from: 5) == nil)
    #expect(edit.place(of: TrackCollection(title: "", tracks: []).tracks, from: 0) == nil)
    #expect(edit.place(of: Self.album(1, "none").tracks, from: 99) == nil)
  }
}
