// SPDX-License-Identifier: GPL-3.0-or-later

import Platform

/// Parses XSPF: the elements of `playlist` and `track` that a player needs, and `xml:base`.
///
/// Element names are compared without their namespaces, and recognised only where the format allows them. Elements of
/// extensions are ignored.
struct XSPFParser: XMLElementReader {
  /// The maximum length of text in bytes; longer text is truncated.
  private static let textLimit = 1 << 16

  /// The maximum number of entries.
  let limit: Int

  private(set) var playlist = Playlist()
  private var entry = PlaylistEntry(.path([]))
  private var locations: [PlaylistLocation] = []
  private var text: [UInt8] = []
  /// The names of the open elements, down to the depth that matters, each with its base.
  private var open: [(name: String, base: [UInt8]?)] = []
  private var depth = 0
  /// The places of the tracks in the document.
  private(set) var tracks: [Range<Int>] = []
  /// The place of the start tag of the first track list; `nil` if there is none.
  private(set) var listTag: Range<Int>?
  /// Whether relative locations in that list are not relative to the playlist.
  private(set) var hasBase = false
  private var trackStart = 0

  /// Creates a parser that accepts at most `limit` entries.
  init(limit: Int) { self.limit = limit }

  /// Parses the document in `bytes`. Returns the parser, and the encoding from which the document had to be converted
  /// to UTF-8 first; `nil` if the places in it are those in `bytes`.
  static func parse(
    _ bytes: [UInt8], limit: Int
  ) throws(XMLError) -> (parser: XSPFParser, converted: LegacyText.Encoding?) {
    func converted(_ encoding: LegacyText.Encoding) throws(XMLError) -> (XSPFParser, LegacyText.Encoding?) {
      let text = Array(LegacyText.decode(bytes, as: encoding).utf8)
      return (try XMLDocument.read(text, encoding: "UTF-8", into: XSPFParser(limit: limit)), encoding)
    }
    if let encoding = LegacyText.wideEncoding(of: bytes) { return try converted(encoding) }
    do throws(XMLError) {
      return (try XMLDocument.read(bytes, into: XSPFParser(limit: limit)), nil)
    } catch {
      // If expat does not support the declared encoding, detect it from the bytes.
      guard error.isEncoding else { throw error }
      return try converted(LegacyText.encoding(of: bytes))
    }
  }

