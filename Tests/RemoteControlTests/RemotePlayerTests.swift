// SPDX-License-Identifier: GPL-3.0-or-later

import FaceExamples
import Flux
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
    #expect(try PlayerLists(slow).page(of: ListView(.songs(.everything)), offset: 0, limit: 9).count == 3)
    mayFinish.open()
    isDone.wait()
  }

  @Test func `Observers of the sound that cancel while they receive a frame leave no feed behind`() throws {
    // While nothing plays, a feed that was left behind would last, and there may only be four.
    let rig = try RemoteRig()
    let player = try RemotePlayer(rig.directory["run/socket"])
    for _ in 0..<10 {
      let hasFrame = Latch()
      let subscription = Mutex<Subscription?>(nil)
      subscription.withLock {
        $0 = player.observeSound(bands: 8) { _ in
          subscription.withLock { $0.take() }?.cancel()
          hasFrame.open()
        }
      }
      #expect(hasFrame.wait(until: .now.advanced(byMilliseconds: 60_000)))
      try #require(!player.isEnded)
    }
  }

  @Test func `A player that hangs is an error, and answers later requests in order once it continues`() throws {
    let mayContinue = Latch()
    let port = FakePlayer(PlayerContract.tracks) { _ in mayContinue.wait() }
    let rig = try RemoteRig(port: port)
    let player = try RemotePlayer(rig.directory["run/socket"], requestTimeout: .milliseconds(20))
    #expect(throws: PlayerError.noReply) { try player.send(.transport(.toggle)) }
    #expect(throws: PlayerError.noReply) { try player.send(.edit(.clear)) }
    let isFound = Latch()
    _ = try WorkerThread(name: "slow") {
      // Music may take any time to find.
      let music = KnownTracks(TrackCollection(title: "T", tracks: PlayerContract.tracks))
      _ = try? player.send(.add(MusicRequest(.tracks(music)), at: .end))
      isFound.open()
    }
    #expect(!isFound.wait(until: .now.advanced(byMilliseconds: 40)))
    mayContinue.open()
    isFound.wait()
    #expect(Array(port.requests.prefix(2)) == [.transport(.toggle), .edit(.clear)] && port.requests.count == 3)
  }

  @Test func `A player that sends no snapshot is not one`() throws {
    let port = SilentPort()
    defer { port.mayContinue.open() }
    let rig = try RemoteRig(port: port)
    #expect(throws: ControlClientError.unreachable(.resourceTemporarilyUnavailable)) {
      try RemotePlayer(rig.directory["run/socket"], timeout: .milliseconds(20))
    }
  }

  @Test func `What is not a message closes the connection`() throws {
    let rig = try RemoteRig(port: FakePlayer())
    var client = try rig.client().port()
    try client.socket.write("{\"send\":7}\n".utf8)
    #expect(throws: ControlClientError.unreachable(.connectionReset)) { try client.nextLine() }
  }
}

/// A player that hangs whenever it should say what it does.
private final class SilentPort: PlayerPort {
  let mayContinue = Latch()

  var snapshot: PlayerSnapshot {
    mayContinue.wait()
    return .unknown
  }

  func send(_ request: PlayerRequest) throws(PlayerError) -> PlayerReply { PlayerReply() }

  func queue(_ range: Range<Int>) throws(PlayerError) -> QueueRows { throw .playerEnded }

  func answer(_ request: ListRequest) throws(PlayerError) -> ListAnswer { throw .playerEnded }

  func observe(everyPosition: Bool, _ onChange: @escaping @Sendable () -> Void) -> Subscription { Subscription {} }

  func observeSound(bands: Int, _ receive: @escaping @Sendable (SoundFrame) -> Void) -> Subscription { Subscription {} }
}
