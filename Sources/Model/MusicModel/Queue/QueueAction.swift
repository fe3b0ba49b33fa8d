// SPDX-License-Identifier: GPL-3.0-or-later

/// An action on the queue.
///
/// An action that does not apply (an unknown position or ID, nothing to undo) changes nothing. An edit is a step in the
/// history and can be undone; changes to modes and playback actions cannot.
public enum QueueAction: Sendable, Equatable {
  /// Replaces the queue with this collection and plays the track at index `item`. If `item` is `nil` or not an index of
  /// the collection, only loads it. This is an edit.
  case enqueue(TrackCollection, item: Int?)

  // MARK: Edits

  case add(TrackCollection, at: QueueInsertionPoint)
  /// Adds tracks at the end, because of ``QueueModes/keepPlaying``.
  case refill(TrackCollection)
  /// Removes these items.
  case remove(QueueSelection)
  /// Moves these items together, in their order. Afterwards the first of them is at position `to`, or at the nearest
  /// valid position.
  case move(QueueSelection, to: Int)
  case swap(PlayQueue.Item.ID, PlayQueue.Item.ID)
  /// Removes all items.
  case clear
  /// Removes all items except these, or except the current one if the selection is `nil`.
  case crop(QueueSelection?)
  /// Removes duplicate items, which have the same track (file and segment). The current item is kept if it is one of
  /// them, otherwise the first one.
  case dedupe
  /// Shuffles these items among their positions, or all items if the selection is `nil`, using `seed`. If the item
  /// `first` is among them, it comes first.
  case shuffle(QueueSelection?, by: ShuffleUnit, seed: UInt64, first: PlayQueue.Item.ID? = nil)
  /// Sorts these items among their positions, or all items if the selection is `nil`.
  case sort(QueueSelection?, by: QueueSortKey, descending: Bool)
  /// Sets the priority of these items, from 0 to 255. In random order, higher priorities are played first.
  case prioritise(QueueSelection, UInt8)

  /// Limits an item to this range of its track; `to` is `nil` for the end of the track. If it is the current item, it
  /// starts again.
  case setRange(PlayQueue.Item.ID, from: Duration, to: Duration?)

  // MARK: Undoing

  /// Undoes this many edits.
  case undo(steps: Int)
  /// Redoes this many edits.
  case redo(steps: Int)

  // MARK: Modes

  /// Sets what happens at the end of the queue.
  case setRepeat(QueueModes.Repeat)
  /// Sets the playing order, which is shuffled with `seed` if it is random. The current item stays current.
  case setRandom(QueueModes.Random, seed: UInt64)
  /// Sets whether playback pauses after every item.
  case setSingle(QueueModes.Single)
  /// Sets whether items are removed from the queue after playback; with `once`, only one item is.
  case setConsume(Bool, once: Bool = false)
  /// Sets the point where playback stops once; `nil` if it does not stop.
  case stopAfter(QueueModes.StopPoint?)
  /// Sets the music that is added before the queue ends; `nil` for none.
  case setKeepPlaying(KeepPlaying?)

  // MARK: Playing

  /// Plays this item, starting at `from`.
  case play(PlayQueue.Item.ID, from: Duration)
  /// Moves to this item, because the user skipped the current one, which counts as played.
  case skipped(to: PlayQueue.Item.ID)
  /// Moves to this item, because the engine advanced to it by itself.
  case advanced(to: PlayQueue.Item.ID)
  /// Moves to this item, because the engine played the previous one to its end and paused at the beginning of this one;
  /// see ``QueueModes/single``.
  case paused(before: PlayQueue.Item.ID)
  /// Ends playback, because the engine played the last item to its end or stopped at the chosen point. The next item
  /// becomes current, if there is one.
  case finished
  /// Sets the elapsed time of the current item, from which playback resumes later.
  case elapsed(Duration)
  /// Marks the files of the items in `missing` as missing, and those of the items in `found` as available again.
  case availability(missing: [PlayQueue.Item.ID], found: [PlayQueue.Item.ID])

  /// Gives the tracks whose files were moved their present paths, also in the history.
  case moved(FileMoves)

  // MARK: Restoring

  /// Prepares the queue when a program starts: new IDs come after `lastID`, and these modes are set. The stored queue
  /// is restored later. What is added until then follows the moves of files that scans after `lastScan` find.
  case started(QueueModes, seed: UInt64, lastID: UInt64, lastScan: Int64 = 0, name: QueueName = .standard)
  /// Restores the queue that was stored when the program last ended. This applies only if there was no earlier edit
  /// except one ``enqueue(_:item:)``, which then comes last in the restored history.
  case restored(StoredQueue)
  /// Makes the queue of this name current, which is stored in this form unless it was current before. This is not an
  /// edit: each queue has its own history.
  case use(QueueName, StoredQueue)
  /// Forgets a queue that was left, because it is deleted.
  case forget(QueueName)
}

/// A point in the queue at which items are added.
public enum QueueInsertionPoint: Sendable, Hashable {
  /// After the last item.
  case end
  /// After the current item and the items that were added this way before; at the beginning if no item is current. The
  /// items are played next in random order, too.
  case next
  /// At this position, or the nearest valid one.
  case position(Int)
}

/// A selection of items in a queue.
public enum QueueSelection: Sendable, Hashable {
  /// The items at these positions; positions outside the queue are ignored.
  case positions([Range<Int>])
  /// The items with these IDs; unknown IDs are ignored.
  case items([PlayQueue.Item.ID])
}

/// The keys by which a queue can be sorted. Items with equal keys keep their order.
public enum QueueSortKey: String, Sendable, Hashable, CaseIterable {
  /// The track's title.
  case title
  /// The track's artists.
  case artist
  /// The album artist, then the date, the album, the disc and the track number.
  case album
  /// The release date.
  case date
  case duration
  /// The path of the file.
  case path
}

/// The unit that a shuffle keeps together.
public enum ShuffleUnit: String, Sendable, Hashable, CaseIterable {
  /// Single tracks.
  case tracks
  /// Whole albums, whose items stay together and in order.
  case albums
}
