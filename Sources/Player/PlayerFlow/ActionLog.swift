// SPDX-License-Identifier: GPL-3.0-or-later

public import Flux
public import Logging
import MusicModel

/// Logs every action of the three dispatchers, in order, for debugging.
public final class ActionLog: Sendable {
  private let subscriptions: [Subscription]

  /// Creates a log that records every action from now on, on the thread that delivers it.
  public init(
    _ logger: Logger, dispatcher: QueueDispatcher,
    libraryDispatcher: LibraryDispatcher, filterDispatcher: FilterDispatcher
  ) {
    subscriptions = [
      dispatcher.subscribe { logger.info("\(Self.summary($0))") },
      libraryDispatcher.subscribe { logger.info("\($0)") },
      filterDispatcher.subscribe { logger.info("filter(\($0))") },
    ]
  }

  private static func summary(_ action: PlayerAction) -> String {
    if case .queue(let action) = action { action.summary } else { "\(action)" }
  }
}

extension QueueAction {
  /// A one-line description in which long lists are only counted.
  var summary: String {
    switch self {
    case .enqueue(let collection, let item):
      "enqueue(\(collection.summary), item: \(item.map(String.init) ?? "none"))"
    case .refill(let collection): "refill(\(collection.summary))"
    case .add(let collection, let point): "add(\(collection.summary), at: \(point))"
    case .remove(let selection): "remove(\(selection.summary))"
    case .move(let selection, let position): "move(\(selection.summary), to: \(position))"
    case .crop(let selection): "crop(\(selection?.summary ?? "to the current item"))"
    case .prioritise(let selection, let priority): "prioritise(\(selection.summary), \(priority))"
    case .availability(let missing, let found): "availability(missing: \(missing.summary), found: \(found.summary))"
    case .moved(let moves): "moved(scan \(moves.lastScan))"
    case .started(let modes, _, let lastID, _, let name): "started(\(name), \(modes), lastID: \(lastID))"
    case .use(let name, _): "use(\(name))"
    case .restored(let stored):
      "restored(\(stored.contents.title), \(stored.undoable.count) steps to undo, \(stored.redoable.count) to redo)"
    case .swap, .clear, .dedupe, .shuffle, .sort, .undo, .redo, .setRepeat, .setRandom, .setSingle,
      .setConsume, .setRange,
      .stopAfter, .setKeepPlaying, .play, .skipped, .advanced, .paused, .finished, .elapsed, .forget:
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
  /// The elements if there are at most three, otherwise their count.
  fileprivate var summary: String { count <= 3 ? "\(self)" : "\(count) of them" }
}
