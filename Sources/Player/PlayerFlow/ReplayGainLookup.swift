// SPDX-License-Identifier: GPL-3.0-or-later

import Flux
import MusicModel
import Platform

/// Looks up ReplayGain values and dispatches them. It uses a thread of its own, since reading files may block.
final class ReplayGainLookup: Sendable {
  private struct Source: Sendable {
    let read: @Sendable ([Track]) -> [ReplayGainTags]
  }

  private let source: Source
  private let dispatcher: QueueDispatcher
  /// The thread, with the items that it still has to look up.
  private let worker = Worker<[PlayQueue.Item]>(named: "segue-loudness", [])

  /// Creates a lookup that uses `read`, which returns the values of tracks in their order, and may block.
  init(dispatcher: QueueDispatcher, _ read: @escaping @Sendable ([Track]) -> [ReplayGainTags]) {
    source = Source(read: read)
    self.dispatcher = dispatcher
  }

  /// Looks up these items, in place of any that are still waiting.
  func lookUp(_ items: [PlayQueue.Item]) {
    worker.post { $0 = items }
    do {
      try worker.start(taking: Self.takeAll) { [self] in dispatchFound($0, source.read($0.map(\.track))) }
    } catch {
      // Without a thread, the values of the tags are used.
      dispatchFound(items, [])
    }
  }

  /// Ends the thread as soon as its current read returns.
  func end() { worker.close() }

  private static func takeAll(_ items: inout [PlayQueue.Item]) -> [PlayQueue.Item]? {
    defer { items = [] }
    return items.isEmpty ? nil : items
  }

  private func dispatchFound(_ items: [PlayQueue.Item], _ found: [ReplayGainTags]) {
    // Tracks without a value from `read` get the values of their tags.
    let values = items.enumerated().map { index, item in
      (item.id, index < found.count ? found[index] : item.track.replayGain)
    }
    dispatcher.dispatch(.replayGain(Dictionary(values) { $1 }))
  }
}
