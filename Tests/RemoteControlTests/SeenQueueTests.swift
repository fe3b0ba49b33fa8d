// SPDX-License-Identifier: GPL-3.0-or-later

import MusicModel
import PlayerFlow
import TestSupport
import Testing

@testable import RemoteControl

/// What positions mean to a client after others have changed the queue.
@Suite struct SeenQueueTests {
  private let rig: RemoteRig
  private var client: LineClient

  init() throws {
    rig = try RemoteRig()
    rig.actions.enqueue(RemoteRig.album(5), item: nil)
    client = try LineClient(rig)
  }

  /// The numbers of the tracks in the queue.
  private var numbers: [Int] { rig.queue.queue.items.compactMap { $0.track.number?.number } }

  /// Removes the first item, as when it has been played and consumed.
  private func consume() {
    rig.actions.remove(.positions([0..<1]))
    rig.actions.awaitDelivery()
  }

  @Test mutating func `A position is that of the queue that the client has read`() throws {
    _ = try client.request("playlistinfo")
    consume()
    #expect(try client.request("delete 2") == [])
    #expect(numbers == [2, 4, 5])
    #expect(try client.request("prio 7 4") == [])
    #expect(rig.queue.queue.items.map(\.priority) == [0, 0, 7])
  }

  @Test mutating func `An item that is gone is refused, and no other one is removed or played`() throws {
    _ = try client.request("playlistinfo 0")
    consume()
    for command in ["delete 0", "play 0", "seek 0 1"] {
      #expect(try client.request(command) == ["ACK 50 No such song"], "\(command)")
    }
    #expect(numbers == [2, 3, 4, 5])
  }

  @Test(arguments: ["move 1 3", "swap 0 1", "shuffle 0:2"])
  mutating func `What cannot be meant any more is refused until the queue is read again`(command: String) throws {
    _ = try client.request("plchanges 0")
    consume()
    let refusal = ["ACK 55 The queue has changed: read it again, or use song IDs"]
    #expect(try client.request(command) == refusal)
    #expect(numbers == [2, 3, 4, 5])
    _ = try client.request("status")
    #expect(try client.request(command) == refusal)
    _ = try client.request("playlistinfo")
    #expect(try client.request(command) == [])
  }

  @Test mutating func `A client knows what its own edits have changed`() throws {
    _ = try client.request("playlistinfo")
    for _ in 0..<2 { #expect(try client.request("delete 0") == []) }
    #expect(numbers == [3, 4, 5])
    #expect(try client.request("move 0 2") == [])
    #expect(try client.request("delete 2") == [])
    #expect(numbers == [4, 5])
  }

  @Test mutating func `A client that has read nothing means the present queue`() throws {
    consume()
    #expect(try client.request("delete 0") == [])
    #expect(numbers == [3, 4, 5])
    _ = try client.request("status")
    consume()
    #expect(try client.request("delete 0") == ["ACK 50 No such song"])
    _ = try client.request("status")
    #expect(try client.request("delete 0") == [])
    #expect(numbers == [5])
  }
}
