import MusicModel
import Testing

@testable import SegueCommands

struct ItemPlaceTests {
  private static func queue(_ count: Int, current: Int?) -> PlayQueue {
    Examples.queue((0..<count).map { Examples.track("\($0)") }, current: current)
  }

  @Test(arguments: [
    ("1", QueuePlace.position(0)), ("6", .position(5)), ("next", .next), ("end", .end), (".", .position(2)),
  ])
  func `Something enters at a position from 1, behind the last, and around the current item`(
    text: String, place: QueuePlace
  ) throws {
    #expect(try ItemPlace(text).entry(in: Self.queue(5, current: 2)) == place)
  }

  @Test(arguments: ["", "0", "-1", "last", "+1", "x", "3-4", "１"])
  func `What is no place is refused`(text: String) throws {
    let error = try #require(throws: CommandError.self) { try ItemPlace(text) }
    #expect(error.status == .usage && error.message.contains("no place"))
  }

  @Test func `A place that the queue does not have is said with its number of items`() throws {
    for (text, current) in [("7", 2), (".", nil)] as [(String, Int?)] {
      let error = try #require(throws: CommandError.self) {
        try ItemPlace(text).entry(in: Self.queue(5, current: current))
      }
      #expect(error.status == .notFound)
    }
    #expect(throws: CommandError.noItem("6", 5)) {
      try ItemPlace("6").target(of: [0..<1], in: Self.queue(5, current: 2))
    }
    #expect(throws: CommandError.noCurrentItem) {
      try ItemPlace("next").target(of: [0..<1], in: Self.queue(5, current: nil))
    }
  }

  @Test(arguments: [
    ("1", [3..<5], 0), ("5", [0..<2], 3), ("end", [0..<2], 3), ("end", [4..<5], 4), ("next", [0..<1], 2),
    ("next", [4..<5], 3), ("next", [3..<5], 3), (".", [4..<5], 2), (".", [0..<1], 1), ("next", [2..<3], 2),
    ("next", [0..<1, 4..<5], 2), ("3", [0..<5], 0),
  ])
  func `What moves stands where it was sent, counted without itself`(
    text: String, moved: [Range<Int>], target: Int
  ) throws {
    #expect(try ItemPlace(text).target(of: moved, in: Self.queue(5, current: 2)) == target)
  }
}
