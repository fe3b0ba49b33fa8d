// SPDX-License-Identifier: GPL-3.0-or-later

import DecodingProtocol

/// A list of streams in M3U, PLS or XSPF: what a server sends where a stream is expected, such as a station's
/// `listen.pls`.
struct StreamList {
  /// The maximum length of a list, in bytes.
  static let byteLimit = 1 << 18

  /// The entries, in their order, each with an absolute address.
  private(set) var entries: [ListedStream] = []

  /// Whether the entries are to be played one after the other, as those of an album are: they are on the server from
  /// which the list comes. Otherwise, they are several ways to the same stream.
  let isSequence: Bool

  /// Reads `bytes`, which came from `address`.
  ///
  /// - Throws: `DecodingRefusal` if they are not a list, or an empty one.
  init(_ bytes: [UInt8], from address: String) throws(DecodingRefusal) {
    guard bytes.count <= Self.byteLimit else {
      throw DecodingRefusal(.unsupported, "sends text of more than \(Self.byteLimit >> 10) KiB, not audio")
    }
    let text = String(decoding: bytes, as: UTF8.self)
    if let refusal = Self.refusal(of: text) { throw refusal }
    // A list in XML may be on one line.
    let lines = text.contains("<location>") ? Array(text.replacing("<location>", with: "\n<location>").utf8) : bytes
    var title: [UInt8] = []
    for line in lines.split(whereSeparator: { $0 == 0x0A || $0 == 0x0D }) {
      let line = line.drop { [0x20, 0x09, 0xEF, 0xBB, 0xBF].contains($0) }
      if let value = Self.value(in: line, after: "#extinf:") {
        title = Array(value.drop { $0 != UInt8(ascii: ",") }.dropFirst())
      } else if let location = Self.location(in: line) {
        guard let target = ServerAddress.resolve(location, from: address) else { continue }
        entries.append(ListedStream(address: target, names: SourceNames(listed: title)))
        title = []
      }
    }
    guard !entries.isEmpty else { throw DecodingRefusal(.unsupported, "sends a list without an address to play") }
    guard ListedStream.bytes(of: entries).count <= DecodingBlock.contentLimit else {
      throw DecodingRefusal(.unsupported, "sends a list that is too long")
    }
    let server = ServerAddress.server(of: address)
    isSequence = entries.count > 1 && entries.allSatisfy { ServerAddress.server(of: $0.address) == server }
  }

  /// Returns the refusal for a text that is not a list; `nil` for a list.
  private static func refusal(of text: String) -> DecodingRefusal? {
    let start = text.drop { $0.isWhitespace || $0 == "\u{FEFF}" }.prefix(1_024).lowercased()
    if start.isEmpty { return DecodingRefusal(.empty, "sends nothing") }
    if start.contains("subsonic-response") { return subsonicRefusal(text) }
    if ["<!doctype html", "<html", "<head", "<body"].contains(where: { start.contains($0) }) {
      return DecodingRefusal(.unsupported, "sends a web page, not audio")
    }
    let isList =
      ["#ext", "[playlist]", "http://", "https://"].contains { start.hasPrefix($0) }
      || start.contains("<playlist") || start.contains("\n#extinf") || start.contains("xspf.org")
    return isList ? nil : plainRefusal(start)
  }

  /// Returns `nil` for a plain list of file names, otherwise the refusal of a text.
  private static func plainRefusal(_ start: String) -> DecodingRefusal? {
    let suffixes = [".mp3", ".flac", ".ogg", ".opus", ".m4a", ".aac", ".wav", ".m3u", ".m3u8", ".pls"]
    let isName = start.split(whereSeparator: \.isNewline).contains { line in
      suffixes.contains { line.hasSuffix($0) }
    }
    return isName ? nil : DecodingRefusal(.unsupported, "sends text, not audio")
  }

  /// Returns the refusal for an answer of a Subsonic server, with its message.
  private static func subsonicRefusal(_ text: String) -> DecodingRefusal {
    let message = ["message=\"", "\"message\":\"", "\"message\": \""].lazy.compactMap { mark in
      text.firstRange(of: mark).map { text[$0.upperBound...].prefix { $0 != "\"" }.prefix(200) }
    }.first
    return DecodingRefusal(.unsupported, message.map { "is refused by the server (\($0))" } ?? "sends text, not audio")
  }

  /// Returns the location in a line; `nil` if there is none.
  private static func location(in line: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
    if let element = line.firstRange(of: Array("<location>".utf8)) {
      return Array(
        String(decoding: line[element.upperBound...].prefix { $0 != UInt8(ascii: "<") }, as: UTF8.self)
          .replacing("&amp;", with: "&").utf8)[...]
    }
    guard let first = line.first, !"#<[".utf8.contains(first) else { return nil }
    guard let equals = line.firstIndex(of: UInt8(ascii: "=")) else { return line }
    let key = String(decoding: line[..<equals], as: UTF8.self).lowercased()
    if key.hasPrefix("file"), Int(key.dropFirst(4)) != nil { return line[(equals + 1)...] }
    let isOtherKey = key == "numberofentries" || key == "version" || key.hasPrefix("title") || key.hasPrefix("length")
    return isOtherKey ? nil : line
  }

  private static func value(in line: ArraySlice<UInt8>, after key: String) -> ArraySlice<UInt8>? {
    let start = line.prefix(key.utf8.count)
    return String(decoding: start, as: UTF8.self).lowercased() == key ? line.dropFirst(start.count) : nil
  }
}

