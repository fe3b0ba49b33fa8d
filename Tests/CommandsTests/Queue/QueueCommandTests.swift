// SPDX-License-Identifier: GPL-3.0-or-later

import MusicModel
import PlayerFlow
import SystemPackage
import Testing

@testable import Commands
@testable import PlayerPort
@testable import Screens

struct QueueCommandTests {
  private let repl: CommandSession

  init() throws { repl = try CommandSession() }

  @Test func `Tracks are added at the end, next and at a position, which is printed`() throws {
    let blue = try repl.makeAlbum("Blue", ["All I Want", "My Old Man"])
    let low = try repl.makeAlbum("Low", ["Speed of Life"])
    #expect(try repl.execute("queue add \(blue)") == ["added 2 tracks at 1-2: Blue"])
    repl.session.services.actions.play(repl.queue.items[0].id)
    #expect(try repl.execute("queue add --next \(low)") == ["added 1 track at 2: Low"])
    #expect(repl.titles == ["All I Want", "Speed of Life", "My Old Man"])
    #expect(try repl.execute("queue insert 1 \(low) \(blue)") == ["added 3 tracks at 1-3: Low, Blue"])
    #expect(try repl.execute("queue insert 7 \(low)") == ["added 1 track at 7: Low"])
    #expect(try repl.execute("queue insert . \(low)") == ["added 1 track at 4: Low"])
    #expect(try repl.execute("queue add \(low)/0.flac") == ["added 1 track at 9: Speed of Life"])
    #expect(repl.queue.undoable.count == 6)
    #expect(repl.error("queue insert 11 \(low)") == .noItem("11", 9))
    #expect(repl.error("queue add /nosuch")?.status == .notFound)
    #expect(repl.queue.items.count == 9)
  }

  @Test func `Items are removed, moved and swapped by position`() throws {
    repl.load(["a", "b", "c", "d", "e", "f"], current: 2)
    #expect(try repl.execute("queue remove 2") == ["removed 1 item: b"])
    #expect(repl.titles == ["a", "c", "d", "e", "f"])
    #expect(try repl.execute("queue remove 4- 1") == ["removed 3 items"])
    #expect(repl.titles == ["c", "d"])
    repl.load(["a", "b", "c", "d", "e", "f"], current: 2)
    #expect(try repl.execute("queue move 5-6 1") == ["moved 2 items to 1-2"])
    #expect(repl.titles == ["e", "f", "a", "b", "c", "d"])
    #expect(try repl.execute("queue move 1 next") == ["moved 1 item to 5: e"])
    #expect(repl.titles == ["f", "a", "b", "c", "e", "d"])
    #expect(try repl.execute("queue move -2 end") == ["moved 2 items to 5-6"])
    #expect(try repl.execute("queue move last 6") == ["1 item is already at 6"])
    #expect(try repl.execute("queue swap . last") == ["swapped 2 and 6"])
    #expect(try repl.execute("queue swap last 6") == ["nothing to swap: both are item 6"])
    #expect(repl.titles == ["b", "a", "e", "d", "f", "c"])
    #expect(repl.queue.current?.track.title == "c")
    #expect(repl.error("queue remove 7") == .noItem("7", 6))
    #expect(repl.error("queue swap 1 2-3")?.status == .usage)
    #expect(repl.error("queue move 3")?.message == "missing new position: use `queue move RANGE TO`")
  }

