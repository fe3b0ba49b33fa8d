// SPDX-License-Identifier: GPL-3.0-or-later

import MusicModel
import PlayerFlow
import PlayerPort
import Synchronization

extension CommandTable {
  /// The commands that add tracks to the queue.
  static let queueAdding: [RemoteCommand] = [
    RemoteCommand("add", .add, arguments: 1...2, lane: .editing) {
      arguments, context throws(ProtocolError) in
      let insertionPoint = try context.insertion(arguments.optional(1))
      let tracks = try context.tracks(uri: arguments[0])
      guard !tracks.isEmpty else { throw ProtocolError(.noExist, "No such directory") }
      try context.enqueue(tracks, at: insertionPoint)
    },
    RemoteCommand("addid", .add, arguments: 1...2, lane: .editing) {
      arguments, context throws(ProtocolError) in
      let insertionPoint = try context.insertion(arguments.optional(1))
      guard let track = try context.track(uri: arguments[0]) else {
        throw ProtocolError(.noExist, "No such song")
      }
      // Another client or view may have removed the item already.
      guard let id = try context.enqueue([track], at: insertionPoint) else {
        throw ProtocolError(.noExist, "No such song")
      }
      context.response.add("Id", id)
    },
  ]
}

extension CommandContext {
  /// Returns the insertion point for new items: the given position, or the end of the queue if `position` is `nil`.
  func insertion(_ position: String?) throws(ProtocolError) -> InsertionPoint {
    guard let position else { return .end }
    let isRelative = position.hasPrefix("+") || position.hasPrefix("-")
    return .number(
      1 + (try QueuePosition.insertion(position, in: isRelative ? queue : try client.seenQueue.checked(queue))))
  }

  /// Adds `tracks` to the queue. Returns the ID of the first new item; `nil` if there is none.
  ///
  /// - Throws: `playlistTooLarge` if the queue would become too long.
  @discardableResult
  mutating func enqueue(
    _ tracks: TrackList, at insertionPoint: InsertionPoint, title: String? = nil
  ) throws(ProtocolError) -> UInt64? {
    guard let first = tracks.first else { return nil }
    let (count, isTooMany) = queue.items.count.addingReportingOverflow(tracks.count)
    guard !isTooMany, count <= player.queueLimit else {
      throw ProtocolError(.playlistTooLarge, "Playlist is too large")
    }
    let title = title ?? (tracks.count == 1 ? first.title : first.album ?? "")
    let music = MusicRequest(.tracks(KnownTracks(TrackCollection(title: title, tracks: tracks))))
    guard case .added(let added) = try edit(.add(music, at: insertionPoint)).result else { return nil }
    return added.firstItem
  }
}

extension CommandTable {
  static let queueEditing: [RemoteCommand] = [
    RemoteCommand("clear", .control, lane: .editing) { _, context throws(ProtocolError) in
      try context.edit(.edit(.clear))
      context.player.lastLoaded.value.withLock { $0 = "" }
    },
    RemoteCommand("delete", .control, arguments: 1...1, lane: .editing) {
      arguments, context throws(ProtocolError) in
      let range = try arguments.range(0)
      let items = try context.client.seenQueue.items(in: context.queue) { queue throws(ProtocolError) in
        try queue.positions(range)
      }
      try context.edit(.edit(.remove(.items(items))))
    },
    RemoteCommand("deleteid", .control, arguments: 1...1, lane: .editing) {
      arguments, context throws(ProtocolError) in
      let id = try context.queue.item(id: try arguments.unsigned(0)).id
      try context.edit(.edit(.remove(.items([id]))))
    },
    RemoteCommand("move", .control, arguments: 2...2, lane: .editing) {
      arguments, context throws(ProtocolError) in
      let (queue, range) = (try context.client.seenQueue.checked(context.queue), try arguments.range(0))
      guard let end = range.end else { throw ProtocolError(.argument, "Open-ended range not supported") }
      let positions = range.start..<end
      guard !positions.isEmpty, end <= queue.items.count else {
        throw ProtocolError(.argument, "Bad song index")
      }
      let target = try QueuePosition.destination(arguments[1], of: positions, in: queue)
      try context.edit(.edit(.move(.items(queue.ids(at: [positions])), to: .position(target))))
    },
    RemoteCommand("moveid", .control, arguments: 2...2, lane: .editing) {
      arguments, context throws(ProtocolError) in
      let queue = context.queue
      let position = try queue.position(id: try arguments.unsigned(0))
      let target = try QueuePosition.destination(arguments[1], of: position..<(position + 1), in: queue)
      try context.edit(.edit(.move(.items([queue.items.id(at: position)]), to: .position(target))))
    },
    RemoteCommand("swap", .control, arguments: 2...2, lane: .editing) {
      arguments, context throws(ProtocolError) in
      let queue = try context.client.seenQueue.checked(context.queue)
      let (one, other) = (try arguments.unsigned(0), try arguments.unsigned(1))
      try context.swap(try queue.item(at: one), try queue.item(at: other))
    },
    RemoteCommand("swapid", .control, arguments: 2...2, lane: .editing) {
      arguments, context throws(ProtocolError) in
      let queue = context.queue
      let (one, other) = (try arguments.unsigned(0), try arguments.unsigned(1))
      try context.swap(try queue.item(id: one), try queue.item(id: other))
    },
    RemoteCommand("shuffle", .control, arguments: 0...1, lane: .editing) {
      arguments, context throws(ProtocolError) in
      let queue = arguments.count > 0 ? try context.client.seenQueue.checked(context.queue) : context.queue
      let positions = try queue.positions(try arguments.rangeOrAll(0))
      guard positions.count > 1 else { return }
      let isAll = positions.count == queue.items.count
      // If a song is playing or paused, it moves to the front, so that all others are played after it.
      try context.edit(
        .edit(.shuffle(isAll ? nil : .items(queue.ids(at: [positions])), .tracks, startsWithCurrent: true)))
    },
    RemoteCommand("prio", .control, arguments: 2...4096, lane: .editing) {
      arguments, context throws(ProtocolError) in
      let (queue, priority) = (context.queue, UInt8(clamping: try arguments.unsigned(0, upTo: 255)))
      var items: [PlayQueue.Item.ID] = []
      for index in 1..<arguments.count {
        let range = try arguments.range(index)
        items += try context.client.seenQueue.items(in: queue) { queue throws(ProtocolError) in
          try queue.positions(range)
        }
      }
      try context.edit(.edit(.prioritise(.items(items), priority)))
    },
    RemoteCommand("prioid", .control, arguments: 2...4096, lane: .editing) {
      arguments, context throws(ProtocolError) in
      let (queue, priority) = (context.queue, UInt8(clamping: try arguments.unsigned(0, upTo: 255)))
      var ids: [PlayQueue.Item.ID] = []
      for index in 1..<arguments.count { ids.append(try queue.item(id: try arguments.unsigned(index)).id) }
      try context.edit(.edit(.prioritise(.items(ids), priority)))
    },
    RemoteCommand("addtagid", .control, arguments: 3...3) { arguments, context throws(ProtocolError) in
      try refuseTag(of: try arguments.unsigned(0), arguments[1], context)
    },
    RemoteCommand("cleartagid", .control, arguments: 1...2) { arguments, context throws(ProtocolError) in
      try refuseTag(of: try arguments.unsigned(0), arguments.optional(1), context)
    },
  ]

