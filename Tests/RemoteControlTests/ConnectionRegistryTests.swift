import NIOCore
import NIOEmbedded
import Synchronization
import Testing

@testable import RemoteControl

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
