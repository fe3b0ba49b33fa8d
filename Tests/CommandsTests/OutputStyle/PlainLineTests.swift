// SPDX-License-Identifier: GPL-3.0-or-later

import FaceExamples
import MusicModel
import PlayerFlow
import TestSupport
import Testing
import UnicodeText

@testable import Commands
@testable import PlayerPort
@testable import Screens
@testable import Terminal
@testable import UserSettings

struct PlainLineTests {
  @Test func `An entry is its name followed by its known fields in order`() {
    let album = AlbumEntry(
      id: 1, title: "Kind of Blue", artist: "Miles Davis", date: ReleaseDate(year: 1959),
      isCompilation: false, trackCount: 5, duration: .seconds(3_725), added: 0)
    #expect(
      album.plain.text
        == "Kind of Blue; artist: Miles Davis; year: 1959; 5 tracks; time: 1 hour 2 minutes 5 seconds")
    let other = AlbumEntry(
      id: 2, title: "夜曲", artist: nil, date: nil, isCompilation: false, trackCount: 1,
      duration: .seconds(60), added: 0)
    #expect(other.plain.text == "夜曲; 1 track; time: 1 minute")
    #expect(
      SearchHit.album(other).plain.text == "album: 夜曲; 1 track; time: 1 minute")
  }

  @Test func `A queue item begins with its number, and its marks are words`() {
    let listed = ListedItem(position: 4, id: 7, track: Examples.track("A"), isCurrent: true, isMissing: true)
    #expect(
      listed.plain.text
        == "5: A; current; missing; artist: Miles Davis; album: Kind of Blue; time: 5 minutes 25 seconds")
    #expect(listed.role == .error)
    #expect(ListedEdit(direction: .redo, steps: 2, name: "clear").plain.text == "redo 2: clear")
  }

  @Test(arguments: 1...100 as ClosedRange<UInt64>)
  func `Whatever a tag contains, the result is one line without escapes`(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let track = Examples.track(
      generator.hostileText(), artist: generator.hostileText(), album: generator.hostileText())
    let text = PlainLine(track: track, number: 1).text
    #expect(!text.contains("\n") && text == text.safeForTerminal)
  }

  @Test func `The queue is listed in plain lines, even in a pipe`() throws {
    let session = try CommandSession()
    session.load(["One", "Two"], current: 1)
    #expect(
      try session.execute("queue --plain") == [
        "1: One; missing; artist: Miles Davis; album: Kind of Blue; time: 5 minutes 25 seconds",
        "2: Two; current; missing; artist: Miles Davis; album: Kind of Blue; time: 5 minutes 25 seconds",
        "2 tracks, 10 minutes 50 seconds, 5 minutes 25 seconds left",
      ])
    #expect(try session.execute("queue --plain --quiet").count == 2)
    #expect(try session.execute("queue clear --quiet").isEmpty && session.queue.items.isEmpty)
    #expect(try session.execute("queue undo") == ["undid clear (2 items)"])
  }

  @Test func `The plain status has one field per line`() {
    let queue = Examples.queue([Examples.track("One"), Examples.track("Two")])
    let status = PlayerStatus(Examples.playing(queue, seconds: 65), queue: queue)
    var style = OutputStyle()
    style.isPlain = true
    let lines = StatusListing.lines(status, columns: 20, style)
    #expect(
      lines.prefix(5) == [
        "playing: One", "artist: Miles Davis", "album: Kind of Blue",
        "time: 1 minute 5 seconds of 5 minutes 25 seconds", "track: 1 of 2",
      ])
    let track = QueueTrack(track: TrackRow(queue.items[1].track), position: 1, count: 2, title: queue.title)
    #expect(TrackLine.text(track, style).hasPrefix("playing 2 of 2: Two; artist: Miles"))
  }

  @Test func `A change made by a key is reported once`() {
    var changes = PlainChanges()
    let queue = Examples.queue([Examples.track("One")])
    var state = Examples.playing(queue, seconds: 1)
    let take = { PlayingState(PlayerStatus(state, queue: queue), position: .zero) }
    var reported = [changes.take(from: take())]
    _ = state.reduce(.setVolume(Volume(percent: 95)))
    reported += [changes.take(from: take()), changes.take(from: take())]
    #expect(reported == [[], ["volume 95"], []])
  }
}
