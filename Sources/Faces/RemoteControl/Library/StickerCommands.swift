// SPDX-License-Identifier: GPL-3.0-or-later

import LibraryIndex
import LibraryScanning
import MusicModel
import PlayerPort
import SystemPackage

extension CommandTable {
  /// The commands for stickers of songs, playlists, filters and tags.
  static let stickers: [RemoteCommand] = [
    RemoteCommand("sticker", .admin, arguments: 3...10, lane: .reading) {
      arguments, context throws(ProtocolError) in
      let type = try StickerType(arguments[1])
      switch (arguments[0], arguments.count) {
      case ("get", 4): try get(type, arguments, &context)
      case ("set", 5), ("inc", 5), ("dec", 5): try change(type, arguments, &context)
      case ("delete", 3...4): try delete(type, arguments, &context)
      case ("list", 3):
        for sticker in try stickers(type, arguments, context) { add(sticker, &context) }
      case ("find", 4...): try find(type, arguments, &context)
      default: throw ProtocolError(.argument, "bad request")
      }
    },
    RemoteCommand("stickernames", .admin, lane: .reading) { _, context throws(ProtocolError) in
      var last: String?
      for (name, _) in try stickerNames(context) where name != last {
        context.response.add("name", name)
        last = name
      }
    },
    RemoteCommand("stickertypes", .admin) { _, context in
      for type in StickerType.all { context.response.add("stickertype", type.name) }
    },
    RemoteCommand("stickernamestypes", .admin, arguments: 0...1, lane: .reading) {
      arguments, context throws(ProtocolError) in
      let wanted = try arguments.optional(0).map { text throws(ProtocolError) in try StickerType(text).name }
      for (name, type) in try stickerNames(context) {
        let type = type ?? StickerType.song.name
        guard wanted == nil || wanted == type else { continue }
        context.response.add("name", name)
        context.response.add("type", type)
      }
    },
  ]

  private static func stickerNames(
    _ context: CommandContext
  ) throws(ProtocolError) -> [(name: String, type: String?)] {
    let library = try context.library.index
    var names = try translatingErrors { () throws(LibraryError) in try library.stickerNames() }
    let ofAlbums: (name: String, type: String) = (Sticker.rating, StickerType.filter.name)
    let isListed = names.contains { $0.name == ofAlbums.name && $0.type == ofAlbums.type }
    if !isListed, names.contains(where: { $0.name == Sticker.albumRating }) {
      let end = names.firstIndex { ($0.name, $0.type ?? "") > ofAlbums } ?? names.endIndex
      names.insert(ofAlbums, at: end)
    }
    return names
  }

  private static func stickers(
    _ type: StickerType, _ arguments: Arguments, _ context: CommandContext
  ) throws(ProtocolError) -> [Sticker] {
    let library = try context.library.index
    let object = try type.object(arguments[2], context)
    let album = type == .filter ? try AlbumSticker.track(arguments[2], context) : nil
    return try translatingErrors { () throws(LibraryError) in
      var stickers = try library.stickers(of: object)
      if let album, let rating = try library.stickers(of: album).first(where: { $0.name == Sticker.albumRating }) {
        stickers.removeAll { $0.name == Sticker.rating }
        stickers.append(Sticker(name: Sticker.rating, value: rating.value))
        stickers.sort { $0.name < $1.name }
      }
      return stickers
    }
  }

  private static func get(
    _ type: StickerType, _ arguments: Arguments, _ context: inout CommandContext
  ) throws(ProtocolError) {
    guard let sticker = try stickers(type, arguments, context).first(where: { $0.name == arguments[3] }) else {
      throw ProtocolError(.noExist, "no such sticker")
    }
    add(sticker, &context)
  }

  /// Sets a sticker, or changes the number in it.
  private static func change(
    _ type: StickerType, _ arguments: Arguments, _ context: inout CommandContext
  ) throws(ProtocolError) {
    let library = try context.library.index
    guard !arguments[3].isEmpty else { throw ProtocolError(.argument, "empty sticker name") }
    let object = try type.object(arguments[2], context)
    let name = arguments[3]
    let change = try stickerChange(arguments)
    let marks = [Sticker.rating, Sticker.like, Sticker.albumRating]
    // The player announces what is noted of tracks and albums.
    if type == .filter, name == Sticker.rating, let album = try AlbumSticker.track(arguments[2], context) {
      try context.send(.sticker(album, Sticker.albumRating, change))
      // What was stored before the filter named an album must not come back when the rating is removed.
      _ = try translatingErrors { () throws(LibraryError) in try library.removeSticker(name, of: object) }
    } else if case .track(let track) = object, marks.contains(name) {
      try context.send(.sticker(track, name, change))
    } else {
      try translatingErrors { () throws(LibraryError) in
        switch change {
        case .set(let value): try library.set(Sticker(name: name, value: value), of: object)
        case .add(let number, let initial): try library.change(name, of: object, by: number, initial: initial)
        }
      }
    }
    context.announce(.sticker)
  }

