/// What can happen to the queue.
///
/// What does not apply (a position or an id that the queue does not have, nothing to undo) changes nothing. An edit is
/// a step that can be undone; modes and playing are not.
public enum QueueAction: Sendable, Equatable {
  /// This collection is the queue now; play from the track at index `item`, or with `nil` only load it. An edit.
  ///
  /// An index that the collection does not have counts as `nil`.
  case enqueue(TrackCollection, item: Int?)

  // MARK: Edits

  /// These tracks enter the queue there.
  case add(TrackCollection, at: QueuePlace)
  /// These items leave the queue.
  case remove(QueueSelection)
  /// These items stand together, in the order in which they stood, so that the first of them is at position `to`
  /// afterwards, or the nearest that there is.
  case move(QueueSelection, to: Int)
  /// The items at these positions change places.
  case swap(Int, Int)
  /// All items leave the queue.
  case clear
  /// All other items leave the queue; with `nil`, all but the current one.
  case crop(QueueSelection?)
  /// Items of a track (file and segment) that stands in the queue already leave it: the current item stays, else the
  /// first.
  case dedupe
  /// The items, or those in these positions, change places at random, by `seed`; the item `first`, where it is one of
  /// them, is the first of them afterwards.
  case shuffle(Range<Int>?, by: ShuffleUnit, seed: UInt64, first: PlayQueue.Item.ID? = nil)
  /// The items, or those in these positions, are sorted.
  case sort(Range<Int>?, by: QueueSortKey, descending: Bool)
  /// These items are played before others under random: those of a higher priority, 0 to 255, come first.
  case prioritise(QueueSelection, UInt8)

  /// Of this item no more is played than what lies between these places, up to its end with `nil`; a current item
  /// begins anew.
  case setRange(PlayQueue.Item.ID, from: Duration, to: Duration?)

  // MARK: Undoing

  /// So many edits are taken back.
  case undo(steps: Int)
  /// So many edits that were taken back are made again.
  case redo(steps: Int)

  // MARK: Modes

  /// What comes behind the end.
  case setRepeat(QueueModes.Repeat)
  /// In which order; the shuffled ones by `seed`. What is current stays so.
  case setRandom(QueueModes.Random, seed: UInt64)
  /// Whether playing waits behind every item.
  case setSingle(QueueModes.Single)
  /// Whether items leave the queue once they were played; with `once`, no more than one does.
  case setConsume(Bool, once: Bool = false)
  /// Where playing stops once, if it does.
  case stopAfter(QueueModes.StopPoint?)

  // MARK: Playing

  /// Play this item, from `from` on.
  case play(PlayQueue.Item.ID, from: Duration)
  /// Play this item: the user went on to it from the current one, which counts as played.
  case skipped(to: PlayQueue.Item.ID)
  /// The engine went on to this item by itself.
  case advanced(to: PlayQueue.Item.ID)
  /// The engine played an item to its end, and waits at the beginning of this one, as ``QueueModes/single`` has it.
  case waiting(before: PlayQueue.Item.ID)
  /// The engine played the last item to its end, or stopped where it was told to. The item that comes next, if any
  /// does, is current then, and `nil` otherwise.
  case finished
  /// So much of the current item was heard: where playing goes on when it is taken up again.
  case heard(Duration)
  /// The files of these items are gone, or back.
  case availability(gone: [PlayQueue.Item.ID], back: [PlayQueue.Item.ID])

  // MARK: Keeping

  /// A program begins: the numbers go on behind those that were given before, and these modes count. The kept queue is
  /// recalled later.
  case opened(QueueModes, seed: UInt64, lastID: UInt64)
  /// What was kept when the program ended last: it counts where nothing but one ``enqueue(_:item:)`` came before, and
  /// lies below that in the history then.
  case recalled(KeptQueue)
}

/// Where something enters a queue.
public enum QueuePlace: Sendable, Hashable {
  /// Behind the last item.
  case end
  /// Right behind the current item and what was put there in this way before; at the beginning where no item is
  /// current. It is played next under random, too.
  case next
  /// At this position, the nearest that there is.
  case position(Int)
}

/// Where what is loaded from a file, or from below a directory, enters a queue.
public enum LoadPlace: Sendable, Hashable {
  /// In the place of all that is there, and it is played.
  case instead
  /// At this position; and it is played, or not.
  case position(Int, plays: Bool)
}

/// Some items of a queue.
public enum QueueSelection: Sendable, Hashable {
  /// Those at these positions; what lies outside of the queue counts for nothing.
  case positions([Range<Int>])
  /// Those with these ids; what the queue does not hold counts for nothing.
  case items([PlayQueue.Item.ID])
}

/// By what a queue can be sorted. Items of equal keys keep their order.
public enum QueueSortKey: String, Sendable, Hashable, CaseIterable {
  /// The track's title.
  case title
  /// The track's artists.
  case artist
  /// The album artist, then the date, the album, the disc and the number.
  case album
  /// The date of release.
  case date
  /// How long it lasts.
  case duration
  /// Where the file is.
  case path
}

/// What a shuffle leaves together.
public enum ShuffleUnit: String, Sendable, Hashable, CaseIterable {
  /// Nothing.
  case tracks
  /// Albums: each whole, in the order in which its items stood.
  case albums
}
