import LibraryIndex
import LibraryScanning
import SystemPackage

/// What `find`, `search` and their like are asked for: a filter, an order, and a part of what is found.
struct FindRequest {
  let filter: TrackFilter
  let order: TrackOrder
  /// `nil` for all.
  let window: ProtocolRange?

  /// The request of these words: `FILTER... [sort [-]TAG] [window START:END]`.
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

  /// Takes the option `name` and its value from the end of `words`.
  static func takeOption(_ name: String, of words: inout [String]) -> String? {
    guard words.count >= 2, words[words.count - 2] == name else { return nil }
    defer { words.removeLast(2) }
    return words.last
  }

  /// The request of these words by the client of `context`.
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
  /// The file or directory in which everything lies of which it is true, where it says so first.
  var base: FilePath? {
    switch self {
    case .within(let path): path
    case .all(let parts): parts.lazy.compactMap(\.base).first
    default: nil
    }
  }
}

extension BrowsableLibrary {
  /// Sees to it that what `filter` is about is in the library.
  ///
  /// - Throws: `noExist` where it is limited to a file or directory that is not there.
  func checkBase(of filter: TrackFilter) throws(ProtocolError) {
    guard let base = filter.base, !base.isEmpty, LibraryName(path: base).segment == nil else { return }
    guard try browsing({ try $0.place(base) != nil }) == true else {
      throw ProtocolError(.noExist, "No such directory")
    }
  }
}
