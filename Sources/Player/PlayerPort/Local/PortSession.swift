// SPDX-License-Identifier: GPL-3.0-or-later

import Flux
import Platform
import Synchronization

/// The connection of one face in another process to a player: performs its requests in order, on a thread of its own,
/// so that no other face waits for them, and sends it snapshots, on another one. Safe to use from any thread.
package final class PortSession: Sendable {
  /// The maximum number of requests that wait. A face that sends more without reading replies is disconnected.
  private static let limit = 1_024

  /// What a message of a face leads to.
  package enum Reception {
    /// A reply will be written.
    case reply
    /// Snapshots will be written.
    case snapshots
    /// The connection must be closed.
    case refused
  }

  private let player: any PlayerPort
  private let write: @Sendable (_ line: String, _ isReply: Bool) -> Void
  private let requests = Worker<[ClientMessage]>(named: "segue-requests", [])
  private let snapshots = Worker<Observation>(named: "segue-snapshots", Observation())
  private let subscription = Mutex<Subscription?>(nil)

  private struct Observation: Sendable {
    /// Whether the face waits for a snapshot.
    var isAwaited = false
    var hasChanged = true
  }

  /// Creates the connection to `player`. `write` sends a line, without its line break, to the face; it may be called on
  /// any thread, and must not block.
  package init(_ player: any PlayerPort, write: @escaping @Sendable (_ line: String, _ isReply: Bool) -> Void) {
    self.player = player
    self.write = write
  }

  /// Receives a line from the face.
  package func receive(_ line: String) -> Reception {
    guard let message: ClientMessage = JSONLine.value(line) else { return .refused }
    do {
      if case .observe = message {
        try observe()
        return .snapshots
      }
      let isAccepted = requests.withPending { pending in
        guard pending.count < Self.limit else { return false }
        pending.append(message)
        return true
      }
      try requests.start(taking: { $0.isEmpty ? nil : $0.removeFirst() }) { [player, write] message in
        if let reply = Self.reply(to: message, of: player) { write(JSONLine.text(reply), true) }
      }
      requests.wake()
      return isAccepted ? .reply : .refused
    } catch {
      // The system has no thread left.
      return .refused
    }
  }

  /// Ends the connection. Requests that have not begun are dropped.
  package func end() {
    requests.close()
    snapshots.close()
    subscription.withLock { $0.take() }?.cancel()
  }

  private static func reply(to message: ClientMessage, of player: any PlayerPort) -> PlayerMessage? {
    switch message {
    case .send(let request, let id):
      do throws(PlayerError) { return .reply(try player.send(request), id: id) } catch {
        return .failure(error, id: id)
      }
    case .queue(let range, let id):
      do throws(PlayerError) { return .rows(try player.queue(range), id: id) } catch { return .failure(error, id: id) }
    case .observe: return nil
    }
  }

  private func observe() throws {
    let isFirst = subscription.withLock { $0 == nil }
    if isFirst {
      try snapshots.start(
        taking: { observation in
          guard observation.isAwaited, observation.hasChanged else { return nil }
          observation = Observation(isAwaited: false, hasChanged: false)
          return true
        },
        { [player, write] (_: Bool) in write(JSONLine.text(PlayerMessage.snapshot(player.snapshot)), false) })
      let new = player.observe(everyPosition: true) { [snapshots] in snapshots.post { $0.hasChanged = true } }
      subscription.withLock { $0 = new }
    }
    snapshots.post { $0.isAwaited = true }
  }
}