  private static func stickerChange(_ arguments: Arguments) throws(ProtocolError) -> StickerChange {
    let value = arguments[4]
    if arguments[0] == "set" { return .set(value) }
    guard let number = Int64(value), number != .min else {
      throw ProtocolError(.argument, "Integer expected: \(value)")
    }
    return .add(arguments[0] == "inc" ? number : -number, initial: number)
  }

  private static func delete(
    _ type: StickerType, _ arguments: Arguments, _ context: inout CommandContext
  ) throws(ProtocolError) {
    let library = try context.library.index
    // The stickers of what no longer exists can be deleted.
    let object = try type.object(arguments[2], context, mustExist: false)
    let name = arguments.optional(3)
    let isOfAlbum = type == .filter && (name == nil || name == Sticker.rating)
    let album = isOfAlbum ? try AlbumSticker.track(arguments[2], context) : nil
    let isRemoved = try translatingErrors { () throws(LibraryError) in
      let isStored = try library.removeSticker(name, of: object)
      guard let album else { return isStored }
      return try library.removeSticker(Sticker.albumRating, of: album) || isStored
    }
    guard isRemoved else { throw ProtocolError(.noExist, "no such sticker") }
    context.announce(.sticker)
  }

  private static func find(
    _ type: StickerType, _ arguments: Arguments, _ context: inout CommandContext
  ) throws(ProtocolError) {
    let library = try context.library.index
    var words = arguments.dropFirst(3)
    let window = try FindRequest.takeOption("window", of: &words).map(ProtocolRange.init(_:))
    let order = try FindRequest.takeOption("sort", of: &words).map(StickerOrder.init(_:))
    guard words.count == 1 || words.count == 3 else { throw ProtocolError(.argument, "bad request") }
    let name = words[0]
    let match = words.count == 3 ? try StickerMatch(words[1], words[2]) : nil
    switch type {
    case .song:
      guard let directory = LibraryName(arguments[2]) else { return }
      let found = try translatingErrors { () throws(LibraryError) in
        try library.stickers(name, within: directory.path, match)
      }
      let sorted = order.map { $0.sorted(found, by: \.value) } ?? found
      context.source = StickerListing(library, name: name, window.map { $0.part(of: sorted) } ?? sorted[...])
    case .playlist, .filter, .tag:
      let found = try translatingErrors { () throws(LibraryError) in
        let stored = try library.stickers(name, ofType: type.name, match)
        guard type == .filter, name == Sticker.rating else { return stored }
        let albums = try AlbumSticker.ratings(in: library, match)
        let filters = Set(albums.map(\.object))
        return (stored.filter { !filters.contains($0.object) } + albums).sorted { $0.object < $1.object }
      }
      let sorted = order.map { $0.sorted(found, by: \.value) } ?? found
      for (object, value) in window.map({ $0.part(of: sorted) }) ?? sorted[...] {
        context.response.add(type.name, object)
        context.response.add("sticker", "\(name)=\(value)")
      }
    }
  }

  private static func add(_ sticker: Sticker, _ context: inout CommandContext) {
    context.response.add("sticker", "\(sticker.name)=\(sticker.value)")
  }

  /// Calls `body`, and translates errors of the library to errors of the protocol.
  private static func translatingErrors<Value>(
    _ body: () throws(LibraryError) -> Value
  ) throws(ProtocolError) -> Value {
    do throws(LibraryError) { return try body() } catch {
      throw ProtocolError(.system, error.description)
    }
  }
}

extension StickerMatch {
  fileprivate init(_ operatorName: String, _ value: String) throws(ProtocolError) {
    switch operatorName {
    case "=": self = .equals(value)
    case "<": self = .sortsBefore(value)
    case ">": self = .sortsAfter(value)
    case "contains": self = .contains(value)
    case "starts_with": self = .hasPrefix(value)
    case "eq", "lt", "gt":
      guard let number = Int64(value) else {
        throw ProtocolError(.argument, "Integer expected: \(value)")
      }
      self =
        operatorName == "eq" ? .equalsNumber(number) : operatorName == "lt" ? .lessThan(number) : .greaterThan(number)
    default: throw ProtocolError(.argument, "bad operator")
    }
  }
}

/// Lists songs with their values of a sticker, a few at a time.
struct StickerListing: ResponseSource {
  private static let pageSize = 128

  private let library: any BrowsableLibrary
  private let name: String
  private var found: ArraySlice<(track: Int64, value: String)>

  /// Creates a listing of the songs in `found`, with their values of the sticker `name`.
  init(_ library: any BrowsableLibrary, name: String, _ found: ArraySlice<(track: Int64, value: String)>) {
    self.library = library
    self.name = name
    self.found = found
  }

  mutating func add(to response: inout Response) throws(ProtocolError) -> Bool {
    let page = found.prefix(Self.pageSize)
    found = found.dropFirst(Self.pageSize)
    let songs = try library.browsing { try $0.names(page.map(\.track)) } ?? []
    for (song, sticker) in zip(songs, page) {
      guard let song else { continue }
      response.add("file", SongURI.text(song.path, song.segment, in: library.roots))
      response.add("sticker", "\(name)=\(sticker.value)")
    }
    return !found.isEmpty
  }
}
