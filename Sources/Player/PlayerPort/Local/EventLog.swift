// SPDX-License-Identifier: GPL-3.0-or-later

import Flux
package import PlayerFlow
import Synchronization

/// The last events of a player, numbered from 1.
package struct RecentEvents: Codable, Sendable, Equatable {
  /// The number of events that are stored at least.
  private static let limit = 512

  /// The number of all events so far.
  package private(set) var count = 0
  /// The last of them, the newest last.
  private var last: [PlayerEvent] = []

  package init() {}

  /// Returns the events after number `count`, and the number of those that are no longer known.
  package func events(after count: Int) -> (events: ArraySlice<PlayerEvent>, missedCount: Int) {
    // Either number may come from another process.
    let newCount = self.count > max(0, count) ? self.count - max(0, count) : 0
    let known = last.suffix(newCount)
    return (known, newCount - known.count)
  }

  /// Returns only the events after number `count`; none if it is `nil`.
  func trimmed(after count: Int?) -> RecentEvents {
    var trimmed = self
    trimmed.last = count.map { Array(events(after: $0).events) } ?? []
    return trimmed
  }

  /// Adds an event.
  package mutating func append(_ event: PlayerEvent) {
    if last.count >= 2 * Self.limit { last.removeFirst(Self.limit) }
    last.append(event)
    count += 1
  }

  /// Adds what is new in `events`.
  package mutating func append(_ events: RecentEvents) {
    let new = events.events(after: count)
    if new.missedCount > 0 { last = [] }
    last = (last + new.events).suffix(2 * Self.limit)
    count = events.count
  }
}

/// Records the events of a player, and notifies observers. Safe to use from any thread.
final class EventLog: Sendable {
  private let recorded = Mutex(RecentEvents())
  private let changes = ChangeCounter()
  private let receiver = Mutex<(@Sendable (PlayerEvent) -> Void)?>(nil)

  /// The last events.
  var events: RecentEvents { recorded.withLock(\.self) }

  func append(_ event: PlayerEvent) {
    let receive = receiver.withLock { receiver in
      recorded.withLock { $0.append(event) }
      return receiver
    }
    changes.note()
    receive?(event)
  }

  /// Passes each event to `receive`, too, which must return quickly: those that were recorded already, and all later
  /// ones.
  func forward(to receive: @escaping @Sendable (PlayerEvent) -> Void) {
    let earlier = receiver.withLock { receiver in
      receiver = receive
      return events.events(after: 0).events
    }
    for event in earlier { receive(event) }
  }

  /// Calls `onChange` after each event, until the subscription is cancelled.
  func observe(_ onChange: @escaping @Sendable () -> Void) -> Subscription { changes.observe(onChange) }
}
