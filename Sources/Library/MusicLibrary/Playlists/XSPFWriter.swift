/// Writes XSPF, version 1.
enum XSPFWriter {
  /// The contents of the file; `place` gives the place to write.
  static func bytes(of playlist: Playlist, _ place: (PlaylistLocation) -> PlaylistLocation) -> [UInt8] {
    var bytes = Array(
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <playlist version="1" xmlns="http://xspf.org/ns/0/">

      """.utf8)
    add("title", playlist.title, "  ", to: &bytes)
    bytes += "  <trackList>\n".utf8
    for entry in playlist.entries {
      bytes += "    <track>\n".utf8
      for location in [entry.location] + entry.alternatives {
        add("location", String(decoding: reference(place(location)), as: UTF8.self), "      ", to: &bytes)
      }
      add("title", entry.title, "      ", to: &bytes)
      add("creator", entry.artist, "      ", to: &bytes)
      add("annotation", entry.comment, "      ", to: &bytes)
      add("album", entry.album, "      ", to: &bytes)
      add("trackNum", entry.number.map { String($0) }, "      ", to: &bytes)
      add("duration", entry.duration.flatMap { milliseconds($0) }, "      ", to: &bytes)
      bytes += "    </track>\n".utf8
    }
    bytes += "  </trackList>\n</playlist>\n".utf8
    return bytes
  }

  private static func reference(_ location: PlaylistLocation) -> [UInt8] {
    switch location {
    case .address(let address): Array(address.utf8)
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
    guard let text = PlaylistWords.line(text) else { return }
    bytes += "\(indent)<\(name)>".utf8
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": bytes += "&amp;".utf8
      case "<": bytes += "&lt;".utf8
      case ">": bytes += "&gt;".utf8
      // No characters of XML.
      case "\u{FFFE}", "\u{FFFF}": bytes += "\u{FFFD}".utf8
      default: bytes += UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter
      }
    }
    bytes += "</\(name)>\n".utf8
  }
}
