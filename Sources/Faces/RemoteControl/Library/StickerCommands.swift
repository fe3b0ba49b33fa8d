// SPDX-License-Identifier: GPL-3.0-or-later

import LibraryIndex
import LibraryScanning
import MusicModel
import SystemPackage

extension CommandTable {
  /// The commands for the stickers of songs.
  static let stickers: [RemoteCommand] = [
    RemoteCommand("sticker", .admin, arguments: 3...6, lane: .reading) {
      arguments, context throws(ProtocolError) in
      guard ["get", "set", "delete", "list", "find"].contains(arguments[0]) else {
        throw ProtocolError(.argument, "bad request")
      }
      guard arguments[1] == "song" else { throw ProtocolError(.argument, "unknown sticker domain") }
      switch (arguments[0], arguments.count) {
      case ("get", 4): try get(arguments, &context)
      case ("set", 5): try set(arguments, &context)
      case ("delete", 3...4): try delete(arguments, &context)
      case ("list", 3):
        let library = try context.library.index
        let song = try song(arguments, context)
        for sticker in try translatingErrors({ () throws(LibraryError) in try library.stickers(of: song) }) {
          add(sticker, &context)
        }
      case ("find", 4), ("find", 6): try find(arguments, &context)
      default: throw ProtocolError(.argument, "bad request")
      }
    },
    RemoteCommand("stickernames", .admin, lane: .reading) { _, context throws(ProtocolError) in
      for name in try stickerNames(context) { context.response.add("name", name) }
    },
    RemoteCommand("stickertypes", .admin) { _, context in context.response.add("stickertype", "song") },
    RemoteCommand("stickernamestypes", .admin, arguments: 0...1, lane: .reading) {
      arguments, context throws(ProtocolError) in
      guard arguments.optional(0) ?? "song" == "song" else {
        throw ProtocolError(.argument, "unknown sticker domain")
      }
      for name in try stickerNames(context) {
        context.response.add("name", name)
        context.response.add("type", "song")
      }
    },
  ]

  private static func stickerNames(_ context: CommandContext) throws(ProtocolError) -> [String] {
    let library = try context.library.index
    return try translatingErrors { () throws(LibraryError) in try library.stickerNames() }
  }

  private static func get(
    _ arguments: Arguments, _ context: inout CommandContext
  ) throws(ProtocolError) {
    let library = try context.library.index
    let song = try song(arguments, context)
    let all = try translatingErrors { () throws(LibraryError) in try library.stickers(of: song) }
    guard let sticker = all.first(where: { $0.name == arguments[3] }) else {
      throw ProtocolError(.noExist, "no such sticker")
    }
    add(sticker, &context)
  }

  private static func set(
    _ arguments: Arguments, _ context: inout CommandContext
  ) throws(ProtocolError) {
    let library = try context.library.index
    guard !arguments[3].isEmpty else { throw ProtocolError(.argument, "bad request") }
    let song = try song(arguments, context)
    try translatingErrors { () throws(LibraryError) in
      try library.set(Sticker(name: arguments[3], value: arguments[4]), of: song)
    }
    context.announce(.sticker)
  }

  private static func delete(
    _ arguments: Arguments, _ context: inout CommandContext
  ) throws(ProtocolError) {
    let library = try context.library.index
    let song = try song(arguments, context)
    let isRemoved = try translatingErrors { () throws(LibraryError) in
      try library.removeSticker(arguments.optional(3), of: song)
    }
    guard isRemoved else { throw ProtocolError(.noExist, "no such sticker") }
    context.announce(.sticker)
  }

  private static func find(
    _ arguments: Arguments, _ context: inout CommandContext
  ) throws(ProtocolError) {
    let library = try context.library.index
    let match = try arguments.optional(4).map { operatorName throws(ProtocolError) in
      try StickerMatch(operatorName, arguments[5])
    }
    guard let directory = LibraryName(arguments[2]) else { return }
    let found = try translatingErrors { () throws(LibraryError) in
      try library.stickers(arguments[3], within: directory.path, match)
    }
    context.source = StickerListing(library, name: arguments[3], found)
  }

  /// Returns the ID of the song that the third argument names.
  private static func song(
    _ arguments: Arguments, _ context: CommandContext
  ) throws(ProtocolError) -> Int64 {
    let target = try? LibraryTracks(context).resolve(arguments[2])
    guard case .tracks(let ids) = target, let id = ids.first, ids.count == 1 else {
      throw ProtocolError(.noExist, "No such song")
    }
    return id
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
  init(_ library: any BrowsableLibrary, name: String, _ found: [(track: Int64, value: String)]) {
    self.library = library
    self.name = name
    self.found = found[...]
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
