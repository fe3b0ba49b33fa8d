import NIOCore
import NIOEmbedded
import Synchronization
import Testing

@testable import RemoteControl

@Suite struct ConnectionStateTests {
  private func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

  /// A machine that has taken these lines, and what it wanted done.
  private func machine(_ lines: [String]) -> (ConnectionState, [ConnectionState.Action]) {
    var state = ConnectionState()
    var actions: [ConnectionState.Action] = []
    for line in lines { if let action = state.take(bytes(line)) { actions.append(action) } }
    return (state, actions)
  }

  @Test func `A command runs, and the next one waits for its end`() {
    var (state, actions) = machine(["ping", "status"])
    #expect(actions == [.run(isList: false, confirms: false, lines: [bytes("ping")])])
    #expect(state.batchEnded() == .run(isList: false, confirms: false, lines: [bytes("status")]))
    #expect(state.batchEnded() == nil)
  }

  @Test(arguments: [("command_list_begin", false), ("command_list_ok_begin", true)])
  func `A list runs as one`(word: String, confirms: Bool) {
    let (_, actions) = machine([word, "ping", "status", "command_list_end\t"])
    #expect(actions == [.run(isList: true, confirms: confirms, lines: [bytes("ping"), bytes("status")])])
  }

  @Test func `A list that is too large ends the connection`() {
    var state = ConnectionState()
    _ = state.take(bytes("command_list_begin"))
    let line = [UInt8](repeating: UInt8(ascii: "x"), count: 60_000)
    var action: ConnectionState.Action?
    for _ in 0..<40 where action == nil { action = state.take(line) }
    #expect(action == .close("ACK [51@0] {} Command list is too large"))
  }

  @Test func `Whoever is idle is told what changes, and what changed before`() {
    var (state, actions) = machine(["idle player mixer"])
    #expect(actions.isEmpty)
    #expect(state.note(.playlist) == nil)
    #expect(state.note([.mixer, .options]) == .write(["changed: mixer", "OK"]))
    // What it did not wait for is told when it does.
    #expect(state.take(bytes("idle")) == .write(["changed: playlist", "changed: options", "OK"]))
    #expect(state.take(bytes("idle")) == nil)
    #expect(state.take(bytes("noidle")) == .write(["OK"]))
    #expect(state.take(bytes("noidle")) == nil)
  }

  @Test func `Whoever is idle says nothing but noidle`() {
    #expect(machine(["idle", "status"]).1 == [.close(nil)])
    #expect(machine(["idle sing"]).1 == [.write(["ACK [2@0] {idle} Unrecognized idle event: sing"])])
  }

  @Test func `Whoever watches does so until noidle`() {
    var (state, actions) = machine(["segue_watch"])
    #expect(actions == [.watch] && state.isWatching)
    #expect(state.take(bytes("noidle")) == .write(["OK"]) && !state.isWatching)
  }

  @Test(arguments: ["POST / HTTP/1.1", "", " ping", "\u{16}\u{3}\u{1}", "é"])
  func `What no command begins with ends the connection, and what follows is not obeyed`(line: String) {
    var (state, actions) = machine([line])
    #expect(actions == [.close(nil)])
    (state, actions) = machine(["command_list_begin", "ping", line])
    #expect(actions == [.close(nil)])
    (state, actions) = machine(["ping", line, "status"])
    #expect(actions.count == 1 && state.batchEnded() == .close(nil))
  }

  @Test func `Many lines at once are not all taken`() {
    var state = ConnectionState()
    for _ in 0...ConnectionState.backlogLimit { _ = state.take(bytes("ping")) }
    #expect(!state.takesMore)
    _ = state.batchEnded()
    #expect(state.takesMore)
  }
}

@Suite struct ConnectionRegistryTests {
  private final class Counter: Sendable {
    let value = Atomic(0)
  }

  /// How often the end of a crowd was told when `count` came and all but `rest` of them went.
  private func endCount(_ count: Int, leaving rest: Int) throws -> Int {
    let counter = Counter()
    let registry = ConnectionRegistry { _ in counter.value.add(1, ordering: .relaxed) }
    let channels = (0..<count).map { _ in EmbeddedChannel() }
    for channel in channels { #expect(registry.add(channel, limit: count)) }
    #expect(!registry.add(EmbeddedChannel(), limit: count))
    for channel in channels.dropFirst(rest) { _ = try channel.finish(acceptAlreadyClosed: true) }
    #expect(registry.count == rest)
    return counter.value.load(ordering: .relaxed)
  }

  @Test func `The end of a crowd is told once, when all but an eighth have gone`() throws {
    #expect(try endCount(ConnectionRegistry.crowdSize, leaving: 9) == 0)
    #expect(try endCount(ConnectionRegistry.crowdSize, leaving: 8) == 1)
    #expect(try endCount(ConnectionRegistry.crowdSize, leaving: 0) == 1)
    #expect(try endCount(ConnectionRegistry.crowdSize - 1, leaving: 0) == 0)
  }
}