  /// Always throws an error: only the tags of remote songs can be edited, and all songs here are local files.
  private static func refuseTag(
    of id: Int, _ tag: String?, _ context: CommandContext
  ) throws(ProtocolError) {
    if let tag, SongTag(name: tag) == nil {
      throw ProtocolError(.argument, "Unknown tag type: \(tag)")
    }
    _ = try context.queue.position(id: id)
    throw ProtocolError(.permission, "Cannot edit tags of local file")
  }
}

extension CommandContext {
  /// The current state of the queue.
  var queue: PlayQueue { player.queue.queue }

  fileprivate mutating func swap(_ one: PlayQueue.Item, _ other: PlayQueue.Item) throws(ProtocolError) {
    try edit(.edit(.swap(.items([one.id]), .items([other.id]))))
  }
}

/// Parses queue positions from clients: either absolute, or relative to the current item, as `+` (after it) or `-`
/// (before it) and a distance.
enum QueuePosition {
  /// Parses the position at which items are to be inserted.
  static func insertion(_ text: String, in queue: PlayQueue) throws(ProtocolError) -> Int {
    let count = queue.items.count
    guard let isAfter = isAfterCurrent(text) else { return try number(text, upTo: count) }
    let current = try current(of: queue)
    let distance = String(text.dropFirst())
    return isAfter
      ? current + 1 + (try number(distance, upTo: count - current - 1))
      : current - (try number(distance, upTo: current))
  }

  /// Parses the position to which the items in `range` are to be moved. It is the position of the first of them after
  /// the move.
  static func destination(
    _ text: String, of range: Range<Int>, in queue: PlayQueue
  ) throws(ProtocolError) -> Int {
    let remainingCount = queue.items.count - range.count
    guard let isAfter = isAfterCurrent(text) else { return try number(text, upTo: remainingCount) }
    var current = try current(of: queue)
    if range.contains(current) {
      throw ProtocolError(.argument, "Cannot move current song relative to itself")
    }
    if current >= range.upperBound { current -= range.count }
    let distance = String(text.dropFirst())
    return isAfter
      ? current + 1 + (try number(distance, upTo: remainingCount - current - 1))
      : current - (try number(distance, upTo: current))
  }

  /// Returns whether a relative position is after the current item; `nil` if the position is absolute.
  private static func isAfterCurrent(_ text: String) -> Bool? {
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
  /// Returns the positions in `range` that exist in the queue.
  func positions(_ range: ProtocolRange) throws(ProtocolError) -> Range<Int> {
    try range.positions(of: items.count)
  }

  /// Returns `position` if the queue has an item there.
  ///
  /// - Throws: `argument` if it has none.
  func checked(_ position: Int) throws(ProtocolError) -> Int {
    guard items.indices.contains(position) else { throw ProtocolError(.argument, "Bad song index") }
    return position
  }

  /// Returns the position of the item with this ID.
  ///
  /// - Throws: `noExist` if there is none.
  func position(id number: Int) throws(ProtocolError) -> Int {
    guard let number = UInt64(exactly: number), let position = position(of: Item.ID(rawValue: number)) else {
      throw ProtocolError(.noExist, "No such song")
    }
    return position
  }

  /// Returns the item at `position`.
  ///
  /// - Throws: `argument` if there is none.
  func item(at position: Int) throws(ProtocolError) -> Item { items[try checked(position)] }

  /// Returns the item with this ID.
  ///
  /// - Throws: `noExist` if there is none.
  func item(id number: Int) throws(ProtocolError) -> Item { items[try position(id: number)] }
}
