// SPDX-License-Identifier: GPL-3.0-or-later

import MusicModel
import Platform
import PlayerFlow
import UnicodeText

/// The requests about the user's queues.
extension LocalPlayer {
  func perform(_ request: NamedQueueRequest) throws(PlayerError) -> PlayerReply {
    guard let queues = parts.queues else {
      throw PlayerError(.failure, "this player does not save its queue, so it has no others")
    }
    switch request {
    case .list: return PlayerReply(.queues(names(queues).map { named($0, queues) }))
    case .use(let text): return try use(try Self.name(text), queues)
    case .delete(let text, let force): return try delete(try Self.name(text), force: force, queues)
    }
  }

  /// The names of all queues, sorted, including those that are not stored yet.
  private func names(_ queues: any QueueCollection) -> [QueueName] {
    let queue = parts.queue.queue
    let others = Set(queues.names + [queue.name] + queue.left.keys).subtracting([.standard])
    return [.standard] + others.sorted { $0.description < $1.description }
  }

  private static func name(_ text: String) throws(PlayerError) -> QueueName {
    if let name = QueueName(text.composed) { return name }
    throw PlayerError(
      .usage, "invalid name of a queue \"\(text.brief)\": use 1 to \(QueueName.byteLimit) bytes without line breaks")
  }

  private func use(_ name: QueueName, _ queues: any QueueCollection) throws(PlayerError) -> PlayerReply {
    let queue = parts.queue.queue
    if name == queue.name { return PlayerReply(.queues([named(name, queues)])) }
    var (warnings, isNew, stored) = ([String](), false, Self.empty(parts.newModes))
    if queue.left[name] == nil {
      do throws(QueueStorageError) {
        if let found = try queues.repository(of: name).restore() {
          if PlayQueue(found) == nil { throw queues.repository(of: name).setAside() }
          stored = found
        } else {
          isNew = name != .standard
        }
      } catch {
        guard error.kind == .setAside else { throw PlayerError(.failure, error.description) }
        warnings.append(error.description)
      }
    }
    parts.actions.use(name, stored)
    parts.actions.awaitDelivery()
    SeenListing.replaced()
    var used = named(name, queues)
    used.isNew = isNew
    return done(.queues([used]), warnings: warnings)
  }

  private func delete(
    _ name: QueueName, force: Bool, _ queues: any QueueCollection
  ) throws(PlayerError) -> PlayerReply {
    guard name != .standard else { throw PlayerError(.usage, "the queue \(name) cannot be deleted, only cleared") }
    guard name != parts.queue.queue.name else {
      throw PlayerError(.failure, "the queue \(name) is in use: use another one before deleting it")
    }
    let names = names(queues)
    guard names.contains(name) else {
      let others = names.map(\.description).joined(separator: ", ")
      throw PlayerError(.notFound, "no queue is named \(name.description.brief); these are there: \(others)")
    }
    let deleted = named(name, queues)
    guard force || deleted.count == 0 else {
      let contents = deleted.count.map { "has \(ItemCount.text($0, "track"))" } ?? "cannot be read"
      throw PlayerError(.failure, "the queue \(name) \(contents), and deleting it cannot be undone: add --force")
    }
    parts.actions.forget(name)
    parts.actions.awaitDelivery()
    if let error = parts.flush() { throw error }
    do throws(QueueStorageError) { try queues.delete(name) } catch { throw PlayerError(.failure, error.description) }
    return PlayerReply(.queues([deleted]))
  }

  /// Returns what is known of a queue.
  private func named(_ name: QueueName, _ queues: any QueueCollection) -> NamedQueue {
    let queue = parts.queue.queue
    let isCurrent = name == queue.name
    var found = isCurrent ? queue : queue.left[name]
    if found == nil {
      do throws(QueueStorageError) {
        guard let stored = try queues.repository(of: name).peek() else {
          return NamedQueue(name: name.description, count: 0, isCurrent: false)
        }
        found = PlayQueue(stored, name: name)
      } catch { found = nil }
    }
    return NamedQueue(
      name: name.description, count: found?.items.count, title: found?.current?.track.title, isCurrent: isCurrent)
  }

  /// Returns an empty queue with these modes, in the form in which it is stored.
  private static func empty(_ modes: QueueModes) -> StoredQueue {
    StoredQueue(
      contents: .init(title: "", items: [], order: nil, current: nil, elapsed: .zero), tracks: [:], modes: modes,
      seed: .random(in: .min ... .max), lastID: 0, lastScan: WallClock.now, undoable: [], redoable: [])
  }
}
