import NIOCore
import Platform
import PlayerFlow
import Synchronization

/// The connections of a server.
final class ConnectionRegistry: Sendable {
  /// So many clients are a crowd, behind which it is worth to clear up.
  static let crowdSize = 64

  private struct Contents {
    var channels: [ObjectIdentifier: any Channel] = [:]
    /// The most that there were since a crowd has gone.
    var most = 0

    /// Whether a crowd has gone by now: all but an eighth of it.
    mutating func takeEndOfCrowd() -> Bool {
      guard most >= ConnectionRegistry.crowdSize, channels.count <= most / 8 else { return false }
      most = channels.count
      // What it held for each of them.
      channels = Dictionary(uniqueKeysWithValues: channels.map { ($0, $1) })
      return true
    }
  }

  private let contents = Mutex(Contents())
  private let onEndOfCrowd: @Sendable (any EventLoop) -> Void

  /// No connections yet. `onEndOfCrowd` is called when most of many have gone, on their event loop.
  init(onEndOfCrowd: @escaping @Sendable (any EventLoop) -> Void) { self.onEndOfCrowd = onEndOfCrowd }

  /// How many there are.
  var count: Int { contents.withLock { $0.channels.count } }

  /// Adds a connection, until it is closed; says whether there was room among `limit`.
  func add(_ channel: any Channel, limit: Int) -> Bool {
    let id = ObjectIdentifier(channel)
    let isAdded = contents.withLock { contents in
      guard contents.channels.count < limit else { return false }
      contents.channels[id] = channel
      contents.most = max(contents.most, contents.channels.count)
      return true
    }
    if isAdded {
      let loop = channel.eventLoop
      channel.closeFuture.whenComplete { [weak self] _ in self?.remove(id, from: loop) }
    }
    return isAdded
  }

  private func remove(_ id: ObjectIdentifier, from loop: any EventLoop) {
    let isEndOfCrowd = contents.withLock { contents in
      contents.channels[id] = nil
      return contents.takeEndOfCrowd()
    }
    if isEndOfCrowd { onEndOfCrowd(loop) }
  }

  private var all: [any Channel] { contents.withLock { Array($0.channels.values) } }

  /// Tells all, or `clients`, what has changed.
  func announce(_ subsystems: Subsystem, to clients: Set<ClientID>? = nil) {
    let channels = contents.withLock { contents in
      clients?.compactMap { contents.channels[$0] } ?? Array(contents.channels.values)
    }
    Self.forEach(of: channels) { $0.note(subsystems, $1) }
  }

  /// Announces what a command has changed; a change of the saved lists, which no store publishes, is an event, too.
  func announceChange(_ subsystems: Subsystem) {
    announce(subsystems)
    if subsystems.contains(.storedPlaylist) { tell(PlayerEvent(.playlists)) }
  }

  /// Tells those who watch what happened.
  func tell(_ event: PlayerEvent) {
    if count == 0 { return }
    let event = WatchedEvent(event)
    Self.forEach(of: all) { $0.tell(event, $1) }
  }

  /// Calls `act` with each connection, on its event loop.
  private static func forEach(
    of channels: [any Channel], _ act: @escaping @Sendable (ConnectionHandler, ChannelHandlerContext) -> Void
  ) {
    for channel in channels {
      channel.eventLoop.execute {
        guard let context = try? channel.pipeline.syncOperations.context(handlerType: ConnectionHandler.self),
          let handler = context.handler as? ConnectionHandler
        else { return }
        act(handler, context)
      }
    }
  }

  /// Has each connection end as soon as what it is asked is answered, and waits for that, but no longer than so many
  /// milliseconds. Not on an event loop.
  func endAll(within milliseconds: UInt64) {
    let channels = all
    guard let loop = channels.first?.eventLoop else { return }
    let signal = ThreadSignal()
    EventLoopFuture.andAllComplete(channels.map(\.closeFuture), on: loop).whenComplete { _ in signal.wake() }
    Self.forEach(of: channels) { $0.end($1) }
    _ = signal.wait(until: .now.advanced(byMilliseconds: milliseconds))
  }

  /// Closes all.
  func closeAll() {
    for channel in all { channel.close(promise: nil) }
  }
}

/// An event as clients that watch are told it: one line of JSON.
struct WatchedEvent: Sendable {
  /// The line, without its end.
  let line: String

  /// The line of `event`.
  init(_ event: PlayerEvent) {
    line = JSONLine.text(event)
  }

  /// So many events are missing.
  static func missed(_ count: Int) -> WatchedEvent {
    var event = PlayerEvent(.missed)
    event.count = count
    return WatchedEvent(event)
  }

  /// All of the state of `player`.
  static func status(of player: RemotePlayer) -> WatchedEvent {
    var event = PlayerEvent(.status)
    event.status = player.status
    return WatchedEvent(event)
  }
}
