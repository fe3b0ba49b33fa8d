import MusicModel
import QueueFlow

extension CommandTable {
  /// What a client wants of the items that are in the queue.
  static let queueEditing: [RemoteCommand] = [
    RemoteCommand("clear", .control, lane: .editing) { _, context in context.edit { $0.clear() } },
    RemoteCommand("delete", .control, arguments: 1...1, lane: .editing) {
      arguments, context throws(ProtocolError) in
      let positions = try context.queue.positions(try arguments.range(0))
      context.edit { $0.remove(.positions([positions])) }
    },
    RemoteCommand("deleteid", .control, arguments: 1...1, lane: .editing) {
      arguments, context throws(ProtocolError) in
      let id = try context.queue.item(id: try arguments.unsigned(0)).id
      context.edit { $0.remove(.items([id])) }
    },
    RemoteCommand("move", .control, arguments: 2...2, lane: .editing) {
      arguments, context throws(ProtocolError) in
      let (queue, range) = (context.queue, try arguments.range(0))
      guard let end = range.end else { throw ProtocolError(.argument, "Open-ended range not supported") }
      let positions = range.start..<end
      guard !positions.isEmpty, end <= queue.items.count else {
        throw ProtocolError(.argument, "Bad song index")
      }
      let target = try QueuePosition.destination(arguments[1], of: positions, in: queue)
      context.edit { $0.move(.positions([positions]), to: target) }
    },
    RemoteCommand("moveid", .control, arguments: 2...2, lane: .editing) {
      arguments, context throws(ProtocolError) in
      let queue = context.queue
      let position = try queue.position(id: try arguments.unsigned(0))
      let target = try QueuePosition.destination(arguments[1], of: position..<(position + 1), in: queue)
      context.edit { $0.move(.positions([position..<(position + 1)]), to: target) }
    },
    RemoteCommand("swap", .control, arguments: 2...2, lane: .editing) {
      arguments, context throws(ProtocolError) in
      let queue = context.queue
      let (one, other) = (try arguments.unsigned(0), try arguments.unsigned(1))
      let positions = (try queue.checked(one), try queue.checked(other))
      context.edit { $0.swap(positions.0, positions.1) }
    },
    RemoteCommand("swapid", .control, arguments: 2...2, lane: .editing) {
      arguments, context throws(ProtocolError) in
      let queue = context.queue
      let (one, other) = (try arguments.unsigned(0), try arguments.unsigned(1))
      let positions = (try queue.position(id: one), try queue.position(id: other))
      context.edit { $0.swap(positions.0, positions.1) }
    },
    RemoteCommand("shuffle", .control, arguments: 0...1, lane: .editing) {
      arguments, context throws(ProtocolError) in
      let queue = context.queue
      let positions = try queue.positions(try arguments.rangeOrAll(0))
      guard positions.count > 1 else { return }
      // What plays comes first, so that all others are behind it.
      let current = context.player.playback.state.phase == .stopped ? nil : queue.current?.id
      context.edit { $0.shuffle(positions, first: current) }
    },
    RemoteCommand("prio", .control, arguments: 2...4096, lane: .editing) {
      arguments, context throws(ProtocolError) in
      let (queue, priority) = (context.queue, UInt8(clamping: try arguments.unsigned(0, upTo: 255)))
      var ranges: [Range<Int>] = []
      for index in 1..<arguments.count { ranges.append(try queue.positions(try arguments.range(index))) }
      context.edit { [ranges] in $0.prioritise(.positions(ranges), priority) }
    },
    RemoteCommand("prioid", .control, arguments: 2...4096, lane: .editing) {
      arguments, context throws(ProtocolError) in
      let (queue, priority) = (context.queue, UInt8(clamping: try arguments.unsigned(0, upTo: 255)))
      var ids: [PlayQueue.Item.ID] = []
      for index in 1..<arguments.count { ids.append(try queue.item(id: try arguments.unsigned(index)).id) }
      context.edit { [ids] in $0.prioritise(.items(ids), priority) }
    },
    RemoteCommand("addtagid", .control, arguments: 3...3) { arguments, context throws(ProtocolError) in
      try refuseTag(of: try arguments.unsigned(0), arguments[1], context)
    },
    RemoteCommand("cleartagid", .control, arguments: 1...2) { arguments, context throws(ProtocolError) in
      try refuseTag(of: try arguments.unsigned(0), arguments.optional(1), context)
    },
  ]

  /// Tags of what is no file alone can be edited, and there is only what is one.
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
  /// The present queue.
  var queue: PlayQueue { player.queue.queue }
}
