// SPDX-License-Identifier: GPL-3.0-or-later

import LibraryIndex
import LibraryScanning
import MusicModel
import PlayerFlow
import SystemPackage
import Tagging

extension CommandTable {
  static let queueReading: [RemoteCommand] = [
    RemoteCommand("playlist", .read) { _, context in
      let queue = context.queue
      context.client.seenQueue.read(queue)
      context.source = QueueListing(queue, [0..<queue.items.count], .files(SongText(context)))
    },
    RemoteCommand("playlistinfo", .read, arguments: 0...1, lane: .reading) {
      arguments, context throws(ProtocolError) in
      let queue = context.queue
      let positions = try queue.positions(try arguments.rangeOrAll(0))
      context.client.seenQueue.read(queue)
      context.source = QueueListing(
        queue, [positions], .songs(SongText(context), context.player.library?.index),
        playback: context.player.playback.state)
    },
    RemoteCommand("playlistid", .read, arguments: 0...1, lane: .reading) {
      arguments, context throws(ProtocolError) in
      let queue = context.queue
      var positions = 0..<queue.items.count
      if arguments.count == 1 {
        let position = try queue.position(id: try arguments.unsigned(0))
        positions = position..<(position + 1)
      }
      context.client.seenQueue.read(queue)
      context.source = QueueListing(
        queue, [positions], .songs(SongText(context), context.player.library?.index),
        playback: context.player.playback.state)
    },
    RemoteCommand("plchanges", .read, arguments: 1...2, lane: .reading) {
      arguments, context throws(ProtocolError) in
      let (queue, ranges) = try changes(arguments, context)
      context.client.seenQueue.read(queue)
      context.source = QueueListing(
        queue, ranges, .songs(SongText(context), context.player.library?.index),
        playback: context.player.playback.state)
    },
    RemoteCommand("plchangesposid", .read, arguments: 1...2) {
      arguments, context throws(ProtocolError) in
      let (queue, ranges) = try changes(arguments, context)
      context.client.seenQueue.read(queue)
      context.source = QueueListing(queue, ranges, .positions)
    },
  ]

  /// Returns the queue, and the positions in it that have changed since the version that the client states, limited to
  /// the range that it states.
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
  /// The queue version that clients see: a positive number of at most 31 bits. It rises with every change of the items
  /// that a client can see, and wraps around.
  var protocolVersion: UInt64 { itemsVersion % 0x7FFF_FFFF + 1 }

  /// Returns the positions that have changed since `version`. Returns all positions if no client can have been given
  /// that version.
  func changes(sinceProtocolVersion version: Int) -> [Range<Int>] {
    let currentVersion = protocolVersion
    guard let version = UInt64(exactly: version), version > 0, version <= currentVersion,
      currentVersion - version <= itemsVersion
    else { return [0..<items.count] }
    return changes(since: itemsVersion - (currentVersion - version))
  }
}

extension CommandTable {
  /// The commands that search the queue, and those that search the library and add the matches to the queue or a
  /// playlist.
  static let queueFinding: [RemoteCommand] = [
    RemoteCommand("playlistfind", or: ["playlistsearch"], .read, arguments: 1...4096, lane: .reading) {
      arguments, context throws(ProtocolError) in
      let request = try FindRequest(arguments.words, ignoresCase: arguments.ignoresCase, context)
      let queue = context.queue
      context.client.seenQueue.read(queue)
      let library = context.player.library?.index
      // The filter runs while the client reads the response, since the queue may be long.
      context.source = QueueListing(
        queue, [0..<queue.items.count], .songs(SongText(context), library), window: request.window ?? .all,
        where: ItemFilter(request.filter, in: library?.roots))
    },
    RemoteCommand("findadd", or: ["searchadd"], .add, arguments: 1...4096, lane: .editing) {
      arguments, context throws(ProtocolError) in
      var words = arguments.words
      let insertionPoint = try context.insertion(FindRequest.takeOption("position", of: &words))
      let tracks = try context.tracks(FindRequest(words, ignoresCase: arguments.ignoresCase, context))
      try context.enqueue(tracks, at: insertionPoint)
    },
    RemoteCommand("searchaddpl", .control, arguments: 2...4096, lane: .editing) {
      arguments, context throws(ProtocolError) in
      var words = arguments.dropFirst(1)
      let position = try FindRequest.takeOption("position", of: &words).map { text throws(ProtocolError) in
        try Arguments(words: [text]).unsigned(0)
      }
      let found = try context.tracks(FindRequest(words, ignoresCase: true, context))
      try context.add(found, toPlaylist: arguments[0], at: position)
    },
  ]
}