/// Addresses of servers, as text (RFC 3986).
enum ServerAddress {
  /// Returns the address to which `reference` refers in what comes from `base`; `nil` if it is not one with http or
  /// https. Characters that an address may not contain are encoded.
  static func resolve(_ reference: some Collection<UInt8>, from base: String) -> String? {
    let reference = encoded(reference)
    guard !reference.isEmpty, let colon = base.firstIndex(of: ":") else { return nil }
    if let scheme = reference.firstRange(of: "://") {
      return ["http", "https"].contains(reference[..<scheme.lowerBound].lowercased()) ? reference : nil
    }
    // "mailto:x" is an address of another kind, but "a/b:c" is a path.
    if reference.prefix(while: { $0 != "/" }).contains(":") { return nil }
    if reference.hasPrefix("//") { return String(base[...colon] + reference) }
    let server = server(of: base)
    if reference.hasPrefix("/") { return server + normal(reference) }
    let path = base.dropFirst(server.count).prefix { $0 != "?" && $0 != "#" }
    let directory = path.lastIndex(of: "/").map { path[...$0] } ?? "/"
    return server + normal(directory + reference)
  }

  /// The part of an address that names the server, with the scheme: "http://host:port".
  static func server(of address: String) -> String {
    guard let scheme = address.firstRange(of: "://") else { return "" }
    return String(address[..<scheme.upperBound] + address[scheme.upperBound...].prefix { !"/?#".contains($0) })
  }

  /// Returns a path without `.` and `..` in it.
  private static func normal(_ reference: String) -> String {
    let path = reference.prefix { $0 != "?" }
    var parts: [Substring] = []
    for part in path.split(separator: "/", omittingEmptySubsequences: false).dropFirst() {
      switch part {
      case ".": continue
      case "..": _ = parts.popLast()
      default: parts.append(part)
      }
    }
    return "/" + parts.joined(separator: "/") + reference.dropFirst(path.count)
  }

  /// Returns a reference in ASCII, without white space around it; what is encoded already stays as it is.
  private static func encoded(_ reference: some Collection<UInt8>) -> String {
    let trimmed = reference.drop { $0 <= 0x20 }.reversed().drop { $0 <= 0x20 }.reversed()
    return trimmed.reduce(into: "") { text, byte in
      let isAllowed = (0x21...0x7E).contains(byte) && !"\"<>\\^`{|}#".utf8.contains(byte)
      if byte == UInt8(ascii: "\\") {
        text += "/"
      } else {
        text += isAllowed ? String(UnicodeScalar(byte)) : "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
      }
    }
  }
}

extension SourceNames {
  /// Creates the names from the tags of a stream: those of SHOUTcast and Icecast, otherwise those of its format.
  init(_ demuxer: AudioDemuxer) {
    let tag = { demuxer.tagBytes($0) ?? [] }
    self.init(station: tag("icy-name"))
    let streamTitle = tag("StreamTitle")
    if streamTitle.isEmpty {
      let field = { Self.field(tag($0), ofID3: ["mp3", "aac"].contains(demuxer.containerName)) }
      title = field("title")
      album = field("album")
      // FFmpeg joins the artists of Vorbis comments, which have a field for each.
      let isJoined = ["ogg", "flac"].contains(demuxer.containerName)
      artists = isJoined ? Self.parts(of: field("artist"), between: ";") : [field("artist")].filter { !$0.isEmpty }
    } else {
      (artists, title) = Self.song(streamTitle)
    }
  }

  init(listed text: [UInt8]) {
    self.init()
    (artists, title) = Self.song(Self.trimmed(text[...]))
  }

  /// Returns the artist and the title in what a station sends as one text: "Artist - Title", with a hyphen or, in
  /// UTF-8, a dash. Without an artist, all of it is the title.
  static func song(_ text: [UInt8]) -> (artists: [[UInt8]], title: [UInt8]) {
    let ranges = [" - ", " \u{2013} ", " \u{2014} "].compactMap { text.firstRange(of: Array($0.utf8)) }
    guard let range = ranges.min(by: { $0.lowerBound < $1.lowerBound }) else { return ([], text) }
    let (artist, title) = (trimmed(text[..<range.lowerBound]), trimmed(text[range.upperBound...]))
    return artist.isEmpty || title.isEmpty ? ([], text) : ([artist], title)
  }

  /// Returns the bytes of a field. FFmpeg takes ID3's Latin-1 at its word, which may be any encoding of its time.
  private static func field(_ value: [UInt8], ofID3 isID3: Bool) -> [UInt8] {
    guard isID3, let text = String(validating: value, as: UTF8.self) else { return value }
    let scalars = text.unicodeScalars.map { UInt8(exactly: $0.value) }
    return scalars.contains { $0.map { $0 >= 0x80 } ?? false } && !scalars.contains(nil)
      ? scalars.compactMap(\.self) : value
  }

  private static func parts(of text: [UInt8], between separator: Character) -> [[UInt8]] {
    text.split { $0 == separator.asciiValue }.map { trimmed($0) }.filter { !$0.isEmpty }
  }

  private static func trimmed(_ text: ArraySlice<UInt8>) -> [UInt8] {
    let start = text.drop { $0 == 0x20 }
    return start.lastIndex { $0 != 0x20 }.map { Array(start[...$0]) } ?? []
  }
}
