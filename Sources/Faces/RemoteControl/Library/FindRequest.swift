// SPDX-License-Identifier: GPL-3.0-or-later

import LibraryIndex
import LibraryScanning
import SystemPackage

/// A request of `find`, `search` or a similar command: a filter, an order, and a range of the matches.
struct FindRequest {
  let filter: TrackFilter
  let order: TrackOrder
  /// The range of the matches to return; `nil` for all.
  let window: ProtocolRange?

  /// Parses a request in the form `FILTER... [sort [-]TAG] [window START:END]`.
  init(
    _ words: some Collection<String>, ignoresCase: Bool, ignoresDiacritics: Bool = false
  ) throws(ProtocolError) {
    var words = Array(words)
    var window: ProtocolRange?
    var order = TrackOrder()
    if let text = Self.takeOption("window", of: &words) { window = try ProtocolRange(text) }
    if let text = Self.takeOption("sort", of: &words) { order = try Self.order(text) }
    var parser = FilterParser(ignoresCase: ignoresCase, ignoresDiacritics: ignoresDiacritics)
    filter = try parser.parse(words)
    self.order = order
    self.window = window
  }

  /// Removes the option `name` and its value from the end of `words`, and returns the value; `nil` if the words do not
  /// end with that option.
  static func takeOption(_ name: String, of words: inout [String]) -> String? {
    guard words.count >= 2, words[words.count - 2] == name else { return nil }
    defer { words.removeLast(2) }
    return words.last
  }

  /// Parses a request with the text normalizations of the client of `context`.
  init(
    _ words: some Collection<String>, ignoresCase: Bool, _ context: CommandContext
  ) throws(ProtocolError) {
    try self.init(
      words, ignoresCase: ignoresCase,
      ignoresDiacritics: context.client.normalizations.contains(.stripsDiacritics))
  }

  private static func order(_ text: String) throws(ProtocolError) -> TrackOrder {
    let isDescending = text.hasPrefix("-")
    let name = isDescending ? String(text.dropFirst()) : text
    switch name.lowercased() {
    case "last-modified": return TrackOrder(.modified, isDescending: isDescending)
    case "added": return TrackOrder(.added, isDescending: isDescending)
    default:
      guard let tag = SongTag(name: name) else { throw ProtocolError(.argument, "Unknown sort tag") }
      return TrackOrder(.field(tag.field), isDescending: isDescending)
    }
  }
}

extension TrackFilter {
  /// The file or directory to which the top level of the filter limits all matches; `nil` if it sets no limit.
  var base: FilePath? {
    switch self {
    case .within(let path): path
    case .all(let parts): parts.lazy.compactMap(\.base).first
    default: nil
    }
  }
}

extension BrowsableLibrary {
  /// Checks that the file or directory to which `filter` is limited exists.
  ///
  /// - Throws: `noExist` if it does not exist.
  func checkBase(of filter: TrackFilter) throws(ProtocolError) {
    guard let base = filter.base, !base.isEmpty, LibraryName(path: base).segment == nil else { return }
    guard try browsing({ try $0.target(at: base) != nil }) == true else {
      throw ProtocolError(.noExist, "No such directory")
    }
  }
}
