// SPDX-License-Identifier: GPL-3.0-or-later

/// An action on the queue.
///
/// An action that does not apply (an unknown position or id, nothing to undo) changes nothing. An edit is a step in the
/// history and can be undone; modes and playback actions are not.
public enum QueueAction: Sendable, Equatable {
  /// Replaces the queue by this collection and plays the track at index `item`; with `nil`, only loads it. An edit.
  ///
  /// An index outside the collection counts as `nil`.
  case enqueue(TrackCollection, item: Int?)

  // MARK: Edits

  /// Adds these tracks at this place.
  case add(TrackCollection, at: QueuePlace)
  /// Removes these items.
  case remove(QueueSelection)
  /// Moves these items together, in their order, so that the first of them is at position `to` afterwards, or the
  /// nearest valid one.
  case move(QueueSelection, to: Int)
  /// Swaps the items at these positions.
  case swap(Int, Int)
  /// Removes all items.
  case clear
  /// Removes all items except these; with `nil`, all except the current one.
  case crop(QueueSelection?)
  /// Removes items whose track (file and segment) is in the queue more than once. The current item is kept, or else the
  /// first one.
  case dedupe
  /// Shuffles the items, or those at these positions, with `seed`. If the item `first` is among them, it comes first.
  case shuffle(Range<Int>?, by: ShuffleUnit, seed: UInt64, first: PlayQueue.Item.ID? = nil)
  /// Sorts the items, or those at these positions.
  case sort(Range<Int>?, by: QueueSortKey, descending: Bool)
  /// Sets the priority of these items, from 0 to 255. In random order, higher priorities are played first.
  case prioritise(QueueSelection, UInt8)

  /// Limits an item to this range of its track, up to the end with `nil`. A current item starts again.
  case setRange(PlayQueue.Item.ID, from: Duration, to: Duration?)

  // MARK: Undoing

  /// Undoes this many edits.
  case undo(steps: Int)
  /// Redoes this many edits.
  case redo(steps: Int)

  // MARK: Modes

  /// Sets what happens at the end of the queue.
  case setRepeat(QueueModes.Repeat)
  /// Sets the playing order; a shuffled one uses `seed`. The current item stays current.
  case setRandom(QueueModes.Random, seed: UInt64)
  /// Sets whether playback pauses after every item.
  case setSingle(QueueModes.Single)
  /// Sets whether items are removed from the queue after playback; with `once`, only one is.
  case setConsume(Bool, once: Bool = false)
  /// Sets where playback stops once, or that it does not.
  case stopAfter(QueueModes.StopPoint?)

  // MARK: Playing

  /// Plays this item, starting at `from`.
  case play(PlayQueue.Item.ID, from: Duration)
  /// Moves to this item, because the user skipped the current one, which counts as played.
  case skipped(to: PlayQueue.Item.ID)
  /// Moves to this item, because the engine advanced to it by itself.
  case advanced(to: PlayQueue.Item.ID)
  /// Moves to this item, because the engine played the previous one to its end and paused at the beginning of this one,
  /// as ``QueueModes/single`` requires.
  case waiting(before: PlayQueue.Item.ID)
  /// Ends playback, because the engine played the last item to its end, or stopped where it should. The next item
  /// becomes current, if there is one.
  case finished
  /// Sets the elapsed time in the current item, at which playback resumes later.
  case heard(Duration)
  /// Marks the files of these items as missing, or as available again.
  case availability(gone: [PlayQueue.Item.ID], back: [PlayQueue.Item.ID])

  // MARK: Keeping

  /// Starts a program: continues the ids after those given before, and sets these modes. The stored queue is restored
  /// later.
  case opened(QueueModes, seed: UInt64, lastID: UInt64)
  /// Restores the queue stored when the program last ended. It applies only if nothing but one ``enqueue(_:item:)``
  /// came before, and then it comes before that in the history.
  case recalled(KeptQueue)
}

/// A place at which items are added to a queue.
public enum QueuePlace: Sendable, Hashable {
  /// After the last item.
  case end
  /// After the current item and those that were added in this way before; at the beginning if no item is current. They
  /// are played next in random order, too.
  case next
  /// At this position, or the nearest valid one.
  case position(Int)
}

/// The place in the queue for what is loaded from a file or a directory.
public enum LoadPlace: Sendable, Hashable {
  /// Replaces the queue and plays.
  case instead
  /// At this position; `plays` is whether to play it.
  case position(Int, plays: Bool)
}

/// A selection of items in a queue.
public enum QueueSelection: Sendable, Hashable {
  /// The items at these positions; positions outside the queue are ignored.
  case positions([Range<Int>])
  /// The items with these ids; unknown ids are ignored.
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
  /// The duration.
  case duration
  /// The path of the file.
  case path
}

/// What a shuffle keeps together.
public enum ShuffleUnit: String, Sendable, Hashable, CaseIterable {
  /// Nothing: single tracks are shuffled.
  case tracks
  /// Albums: each stays whole, with its items in their order.
  case albums
}
