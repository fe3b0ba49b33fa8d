// SPDX-License-Identifier: GPL-3.0-or-later

import FaceExamples
import MusicModel
import Platform
import PlayerFlow
import PlayerPort
import Synchronization
import SystemPackage
import TestSupport
import Testing

@testable import RemoteControl

/// The port to a player in another process.
@Suite struct RemotePlayerTests {
  @Test func `A player in another process keeps the contract`() throws {
    let rig = try RemoteRig(port: FakePlayer(PlayerContract.tracks, songs: PlayerContract.songs))
    let player = try RemotePlayer(rig.directory["run/socket"])
    #expect(PlayerContract.violations(of: player) == [])
  }

  @Test func `When the player ends, the port has ended, and connects to no other`() throws {
    let rig = try RemoteRig(port: FakePlayer(PlayerContract.tracks))
    let player = try RemotePlayer(rig.directory["run/socket"])
    #expect(!player.snapshot.isEnded)
    rig.server.shutDown()
    #expect(player.waitUntilEnded(within: .seconds(10)))
    #expect(player.snapshot.isEnded)
    #expect(throws: PlayerError.playerEnded) { try player.send(.status) }
    let next = try RemoteRig(port: FakePlayer())
    #expect(throws: PlayerError.playerEnded) { try player.queue(0..<1) }
    withExtendedLifetime(next) {}
  }

  @Test func `A request that waits delays neither other faces nor snapshots`() throws {
    let (hasBegun, mayFinish) = (Latch(), Latch())
    let port = FakePlayer(PlayerContract.tracks, songs: PlayerContract.songs) { request in
      guard request == .history else { return }
      hasBegun.open()
      mayFinish.wait()
    }
    let rig = try RemoteRig(port: port)
    let slow = try RemotePlayer(rig.directory["run/socket"])
    let isDone = Latch()
    _ = try WorkerThread(name: "slow") {
      _ = try? slow.send(.history)
      isDone.open()
    }
    hasBegun.wait()
    let other = try RemotePlayer(rig.directory["run/socket"])
    #expect(throws: Never.self) { try other.send(.status) }
    #expect(slow.snapshot.status.queueCount == 4)
    // Nor the lists of the same face.
    #expect(try slow.queue(0..<2).rows.count == 2)
    #expect(try PlayerLists(slow).page(of: .songs(.everything), offset: 0, limit: 9).count == 3)
    mayFinish.open()
    isDone.wait()
  }

  @Test func `What is not a message closes the connection`() throws {
    let rig = try RemoteRig(port: FakePlayer())
    var client = try rig.client().port()
    try client.socket.write("{\"send\":7}\n".utf8)
    #expect(throws: ControlClientError.unreachable(.connectionReset)) { try client.nextLine() }
  }
}