  /// Whether a document in UTF-8, or in a superset of ASCII, says that it is in UTF-8, or does not say anything.
  static func isUTF8(_ bytes: [UInt8]) -> Bool {
    let start = String(decoding: bytes.prefix(512), as: UTF8.self)
    guard let declaration = start.firstMatch(of: /<\?xml\s[^>]*\?>/)?.output,
      let encoding = declaration.firstMatch(of: /encoding\s*=\s*["']([^"']*)/)?.1
    else { return true }
    return encoding.lowercased() == "utf-8"
  }

  /// The reason for stopping if a document has too many entries.
  static let tooManyEntries = "it has too many entries"

  mutating func start(_ name: String, base: [UInt8]?, at place: Range<Int>) -> String? {
    depth += 1
    text = []
    if depth <= 4 {
      let outer = open.last?.base
      let inner = base.map { base in outer.map { XSPFReference.resolved(base, $0) } ?? base }
      open.append((name, inner ?? outer))
    }
    if path == ["playlist", "trackList"], depth == 2, listTag == nil {
      (listTag, hasBase) = (place, open.last?.base != nil)
    }
    if path == ["playlist", "trackList", "track"], depth == 3 {
      trackStart = place.lowerBound
      entry = PlaylistEntry(.path([]))
      locations = []
      if playlist.entries.count >= limit { return Self.tooManyEntries }
    }
    return depth <= 100 ? nil : "it is nested too deeply"
  }

  mutating func characters(_ bytes: UnsafeBufferPointer<UInt8>) {
    if depth > 4 { return }
    unsafe text.append(contentsOf: bytes.prefix(Self.textLimit - min(Self.textLimit, text.count)))
  }

  mutating func end(at place: Range<Int>) {
    defer {
      if depth <= 4 { open.removeLast() }
      depth -= 1
      text = []
    }
    guard depth <= 4, let name = open.last?.name, open.first?.name == "playlist" else { return }
    switch depth {
    case 2 where name == "title": playlist.title = playlist.title ?? PlaylistTextFormat.text(text)
    case 3 where path == ["playlist", "trackList", "track"]:
      addEntry()
      tracks.append(trackStart..<max(trackStart, place.upperBound))
    case 4 where Array(path.prefix(3)) == ["playlist", "trackList", "track"]: read(name)
    default: break
    }
  }

  private var path: [String] { open.map(\.name) }

  private mutating func addEntry() {
    // A track without a location cannot be played, but is still an entry.
    entry.location = locations.first ?? .path([])
    entry.alternatives = Array(locations.dropFirst())
    playlist.entries.append(entry)
  }

  private mutating func read(_ name: String) {
    switch name {
    case "location":
      let reference = Array(text.filter { $0 >= 0x20 }[...].trimmed)
      if !reference.isEmpty, locations.count < 16 {
        locations.append(XSPFReference.location(of: reference, base: open.last?.base))
      }
    case "title": entry.title = entry.title ?? PlaylistTextFormat.text(text)
    case "creator": entry.artist = entry.artist ?? PlaylistTextFormat.text(text)
    case "album": entry.album = entry.album ?? PlaylistTextFormat.text(text)
    case "annotation": entry.comment = entry.comment ?? PlaylistTextFormat.text(text)
    case "trackNum": entry.number = Self.number(text).flatMap { $0 > 0 ? $0 : nil }
    case "duration": entry.duration = Self.number(text).map { .milliseconds($0) }
    default: break
    }
  }

  /// Parses a whole number of at most 12 digits.
  private static func number(_ text: [UInt8]) -> Int? {
    let digits = text.split { $0 <= 0x20 }
    guard digits.count == 1, let digits = digits.first, digits.count <= 12 else { return nil }
    guard digits.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
    return digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
  }
}

/// Locations in XSPF: URI references relative to `xml:base` (RFC 3986, section 5) or, without it, to the playlist.
enum XSPFReference {
  /// Returns the location to which `reference` refers. A relative reference is resolved against `base`; if `base` is
  /// `nil`, it remains relative to the playlist.
  static func location(of reference: [UInt8], base: [UInt8]?) -> PlaylistLocation {
    // A Windows path is not a valid reference, but occurs in practice.
    let base = WindowsPath.hasDrive(reference) ? nil : base
    let resolved = base.map { Self.resolved(reference, $0) } ?? reference
    if PlaylistLocation.scheme(of: resolved) != nil {
      let location = PlaylistLocation(line: resolved)
      if location != .path(PlaylistLocation.withoutDot(resolved)) { return location }
    }
    // A name that only looks like it has a scheme is a path, too.
    return .path(PlaylistLocation.withoutDot(PercentEscapes.decoded(resolved)))
  }

  /// Resolves a reference against a base; both are escaped.
  static func resolved(_ reference: [UInt8], _ base: [UInt8]) -> [UInt8] {
    if PlaylistLocation.scheme(of: reference) != nil { return reference }
    let slash = UInt8(ascii: "/")
    let root = rootLength(base)
    if reference.starts(with: [slash, slash]) {
      return Array(base.prefix((PlaylistLocation.scheme(of: base)?.utf8.count ?? -1) + 1)) + reference
    }
    if reference.first == slash { return Array(base.prefix(root)) + reference }
    guard let last = base.lastIndex(of: slash), last >= root else {
      return root > 0 ? Array(base.prefix(root)) + [slash] + reference : reference
    }
    return Array(base[...last]) + reference
  }

  /// Returns the length of the URI's scheme and host, which precede its path.
  private static func rootLength(_ base: [UInt8]) -> Int {
    let start = PlaylistLocation.scheme(of: base).map { $0.utf8.count + 1 } ?? 0
    let slash = UInt8(ascii: "/")
    guard start > 0, base.dropFirst(start).starts(with: [slash, slash]) else { return start }
    return start + 2 + base.dropFirst(start + 2).prefix { $0 != slash }.count
  }
}

/// Writes playlists in XSPF, version 1.
enum XSPFWriter {
  /// Returns the contents of the playlist file. The closure `convert` returns the form in which to write a location.
  static func bytes(of playlist: Playlist, _ convert: (PlaylistLocation) -> PlaylistLocation) -> [UInt8] {
    var bytes = Array(
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <playlist version="1" xmlns="http://xspf.org/ns/0/">

      """.utf8)
    add("title", playlist.title, "  ", to: &bytes)
    bytes += "  <trackList>\n".utf8
    for entry in playlist.entries {
      bytes += "    ".utf8
      bytes += track(entry, convert)
      bytes.append(0x0A)
    }
    bytes += "  </trackList>\n</playlist>\n".utf8
    return bytes
  }

  /// Returns the element of an entry, in several lines, of which all but the first are indented.
  ///
  /// - Parameter prefix: The namespace prefix of the elements, with its colon.
  static func track(
    _ entry: PlaylistEntry, prefix: String = "", _ convert: (PlaylistLocation) -> PlaylistLocation
  ) -> [UInt8] {
    var bytes = Array("<\(prefix)track>\n".utf8)
    func add(_ name: String, _ text: String?) { Self.add(prefix + name, text, "      ", to: &bytes) }
    for location in [entry.location] + entry.alternatives {
      add("location", String(decoding: reference(convert(location)), as: UTF8.self))
    }
    add("title", entry.title)
    add("creator", entry.artist)
    add("annotation", entry.comment)
    add("album", entry.album)
    add("trackNum", entry.number.map { String($0) })
    add("duration", entry.duration.flatMap { milliseconds($0) })
    return bytes + "    </\(prefix)track>".utf8
  }

  /// Returns the UTF-8 text of elements with all characters beyond ASCII as character references, which are valid in
  /// every encoding.
  static func withReferences(_ text: [UInt8]) -> [UInt8] {
    String(decoding: text, as: UTF8.self).unicodeScalars.flatMap { scalar in
      scalar.isASCII ? [UInt8(truncatingIfNeeded: scalar.value)] : Array("&#\(scalar.value);".utf8)
    }
  }

  private static func reference(_ location: PlaylistLocation) -> [UInt8] {
    switch location {
    case .url(let url): Array(url.utf8)
    case .path(let path):
      path.first == UInt8(ascii: "/") ? FileURI.uri(of: path) : FileURI.escaped(path)
    }
  }

  private static func milliseconds(_ duration: Duration) -> String? {
    let (seconds, attoseconds) = duration.components
    let (whole, isTooLong) = seconds.multipliedReportingOverflow(by: 1000)
    guard duration >= .zero, !isTooLong else { return nil }
    return String(whole + attoseconds / 1_000_000_000_000_000)
  }

  private static func add(_ name: String, _ text: String?, _ indent: String, to bytes: inout [UInt8]) {
    guard let text = PlaylistTextFormat.line(text) else { return }
    bytes += "\(indent)<\(name)>".utf8 + escaped(text) + "</\(name)>\n".utf8
  }

  /// Returns the contents of the element of a location.
  static func text(of location: PlaylistLocation) -> [UInt8] {
    escaped(String(decoding: reference(location), as: UTF8.self))
  }

  private static func escaped(_ text: String) -> [UInt8] {
    var bytes: [UInt8] = []
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": bytes += "&amp;".utf8
      case "<": bytes += "&lt;".utf8
      case ">": bytes += "&gt;".utf8
      // These are not valid characters in XML.
      case "\u{FFFE}", "\u{FFFF}": bytes += "\u{FFFD}".utf8
      default: bytes += UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter
      }
    }
    return bytes
  }
}
