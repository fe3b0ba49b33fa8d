import MusicModel

extension QueueAction {
  /// The action in one line: what would fill pages by its size.
  var summary: String {
    switch self {
    case .enqueue(let collection, let item):
      "enqueue(\(collection.summary), item: \(item.map(String.init) ?? "none"))"
    case .add(let collection, let place): "add(\(collection.summary), at: \(place))"
    case .remove(let selection): "remove(\(selection.summary))"
    case .move(let selection, let position): "move(\(selection.summary), to: \(position))"
    case .crop(let selection): "crop(\(selection?.summary ?? "to the current item"))"
    case .prioritise(let selection, let priority): "prioritise(\(selection.summary), \(priority))"
    case .availability(let gone, let back): "availability(gone: \(gone.summary), back: \(back.summary))"
    case .opened(let modes, _, let lastID): "opened(\(modes), lastID: \(lastID))"
    case .recalled(let kept):
      "recalled(\(kept.contents.title), \(kept.undoable.count) steps to undo, \(kept.redoable.count) to redo)"
    case .swap, .clear, .dedupe, .shuffle, .sort, .undo, .redo, .setRepeat, .setRandom, .setSingle,
      .setConsume, .setRange,
      .stopAfter, .play, .skipped, .advanced, .waiting, .finished, .heard:
      "\(self)"
    }
  }
}

extension TrackCollection {
  fileprivate var summary: String { "\(title), \(tracks.count) tracks" }
}

extension QueueSelection {
  fileprivate var summary: String {
    switch self {
    case .positions(let ranges): "positions \(ranges.summary)"
    case .items(let ids): "items \(ids.summary)"
    }
  }
}

extension Array {
  /// What it holds where that is little, else its size.
  fileprivate var summary: String { count <= 3 ? "\(self)" : "\(count) of them" }
}
