// SPDX-License-Identifier: GPL-3.0-or-later

import MusicModel
import PlayerFlow
import Playlists
import Synchronization

/// Undoing and redoing. The edits of the queue, and the changes of playlists and ratings, are one history.
extension LocalPlayer {
  /// The names of what can be undone and redone; the last one is next.
  var history: (undoable: [String], redoable: [String]) {
    let queue = parts.queue.queue
    return (
      Self.merged(queue.undoable, queue.undoableNumbers, journal.undoable),
      Self.merged(queue.redoable, queue.redoableNumbers, journal.redoable(since: queue.lastEdit))
    )
  }

  /// Undoes or redoes this many changes. Returns their names.
  func undo(_ count: Int, redoes: Bool) throws(PlayerError) -> [String] {
    let names = try historyLock.withLock { _ throws(PlayerError) in
      var names: [String] = []
      while names.count < count {
        do throws(PlayerError) {
          let found = try undoNext(count - names.count, redoes: redoes)
          if found.isEmpty { break }
          names += found
        } catch {
          guard !names.isEmpty else { throw error }
          let done = names.joined(separator: "; ")
          throw PlayerError(
            error.status, "\(error.message) (before it, this was \(redoes ? "redone" : "undone"): \(done))")
        }
      }
      return names
    }
    if names.isEmpty { throw PlayerError(.notFound, "nothing to \(redoes ? "redo" : "undo")") }
    return names
  }

  /// Undoes or redoes the next change or, if edits of the queue are next, up to `count` of them. Returns their names;
  /// none if there is no change.
  private func undoNext(_ count: Int, redoes: Bool) throws(PlayerError) -> [String] {
    let queue = parts.queue.queue
    let last = (redoes ? journal.redoable(since: queue.lastEdit) : journal.undoable).last
    let edits = min(count, Self.count(of: redoes ? queue.redoableNumbers : queue.undoableNumbers, after: last))
    if edits > 0 {
      if redoes { parts.actions.redo(steps: edits) } else { parts.actions.undo(steps: edits) }
      parts.actions.awaitDelivery()
      return (redoes ? queue.redoable : queue.undoable).suffix(edits).reversed()
    }
    guard let last else { return [] }
    var isDone = false
    defer { journal.removeLast(redoes: redoes, isDone: isDone, at: queue.stepCount) }
    if redoes {
      try perform(last.change, "redo \(last.name)")
    } else {
      try perform(last.change.reversed, "undo \(last.name)")
    }
    isDone = true
    return [last.name]
  }

  /// Returns how many of the edits of the queue are later than a change.
  private static func count(of edits: [UInt64], after change: ChangeJournal.Step?) -> Int {
    guard let change else { return edits.count }
    return edits.count { $0 > change.number }
  }

  /// Returns the names of edits and changes in the order in which they were made.
  private static func merged(_ names: [String], _ numbers: [UInt64], _ changes: [ChangeJournal.Step]) -> [String] {
    var merged: [String] = []
    var changes = changes[...]
    for (name, number) in zip(names, numbers) {
      while let change = changes.first, change.number < number { merged.append(changes.removeFirst().name) }
      merged.append(name)
    }
    return merged + changes.map(\.name)
  }

  // MARK: Changes of playlists and ratings

  /// Performs a change. `name` is what this means to the user.
  private func perform(_ change: ChangeJournal.Change, _ name: String) throws(PlayerError) {
    switch change {
    case .playlists(let changes, let stickers):
      if changes.contains(where: \.isIrreversible) {
        throw PlayerError(.failure, "cannot \(name): the playlist was a link, or could not be read")
      }
      defer { playlistChanges.note() }
      let result = playlistLock.withLock { _ in
        Result { () throws(PlaylistError) in
          for (number, change) in changes.enumerated() {
            do throws(PlaylistError) { try change.perform() } catch {
              // All of them, or none.
              for change in changes[..<number].reversed() { try change.reversed.perform() }
              throw error
            }
          }
        }
      }
      do throws(PlaylistError) { try result.get() } catch {
        if case .changed = error { throw PlayerError(.failure, "cannot \(name): the playlist has changed since") }
        throw PlayerError(.failure, "cannot \(name): \(error)")
      }
      _ = moveStickers(changes, restoring: stickers)
    case .ratings(let ratings, let library):
      let index = try index(library)
      let isUnchanged = try Self.reading { () throws(LibraryError) in
        for rating in ratings where try index.sticker(rating.name, of: rating.track) != rating.before { return false }
        for rating in ratings { try index.setSticker(rating.name, to: rating.after, of: rating.track) }
        try notifyOfMarks(ratings, index)
        return true
      }
      if !isUnchanged { throw PlayerError(.failure, "cannot \(name): the rating has changed since") }
    }
  }

  /// Adds changes of playlists to the journal. Their stickers follow.
  func record(_ changes: PlaylistChanges, _ name: String) {
    let all = changes.all
    if all.isEmpty { return }
    journal.add(name, .playlists(all, stickers: moveStickers(all)), at: parts.queue.queue.stepCount)
  }
}

/// The changes of playlists that a request makes. Safe to use from any thread.
final class PlaylistChanges: Sendable {
  private let changes = Mutex<[PlaylistChange]>([])

  /// The changes so far, in their order.
  var all: [PlaylistChange] { changes.withLock(\.self) }

  func add(_ change: PlaylistChange) { changes.withLock { $0.append(change) } }
}

extension StickerRepository {
  /// Returns the value of a sticker of a track; `nil` if there is none.
  func sticker(_ name: String, of track: Int64) throws(LibraryError) -> String? {
    try stickers(of: track).first { $0.name == name }?.value
  }

  /// Sets the value of a sticker of a track; `nil` removes it.
  func setSticker(_ name: String, to value: String?, of track: Int64) throws(LibraryError) {
    if let value {
      try set(Sticker(name: name, value: value), of: track)
    } else {
      _ = try removeSticker(name, of: track)
    }
  }
}
