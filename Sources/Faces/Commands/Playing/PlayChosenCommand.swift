// SPDX-License-Identifier: GPL-3.0-or-later

import ArgumentParser
import MusicModel
import Platform
import PlayerFlow
import PlayerPort
import Screens
import SystemPackage
import Tagging
import Terminal
import UnicodeText

/// The hidden `play-chosen` command, which the search sends to the player of another process to play a hit. It
/// identifies an album by its ID in the index.
struct PlayChosenCommand: PlayerCommand {
  static let configuration = CommandConfiguration(
    commandName: "play-chosen", abstract: "Play a search result.", shouldDisplay: false)

  var needsRunningPlayer: Bool { true }

  enum Kind: String, ExpressibleByArgument {
    case artist
    case album
  }

  @Argument var kind: Kind
  /// The name of the artist, or the ID of the album.
  @Argument var value: String
  /// The index of the track to start with.
  @Argument var item = 0

  /// Whether the tracks are added to the queue instead of played. With `isAlone`, only the track at ``item`` is added.
  @Flag(name: .customLong("add")) var adds = false
  @Flag(name: .customLong("alone")) var isAlone = false

  @OptionGroup var library: LibraryOptions
  @OptionGroup var data: DataOptions
  @OptionGroup var outputStyle: OutputStyleOptions

  var socketText: String? { nil }

  /// Returns the words of a command that plays `hit` from the track at the index `item`, or adds it to the queue if
  /// `adds`.
  static func words(_ hit: SearchHit, item: Int, _ request: LibraryRequest, adds: Bool) -> [[UInt8]] {
    let target =
      switch hit {
      case .artist(let artist): [Kind.artist.rawValue, artist.name]
      case .album(let album): [Kind.album.rawValue, "\(album.id)"]
      case .track(let entry): [Kind.album.rawValue, "\(entry.albumID ?? 0)"]
      }
    let flags = adds ? ["--add"] + (hit.isTrack ? ["--alone"] : []) : []
    let texts = flags + ["--"] + target + ["\(item)"]
    let library = request.roots.paths.flatMap { [Array("--library".utf8), $0.systemBytes] }
    let data = [Array("--data-dir".utf8), request.dataDirectory.systemBytes]
    return [Array("play-chosen".utf8)] + library + data + texts.map { Array($0.utf8) }
  }

  func run(in session: Session) throws {
    let request = LibraryRequest(
      roots: library.roots(in: session), dataDirectory: data.directory(in: session), in: session)
    let source = session.finder(request).library
    let collection: TrackCollection? =
      switch kind {
      case .artist:
        try TrackCollection(title: value, tracks: source.tracks(byArtist: value))
      case .album:
        try Int64(value).flatMap { id throws(PlayerError) in try source.refreshedAlbum(id) }?.collection
      }
    guard let collection, collection.tracks.indices.contains(item) else {
      throw PlayerError(.notFound, "the selected item no longer exists")
    }
    var found = CollectionFinder.Found(collection: collection, item: item, problems: [])
    if isAlone { found = found.track }
    session.printRemark(try Choice(found.collection, item: found.item, adds: adds).act(in: session))
  }
}

extension PlayChosenCommand {
  /// The tracks to play, or to add to the queue.
  struct Choice {
    private let collection: TrackCollection
    private let item: Int
    private let adds: Bool

    /// Creates a choice of the tracks in `collection`. They are added to the queue if `adds`, otherwise played from the
    /// index `item`.
    init(_ collection: TrackCollection, item: Int, adds: Bool) {
      self.collection = collection
      self.item = item
      self.adds = adds
    }

    /// Plays or adds the tracks with the player of `session`. Returns the message to print, safe for a terminal.
    func act(in session: Session) throws(PlayerError) -> String {
      try collection.check(isNotWrittenTo: session.outputFile)
      guard adds else {
        session.services.actions.enqueue(collection, item: item)
        session.hasAnnouncedTrack = true
        return TrackLine.text(index: item, in: collection, session.outputStyle)
      }
      session.services.actions.add(collection, at: .end)
      try session.flush()
      return "added \(collection.title): \(ItemCount.text(collection.tracks.count, "track"))".safeForTerminal
    }
  }
}

extension SearchHit {
  /// Whether the hit is a track.
  fileprivate var isTrack: Bool { if case .track = self { true } else { false } }
}
