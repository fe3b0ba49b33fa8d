import MusicModel

/// Places in the queue as clients give them: by number, or so many behind (`+`) or before (`-`) the current item.
enum QueuePosition {
  /// Where something new enters.
  static func insertion(_ text: String, in queue: PlayQueue) throws(ProtocolError) -> Int {
    let count = queue.items.count
    guard let isBehind = isBehindCurrent(text) else { return try number(text, upTo: count) }
    let current = try current(of: queue)
    let distance = String(text.dropFirst())
    return isBehind
      ? current + 1 + (try number(distance, upTo: count - current - 1))
      : current - (try number(distance, upTo: current))
  }

  /// Where the items in `range` move to: the position of the first of them afterwards.
  static func destination(
    _ text: String, of range: Range<Int>, in queue: PlayQueue
  ) throws(ProtocolError) -> Int {
    let rest = queue.items.count - range.count
    guard let isBehind = isBehindCurrent(text) else { return try number(text, upTo: rest) }
    var current = try current(of: queue)
    if range.contains(current) {
      throw ProtocolError(.argument, "Cannot move current song relative to itself")
    }
    if current >= range.upperBound { current -= range.count }
    let distance = String(text.dropFirst())
    return isBehind
      ? current + 1 + (try number(distance, upTo: rest - current - 1))
      : current - (try number(distance, upTo: current))
  }

  private static func isBehindCurrent(_ text: String) -> Bool? {
    text.hasPrefix("+") ? true : text.hasPrefix("-") ? false : nil
  }

  private static func number(_ text: String, upTo limit: Int) throws(ProtocolError) -> Int {
    try Arguments(words: [text]).unsigned(0, upTo: limit)
  }

  private static func current(of queue: PlayQueue) throws(ProtocolError) -> Int {
    guard let position = queue.currentPosition else { throw ProtocolError(.playerSync, "No current song") }
    return position
  }
}

extension PlayQueue {
  /// The positions of `range`.
  func positions(_ range: ProtocolRange) throws(ProtocolError) -> Range<Int> {
    try range.positions(of: items.count)
  }

  /// `position`, where there is an item at it.
  func checked(_ position: Int) throws(ProtocolError) -> Int {
    guard items.indices.contains(position) else { throw ProtocolError(.argument, "Bad song index") }
    return position
  }

  /// The position of the item with this number.
  func position(id number: Int) throws(ProtocolError) -> Int {
    guard let number = UInt64(exactly: number), let position = position(of: Item.ID(rawValue: number)) else {
      throw ProtocolError(.noExist, "No such song")
    }
    return position
  }

  /// The item at `position`.
  func item(at position: Int) throws(ProtocolError) -> Item { items[try checked(position)] }

  /// The item with this number.
  func item(id number: Int) throws(ProtocolError) -> Item { items[try position(id: number)] }
}
