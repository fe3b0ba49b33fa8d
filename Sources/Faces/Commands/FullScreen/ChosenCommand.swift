// SPDX-License-Identifier: GPL-3.0-or-later

import ArgumentParser
import AudioCore
import LibraryIndex
import LibraryScanning
import MusicModel
import Platform
import PlayerFlow
import PlayerPort
import Playlists
import Screens
import SystemPackage
import Tagging
import Terminal
import UnicodeText

/// The hidden `chosen` command, which the full screen sends to the player to use what the user has chosen. Unlike the
/// commands that people type, it names items of the queue and albums by their IDs.
///
/// - `chosen play|add|next (KIND VALUE)...` plays or adds tracks.
/// - `chosen clear`, `chosen remove ID...`, `chosen move POSITION ID...` and `chosen item ID` edit the queue, or play
///   an item of it.
/// - `chosen rate STARS TRACK...` rates tracks: paths, IDs in the library after `=`, IDs of items after `#`, or `.` for
///   the current track.
/// - `chosen list-add NAME (KIND VALUE)...` adds tracks to a saved playlist; `chosen list-remove NAME (NUMBER PATH)...`
///   removes and `chosen list-move NAME POSITION (NUMBER PATH)...` moves some; `chosen list-delete NAME` and
///   `chosen list-rename NAME NEW-NAME` concern the playlist itself.
/// - `chosen mode NAME` switches a mode of the queue to its next value.
/// - `chosen output` turns the output on or off; `chosen seek FRACTION` seeks in the current track.
struct ChosenCommand: PlayerCommand {
  static let configuration = CommandConfiguration(
    commandName: "chosen", abstract: "Use what was chosen on the full screen.", shouldDisplay: false)

  var needsRunningPlayer: Bool { true }

  /// What a value stands for.
  enum Kind: String {
    case album
    case artist
    case genre
    case year
    /// An item of the queue, by its ID.
    case item
    /// A track of the library, by its ID.
    case track
    case file
    case playlist
    case directory
    /// The track to start with, by its ID in the library.
    case startTrack = "start-track"
    /// The track to start with, by its number in the collection, counted from 0.
    case startNumber = "start-number"
  }

  @Argument(parsing: .postTerminator) var words: [String]

  @OptionGroup var library: LibraryOptions
  @OptionGroup var data: DataOptions
  @OptionGroup var state: StateOptions
  @OptionGroup var outputStyle: OutputStyleOptions

  var socketText: String? { state.socket }

  func run(in session: Session) throws {
    let values = Array(words.dropFirst())
    switch words.first {
    case "play", "add", "next": try use(values, in: session)
    case "item":
      guard let id = Self.items(values, in: session).first else { throw Self.missing }
      session.services.actions.play(id)
      session.hasAnnouncedTrack = true
    case "remove":
      let items = Self.items(values, in: session)
      let message = "removed \(ItemCount.text(items.count, "track")); u brings \(items.count == 1 ? "it" : "them") back"
      try edit(session, message) { _ in
        session.services.actions.remove(.items(items))
      }
    case "clear":
      try edit(session, "cleared the queue; u brings it back") { _ in session.services.actions.clear() }
    case "move":
      let items = Self.items(Array(values.dropFirst()), in: session)
      guard let position = values.first.flatMap({ Int($0) }), !items.isEmpty else { throw Self.missing }
      try edit(session, nil) { _ in session.services.actions.move(.items(items), to: position) }
    case "rate": try rate(values, in: session)
    case "mode": try changeMode(values, in: session)
    case "list-add", "list-remove", "list-move", "list-delete", "list-rename":
      guard let name = values.first else { throw Self.missing }
      try changeList(name, Array(values.dropFirst()), in: session)
    case "output": session.services.actions.enableOutput(!session.services.playback.state.isOutputEnabled)
    case "seek":
      let playback = session.services.playback.state
      guard let fraction = values.first.flatMap({ Double($0) }), (0...1).contains(fraction),
        let duration = playback.duration ?? session.services.queue.queue.current?.track.duration
      else { return }
      session.services.actions.seek(.to(duration * fraction))
    default: throw PlayerError(.usage, "unknown use of chosen rows")
    }
  }