/// Lists items of a queue as it was at the time of the request, in pieces.
struct QueueListing: ResponseSource {
  /// What the listing contains for each item.
  enum Form: Sendable {
    /// All metadata of the item, including what only the library has.
    case songs(SongText, (any BrowsableLibrary)?)
    /// The position and the file of the item.
    case files(SongText)
    /// The position and the ID of the item.
    case positions
  }

  /// The number of items that are examined for one piece of the response.
  private static let stepLength = 4096
  /// The size in bytes at which a piece of the response is complete.
  private static let pieceSize = 1 << 15

  private let items: PlayQueue.Items
  private let form: Form
  private let filter: ItemFilter?
  private let window: ProtocolRange
  private let playback: PlaybackState?
  private var ranges: ArraySlice<Range<Int>>
  /// The number of matches so far.
  private var matchCount = 0

  /// Creates a listing of the items in `ranges`. A stream is described as it describes itself in `playback`. If
  /// `filter` is given, only items that match it are listed, and of those only the matches in `window`.
  init(
    _ queue: PlayQueue, _ ranges: [Range<Int>], _ form: Form, playback: PlaybackState? = nil,
    window: ProtocolRange = .all, where filter: ItemFilter? = nil
  ) {
    items = queue.items
    self.playback = playback
    self.ranges = ranges[...]
    self.form = form
    self.window = window
    self.filter = filter
  }

  mutating func add(to response: inout Response) throws(ProtocolError) -> Bool {
    guard case .songs(_, let library?) = form else { return try add(to: &response, nil) }
    var (listing, listingError) = (self, nil as ProtocolError?)
    let hasMore = try library.browsing(isQuick: true) { browser in
      do throws(ProtocolError) { return try listing.add(to: &response, browser) } catch {
        listingError = error
        return false
      }
    }
    if let listingError { throw listingError }
    self = listing
    // Without an index, there are no modification times to add.
    return if let hasMore { hasMore } else { try add(to: &response, nil) }
  }

  private mutating func add(
    to response: inout Response, _ browser: TrackBrowser?
  ) throws(ProtocolError) -> Bool {
    var remainingCount = Self.stepLength
    while let range = ranges.popFirst() {
      var position = range.lowerBound
      if let end = window.end, matchCount >= end { return false }
      while position < range.upperBound {
        guard remainingCount > 0, response.count < Self.pieceSize else {
          ranges.insert(position..<range.upperBound, at: ranges.startIndex)
          return true
        }
        try add(position, to: &response, browser)
        position += 1
        remainingCount -= 1
      }
    }
    return false
  }

  private mutating func add(
    _ position: Int, to response: inout Response, _ browser: TrackBrowser?
  ) throws(ProtocolError) {
    if case .positions = form {
      response.add("cpos", position)
      response.add("Id", items.id(at: position).rawValue)
      return
    }
    var item = items[position]
    if let text = playback?.sourceText(of: item) { item.track = item.track.described(by: text) }
    if let filter { guard try filter.matches(item.track, priority: item.priority) else { return } }
    matchCount += 1
    guard matchCount > window.start, window.end.map({ matchCount <= $0 }) ?? true else { return }
    switch form {
    case .songs(let text, _):
      text.add(item, at: position, times: browser?.times(of: item.track, in: text.roots), to: &response)
    case .files(let text): response.add("\(position):file", SongURI.text(item.track, in: text.roots))
    case .positions: break
    }
  }
}

extension TrackBrowser {
  /// Returns the times of the file of `track`; `nil` if the file is not in the library.
  func times(of track: Track, in roots: LibraryRoots?) -> FileTimes? {
    guard let path = roots?.relative(track.path) else { return nil }
    return (try? times(of: path)) ?? nil
  }
}
