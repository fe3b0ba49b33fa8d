import MusicModel

extension CommandTable {
  /// What a client asks of the queue.
  static let queueReading: [RemoteCommand] = [
    RemoteCommand("playlist", .read) { _, context in
      let queue = context.queue
      context.source = QueueListing(queue, [0..<queue.items.count], .files(SongText(context)))
    },
    RemoteCommand("playlistinfo", .read, arguments: 0...1, lane: .reading) {
      arguments, context throws(ProtocolError) in
      let queue = context.queue
      let positions = try queue.positions(try arguments.rangeOrAll(0))
      context.source = QueueListing(queue, [positions], .songs(SongText(context), context.player.library?.index))
    },
    RemoteCommand("playlistid", .read, arguments: 0...1, lane: .reading) {
      arguments, context throws(ProtocolError) in
      let queue = context.queue
      var positions = 0..<queue.items.count
      if arguments.count == 1 {
        let position = try queue.position(id: try arguments.unsigned(0))
        positions = position..<(position + 1)
      }
      context.source = QueueListing(queue, [positions], .songs(SongText(context), context.player.library?.index))
    },
    RemoteCommand("plchanges", .read, arguments: 1...2, lane: .reading) {
      arguments, context throws(ProtocolError) in
      let (queue, ranges) = try changes(arguments, context)
      context.source = QueueListing(queue, ranges, .songs(SongText(context), context.player.library?.index))
    },
    RemoteCommand("plchangesposid", .read, arguments: 1...2) {
      arguments, context throws(ProtocolError) in
      let (queue, ranges) = try changes(arguments, context)
      context.source = QueueListing(queue, ranges, .positions)
    },
  ]

  /// The positions that have changed since the version that a client gives, within the range that it gives.
  private static func changes(
    _ arguments: Arguments, _ context: CommandContext
  ) throws(ProtocolError) -> (PlayQueue, [Range<Int>]) {
    let queue = context.queue
    let window = try arguments.rangeOrAll(1).clamped(to: queue.items.count)
    let ranges = queue.changes(sinceProtocolVersion: try arguments.integer(0))
    return (queue, ranges.map { $0.clamped(to: window) })
  }
}

extension PlayQueue {
  /// The version as the protocol counts: 31 bits, and never 0. It rises with what a client would see of the items.
  var protocolVersion: UInt64 { itemsVersion % 0x7FFF_FFFF + 1 }

  /// The positions that have changed since a version that a client was told; all where it was never told that one.
  func changes(sinceProtocolVersion version: Int) -> [Range<Int>] {
    let present = protocolVersion
    guard let version = UInt64(exactly: version), version > 0, version <= present,
      present - version <= itemsVersion
    else { return [0..<items.count] }
    return changes(since: itemsVersion - (present - version))
  }
}
