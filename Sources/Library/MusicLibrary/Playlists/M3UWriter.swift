import MusicModel

/// Writes M3U and M3U8.
enum M3UWriter {
  /// The contents of the file; `place` gives the place to write.
  static func bytes(
    of playlist: Playlist, saysEncoding: Bool, _ place: (PlaylistLocation) -> PlaylistLocation
  ) -> [UInt8] {
    var bytes = Array("#EXTM3U\n".utf8)
    if saysEncoding { bytes += "#EXTENC:UTF-8\n".utf8 }
    add("#PLAYLIST:", playlist.title, to: &bytes)
    for entry in playlist.entries {
      add("#EXTALB:", entry.album, to: &bytes)
      add("#EXTART:", entry.albumArtist, to: &bytes)
      add("#EXTGENRE:", entry.genre, to: &bytes)
      add("#EXTGRP:", entry.group, to: &bytes)
      let name = PlaylistWords.joined(artist: entry.artist, title: entry.title)
      if !name.isEmpty || entry.duration != nil {
        bytes += "#EXTINF:\(PlaylistWords.wholeSeconds(entry.duration)),\(name)\n".utf8
      }
      if let part = entry.segment {
        bytes += "#SEGUE-PART:\(part.start)-\(part.end.map { String($0) } ?? "")\n".utf8
      }
      bytes += PlaylistLine.line(place(entry.location))
      bytes.append(0x0A)
    }
    return bytes
  }

  private static func add(_ key: String, _ text: String?, to bytes: inout [UInt8]) {
    guard let text = PlaylistWords.line(text) else { return }
    bytes += key.utf8
    bytes += text.utf8
    bytes.append(0x0A)
  }
}
