// SPDX-License-Identifier: GPL-3.0-or-later

import NIOCore
import NIOEmbedded
import Synchronization
import Testing

@testable import RemoteControl

@Suite struct ConnectionStateTests {
  private func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

  /// Returns a state machine that has received these lines, and the actions it has returned.
  private func machine(_ lines: [String]) -> (ConnectionState, [ConnectionState.Action]) {
    var state = ConnectionState()
    var actions: [ConnectionState.Action] = []
    for line in lines { if let action = state.receive(bytes(line)) { actions.append(action) } }
    return (state, actions)
  }

  @Test func `A command runs, and the next one waits for its end`() {
    var (state, actions) = machine(["ping", "status"])
    #expect(actions == [.run(isList: false, confirms: false, lines: [bytes("ping")])])
    #expect(state.batchEnded() == .run(isList: false, confirms: false, lines: [bytes("status")]))
    #expect(state.batchEnded() == nil)
  }

  @Test(arguments: [("command_list_begin", false), ("command_list_ok_begin", true)])
  func `A command list runs as one`(word: String, confirms: Bool) {
    let (_, actions) = machine([word, "ping", "status", "command_list_end\t"])
    #expect(actions == [.run(isList: true, confirms: confirms, lines: [bytes("ping"), bytes("status")])])
  }

  @Test func `A command list that is too large closes the connection`() {
    var state = ConnectionState()
    _ = state.receive(bytes("command_list_begin"))
    let line = [UInt8](repeating: UInt8(ascii: "x"), count: 60_000)
    var action: ConnectionState.Action?
    for _ in 0..<40 where action == nil { action = state.receive(line) }
    #expect(action == .close("ACK [51@0] {} Command list is too large"))
  }

  @Test func `An idle client is notified of changes, including earlier ones`() {
    var (state, actions) = machine(["idle player mixer"])
    #expect(actions.isEmpty)
    #expect(state.recordChanges(.playlist) == nil)
    #expect(state.recordChanges([.mixer, .options]) == .write(["changed: mixer", "OK"]))
    // Changes that the client did not wait for are reported once it does.
    #expect(state.receive(bytes("idle")) == .write(["changed: playlist", "changed: options", "OK"]))
    #expect(state.receive(bytes("idle")) == nil)
    #expect(state.receive(bytes("noidle")) == .write(["OK"]))
    #expect(state.receive(bytes("noidle")) == nil)
  }

  @Test func `An idle client may send only noidle`() {
    #expect(machine(["idle", "status"]).1 == [.close(nil)])
    #expect(machine(["idle sing"]).1 == [.write(["ACK [2@0] {idle} Unrecognized idle event: sing"])])
  }

  @Test(arguments: ["POST / HTTP/1.1", "", " ping", "\u{16}\u{3}\u{1}", "é"])
  func `A line that cannot begin a command closes the connection, and what follows is not executed`(line: String) {
    var (state, actions) = machine([line])
    #expect(actions == [.close(nil)])
    (state, actions) = machine(["command_list_begin", "ping", line])
    #expect(actions == [.close(nil)])
    (state, actions) = machine(["ping", line, "status"])
    #expect(actions.count == 1 && state.batchEnded() == .close(nil))
  }

  @Test func `Only a limited number of lines is accepted at once`() {
    var state = ConnectionState()
    for _ in 0...ConnectionState.backlogLimit { _ = state.receive(bytes("ping")) }
    #expect(!state.takesMore)
    _ = state.batchEnded()
    #expect(state.takesMore)
  }
}

@Suite struct ConnectionRegistryTests {
  private final class Counter: Sendable {
    let value = Atomic(0)
  }

  /// Opens `count` connections, closes all but `rest` of them, and returns how often the end of a crowd was reported.
  private func crowdEndCount(_ count: Int, leaving rest: Int) throws -> Int {
    let counter = Counter()
    let registry = ConnectionRegistry { _ in counter.value.add(1, ordering: .relaxed) }
    let channels = (0..<count).map { _ in EmbeddedChannel() }
    for channel in channels { #expect(registry.add(channel, limit: count)) }
    #expect(!registry.add(EmbeddedChannel(), limit: count))
    for channel in channels.dropFirst(rest) { _ = try channel.finish(acceptAlreadyClosed: true) }
    #expect(registry.count == rest)
    return counter.value.load(ordering: .relaxed)
  }

  @Test func `The end of a crowd is reported once, when at most an eighth is left`() throws {
    #expect(try crowdEndCount(ConnectionRegistry.crowdSize, leaving: 9) == 0)
    #expect(try crowdEndCount(ConnectionRegistry.crowdSize, leaving: 8) == 1)
    #expect(try crowdEndCount(ConnectionRegistry.crowdSize, leaving: 0) == 1)
    #expect(try crowdEndCount(ConnectionRegistry.crowdSize - 1, leaving: 0) == 0)
  }
}
