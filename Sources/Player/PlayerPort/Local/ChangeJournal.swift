// SPDX-License-Identifier: GPL-3.0-or-later

import MusicModel
import Playlists
import Synchronization

/// The changes of playlists and ratings that can be undone and redone, besides the edits of the queue. It is not
/// stored. Safe to use from any thread.
final class ChangeJournal: Sendable {
  /// The change of the rating of a track or its album, or of whether the user likes the track. The values are those of
  /// the sticker.
  struct Rating: Sendable, Equatable {
    /// The ID in the library.
    let track: Int64
    /// The name of the sticker.
    let name: String
    let before: String?
    let after: String?
  }

  /// What has changed.
  enum Change: Sendable, Equatable {
    /// Changes of playlists, and the stickers of those that they have deleted, by their names.
    case playlists([PlaylistChange], stickers: [String: [Sticker]] = [:])
    case ratings([Rating], LibraryChoice?)

    /// The change that undoes this one.
    var reversed: Change {
      switch self {
      case .playlists(let changes, let stickers):
        .playlists(changes.reversed().map(\.reversed), stickers: stickers)
      case .ratings(let ratings, let library):
        .ratings(ratings.map { Rating(track: $0.track, name: $0.name, before: $0.after, after: $0.before) }, library)
      }
    }

    /// The approximate number of bytes that the change keeps.
    var size: Int {
      switch self {
      case .playlists(let changes, _): changes.reduce(0) { $0 + $1.size }
      case .ratings(let ratings, _): ratings.count * MemoryLayout<Rating>.stride
      }
    }
  }

  /// A change in the journal.
  struct Step: Sendable {
    let name: String
    let change: Change
    /// The ``PlayQueue/stepCount`` when the change was made, undone or redone.
    let number: UInt64
  }

  /// The maximum number of changes, and of bytes that they keep.
  private static let limit = 200
  private static let sizeLimit = 32 << 20

  private let steps = Mutex<(undoable: [Step], redoable: [Step])>(([], []))

  /// The changes that can be undone; the latest is last.
  var undoable: [Step] { steps.withLock(\.undoable) }

  /// Returns the changes that can be redone; the one to redo next is last.
  ///
  /// - Parameter lastEdit: The ``PlayQueue/lastEdit`` of the queue. What was undone before is forgotten.
  func redoable(since lastEdit: UInt64) -> [Step] {
    steps.withLock { steps in
      steps.redoable.removeAll { $0.number < lastEdit }
      return steps.redoable
    }
  }

  /// Adds a change that was made when the queue had this ``PlayQueue/stepCount``. What was undone cannot be redone.
  func add(_ name: String, _ change: Change, at number: UInt64) {
    steps.withLock { steps in
      steps.redoable = []
      Self.append(Step(name: name, change: change, number: number), to: &steps.undoable)
    }
  }

  /// Removes the next change to undo or redo and, if that `isDone`, makes it the next one of the other kind.
  func removeLast(redoes: Bool, isDone: Bool, at number: UInt64) {
    steps.withLock { steps in
      guard let step = redoes ? steps.redoable.popLast() : steps.undoable.popLast(), isDone else { return }
      let done = Step(name: step.name, change: step.change, number: number)
      if redoes { Self.append(done, to: &steps.undoable) } else { Self.append(done, to: &steps.redoable) }
    }
  }

  /// Adds a step, and forgets the oldest ones if there are too many. The new one remains, however large it is.
  private static func append(_ step: Step, to steps: inout [Step]) {
    steps.append(step)
    var size = steps.reduce(0) { $0 + $1.change.size }
    while steps.count > limit || size > sizeLimit && steps.count > 1 { size -= steps.removeFirst().change.size }
  }
}
