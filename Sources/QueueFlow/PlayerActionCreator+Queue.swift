public import MusicModel

extension PlayerActionCreator {
  public func add(_ collection: TrackCollection, at place: QueuePlace) { queue.dispatch(.add(collection, at: place)) }
  public func remove(_ selection: QueueSelection) { queue.dispatch(.remove(selection)) }
  public func move(_ selection: QueueSelection, to position: Int) { queue.dispatch(.move(selection, to: position)) }
  public func swap(_ one: Int, _ other: Int) { queue.dispatch(.swap(one, other)) }
  public func clear() { queue.dispatch(.clear) }
  public func crop(to selection: QueueSelection?) { queue.dispatch(.crop(selection)) }
  public func dedupe() { queue.dispatch(.dedupe) }
  public func shuffle(_ positions: Range<Int>? = nil, by unit: ShuffleUnit) {
    queue.dispatch(.shuffle(positions, by: unit, seed: .random(in: 0...UInt64.max)))
  }
  public func sort(_ positions: Range<Int>? = nil, by key: QueueSortKey, descending: Bool) {
    queue.dispatch(.sort(positions, by: key, descending: descending))
  }
  public func undo(steps: Int) { queue.dispatch(.undo(steps: steps)) }
  public func redo(steps: Int) { queue.dispatch(.redo(steps: steps)) }
  public func setRepeat(_ mode: QueueModes.Repeat) { queue.dispatch(.setRepeat(mode)) }
  public func setRandom(_ mode: QueueModes.Random) { queue.dispatch(.setRandom(mode, seed: .random(in: 0...UInt64.max))) }
  public func setSingle(_ mode: QueueModes.Single) { queue.dispatch(.setSingle(mode)) }
  public func setConsume(_ isOn: Bool) { queue.dispatch(.setConsume(isOn)) }
  public func stopAfter(_ point: QueueModes.StopPoint?) { queue.dispatch(.stopAfter(point)) }
  public func play(_ item: PlayQueue.Item.ID) { queue.dispatch(.play(item, from: .zero)) }
}