  @Test func `A cleared queue can be restored, and edits have names`() throws {
    repl.load(["a", "b", "c"], current: 1)
    #expect(try repl.execute("queue clear") == ["cleared 3 items; `queue undo` reverts it"])
    #expect(repl.titles.isEmpty)
    #expect(try repl.execute("queue clear") == ["the queue is already empty"])
    #expect(try repl.execute("queue undo") == ["undid clear (3 items)"])
    #expect(repl.titles == ["a", "b", "c"] && repl.queue.currentPosition == 1)
    #expect(
      try repl.execute("queue history") == ["redo 1 clear (3 items)", "undo 1 play T (3 items)"])
    #expect(
      try repl.execute("queue history --json --limit 1") == [
        #"{"name":"clear (3 items)","redo":1,"type":"edit","version":1}"#
      ])
    #expect(try repl.execute("queue undo 7") == ["undid play T (3 items)"])
    #expect(repl.error("queue undo") == PlayerError(.notFound, "nothing to undo"))
    #expect(try repl.execute("queue redo 2") == ["redid play T (3 items)", "redid clear (3 items)"])
    #expect(repl.error("queue redo") == PlayerError(.notFound, "nothing to redo"))
    #expect(throws: (any Error).self) { try repl.execute("queue undo 0") }
  }

  @Test func `A part of the queue is sorted or shuffled, and the rest is unchanged`() throws {
    repl.load(["d", "f", "b", "e", "a", "c"], current: 0)
    #expect(try repl.execute("queue sort title 2-4") == ["sorted 3 items at 2-4 by title"])
    #expect(repl.titles == ["d", "b", "e", "f", "a", "c"])
    #expect(try repl.execute("queue sort title --reverse 5-") == ["sorted 2 items at 5-6 by title"])
    #expect(repl.titles == ["d", "b", "e", "f", "c", "a"])
    #expect(try repl.execute("queue shuffle 3-last --albums") == ["shuffled 4 items at 3-6 by album"])
    #expect(try repl.execute("queue shuffle 3-") == ["shuffled 4 items at 3-6"])
    #expect(repl.titles[..<2] == ["d", "b"] && repl.titles.sorted() == ["a", "b", "c", "d", "e", "f"])
    #expect(try repl.execute("queue sort title -2") == ["sorted 2 items at 1-2 by title"])
    #expect(repl.titles[..<2] == ["b", "d"])
    #expect(repl.error("queue sort title 1,3")?.status == .usage)
    #expect(repl.error("queue shuffle 1,3")?.status == .usage)
    #expect(repl.error("queue shuffle 7") == .noItem("7", 6))
    #expect(repl.error("queue sort title 3-2")?.status == .usage)
  }

  @Test func `Commands that have no effect on an empty queue report it without failing`() throws {
    #expect(try repl.execute("queue crop") == ["the queue is already empty"])
    #expect(try repl.execute("queue dedupe") == ["the queue has no duplicates"])
    #expect(try repl.execute("queue shuffle --albums") == ["nothing to shuffle: the queue is empty"])
    #expect(try repl.execute("queue sort artist --reverse") == ["nothing to sort: the queue is empty"])
    #expect(try repl.execute("queue") == [] && repl.execute("queue --json") == [])
    #expect(
      repl.error("queue crop 1")?.status == .notFound && repl.error("queue play 1")?.status == .notFound)
    #expect(repl.error("queue sort colour")?.status == .usage)
  }

  @Test(arguments: ["pause", "seek 5", "sleep 5m"])
  func `A command about what is playing says how to play something`(line: String) {
    #expect(repl.error(line)?.message == "nothing is playing: play an album first")
    repl.load(["a"], current: nil)
    #expect(repl.error(line)?.message == "nothing is playing: `resume` plays the queue")
  }

  @Test func `An item is played by position`() throws {
    repl.load(["a", "b", "c"], current: nil)
    #expect(try repl.execute("queue play 2") == ["2/3 b - Miles Davis - Kind of Blue (5:25)"])
    #expect(repl.queue.currentPosition == 1)
    #expect(try repl.execute("queue jump last") == ["3/3 c - Miles Davis - Kind of Blue (5:25)"])
    #expect(repl.queue.currentPosition == 2)
    #expect(repl.error("queue play 4") == .noItem("4", 3))
    #expect(repl.error("queue play 1 --output silent")?.status == .usage)
  }

  @Test func `Modes are set and shown, and invalid ones are refused`() throws {
    #expect(
      try repl.execute("mode") == [
        "repeat        off", "random        off", "single        off", "consume       off", "stop-after    off",
        "keep-playing  off",
      ])
    #expect(try repl.execute("mode repeat all") == ["repeat  all"])
    #expect(try repl.execute("mode random on") == ["random  tracks"])
    #expect(try repl.execute("mode single once") == ["single  once"])
    #expect(try repl.execute("mode consume on") == ["consume  on"])
    #expect(try repl.execute("mode stop-after album") == ["stop-after  album"])
    #expect(try repl.execute("mode stop-after") == ["stop-after  album"])
    #expect(
      try repl.execute("mode --json") == [
        #"{"consume":true,"keepPlaying":"off","random":"tracks","repeat":"all","single":"once","stopAfter":"album","version":1}"#
      ])
    for name in ModeName.allCases {
      for value in name.values {
        #expect(try repl.execute("mode \(name.rawValue) \(value)") == ["\(name.rawValue)  \(value)"])
      }
    }
    #expect(
      repl.error("mode repeat some")?.message
        == "invalid repeat mode \"some\": use one of off, all, one, album")
    #expect(repl.error("mode loud")?.status == .usage)
  }
}

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

  @Test func `Added tracks are found among concurrent edits by others`() {
    let before = Self.queue(.enqueue(Self.album(5, "first"), item: 0))
    var after = before
    after.reduce(.add(Self.album(1, "other"), at: .end))
    after.reduce(.add(Self.album(10, "mine"), at: .end))
    after.reduce(.add(Self.album(2, "third"), at: .end))
    after.reduce(.remove(.positions([0..<1])))
    #expect(after.range(of: Self.album(10, "mine").tracks, from: 5, since: before) == 5..<15)
    #expect(EditedQueue(before, after).removedCount == 1)
    // Tracks that were in the queue before, or are no longer contiguous, have no range.
    #expect(after.range(of: Self.album(5, "first").tracks, from: 0, since: before) == nil)
    after.reduce(.remove(.positions([7..<8])))
    #expect(after.range(of: Self.album(10, "mine").tracks, from: 5, since: before) == nil)
    #expect(after.range(of: TrackCollection(title: "", tracks: []).tracks, from: 0, since: before) == nil)
    #expect(after.range(of: Self.album(1, "none").tracks, from: 99, since: before) == nil)
  }
}
