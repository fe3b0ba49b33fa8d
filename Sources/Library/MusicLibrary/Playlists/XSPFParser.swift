/// Reads XSPF: the elements of `playlist` and `track` that say what a player needs, with `xml:base`.
///
/// Names count without their namespace, and only where the format has them: an extension's elements say nothing.
struct XSPFParser: XMLElementReader {
  /// Texts longer than this are cut.
  private static let textLimit = 1 << 16

  /// How many entries there may be.
  let limit: Int

  private(set) var playlist = Playlist()
  private var entry = PlaylistEntry(.path([]))
  private var places: [PlaylistLocation] = []
  private var text: [UInt8] = []
  /// The names of the open elements that matter, and the base that each has.
  private var open: [(name: String, base: [UInt8]?)] = []
  private var depth = 0

  /// A reader of at most so many entries.
  init(limit: Int) { self.limit = limit }

  /// Why a document is ended that has more entries than any playlist may have.
  static let tooLong = "it has too many entries"

  mutating func start(_ name: String, base: [UInt8]?) -> String? {
    depth += 1
    text = []
    if depth <= 4 {
      let outer = open.last?.base
      let own = base.map { base in outer.map { XSPFReference.resolved(base, $0) } ?? base }
      open.append((name, own ?? outer))
    }
    if path == ["playlist", "trackList", "track"], depth == 3 {
      entry = PlaylistEntry(.path([]))
      places = []
      if playlist.entries.count >= limit { return Self.tooLong }
    }
    return depth <= 100 ? nil : "it is nested too deeply"
  }

  mutating func characters(_ bytes: UnsafeBufferPointer<UInt8>) {
    if depth > 4 { return }
    unsafe text.append(contentsOf: bytes.prefix(Self.textLimit - min(Self.textLimit, text.count)))
  }

  mutating func end() {
    defer {
      if depth <= 4 { open.removeLast() }
      depth -= 1
      text = []
    }
    guard depth <= 4, let name = open.last?.name, open.first?.name == "playlist" else { return }
    switch depth {
    case 2 where name == "title": playlist.title = playlist.title ?? PlaylistWords.text(text)
    case 3 where path == ["playlist", "trackList", "track"]: addEntry()
    case 4 where Array(path.prefix(3)) == ["playlist", "trackList", "track"]: read(name)
    default: break
    }
  }

  private var path: [String] { open.map(\.name) }

  private mutating func addEntry() {
    // A track without a place is none that can be played, but it is one.
    entry.location = places.first ?? .path([])
    entry.alternatives = Array(places.dropFirst())
    playlist.entries.append(entry)
  }

  private mutating func read(_ name: String) {
    switch name {
    case "location":
      let reference = Array(text.filter { $0 >= 0x20 }[...].trimmed)
      if !reference.isEmpty, places.count < 16 {
        places.append(XSPFReference.location(reference, base: open.last?.base))
      }
    case "title": entry.title = entry.title ?? PlaylistWords.text(text)
    case "creator": entry.artist = entry.artist ?? PlaylistWords.text(text)
    case "album": entry.album = entry.album ?? PlaylistWords.text(text)
    case "annotation": entry.comment = entry.comment ?? PlaylistWords.text(text)
    case "trackNum": entry.number = Self.number(text).flatMap { $0 > 0 ? $0 : nil }
    case "duration": entry.duration = Self.number(text).map { .milliseconds($0) }
    default: break
    }
  }

  /// A whole number of at most 12 digits.
  private static func number(_ text: [UInt8]) -> Int? {
    let digits = text.split { $0 <= 0x20 }
    guard digits.count == 1, let digits = digits.first, digits.count <= 12 else { return nil }
    guard digits.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
    return digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
  }
}