  static var missing: PlayerError { PlayerError(.notFound, "the selected item no longer exists") }

  /// Returns the items of the queue with these IDs that still exist.
  static func items(_ texts: [String], in session: Session) -> [PlayQueue.Item.ID] {
    let queue = session.services.queue.queue
    return texts.compactMap { UInt64($0) }.map { PlayQueue.Item.ID(rawValue: $0) }.filter {
      queue.position(of: $0) != nil
    }
  }

  private func edit(_ session: Session, _ message: String?, _ body: (PlayQueue) throws(PlayerError) -> Void) throws {
    _ = try session.edit(state, body)
    if let message { session.printRemark(message) }
  }

  /// Switches a mode to the value after its present one.
  private func changeMode(_ values: [String], in session: Session) throws {
    guard let mode = values.first.flatMap({ ModeName(rawValue: $0) }) else { throw Self.missing }
    let all = mode == .consume ? ["off", "on"] : mode.values
    let edit = try session.edit(state) { queue throws(PlayerError) in
      let number = (all.firstIndex(of: mode.value(in: queue.modes)) ?? 0) + 1
      try ModeChange(mode, all[number % all.count]).apply(to: session.services.actions)
    }
    session.printRemark("\(mode.rawValue) \(mode.value(in: edit.after.modes))")
  }

  // MARK: Tracks

  private func use(_ values: [String], in session: Session) throws {
    let request = LibraryRequest(
      roots: library.roots(in: session), dataDirectory: data.directory(in: session), in: session)
    let chosen = try ChosenTracks(values, request, in: session)
    let collection = chosen.collection
    guard !collection.tracks.isEmpty else { throw Self.missing }
    try collection.check(isNotWrittenTo: session.outputFile)
    if words.first == "play" {
      let isReplaced = !session.services.queue.queue.items.isEmpty
      session.services.actions.enqueue(collection, item: chosen.start)
      session.hasAnnouncedTrack = true
      let line = TrackLine.text(index: chosen.start, in: collection, session.outputStyle)
      return session.printRemark(line + (isReplaced ? "; u brings the last queue back" : ""))
    }
    let count = ItemCount.text(collection.tracks.count, "track")
    try edit(session, "added \(count): \(collection.title)".safeForTerminal) { _ in
      session.services.actions.add(collection, at: words.first == "next" ? .next : .end)
    }
  }

  private func rate(_ values: [String], in session: Session) throws {
    guard let stars = values.first.flatMap({ Int($0) }), (0...5).contains(stars) else { throw Self.missing }
    let request = LibraryRequest(
      roots: library.roots(in: session), dataDirectory: data.directory(in: session), in: session)
    let index = try session.services.library.open(request)
    let queue = session.services.queue.queue
    var (ids, tracks): ([Int64], [Track]) = ([], [])
    for value in values.dropFirst() {
      if value == "." {
        tracks += [queue.current?.track].compactMap { $0 }
      } else if value.hasPrefix("#") {
        tracks += Self.items([String(value.dropFirst())], in: session).compactMap { queue.position(of: $0) }.map {
          queue.items[$0].track
        }
      } else if value.hasPrefix("=") {
        ids += [Int64(value.dropFirst())].compactMap { $0 }
      } else {
        tracks.append(Track(path: FilePath(typed: value), title: ""))
      }
    }
    do throws(LibraryError) {
      let found = try index.browse(isQuick: true) { browser in
        try tracks.compactMap { track in
          try index.roots.relative(track.path).flatMap { try browser.id(of: track, at: $0) }
        }
      }
      ids += found ?? []
      for id in ids {
        if stars == 0 {
          _ = try index.removeSticker(Sticker.rating, of: id)
        } else {
          try index.set(Sticker(name: Sticker.rating, value: "\(stars * 2)"), of: id)
        }
      }
    } catch {
      throw PlayerError(error)
    }
    guard !ids.isEmpty else { throw PlayerError(.notFound, "only tracks in the library can be rated") }
    session.printRemark("rated \(ItemCount.text(ids.count, "track")): \(stars == 1 ? "1 star" : "\(stars) stars")")
  }
}

