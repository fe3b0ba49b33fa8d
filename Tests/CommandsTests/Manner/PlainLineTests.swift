import MusicModel
import PlayerFlow
import TestSupport
import Testing
import UnicodeText

@testable import Commands
@testable import Screens
@testable import Terminal
@testable import UserSettings

struct PlainLineTests {
  @Test func `An entry is its name, and its fields in their order; what is not known is left out`() {
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

  @Test func `An item of the queue begins with its number, and its marks are words`() {
    let item = PlayQueue.Item(id: .init(rawValue: 7), track: Examples.track("A"), isMissing: true)
    let listed = ListedItem(position: 4, item: item, isCurrent: true, isMissing: true)
    #expect(
      listed.plain.text
        == "5: A; current; gone; artist: Miles Davis; album: Kind of Blue; time: 5 minutes 25 seconds")
    #expect(listed.role == .error)
    #expect(ListedEdit(direction: .redo, steps: 2, name: "clear").plain.text == "redo 2: clear")
  }

  @Test(arguments: 1...100 as ClosedRange<UInt64>)
  func `Whatever a tag holds, a line is one line, and no escape is in it`(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let track = Examples.track(
      generator.hostileText(), artist: generator.hostileText(), album: generator.hostileText())
    let text = PlainLine(track: track, number: 1).text
    #expect(!text.contains("\n") && text == text.safeForTerminal)
  }

  @Test func `Lengths of time are words`() {
    #expect(TimeText.words(.zero) == "0 seconds" && TimeText.words(.seconds(-5)) == "0 seconds")
    #expect(TimeText.words(.milliseconds(1_999)) == "1 second")
    #expect(TimeText.words(.seconds(7_322)) == "2 hours 2 minutes 2 seconds")
    #expect(TimeText.words(.seconds(3_600)) == "1 hour")
  }

  @Test func `The queue is listed in plain lines, in a pipe, too`() throws {
    let session = try CommandSession()
    session.load(["One", "Two"], current: 1)
    #expect(
      try session.obey("queue --plain") == [
        "1: One; gone; artist: Miles Davis; album: Kind of Blue; time: 5 minutes 25 seconds",
        "2: Two; current; gone; artist: Miles Davis; album: Kind of Blue; time: 5 minutes 25 seconds",
        "2 tracks, 10 minutes 50 seconds, 5 minutes 25 seconds left",
      ])
    #expect(try session.obey("queue --plain --quiet").count == 2)
    #expect(try session.obey("queue clear --quiet").isEmpty && session.queue.items.isEmpty)
    #expect(try session.obey("queue undo") == ["undid clear (2 items)"])
  }

  @Test func `What a player does is a field a line`() {
    let queue = Examples.queue([Examples.track("One"), Examples.track("Two")])
    let status = PlayerStatus(Examples.playing(queue, seconds: 65), queue: queue)
    var manner = OutputStyle()
    manner.isPlain = true
    let lines = StatusListing.lines(status, columns: 20, manner)
    #expect(
      lines.prefix(5) == [
        "playing: One", "artist: Miles Davis", "album: Kind of Blue",
        "time: 1 minute 5 seconds of 5 minutes 25 seconds", "track: 1 of 2",
      ])
    #expect(TrackLine.text(position: 1, in: queue, manner).hasPrefix("playing 2 of 2: Two; artist: Miles"))
  }
}

struct PlainProgressTests {
  @Test func `A line is told every ten percent, but at most once a second`() {
    var progress = PlainProgress()
    var told: [Int] = []
    // 50 percent a second at first, and then 2.
    for (percent, tenths) in (0...50).map({ ($0, $0 / 5) }) + (51...100).map({ ($0, 10 + ($0 - 50) * 5) })
    where progress.isDue(share: Double(percent) / 100, after: .milliseconds(tenths * 100)) {
      told.append(percent)
    }
    #expect(told == [50, 60, 70, 80, 90, 100])
  }

  @Test func `Where the share is unknown, or stands still, a line is told every five seconds`() {
    for share in [nil, 0.42] as [Double?] {
      var progress = PlainProgress()
      let told = (0...160).filter { progress.isDue(share: share, after: .milliseconds($0 * 100)) }
      #expect(told.last.map { $0 >= 150 } == true && (3...4).contains(told.count), "\(told)")
    }
  }

  @Test func `Another reading begins anew, and no share is too strange`() {
    var progress = PlainProgress()
    let told = [(1, 60), (0, 0), (0.1, 1)].map { share, seconds in
      progress.isDue(share: share, after: .seconds(seconds))
    }
    #expect(told == [true, false, true])
    for share in [Double.nan, -.infinity, .infinity] { _ = progress.isDue(share: share, after: .seconds(9)) }
  }

  @Test func `What a key changes is told once`() {
    var changes = PlainChanges()
    let queue = Examples.queue([Examples.track("One")])
    var state = Examples.playing(queue, seconds: 1)
    var told = [changes.take(from: state)]
    _ = state.reduce(.setVolume(Volume(percent: 95)))
    told += [changes.take(from: state), changes.take(from: state)]
    #expect(told == [[], ["volume 95"], []])
  }
}
