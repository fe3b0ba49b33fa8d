// SPDX-License-Identifier: GPL-3.0-or-later

import LibraryIndex

extension CommandTable {
  /// The commands that search the library.
  static let finding: [RemoteCommand] = [
    RemoteCommand("find", or: ["search"], .read, arguments: 1...4096, lane: .reading, find),
    RemoteCommand("count", or: ["searchcount"], .read, arguments: 1...4096, lane: .reading, count),
    RemoteCommand("list", .read, arguments: 1...4096, lane: .reading, list),
  ]

  private static func find(_ arguments: Arguments, _ context: inout CommandContext) throws(ProtocolError) {
    let request = try FindRequest(arguments.words, ignoresCase: arguments.ignoresCase, context)
    let library = try context.library.index
    try library.checkBase(of: request.filter)
    let ids = try library.browsing { browser in
      try browser.trackIDs(
        request.filter, order: request.order, offset: request.window?.start ?? 0,
        limit: request.window?.count)
    }
    context.source = SongListing(library, ids ?? [], SongText(context))
  }

  private static func count(_ arguments: Arguments, _ context: inout CommandContext) throws(ProtocolError) {
    var words = arguments.words
    let grouped = try FindRequest.takeOption("group", of: &words).map(tag)
    let filter = try filter(words, ignoresCase: arguments.ignoresCase, context)
    let library = try context.library.index
    try library.checkBase(of: filter)
    // The totals of the songs with each value of the tag; without a tag, all are below an empty one.
    var totals = grouped == nil ? ["": TrackTotals()] : [:]
    try library.browsing { browser in
      try browser.groups(grouped.map { [$0.field] } ?? [], filter) { values, added in
        // The absence of a tag counts as an empty value.
        let values = Set(values.first ?? [])
        for value in values.isEmpty ? [""] : values { totals[value, default: TrackTotals()].add(added) }
      }
    }
    for (value, totals) in totals.sorted(by: { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }) {
      if let grouped { context.response.add(grouped.rawValue, value) }
      context.response.add("songs", totals.trackCount)
      context.response.add("playtime", totals.milliseconds / 1000)
    }
  }

  private static func list(_ arguments: Arguments, _ context: inout CommandContext) throws(ProtocolError) {
    var words = arguments.words
    let name = words.removeFirst()
    let window = try FindRequest.takeOption("window", of: &words).map(ProtocolRange.init(_:))
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
    while let name = FindRequest.takeOption("group", of: &words) {
      let tag = try tag(name)
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
}

extension ProtocolRange {
  /// The number of positions in the range; `nil` if it extends to the end.
  var count: Int? { end.map { $0 - start } }
}
