// SPDX-License-Identifier: GPL-3.0-or-later

import FaceExamples
import MusicModel
import PlayerPort
import Testing
import UnicodeText

@testable import Commands
@testable import Terminal

struct QueueListingTests {
  private static let queue = Examples.queue(
    [
      Examples.track("So What", seconds: 562), Examples.track("夜曲", artist: nil, album: "時計", seconds: 61),
      Examples.track("Blue\u{1B}in Green"),
    ], current: 1)

  private static func lines(_ queue: PlayQueue, columns: Int?) -> [String] {
    let rows = queue.items.indices.map { position in
      ListedItem(
        position: position, id: queue.items[position].id.rawValue, track: queue.items[position].track,
        isCurrent: position == queue.currentPosition, isMissing: false
      )
      .cells.map(\.safeForTerminal)
    }
    return ListedItem.table.lines(rows, columns: columns)
  }

  @Test func `Items are listed in columns, with the current one marked`() {
    #expect(
      Self.lines(Self.queue, columns: nil) == [
        "   1  So What        Miles Davis  Kind of Blue  9:22",
        ">  2  夜曲                        時計          1:01",
        "   3  Blue␛in Green  Miles Davis  Kind of Blue  5:25",
      ])
    #expect(Self.lines(Self.queue, columns: 30).allSatisfy { $0.cellWidth <= 30 })
  }

  @Test func `A track whose file is missing has no duration`() {
    let listed = ListedItem(position: 4, id: 7, track: Examples.track("A"), isCurrent: true, isMissing: true)
    #expect(listed.cells == [">", "5", "A", "Miles Davis", "Kind of Blue", "missing"])
    #expect(
      JSONText.text(listed.object)
        == #"{"album":"Kind of Blue","albumArtists":[],"artists":["Miles Davis"],"compilation":false,"#
        + #""composers":[],"current":true,"genres":[],"gone":true,"id":7,"path":"/music/A","position":5,"#
        + #""seconds":325,"title":"A","type":"item","version":1}"#)
  }

  @Test func `The track number is also given as it is written`() {
    var track = Examples.track("A", number: 101)
    track.additionalTags = AdditionalTags([.init(.writtenNumber, "A1")])
    var queue = PlayQueue()
    queue.reduce(.enqueue(TrackCollection(title: "T", tracks: [track]), item: 0))
    let row = QueueRows(0..<1, of: queue).rows[0]
    let listed = ListedItem(position: 0, id: row.id, track: row.track, isCurrent: true, isMissing: false)
    #expect(
      JSONText.text(listed.object)?.contains(#""track":101,"type":"item","version":1,"writtenTrack":"A1"}"#) == true)
    #expect(track.numberPrefix == "A1 ")
  }

  @Test func `The summary gives the total time, the remaining time and the modes`() {
    #expect(QueueSummary(Self.queue).text() == "3 tracks, 15:48, 6:26 left")
    var queue = Self.queue
    queue.reduce(.elapsed(.seconds(60)))
    queue.reduce(.setRepeat(.all))
    queue.reduce(.setConsume(true))
    #expect(QueueSummary(queue).text() == "3 tracks, 15:48, 5:26 left · repeat all · consume")
    #expect(
      QueueSummary(Examples.queue([Examples.track("A", seconds: nil)], current: nil)).text()
        == "1 track, at least 0:00")
    queue.reduce(.setRandom(.tracks, seed: 3))
    #expect(QueueSummary(queue).text().contains(" left · repeat all · random tracks · consume"))
  }

  @Test func `A piped listing is tab-separated, and offsets count from its beginning`() throws {
    let repl = try CommandSession()
    repl.load((1...1_000).map { "t\($0)" }, current: 500)
    let lines = try repl.execute("queue")
    try #require(lines.count == 1_000)
    #expect(lines[500] == "> 501 t501 Miles Davis Kind of Blue missing")
    #expect(
      try repl.execute("queue list --offset 998 --limit 5").map { $0.prefix(8) } == ["  999 t9", "  1000 t"])
    let objects = try repl.execute("queue --json --offset 500 --limit 1")
    #expect(
      objects.count == 1 && objects[0].contains(#""current":true"#) && objects[0].contains(#""position":501"#)
    )
  }
}
