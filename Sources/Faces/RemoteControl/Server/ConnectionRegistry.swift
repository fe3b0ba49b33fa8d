// SPDX-License-Identifier: GPL-3.0-or-later

import NIOCore
import Platform
import Synchronization

/// The open connections of a server. Safe to use from any thread.
final class ConnectionRegistry: Sendable {
  /// The minimum number of connections that counts as a crowd. After a crowd has left, memory is released.
  static let crowdSize = 64

  private struct Contents {
    var channels: [ObjectIdentifier: any Channel] = [:]
    /// The maximum number of connections since the last crowd ended.
    var peakCount = 0

    /// Returns whether a crowd has just ended: at most an eighth of its connections are left. If so, resets the peak.
    mutating func checkEndOfCrowd() -> Bool {
      guard peakCount >= ConnectionRegistry.crowdSize, channels.count <= peakCount / 8 else { return false }
      peakCount = channels.count
      // Releases the capacity that the dictionary has reserved.
      channels = Dictionary(uniqueKeysWithValues: channels.map { ($0, $1) })
      return true
    }
  }

  private let contents = Mutex(Contents())
  private let onEndOfCrowd: @Sendable (any EventLoop) -> Void

  /// Creates an empty registry.
  ///
  /// - Parameter onEndOfCrowd: Called on an event loop when most connections of a crowd have been closed.
  init(onEndOfCrowd: @escaping @Sendable (any EventLoop) -> Void) { self.onEndOfCrowd = onEndOfCrowd }

  /// The number of open connections.
  var count: Int { contents.withLock { $0.channels.count } }

  /// Adds a connection, which is removed when it is closed. Does nothing if there are already `limit` connections.
  /// Returns whether the connection was added.
  func add(_ channel: any Channel, limit: Int) -> Bool {
    let id = ObjectIdentifier(channel)
    let isAdded = contents.withLock { contents in
      guard contents.channels.count < limit else { return false }
      contents.channels[id] = channel
      contents.peakCount = max(contents.peakCount, contents.channels.count)
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
      return contents.checkEndOfCrowd()
    }
    if isEndOfCrowd { onEndOfCrowd(loop) }
  }

  private var all: [any Channel] { contents.withLock { Array($0.channels.values) } }

  /// Notifies clients of changes: those in `clients`, or all if it is `nil`.
  func announce(_ subsystems: Subsystem, to clients: Set<ClientID>? = nil) {
    let channels = contents.withLock { contents in
      clients?.compactMap { contents.channels[$0] } ?? Array(contents.channels.values)
    }
    Self.forEachHandler(of: channels) { $0.notify(subsystems, $1) }
  }

  /// Calls `body` with the handler of each connection, on its event loop.
  private static func forEachHandler(
    of channels: [any Channel], _ body: @escaping @Sendable (ConnectionHandler, ChannelHandlerContext) -> Void
  ) {
    for channel in channels {
      channel.eventLoop.execute {
        guard let context = try? channel.pipeline.syncOperations.context(handlerType: ConnectionHandler.self),
          let handler = context.handler as? ConnectionHandler
        else { return }
        body(handler, context)
      }
    }
  }

  /// Closes each connection after the response to its current batch, and waits at most `milliseconds` for that. Must
  /// not be called on an event loop.
  func endAll(within milliseconds: UInt64) {
    let channels = all
    guard let loop = channels.first?.eventLoop else { return }
    let signal = ThreadSignal()
    EventLoopFuture.andAllComplete(channels.map(\.closeFuture), on: loop).whenComplete { _ in signal.wake() }
    Self.forEachHandler(of: channels) { $0.end($1) }
    _ = signal.wait(until: .now.advanced(byMilliseconds: milliseconds))
  }

  /// Closes all connections at once.
  func closeAll() {
    for channel in all { channel.close(promise: nil) }
  }
}
