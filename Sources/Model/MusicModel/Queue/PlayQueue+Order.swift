// SPDX-License-Identifier: GPL-3.0-or-later

extension PlayQueue {
  /// Returns the item to play when the one with this ID has ended, according to the modes; `nil` if playback then ends,
  /// stops or pauses.
  public func successor(of id: Item.ID) -> Item? {
    guard modes.stopAfter != .current, let position = position(of: id) else { return nil }
    if pausesAfterItems { return nil }
    // A consumed item is not repeated.
    if modes.repeat == .one || modes.single != .off && !modes.consume { return items[position] }
    guard modes.repeat == .album || modes.stopAfter == .album else {
      return item(after: id).flatMap { modes.consume && $0.id == id ? nil : $0 }
    }
    guard let place = place(of: id.rawValue) else { return nil }
    let album = self.album(at: place)
    if place + 1 < contents.items.count, self.album(at: place + 1) == album { return item(at: place + 1) }
    if modes.stopAfter == .album { return nil }
    var first = place
    while first > 0, self.album(at: first - 1) == album { first -= 1 }
    return item(at: first)
  }

  /// Whether playback pauses at the beginning of the next item when an item ends: after every item, or only after the
  /// current one.
  public var pausesAfterItems: Bool { modes.single != .off && modes.repeat == .off }

  /// The queue with ``QueueModes/single`` off. Its ``successor(of:)`` is the item at whose beginning playback pauses.
  public var withSingleOff: PlayQueue {
    var queue = self
    queue.modes.single = .off
    return queue
  }

  /// Returns the item after the one with this ID in playing order, to which the `next` command moves. Returns `nil`
  /// after the last item, unless the queue repeats.
  ///
  /// If the queue repeats in random order, the last item is followed by the first item of the next order.
  public func item(after id: Item.ID) -> Item? {
    guard let place = place(of: id.rawValue) else { return nil }
    if place + 1 < contents.items.count { return item(at: place + 1) }
    guard modes.repeat == .all else { return nil }
    return item(at: contents.order.map { drawFirst(of: $0, after: place) } ?? 0)
  }

  /// Returns the item before the one with this ID in playing order. Before the first item, returns the last one if the
  /// queue repeats, otherwise `nil`.
  public func item(before id: Item.ID) -> Item? {
    guard let place = place(of: id.rawValue) else { return nil }
    if place > 0 { return item(at: place - 1) }
    return modes.repeat == .all ? item(at: contents.items.count - 1) : nil
  }

  /// The first item in playing order, at which playback begins if no item is current.
  public var first: Item? { contents.items.count == 0 ? nil : item(at: 0) }

  /// Returns at most `count` items in playing order, starting at `place`, which is counted from 0.
  public func itemsInPlayingOrder(from place: Int = 0, count: Int) -> [Item] {
    let places =
      max(
        0, place)..<max(
        0, place, min(contents.items.count, max(0, place) + max(0, min(count, contents.items.count))))
    return places.map { item(at: $0) }
  }

  /// The number of items that are played after the current one.
  public var remainingCount: Int {
    contents.items.count - (contents.current.flatMap { place(of: $0) }.map { $0 + 1 } ?? 0)
  }

  /// Returns the place of the item with this ID in playing order, counted from 0, or `nil` if it is not in the queue.
  public func placeInPlayingOrder(of id: Item.ID) -> Int? { place(of: id.rawValue) }

  /// Whether the item with this ID is played as part of its album, in the album's order: it continues the album of the
  /// previous item, or the next item continues its album.
  public func playsAlbumInOrder(_ id: Item.ID) -> Bool {
    guard let position = position(of: id) else { return false }
    let track = items[position].track
    return item(after: id).map { track.isContinued(by: $0.track) } ?? false
      || item(before: id).map { $0.track.isContinued(by: track) } ?? false
  }

  /// Returns the place of the item with this ID in playing order, counted from 0, or `nil` if it is not in the queue.
  func place(of id: UInt64) -> Int? {
    guard let order = contents.order else { return position(of: Item.ID(rawValue: id)) }
    return order.ids.index(of: id)
  }

  /// The ID of the last item in playing order; `nil` if the queue is empty.
  var last: UInt64? {
    let count = contents.items.count
    return count == 0 ? nil : contents.order.map { $0.ids[count - 1] } ?? contents.items[count - 1].id
  }

  private func entry(at place: Int) -> QueueEntry? {
    guard let order = contents.order else { return contents.items[place] }
    return contents.items.index(of: order.ids[place]).map { contents.items[$0] }
  }

  private func item(at place: Int) -> Item {
    guard let entry = entry(at: place) else {
      preconditionFailure("the playing order contains a missing item")
    }
    return items.item(entry)
  }

  func album(at place: Int) -> UInt64? { entry(at: place).map { items.tracks($0).album(Int($0.index)) } }

  /// Draws the place of the item with which the next shuffled order begins. If possible, it is not the last item of
  /// this order and, if albums are shuffled, not of that item's album.
  private func drawFirst(of order: QueueContents.Order, after last: Int) -> Int {
    var random = random
    let count = order.ids.count
    let draw = random.index(below: count)
    if order.random != .albums { return draw == last && count > 1 ? (draw + 1) % count : draw }
    let lastAlbum = album(at: last)
    let place = (0..<count).lazy.map { (draw + $0) % count }.first { album(at: $0) != lastAlbum } ?? draw
    let next = album(at: place)
    var first = place
    while first > 0, album(at: first - 1) == next { first -= 1 }
    return first
  }
}
