/// The tracks that are played one after the other, and which of them is current: a pure value.
///
/// An item has an *id*, which it keeps as long as it is in the queue and which is never used again, a *position*, its index, from
/// 0, and a place in the *playing order*, which is by position unless it is random. ``reduce(_:)`` is the only way to change a queue.
public struct PlayQueue: Sendable, Equatable {
  /// The title of the collection that was loaded last, "" for a queue that was never filled.
  public private(set) var title = ""
  /// The items by position.
  public private(set) var items = Items()
  /// The position of the item that plays, or would go on playing; always an index of ``items``.
  public private(set) var currentPosition: Int?
  /// How much of the current item was heard when that was last told: where playing it begins.
  public private(set) var heard = Duration.zero
  /// How it is played.
  public private(set) var modes = QueueModes()
  /// Rises by one with every action that changed anything but ``heard``.
  public private(set) var version: UInt64 = 0
  /// The edits that can be undone, the newest last, by their names, as in "clear (214 items)".
  public var undoable: [String] { undoSteps.map(\.name) }
  /// The edits that were taken back and can be made again, the next last.
  public var redoable: [String] { redoSteps.map(\.name) }

  private var lastID: UInt64 = 0
  private var undoSteps: [Step] = []
  private var redoSteps: [Step] = []

  /// What an edit changes.
  private struct Step: Sendable, Equatable {
    var name: String
    var title: String
    var items: Items
    var current: Item.ID?
    var heard: Duration
  }

  /// An empty queue.
  public init() {}

  /// The item at ``currentPosition``.
  public var current: Item? { currentPosition.map { items[$0] } }

  /// How long the items last in all, as far as that is known.
  public var duration: Duration { items.reduce(.zero) { $0 + ($1.track.duration ?? .zero) } }

  /// The position of the item with this id, or `nil` if the queue does not hold it.
  public func position(of id: Item.ID) -> Int? { items.firstIndex { $0.id == id } }

  /// The item that is played when the one with this id has ended, by the modes; `nil` where playing ends or stops there.
  public func successor(of id: Item.ID) -> Item? { item(after: id) }

  /// The item behind the one with this id in playing order: where the user goes on to by hand; `nil` behind the last one, unless all is
  /// repeated.
  public func item(after id: Item.ID) -> Item? {
    guard let position = position(of: id), position + 1 < items.count else { return nil }
    return items[position + 1]
  }

  /// The item before the one with this id in playing order, or `nil` before the first one, unless all is repeated.
  public func item(before id: Item.ID) -> Item? {
    guard let position = position(of: id), position > 0 else { return nil }
    return items[position - 1]
  }

  /// The item with which playing begins where none is current: the first in playing order.
  public var first: Item? { items.first }

  /// Whether the item with this id is played as a part of its album, in the album's order: the one after it continues the album,
  /// or it continues that of the one before.
  public func playsAlbumInOrder(_ id: Item.ID) -> Bool {
    guard let position = position(of: id) else { return false }
    let track = items[position].track
    return item(after: id).map { track.isContinued(by: $0.track) } ?? false
      || item(before: id).map { $0.track.isContinued(by: track) } ?? false
  }

  /// The positions whose item may be another than at this earlier version of this queue, in rising order; all where that is too long
  /// ago to be known.
  public func changes(since version: UInt64) -> [Range<Int>] {
    version >= self.version ? [] : items.isEmpty ? [] : [0..<items.count]
  }

