// SPDX-License-Identifier: GPL-3.0-or-later

import MusicModel
import Platform
import PlayerPort
import Synchronization
import Testing

@testable import Commands
@testable import Screens

struct LookupTests {
  private let found = CollectionFinder.Found(
    collection: TrackCollection(title: "Kind of Blue", tracks: []), item: 0, problems: [])

  private func lookup(
    _ find: @escaping @Sendable () throws(PlayerError) -> CollectionFinder.Found
  ) throws -> Lookup {
    let lookup = try Lookup(preparing: {})
    lookup.begin(find)
    return lookup
  }

  private func outcome(of lookup: Lookup) async -> Lookup.Outcome {
    await withCheckedContinuation { continuation in lookup.whenDone { continuation.resume(returning: $0) } }
  }

  @Test func `A receiver set before the search ends gets the outcome when it ends`() async throws {
    let receiverIsSet = ThreadSignal()
    let lookup = try lookup { [found] in
      receiverIsSet.wait()
      return found
    }
    let outcome = await withCheckedContinuation { continuation in
      lookup.whenDone { continuation.resume(returning: $0) }
      receiverIsSet.wake()
    }
    #expect(try outcome.get() == found)
  }

  @Test func `A receiver set after the search has ended gets the outcome at once`() async throws {
    let lookup = try lookup { [found] in found }
    _ = await outcome(of: lookup)
    let received = Mutex<CollectionFinder.Found?>(nil)
    lookup.whenDone { outcome in received.withLock { $0 = try? outcome.get() } }
    #expect(received.withLock { $0 } == found)
  }

  @Test func `The search waits until the preparation is done`() async throws {
    let steps = Mutex<[String]>([])
    let mayFinishPreparing = ThreadSignal()
    let preparationHasBegun = ThreadSignal()
    let lookup = try Lookup {
      preparationHasBegun.wake()
      mayFinishPreparing.wait()
      steps.withLock { $0.append("prepared") }
    }
    preparationHasBegun.wait()
    lookup.begin { [found] in
      steps.withLock { $0.append("found") }
      return found
    }
    steps.withLock { $0.append("begun") }
    mayFinishPreparing.wake()
    _ = await outcome(of: lookup)
    #expect(steps.withLock { $0 } == ["begun", "prepared", "found"])
  }

  @Test func `A receiver gets the error of a failed search`() async throws {
    let lookup = try lookup { () throws(PlayerError) in throw PlayerError(.notFound, "no album") }
    let outcome = await outcome(of: lookup)
    let error = #expect(throws: PlayerError.self) { try outcome.get() }
    #expect(error?.status == .notFound)
  }
}
