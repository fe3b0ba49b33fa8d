/// Writes PLS, version 2.
enum PLSWriter {
  /// The contents of the file; `place` gives the place to write.
  static func bytes(of playlist: Playlist, _ place: (PlaylistLocation) -> PlaylistLocation) -> [UInt8] {
    var bytes = Array("[playlist]\n".utf8)
    if let title = PlaylistWords.line(playlist.title) { bytes += "X-GNOME-Title=\(title)\n".utf8 }
    for (index, entry) in playlist.entries.enumerated() {
      let number = index + 1
      bytes += "File\(number)=".utf8
      bytes += PlaylistLine.line(place(entry.location))
      bytes.append(0x0A)
      let name = PlaylistWords.joined(artist: entry.artist, title: entry.title)
      if !name.isEmpty { bytes += "Title\(number)=\(name)\n".utf8 }
      bytes += "Length\(number)=\(PlaylistWords.wholeSeconds(entry.duration))\n".utf8
    }
    bytes += "NumberOfEntries=\(playlist.entries.count)\nVersion=2\n".utf8
    return bytes
  }
}