  /// The queue after `action`; what does not apply changes nothing.
  public mutating func reduce(_ action: QueueAction) {
    switch action {
    case .enqueue(let collection, let item):
      remember("load \(collection.title) (\(collection.tracks.count) items)")
      title = collection.title
      items = Items(entries(collection))
      currentPosition = item.flatMap { items.indices.contains($0) ? $0 : nil }
      heard = .zero
    case .add(let collection, let place):
      guard !collection.tracks.isEmpty else { return }
      remember("add \(collection.title) (\(collection.tracks.count) items)")
      let target =
        switch place {
        case .end: items.count
        case .next: currentPosition.map { $0 + 1 } ?? 0
        case .position(let position): min(max(0, position), items.count)
        }
      edit {
        $0.insert(contentsOf: $1, at: target)
      } with: {
        $0.entries(collection)
      }
    case .remove(let selection):
      let gone = positions(selection)
      guard !gone.isEmpty else { return }
      remember("remove (\(gone.count) items)")
      edit { array, _ in
        array = array.enumerated().filter { !gone.contains($0.offset) }.map(\.element)
      } with: { _ in
        []
      }
    case .move(let selection, let to):
      let moved = positions(selection)
      guard !moved.isEmpty else { return }
      remember("move (\(moved.count) items)")
      edit { array, _ in
        let block = array.enumerated().filter { moved.contains($0.offset) }.map(\.element)
        array = array.enumerated().filter { !moved.contains($0.offset) }.map(\.element)
        array.insert(contentsOf: block, at: min(max(0, to), array.count))
      } with: { _ in
        []
      }
    case .swap(let one, let other):
      guard items.indices.contains(one), items.indices.contains(other), one != other else { return }
      remember("swap")
      edit { array, _ in
        array.swapAt(one, other)
      } with: { _ in
        []
      }
    case .clear:
      guard !items.isEmpty else { return }
      remember("clear (\(items.count) items)")
      edit { array, _ in
        array = []
      } with: { _ in
        []
      }
    case .undo:
      guard let step = undoSteps.popLast() else { return }
      redoSteps.append(self.step(step.name))
      restore(step)
    case .redo:
      guard let step = redoSteps.popLast() else { return }
      undoSteps.append(self.step(step.name))
      restore(step)
    case .setRepeat(let mode): modes.repeat = mode
    case .setRandom(let mode, _): modes.random = mode
    case .setSingle(let mode): modes.single = mode
    case .setConsume(let isOn): modes.consume = isOn
    case .stopAfter(let point): modes.stopAfter = point
    case .play(let id, let from):
      guard let position = position(of: id) else { return }
      currentPosition = position
      heard = from
    case .advanced(to: let id), .skipped(to: let id):
      guard let position = position(of: id) else { return }
      currentPosition = position
      heard = .zero
    case .heard(let duration):
      heard = duration
      return
    case .finished:
      guard currentPosition != nil else { return }
      currentPosition = nil
      heard = .zero
    default: return
    }
    version += 1
  }

  private mutating func entries(_ collection: TrackCollection) -> [Item] {
    collection.tracks.map { track in
      lastID += 1
      return Item(id: Item.ID(rawValue: lastID), track: track)
    }
  }

  private func positions(_ selection: QueueSelection) -> Set<Int> {
    switch selection {
    case .positions(let ranges): Set(ranges.flatMap { $0.clamped(to: 0..<items.count) })
    case .items(let ids): Set(ids.compactMap { position(of: $0) })
    }
  }

  private func step(_ name: String) -> Step {
    Step(name: name, title: title, items: items, current: current?.id, heard: heard)
  }

  private mutating func remember(_ name: String) {
    undoSteps.append(step(name))
    redoSteps = []
  }

  private mutating func restore(_ step: Step) {
    let present = current?.id
    title = step.title
    items = step.items
    if let present, let position = position(of: present) {
      currentPosition = position
    } else {
      currentPosition = step.current.flatMap { position(of: $0) }
      heard = step.heard
    }
  }

  private mutating func edit(
    _ change: (inout [Item], [Item]) -> Void, with new: (inout PlayQueue) -> [Item]
  ) {
    let present = current?.id
    var array = Array(items)
    change(&array, new(&self))
    items = Items(array)
    currentPosition = present.flatMap { position(of: $0) }
  }
}