/// The tracks of chosen rows, in their order.
struct ChosenTracks {
  let collection: TrackCollection
  /// The index of the track to start with.
  let start: Int

  /// Finds the tracks of pairs of kinds and values. Blocks while the index is read.
  init(_ values: [String], _ request: LibraryRequest, in session: Session) throws {
    let source = session.finder(request).library
    var tracks: [Track] = []
    var titles: [String] = []
    var (first, firstNumber): (FilePath?, Int?) = (nil, nil)
    var segment: TrackSegment?
    for (word, value) in zip(values, values.dropFirst()).enumerated().filter({ $0.offset % 2 == 0 }).map(\.element) {
      guard let kind = ChosenCommand.Kind(rawValue: word) else {
        throw PlayerError(.usage, "unknown kind \"\(word)\"")
      }
      if kind == .startNumber {
        firstNumber = Int(value)
        continue
      }
      if kind == .startTrack {
        let track = try Self.collection(.track, value, source, request, in: session).tracks.first
        (first, segment) = (track?.path, track?.segment)
        continue
      }
      let found = try Self.collection(kind, value, source, request, in: session)
      tracks += found.tracks
      titles.append(found.title)
    }
    let title = titles.count > 3 ? "\(titles[0]) and \(titles.count - 1) more" : titles.joined(separator: ", ")
    collection = TrackCollection(title: title, tracks: tracks)
    let number = firstNumber ?? tracks.firstIndex { $0.path == first && $0.segment == segment } ?? 0
    start = tracks.indices.contains(number) ? number : 0
  }

  private static func collection(
    _ kind: ChosenCommand.Kind, _ value: String, _ source: any CollectionSource, _ request: LibraryRequest,
    in session: Session
  ) throws -> TrackCollection {
    switch kind {
    case .album:
      return try Int64(value).flatMap { id throws(PlayerError) in try source.refreshedAlbum(id) }?.collection
        ?? TrackCollection(title: "", tracks: [])
    case .artist: return TrackCollection(title: value, tracks: try source.tracks(byArtist: value))
    case .genre:
      return TrackCollection(
        title: value, tracks: try source.tracks(matching: .text(.genre, TextPattern(value, kind: .exact))))
    case .year:
      let year = Int(value) ?? 0
      return TrackCollection(
        title: value, tracks: try source.tracks(matching: .number(.year, QueryRange(from: year, to: year))))
    case .item:
      let queue = session.services.queue.queue
      let tracks = ChosenCommand.items([value], in: session).compactMap { queue.position(of: $0) }.map {
        queue.items[$0].track
      }
      return TrackCollection(title: tracks.first?.title ?? "", tracks: tracks)
    case .track:
      let index = try session.services.library.open(request)
      let track = try Int64(value).flatMap { id in
        try index.browse(isQuick: true) { browser in try browser.tracks([id]).first?.track }
      }
      return TrackCollection(title: track??.title ?? "", tracks: [track ?? nil].compactMap { $0 })
    case .file:
      let path = FilePath(typed: value)
      let index = try session.services.library.open(request)
      let known = index.tracks(at: [(path, nil)]).first ?? nil
      let track = try known ?? index.unindexedTrack(at: path)
      return TrackCollection(title: track.title, tracks: [track])
    case .playlist:
      let loaded = try session.lists(request).load(value)
      return TrackCollection(title: loaded.collection.title, tracks: Array(loaded.collection.tracks))
    case .directory:
      let index = try session.services.library.open(request)
      let path = FilePath(typed: value)
      return TrackCollection(title: path.lastComponent?.string ?? "", tracks: index.tracks(below: path))
    case .startTrack, .startNumber: return TrackCollection(title: "", tracks: [])
    }
  }
}

extension TrackBrowser {
  /// Returns the ID of a track whose file has this relative path; `nil` if it is not in the library.
  func id(of track: Track, at path: FilePath) throws -> Int64? {
    guard case .tracks(let ids)? = try target(at: path) else { return nil }
    return ids.count == 1 ? ids[0] : try self.track(path, segment: Int(track.segment?.start ?? 0)) ?? ids.first
  }
}
