import Flux
import MusicModel
import Platform
import SystemPackage

/// Looks whether the files of the queue's items went or came back, on a thread of its own, since that blocks on slow
/// mounts; and marks the items by actions.
///
/// It looks only where something happened: when an item begins, when one could not be read, and when the library was
/// read anew. Its thread sleeps otherwise.
final class AvailabilityWatch: Sendable {
  /// What is to be looked at.
  struct Look: OptionSet, Sendable {
    let rawValue: UInt8

    /// The next items, and some of those that were gone: an item began.
    static let nearby = Look(rawValue: 1)
    /// The next items until one is there: one was not.
    static let untilPresent = Look(rawValue: 2)
    /// Many of the next ones, and all that were gone: the library has changed.
    static let far = Look(rawValue: 4)
  }

  private let search: AvailabilitySearch
  private let dispatcher: QueueDispatcher
  private let worker = Worker<Look>(named: "segue-files", [])

  /// One that looks at the items of `queue` and dispatches to `dispatcher`. `isThere` says whether a file is there, and
  /// `nil` where that cannot be told; it may block.
  init(
    queue: QueueListener, dispatcher: QueueDispatcher, isThere: @escaping @Sendable (FilePath) -> Bool?
  ) {
    search = AvailabilitySearch(queue: queue, isThere: isThere)
    self.dispatcher = dispatcher
  }

  /// Has the thread look; where the system grants none, nobody does. From any thread.
  func look(_ look: Look) {
    worker.post { $0.formUnion(look) }
    try? worker.start(taking: Self.takeAll) { [search, dispatcher, worker] look in
      search.run(look, isCancelled: { worker.isClosed }) { gone, back in
        dispatcher.dispatch(.availability(gone: gone, back: back))
      }
    }
  }

  /// Ends the thread, as soon as what it looks at lets it.
  func end() { worker.close() }

  private static func takeAll(_ look: inout Look) -> Look? {
    defer { look = [] }
    return look.isEmpty ? nil : look
  }
}

/// Looks at the files of some of the queue's items.
struct AvailabilitySearch: Sendable {
  /// How many items are looked at before what was found is told.
  private static let batchCount = 256
  /// How many of the next items are looked at when one begins, and how many of those that were gone.
  private static let nearbyCount = 4
  private static let returningCount = 64
  /// How many of the next items are looked at when the library has changed.
  private static let farCount = 1000

  let queue: QueueListener
  /// Whether a file is there; `nil` where that cannot be told.
  let isThere: @Sendable (FilePath) -> Bool?

  /// Looks, and tells what went and what is back, some items at a time.
  func run(
    _ look: AvailabilityWatch.Look, isCancelled: () -> Bool,
    _ tell: (_ gone: [PlayQueue.Item.ID], _ back: [PlayQueue.Item.ID]) -> Void
  ) {
    if !look.isDisjoint(with: [.nearby, .far]) {
      var gone = queue.queue.goneItems[...]
      if !look.contains(.far) { gone = gone.prefix(Self.returningCount) }
      while !gone.isEmpty, !isCancelled() {
        tellNews(gone.prefix(Self.batchCount).compactMap { id in queue.queue.item(id) }, tell)
        gone = gone.dropFirst(Self.batchCount)
      }
    }
    var left = look.contains(.untilPresent) ? Int.max : look.contains(.far) ? Self.farCount : Self.nearbyCount
    var last = queue.queue.current?.id
    while left > 0, !isCancelled() {
      let batch = next(behind: last, min(left, Self.batchCount))
      let isPresent = tellNews(batch, tell)
      // The rest is looked at when its time comes.
      if batch.isEmpty || isPresent && !look.contains(.far) { return }
      if isPresent { left = min(left, Self.farCount) }
      left -= batch.count
      last = batch.last?.id
    }
  }

  private func next(behind id: PlayQueue.Item.ID?, _ count: Int) -> [PlayQueue.Item] {
    let queue = queue.queue
    let place = id.flatMap { queue.placeInPlayingOrder(of: $0) }.map { $0 + 1 } ?? 0
    return queue.itemsInPlayingOrder(from: place, count: count)
  }

  /// Tells which of these went or are back; says whether one of them is there, as far as can be told.
  @discardableResult
  private func tellNews(
    _ items: [PlayQueue.Item], _ tell: ([PlayQueue.Item.ID], [PlayQueue.Item.ID]) -> Void
  ) -> Bool {
    var (gone, back): ([PlayQueue.Item.ID], [PlayQueue.Item.ID]) = ([], [])
    var isOnePresent = false
    for item in items {
      let isThere = isThere(item.track.path)
      if isThere != false { isOnePresent = true }
      guard let isThere else { continue }
      if isThere, item.isMissing { back.append(item.id) }
      if !isThere, !item.isMissing { gone.append(item.id) }
    }
    if !gone.isEmpty || !back.isEmpty { tell(gone, back) }
    return isOnePresent
  }
}

extension PlayQueue {
  /// The item with this id.
  func item(_ id: Item.ID) -> Item? { position(of: id).map { items[$0] } }
}
