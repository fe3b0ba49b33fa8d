import NIOCore
import QueueFlow
import Synchronization

/// The connections of a server.
final class ConnectionRegistry: Sendable {
  private let channels = Mutex<[ObjectIdentifier: any Channel]>([:])

  /// How many there are.
  var count: Int { channels.withLock { $0.count } }

  /// Adds a connection, until it is closed; says whether there was room among `limit`.
  func add(_ channel: any Channel, limit: Int) -> Bool {
    let id = ObjectIdentifier(channel)
    let isAdded = channels.withLock { channels in
      guard channels.count < limit else { return false }
      channels[id] = channel
      return true
    }
    if isAdded {
      channel.closeFuture.whenComplete { [weak self] _ in
        self?.channels.withLock { $0[id] = nil }
      }
    }
    return isAdded
  }

  /// Tells all what has changed.
  func announce(_ subsystems: Subsystem) { forEach { $0.note(subsystems, $1) } }

  /// Tells those who watch what happened.
  func tell(_ event: PlayerEvent) {
    if count == 0 { return }
    let event = WatchedEvent(event)
    forEach { $0.tell(event, $1) }
  }

  /// Calls `act` with each connection, on its event loop.
  private func forEach(_ act: @escaping @Sendable (ConnectionHandler, ChannelHandlerContext) -> Void) {
    for channel in channels.withLock({ Array($0.values) }) {
      channel.eventLoop.execute {
        guard let context = try? channel.pipeline.syncOperations.context(handlerType: ConnectionHandler.self),
          let handler = context.handler as? ConnectionHandler
        else { return }
        act(handler, context)
      }
    }
  }

  /// Closes all.
  func closeAll() {
    for channel in channels.withLock({ Array($0.values) }) { channel.close(promise: nil) }
  }
}
