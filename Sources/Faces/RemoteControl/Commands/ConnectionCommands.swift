// SPDX-License-Identifier: GPL-3.0-or-later

import LibraryScanning
import PlayerPort
import SystemPackage
import Tagging

extension CommandTable {
  /// The commands about the connection and the server itself.
  static func connection(_ access: NetworkAccess, _ guesses: PasswordGuesses) -> [RemoteCommand] {
    [
      RemoteCommand("ping", []) { _, _ in },
      // Handles `close` in a command list. `ConnectionState` handles it on a line by itself.
      RemoteCommand("close", []) { _, context in context.isClosing = true },
      RemoteCommand("kill", .admin) { _, context throws(ProtocolError) in
        try context.send(.quit)
        context.isClosing = true
      },
      RemoteCommand("password", [], arguments: 1...1) { arguments, context throws(ProtocolError) in
        let check = { access.permission(for: arguments[0]) }
        // A client on the owner's socket already has all permissions.
        if context.client.isLocal {
          if check() == nil { throw ProtocolError(.password, "incorrect password") }
        } else {
          context.client.permission = try guesses.attempt(from: context.client.address, check)
        }
      },
      RemoteCommand("binarylimit", [], arguments: 1...1) { arguments, context throws(ProtocolError) in
        let limit = try arguments.unsigned(0)
        guard (64...(4 << 20)).contains(limit) else { throw ProtocolError(.argument, "Value out of range") }
        context.client.binaryLimit = limit
      },
      RemoteCommand("tagtypes", [], arguments: 0...64) { arguments, context throws(ProtocolError) in
        try select(
          &context.client.tags, arguments, key: "tagtype", unknown: "Unknown tag type", hasReset: true,
          &context.response
        ) { name in SongTag(name: name).map { [$0] } ?? FilterSubject.absentTag(name).map { _ in [] } }
      },
      RemoteCommand("urlhandlers", .read) { _, context in
        if context.client.isLocal { context.response.add("handler", "file://") }
        guard context.client.permission.contains(.addresses) else { return }
        for handler in ["http://", "https://"] { context.response.add("handler", handler) }
      },
      RemoteCommand("decoders", .read) { _, context in
        for decoder in context.player.decoders {
          context.response.add("plugin", decoder.name)
          for suffix in decoder.suffixes { context.response.add("suffix", suffix) }
        }
      },
      RemoteCommand("config", [], lane: .reading) { _, context throws(ProtocolError) in
        guard context.client.isLocal else {
          throw ProtocolError(.permission, "Command only permitted to local clients")
        }
        // With several roots, there is no single directory to which all names are relative.
        let roots = try context.library.index.roots
        if roots.isSingle { context.response.add("music_directory", roots.first.string) }
        context.response.add("playlist_directory", try PlaylistAccess(context).directoryPath.string)
        context.response.add("pcre", true)
      },
      RemoteCommand("listmounts", .read) { _, context throws(ProtocolError) in
        // Only the owner may see the paths of the library on this machine.
        for root in try context.library.index.roots.all {
          context.response.add("mount", root.name.map { SongURI.text(relative: FilePath(root: nil, [$0])) } ?? "")
          if context.client.isLocal { context.response.add("storage", SongURI.text(root.path, in: nil)) }
        }
      },
      RemoteCommand("listneighbors", .read) { _, _ in },
      RemoteCommand("listpartitions", .read) { _, context in context.response.add("partition", "default") },
      RemoteCommand("partition", .read, arguments: 1...1) { arguments, _ throws(ProtocolError) in
        guard arguments[0] == "default" else { throw ProtocolError(.noExist, "partition does not exist") }
      },
    ]
  }

  /// Lists or changes what a client has selected of all choices.
  ///
  /// - Parameters:
  ///   - unknown: The error for a name that `named` does not know.
  ///   - hasReset: Whether the choices can be replaced by others.
  ///   - named: Returns the choice with a name, none for a name without effect, or `nil` for an unknown one.
  private static func select<Choice: RawRepresentable<String> & CaseIterable & Hashable>(
    _ selected: inout Set<Choice>, _ arguments: Arguments, key: String, unknown: String, hasReset: Bool = false,
    _ response: inout Response, named: (String) -> [Choice]?
  ) throws(ProtocolError) {
    let names = arguments.dropFirst(1)
    var choices: Set<Choice> = []
    for name in names {
      guard let choice = named(name) else { throw ProtocolError(.argument, unknown) }
      choices.formUnion(choice)
    }
    switch (arguments.optional(0), names.isEmpty) {
    case (nil, _): for choice in Choice.allCases where selected.contains(choice) { response.add(key, choice.rawValue) }
    case ("available", true): for choice in Choice.allCases { response.add(key, choice.rawValue) }
    case ("reset", _) where !hasReset: throw ProtocolError(.argument, "Unknown sub command")
    case ("reset", false): selected = choices
    case ("all", true): selected = Set(Choice.allCases)
    case ("clear", true): selected = []
    case ("enable", false): selected.formUnion(choices)
    case ("disable", false): selected.subtract(choices)
    case ("enable", true), ("disable", true), ("reset", true): throw ProtocolError(.argument, "Not enough arguments")
    case ("all", false), ("clear", false), ("available", false): throw ProtocolError(.argument, "Too many arguments")
    default: throw ProtocolError(.argument, "Unknown sub command")
    }
  }

  /// The commands with which a client selects features of the protocol.
  static let features: [RemoteCommand] = [
    RemoteCommand("protocol", [], arguments: 0...64) { arguments, context throws(ProtocolError) in
      try select(
        &context.client.features, arguments, key: "feature", unknown: "Unknown protocol feature", &context.response
      ) { name in ProtocolFeature(rawValue: name.lowercased()).map { [$0] } }
    },
    RemoteCommand("stringnormalization", [], arguments: 0...64) { arguments, context throws(ProtocolError) in
      try select(
        &context.client.normalizations, arguments, key: "stringnormalization", unknown: "Unknown string normalization",
        &context.response
      ) { name in StringNormalization(rawValue: name.lowercased()).map { [$0] } }
    },
  ]
}

/// The features that the command `protocol` turns on.
enum ProtocolFeature: String, CaseIterable {
  /// `lsinfo` omits stored playlists when it lists the root directory of the library.
  case hidesPlaylistsInRoot = "hide_playlists_in_root"
}

/// The text normalizations that the command `stringnormalization` turns on for searches that ignore case.
enum StringNormalization: String, CaseIterable {
  /// Diacritics are ignored.
  case stripsDiacritics = "strip_diacritics"
}

extension CommandTable {
  /// The commands with which clients exchange messages.
  static func messages(_ board: MessageBoard) -> [RemoteCommand] {
    [
      RemoteCommand("subscribe", .read, arguments: 1...1) { arguments, context throws(ProtocolError) in
        try board.subscribe(context.client.id, to: arguments[0])
      },
      RemoteCommand("unsubscribe", .read, arguments: 1...1) { arguments, context throws(ProtocolError) in
        try board.unsubscribe(context.client.id, from: arguments[0])
      },
      RemoteCommand("channels", .read) { _, context in
        for channel in board.channels { context.response.add("channel", channel) }
      },
      RemoteCommand("readmessages", .read) { _, context in
        for message in board.takeMessages(of: context.client.id) {
          context.response.add("channel", message.channel)
          context.response.add("message", message.text)
        }
      },
      RemoteCommand("sendmessage", .control, arguments: 2...2) { arguments, _ throws(ProtocolError) in
        try board.send(arguments[1], to: arguments[0])
      },
    ]
  }
}
