// SPDX-License-Identifier: GPL-3.0-or-later

import LibraryIndex
import LibraryScanning
import MusicModel
import Platform
import Playlists
import Synchronization
import SystemPackage

extension CommandTable {
  /// The commands that read stored playlists, or load them into the queue.
  static let playlistReading: [RemoteCommand] = [
    RemoteCommand("listplaylists", .read, lane: .reading) { _, context throws(ProtocolError) in
      context.response.add(try PlaylistAccess(context).listing())
    },
    RemoteCommand("listplaylist", or: ["listplaylistinfo"], .read, arguments: 1...2, lane: .reading) {
      arguments, context throws(ProtocolError) in
      context.source = try PlaylistListing(
        arguments[0], arguments.rangeOrAll(1), isDetailed: arguments.command == "listplaylistinfo", context)
    },
    RemoteCommand("searchplaylist", .read, arguments: 2...4096, lane: .reading) {
      arguments, context throws(ProtocolError) in
      let request = try FindRequest(arguments.dropFirst(1), ignoresCase: true, context)
      context.source = try PlaylistListing(arguments[0], request, context)
    },
    RemoteCommand("playlistlength", .read, arguments: 1...1, lane: .reading) {
      arguments, context throws(ProtocolError) in
      let length = try PlaylistAccess(context).length(arguments[0])
      context.response.add("songs", length.count)
      context.response.add("playtime", Int((length.duration / .seconds(1)).rounded()))
    },
    RemoteCommand("load", .add, arguments: 1...3, lane: .editing) {
      arguments, context throws(ProtocolError) in
      let range = try arguments.rangeOrAll(1)
      let insertionPoint = try context.insertion(arguments.optional(2))
      let tracks = try PlaylistAccess(context).tracks(arguments[0], range)
      try context.enqueue(tracks, at: insertionPoint, title: arguments[0])
      context.player.lastLoaded.value.withLock { $0 = arguments[0] }
    },
  ]
}

/// Lists the entries of a playlist or the tracks of a cue sheet, in pieces. Positions in the listing are those that the
/// commands for editing playlists expect.
struct PlaylistListing: ResponseSource {
  /// The number of entries whose tracks are looked up for one piece of the response.
  private static let stepLength = 256

  private let access: PlaylistAccess
  private let library: (any BrowsableLibrary)?
  private let text: SongText
  private let isDetailed: Bool
  /// The entries of the playlist that have not been listed yet.
  private var entries: ArraySlice<PlaylistEntry> = []
  private var path = FilePath()
  /// The tracks of the cue sheet that have not been listed yet.
  private var tracks: ArraySlice<Track> = []
  /// The filter that entries must match, and the range of matches to list; `nil` to list all entries.
  private var search: (filter: ItemFilter, window: ProtocolRange)?
  /// The position of the next entry in the playlist.
  private var position = 0
  /// The number of matches before that position.
  private var matchCount = 0

  /// Creates a listing of the entries in `range` of the playlist or cue sheet `name`. It contains only their files or,
  /// if `isDetailed`, all their metadata.
  init(
    _ name: String, _ range: ProtocolRange, isDetailed: Bool, _ context: CommandContext
  ) throws(ProtocolError) {
    access = try PlaylistAccess(context)
    library = context.player.library?.index
    text = SongText(context)
    self.isDetailed = isDetailed
    switch try access.contents(name) {
    case .playlist(let playlist, let path):
      self.path = path
      entries = playlist.entries[range.clamped(to: playlist.entries.count)]
    case .tracks(let tracks): self.tracks = tracks[range.clamped(to: tracks.count)]
    }
  }

  /// Creates a listing of the entries of the playlist or cue sheet `name` that match `request`, with their positions.
  init(_ name: String, _ request: FindRequest, _ context: CommandContext) throws(ProtocolError) {
    try self.init(name, .all, isDetailed: true, context)
    search = (ItemFilter(request.filter, in: context.player.library?.index.roots), request.window ?? .all)
  }

  mutating func add(to response: inout Response) throws(ProtocolError) -> Bool {
    let page = tracks.prefix(Self.stepLength)
    for (track, times) in zip(page, try times(of: Array(page))) {
      try add(track, times, to: &response)
    }
    tracks = tracks.dropFirst(Self.stepLength)
    let resolved = try access.resolved(entries.prefix(Self.stepLength), at: path)
    var times = try times(of: resolved.compactMap(\.track)).makeIterator()
    for (entry, track) in resolved {
      if let track {
        try add(track, times.next() ?? nil, to: &response)
      } else {
        if search == nil { response.add("file", uri(of: entry)) }
        position += 1
      }
    }
    entries = entries.dropFirst(Self.stepLength)
    return !entries.isEmpty || !tracks.isEmpty
  }

  /// Returns the times of the file of each track. They are `nil` if the listing does not show them, or if the file is
  /// not in the library.
  private func times(of tracks: [Track]) throws(ProtocolError) -> [FileTimes?] {
    let times =
      try tracks.isEmpty || !isDetailed
      ? nil
      : library?.browsing(isQuick: true) { browser in
        tracks.map { browser.times(of: $0, in: text.roots) }
      }
    return times ?? Array(repeating: nil, count: tracks.count)
  }

  private mutating func add(
    _ track: Track, _ times: FileTimes?, to response: inout Response
  ) throws(ProtocolError) {
    defer { position += 1 }
    if let search {
      guard try search.filter.matches(track) else { return }
      matchCount += 1
      guard matchCount > search.window.start, search.window.end.map({ matchCount <= $0 }) ?? true else { return }
      text.add(track, times: times, to: &response)
      response.add("Pos", position)
    } else if isDetailed {
      text.add(track, times: times, to: &response)
    } else {
      response.add("file", SongURI.text(track, in: text.roots))
    }
  }

  /// Returns the URI of an entry. If the client must not look for its file, that is its location as the playlist
  /// writes it.
  private func uri(of resolved: ResolvedEntry) -> String {
    if let path = resolved.path { return SongURI.text(path, in: text.roots) }
    switch resolved.entry.location {
    case .path(let bytes): return SongURI.text(FilePath(systemBytes: bytes), in: nil)
    case .url(let url): return AddressSecrets.removed(from: url)
    }
  }
}
