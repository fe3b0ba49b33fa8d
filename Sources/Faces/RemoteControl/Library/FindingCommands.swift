// SPDX-License-Identifier: GPL-3.0-or-later

import LibraryIndex

extension CommandTable {
  /// The commands that search the library.
  static let finding: [RemoteCommand] = [
    RemoteCommand("find", .read, arguments: 1...4096, lane: .reading) {
      arguments, context throws(ProtocolError) in
      try find(FindRequest(arguments.words, ignoresCase: false, context), &context)
    },
    RemoteCommand("search", .read, arguments: 1...4096, lane: .reading) {
      arguments, context throws(ProtocolError) in
      try find(FindRequest(arguments.words, ignoresCase: true, context), &context)
    },
    RemoteCommand("count", .read, arguments: 1...4096, lane: .reading) {
      arguments, context throws(ProtocolError) in
      try count(arguments.words, ignoresCase: false, &context)
    },
    RemoteCommand("searchcount", .read, arguments: 1...4096, lane: .reading) {
      arguments, context throws(ProtocolError) in
      try count(arguments.words, ignoresCase: true, &context)
    },
    RemoteCommand("list", .read, arguments: 1...4096, lane: .reading) {
      arguments, context throws(ProtocolError) in
      try list(arguments.words, &context)
    },
  ]

  private static func find(
    _ request: FindRequest, _ context: inout CommandContext
  ) throws(ProtocolError) {
    let library = try context.library.index
    try library.checkBase(of: request.filter)
    let ids = try library.browsing { browser in
      try browser.trackIDs(
        request.filter, order: request.order, offset: request.window?.start ?? 0,
        limit: request.window?.count)
    }
    context.source = SongListing(library, ids ?? [], SongText(context))
  }

  private static func count(
    _ words: [String], ignoresCase: Bool, _ context: inout CommandContext
  ) throws(ProtocolError) {
    var words = words
    var tags: [SongTag] = []
    if words.count >= 2, words[words.count - 2] == "group" {
      tags = [try tag(words.removeLast())]
      words.removeLast()
    }
    let filter = try filter(words, ignoresCase: ignoresCase, context)
    let tree = try counts(tags, filter, context)
    tree.addCounts(tags, to: &context.response)
  }

  private static func list(
    _ words: [String], _ context: inout CommandContext
  ) throws(ProtocolError) {
    var words = words
    let name = words.removeFirst()
    let window = try FindRequest.takeOption("window", of: &words).map { text throws(ProtocolError) in
      try ProtocolRange(text)
    }
    if name.lowercased() == "file" || name.lowercased() == "filename" {
      let library = try context.library.index
      let filter = try filter(words, ignoresCase: false, context)
      try library.checkBase(of: filter)
      let ids =
        try library.browsing { browser in
          try browser.trackIDs(filter, offset: window?.start ?? 0, limit: window?.count)
        } ?? []
      context.source = SongListing(library, ids, SongText(context), detail: .names)
      return
    }
    var tags: [SongTag] = []
    while words.count >= 2, words[words.count - 2] == "group" {
      let tag = try tag(words.removeLast())
      words.removeLast()
      guard !tags.contains(tag) else { throw ProtocolError(.argument, "Conflicting group") }
      tags.append(tag)
    }
    if SongTag(name: name) == nil, let absent = FilterSubject.absentTag(name) {
      // No song has this tag, and the absence of a tag counts as an empty value.
      return context.response.add(absent, "")
    }
    let tag = try tag(name)
    guard !tags.contains(tag) else { throw ProtocolError(.argument, "Conflicting group") }
    tags.append(tag)
    var artistFilter: TrackFilter?
    if words.count == 1, !words[0].hasPrefix("(") {
      // The form of the arguments in old versions of the protocol.
      guard tag == .album else { throw ProtocolError(.argument, "should be \"Album\" for 3 arguments") }
      artistFilter = .text(.field(.artist), .equals, words[0], ignoresCase: false)
    }
    let trackFilter = if let artistFilter { artistFilter } else { try filter(words, ignoresCase: false, context) }
    var rows = ValueRows(tags)
    let library = try context.library.index
    try library.checkBase(of: trackFilter)
    try library.browsing { browser in
      try browser.values(of: tags.map(\.field), trackFilter) { values in rows.add(values) }
    }
    context.response.add(rows.lines(window ?? .all))
  }

  private static func filter(
    _ words: [String], ignoresCase: Bool, _ context: CommandContext
  ) throws(ProtocolError) -> TrackFilter {
    guard !words.isEmpty else { return .everything }
    var parser = FilterParser(
      ignoresCase: ignoresCase,
      ignoresDiacritics: context.client.normalizations.contains(.stripsDiacritics))
    return try parser.parse(words)
  }

  private static func tag(_ name: String) throws(ProtocolError) -> SongTag {
    guard let tag = SongTag(name: name) else {
      throw ProtocolError(.argument, "Unknown tag type: \(name)")
    }
    return tag
  }

  private static func counts(
    _ tags: [SongTag], _ filter: TrackFilter, _ context: CommandContext
  ) throws(ProtocolError) -> ValueTree {
    var tree = ValueTree()
    let library = try context.library.index
    try library.checkBase(of: filter)
    try library.browsing { browser in
      try browser.groups(tags.map(\.field), filter) { values, totals in tree.add(values, totals) }
    }
    return tree
  }
}

extension ProtocolRange {
  /// The number of positions in the range; `nil` if it extends to the end.
  var count: Int? { end.map { $0 - start } }
}
