// SPDX-License-Identifier: GPL-3.0-or-later

import Flux
import Platform
import Synchronization

/// The connection of one face in another process to a player: performs its requests in order, on a thread of its own,
/// so that no other face waits for them, answers its questions on a second one, so that they do not wait for a request,
/// and sends it snapshots, on a third one. Safe to use from any thread.
package final class PortSession: Sendable {
  /// The maximum number of requests that wait. A face that sends more without reading replies is disconnected.
  private static let limit = 1_024

  /// What a message of a face leads to.
  package enum Reception {
    /// A reply will be written.
    case reply
    /// Snapshots or frames of the sound may be written.
    case updates
    /// The connection must be closed.
    case refused
  }

  private let player: any PlayerPort
  private let write: @Sendable (_ line: String, _ isReply: Bool) -> Void
  private let requests = Worker<[ClientMessage]>(named: "segue-requests", [])
  private let questions = Worker<[ClientMessage]>(named: "segue-questions", [])
  private let snapshots = Worker<Observation>(named: "segue-snapshots", Observation())
  private let observer = Mutex<Observer?>(nil)
  private let sounds: SoundFeeds

  private struct Observation: Sendable {
    /// Whether the face waits for a snapshot.
    var isAwaited = false
    var hasChanged = true
    /// The number of the last event that the face knows; `nil` if it wants none.
    var events: Int?
  }

  private struct Observer: Sendable {
    let subscription: Subscription
    let everyPosition: Bool
  }

  /// Creates the connection to `player`. `write` sends a line, without its line break, to the face; it may be called on
  /// any thread, and must not block.
  package init(_ player: any PlayerPort, write: @escaping @Sendable (_ line: String, _ isReply: Bool) -> Void) {
    self.player = player
    self.write = write
    sounds = SoundFeeds(player, write: write)
  }

  /// Receives a line from the face.
  package func receive(_ line: String) -> Reception {
    guard let message: ClientMessage = JSONLine.value(line) else { return .refused }
    do {
      switch message {
      case .observe(let everyPosition, let events):
        try observe(everyPosition, events)
        return .updates
      case .sound(let bands, let id): return sounds.send(bands: bands, id: id) ? .updates : .refused
      case .endSound(let id):
        sounds.end(id)
        return .updates
      case .send: return try add(message, to: requests) ? .reply : .refused
      case .queue, .list: return try add(message, to: questions) ? .reply : .refused
      }
    } catch {
      // The system has no thread left.
      return .refused
    }
  }

  /// Adds a message for a thread. Returns `false` if too many wait.
  private func add(_ message: ClientMessage, to worker: Worker<[ClientMessage]>) throws -> Bool {
    let isAccepted = worker.withPending { pending in
      guard pending.count < Self.limit else { return false }
      pending.append(message)
      return true
    }
    try worker.start(taking: { $0.isEmpty ? nil : $0.removeFirst() }) { [player, write] message in
      if let reply = Self.reply(to: message, of: player) { write(JSONLine.text(reply), true) }
    }
    worker.wake()
    return isAccepted
  }

  /// Ends the connection. Requests that have not begun are dropped.
  package func end() {
    requests.close()
    questions.close()
    snapshots.close()
    observer.withLock { $0.take() }?.subscription.cancel()
    sounds.endAll()
  }

  private static func reply(to message: ClientMessage, of player: any PlayerPort) -> PlayerMessage? {
    func reply(_ id: UInt64, _ body: () throws(PlayerError) -> PlayerMessage) -> PlayerMessage {
      do throws(PlayerError) { return try body() } catch { return .failure(error, id: id) }
    }
    switch message {
    case .send(let request, let id):
      return reply(id) { () throws(PlayerError) in .reply(try player.send(request), id: id) }
    case .queue(let range, let id):
      return reply(id) { () throws(PlayerError) in .rows(try player.queue(range), id: id) }
    case .list(let request, let id):
      return reply(id) { () throws(PlayerError) in .list(try player.answer(request), id: id) }
    case .observe, .sound, .endSound: return nil
    }
  }

  private func observe(_ everyPosition: Bool, _ events: Int?) throws {
    try snapshots.start(
      taking: { observation -> Observation? in
        guard observation.isAwaited, observation.hasChanged else { return nil }
        (observation.isAwaited, observation.hasChanged) = (false, false)
        return observation
      },
      { [player, write] observation in
        var snapshot = player.snapshot
        snapshot.events = snapshot.events.trimmed(after: observation.events)
        write(JSONLine.text(PlayerMessage.snapshot(snapshot)), false)
      })
    if observer.withLock({ $0?.everyPosition != everyPosition }) {
      let new = player.observe(everyPosition: everyPosition) { [snapshots] in snapshots.post { $0.hasChanged = true } }
      let old = observer.withLock { observer in
        defer { observer = Observer(subscription: new, everyPosition: everyPosition) }
        return observer
      }
      old?.subscription.cancel()
    }
    snapshots.post { ($0.isAwaited, $0.events) = (true, events) }
  }
}
