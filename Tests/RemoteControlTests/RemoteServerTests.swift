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

@Suite struct RemoteServerTests {
  @Test func `A client is greeted and answered`() throws {
    let rig = try RemoteRig()
    rig.actions.enqueue(RemoteRig.album(3), item: nil)
    var client = try rig.client()
    let status = Dictionary(try client.send("status"), uniquingKeysWith: { first, _ in first })
    #expect(status["playlistlength"] == "3" && status["state"] == "stop")
    #expect(throws: ControlClientError.refused(ProtocolError(.unknown, "unknown command \"sing\""))) {
      try client.send("sing")
    }
    #expect(try client.send("ping").isEmpty)
  }

  @Test func `A client with all permissions can end the player, and gets no response`() throws {
    let quitCount = Watched(0)
    let rig = try RemoteRig(quit: { quitCount.change { $0 += 1 } })
    var client = try rig.client()
    #expect(throws: ControlClientError.self) { try client.send("kill") }
    #expect(quitCount.wait { $0 == 1 })
    #expect(throws: ControlClientError.self) { try client.send("ping") }
  }

  @Test func `The status of a requested song has its duration`() throws {
    let rig = try RemoteRig()
    rig.actions.enqueue(RemoteRig.album(3), item: 1)
    let item = try #require(rig.queue.queue.current)
    rig.playbackDispatcher.dispatch(.report(.requested(item.id)))
    var client = try rig.client()
    let status = Dictionary(try client.send("status"), uniquingKeysWith: { first, _ in first })
    #expect(status["state"] == "play" && status["song"] == "1")
    #expect(status["elapsed"] == "0.000" && status["duration"] == "61.000" && status["time"] == "0:61")
  }

  @Test func `Only the owner may use the socket and its directory`() throws {
    let rig = try RemoteRig()
    let mode = { (name: String) in try rig.directory.permissions(of: name) }
    #expect(try mode("run/socket") == 0o600 && mode("run") == 0o700)
  }

  @Test func `A socket without a listener is replaced, and one with a listener is not`() throws {
    let rig = try RemoteRig()
    let path = rig.directory["run/socket"]
    #expect(throws: RemoteServerError.inUse(path)) { try ControlSocket.prepare(path, timeout: .seconds(60)) }
    let stale = try TemporaryDirectory()
    try stale.makeSocket("old")
    try ControlSocket.prepare(stale["old"])
    #expect((try? FileStatus(of: stale["old"])) == nil)
  }

  @Test func `The server's own directory is restricted to the owner, and one that others may write to is rejected`()
    throws
  {
    let directory = try TemporaryDirectory()
    let mode = { try directory.permissions(of: $0) }
    for (name, bits) in [("own", 0o777), ("open", 0o777), ("sticky", 0o1777), ("read", 0o755)] as [(String, UInt32)] {
      try directory.makeDirectory(name)
      try directory.setPermissions(bits, of: name)
    }
    try ControlSocket.prepare(directory["own/socket"], isOwnDirectory: true)
    #expect(try mode("own") == 0o700)
    let refusal = #expect(throws: RemoteServerError.self) {
      try ControlSocket.prepare(directory["open/socket"])
    }
    #expect(refusal?.description.contains("other users can write to") == true)
    #expect(try mode("open") == 0o777)
    try ControlSocket.prepare(directory["sticky/socket"])
    try ControlSocket.prepare(directory["read/socket"])
    #expect(try mode("sticky") == 0o1777 && mode("read") == 0o755)
  }

  @Test func `A directory of another user is not used`() throws {
    // Only root can give a directory away.
    guard !TemporaryDirectory.permissionsApply else { return }
    let directory = try TemporaryDirectory()
    try directory.makeDirectory("theirs")
    try directory.setOwner(65_534, of: "theirs")
    let refusal = #expect(throws: RemoteServerError.self) {
      try ControlSocket.prepare(directory["theirs/socket"])
    }
    #expect(refusal?.description.hasSuffix("belongs to another user") == true)
  }

  @Test func `Shutting down answers the commands in progress, and waits for no other client`() throws {
    let (hasBegun, mayFinish, hasOutcome) = (ThreadSignal(), ThreadSignal(), ThreadSignal())
    let port = FakePlayer { _ in
      hasBegun.wake()
      mayFinish.wait()
    }
    let rig = try RemoteRig(port: port)
    var idle = try rig.client()
    let isAnswered = Mutex(false)
    let player = try RemotePlayer(rig.directory["run/socket"])
    _ = try WorkerThread(name: "client") {
      let received = try? player.send(.status)
      isAnswered.withLock { $0 = received != nil }
      hasOutcome.wake()
    }
    hasBegun.wait()
    _ = try WorkerThread(name: "shutdown") { rig.server.shutDown() }
    #expect(throws: ControlClientError.unreachable(.connectionReset)) { try idle.send("idle") }
    mayFinish.wake()
    hasOutcome.wait()
    #expect(isAnswered.withLock { $0 })
  }
}
