import MusicLibrary
import MusicModel
import SystemPackage

extension CommandTable {
  /// What a client looks for in the queue, and what it finds in the library and wants to have in the queue or a list.
  static let queueFinding: [RemoteCommand] = [
    RemoteCommand("playlistfind", .read, arguments: 1...4096, lane: .reading) {
      arguments, context throws(ProtocolError) in
      try find(FindRequest(arguments.words, ignoresCase: false, context), &context)
    },
    RemoteCommand("playlistsearch", .read, arguments: 1...4096, lane: .reading) {
      arguments, context throws(ProtocolError) in
      try find(FindRequest(arguments.words, ignoresCase: true, context), &context)
    },
    RemoteCommand("findadd", .add, arguments: 1...4096, lane: .editing) {
      arguments, context throws(ProtocolError) in
      try add(arguments.words, ignoresCase: false, &context)
    },
    RemoteCommand("searchadd", .add, arguments: 1...4096, lane: .editing) {
      arguments, context throws(ProtocolError) in
      try add(arguments.words, ignoresCase: true, &context)
    },
    RemoteCommand("searchaddpl", .control, arguments: 2...4096, lane: .editing) {
      arguments, context throws(ProtocolError) in
      var words = arguments.dropFirst(1)
      let position = try takePosition(&words).map { text throws(ProtocolError) in
        try Arguments(words: [text]).unsigned(0)
      }
      let found = try context.tracks(FindRequest(words, ignoresCase: true, context))
      try context.add(found.map { PlaylistEntry($0) }, toPlaylist: arguments[0], at: position)
    },
  ]

  private static func find(_ request: FindRequest, _ context: inout CommandContext) throws(ProtocolError) {
    let queue = context.queue
    let library = context.player.library?.index
    // The items are looked at as the answer is read, however many there are.
    context.source = QueueListing(
      queue, [0..<queue.items.count], .songs(SongText(context), library), window: request.window ?? .all,
      where: ItemFilter(request.filter, in: library?.roots))
  }

  private static func add(
    _ words: [String], ignoresCase: Bool, _ context: inout CommandContext
  ) throws(ProtocolError) {
    var words = words
    let place = try context.insertion(try takePosition(&words))
    try context.enter(try context.tracks(FindRequest(words, ignoresCase: ignoresCase, context)), at: place)
  }

  /// Takes `position POS` from the end of `words`.
  private static func takePosition(_ words: inout [String]) throws(ProtocolError) -> String? {
    guard words.count >= 2, words[words.count - 2] == "position" else { return nil }
    defer { words.removeLast(2) }
    return words.last
  }
}
