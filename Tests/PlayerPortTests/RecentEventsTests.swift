// SPDX-License-Identifier: GPL-3.0-or-later

import FaceExamples
import MusicModel
import PlayerFlow
import Testing

@testable import PlayerPort

/// The events of a player, as faces receive them that cannot always keep up.
@Suite struct RecentEventsTests {
  /// Returns `count` events after `events`; each has its number as its volume.
  private func adding(_ count: Int, to events: RecentEvents = RecentEvents()) -> RecentEvents {
    var events = events
    for _ in 0..<count {
      var event = PlayerEvent(.volume)
      event.volume = events.count + 1
      events.append(event)
    }
    return events
  }

  private func numbers(_ events: RecentEvents, after count: Int) -> [Int] {
    events.events(after: count).events.compactMap(\.volume)
  }

  @Test func `A face gets each event once, in order`() {
    let first = adding(3)
    #expect(numbers(first, after: 0) == [1, 2, 3] && numbers(first, after: 2) == [3])
    #expect(numbers(first, after: 3).isEmpty && numbers(first, after: 99).isEmpty)
    var received = first.trimmed(after: nil)
    #expect(received.count == 3 && numbers(received, after: 3).isEmpty)
    let second = adding(2, to: first)
    received.append(second.trimmed(after: received.count))
    received.append(adding(1, to: second).trimmed(after: received.count))
    #expect(numbers(received, after: 3) == [4, 5, 6] && received.events(after: 3).missedCount == 0)
    #expect(received.events(after: 0).missedCount == 3)
  }

  @Test func `A face that was too slow knows how many events it has missed`() {
    let first = adding(5)
    let all = adding(10_000, to: first)
    let (events, missedCount) = all.events(after: 5)
    #expect(missedCount > 0 && missedCount + events.count == 10_000 && events.last?.volume == 10_005)
    var received = first
    received.append(all.trimmed(after: 5))
    #expect(received.events(after: 5).missedCount == missedCount && received.count == 10_005)
    #expect(numbers(received, after: 10_000) == [10_001, 10_002, 10_003, 10_004, 10_005])
  }

  @Test(arguments: [Int.min, -1, Int.max])
  func `A hostile number of events does no harm`(count: Int) throws {
    let hostile: RecentEvents = try #require(JSONLine.value(#"{"count":\#(count),"last":[]}"#))
    var events = adding(2)
    events.append(hostile)
    _ = events.events(after: count)
    _ = hostile.trimmed(after: Int.min).events(after: .min)
  }
}
