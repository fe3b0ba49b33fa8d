import Flux
import MusicModel
import Platform

/// Looks up ReplayGain values on a thread of its own, since that may block on files, and dispatches what it found.
final class ReplayGainLookup: Sendable {
  private struct Source: Sendable {
    let read: @Sendable ([Track]) -> [ReplayGainTags]
  }

  private let source: Source
  private let dispatcher: QueueDispatcher
  /// Takes the items that are to be looked up.
  private let worker = Worker<[PlayQueue.Item]>(named: "segue-loudness", [])

  /// A lookup by `read`, which may block, and gives the values of tracks in their order.
  init(dispatcher: QueueDispatcher, _ read: @escaping @Sendable ([Track]) -> [ReplayGainTags]) {
    source = Source(read: read)
    self.dispatcher = dispatcher
  }

  /// Looks up these items, and no others any more.
  func lookUp(_ items: [PlayQueue.Item]) {
    worker.post { $0 = items }
    do {
      try worker.start(taking: Self.takeAll) { [self] in dispatchFound($0, source.read($0.map(\.track))) }
    } catch {
      // Without a thread there are still the tags.
      dispatchFound(items, [])
    }
  }

  /// Ends the thread, as soon as what it reads lets it.
  func end() { worker.close() }

  private static func takeAll(_ items: inout [PlayQueue.Item]) -> [PlayQueue.Item]? {
    defer { items = [] }
    return items.isEmpty ? nil : items
  }

  private func dispatchFound(_ items: [PlayQueue.Item], _ found: [ReplayGainTags]) {
    // Whatever reads too little leaves the tags.
    let values = items.enumerated().map { index, item in
      (item.id, index < found.count ? found[index] : item.track.replayGain)
    }
    dispatcher.dispatch(.replayGain(Dictionary(values) { $1 }))
  }
}
