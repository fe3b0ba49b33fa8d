import SystemPackage

extension Track {
  /// What tells the album of this track from others: a hash that is the same at every run.
  ///
  /// It is of the album's title and the album's artists, as bytes; where either is missing, of the directory, too. So
  /// tracks without these tags are of one album where they lie in one directory.
  var albumKey: UInt64 {
    var key = StableHash()
    key.combine(album.map { 1 + UInt64($0.utf8.count) } ?? 0)
    if let album { key.combine(album) }
    for artist in albumArtists { key.combine(artist) }
    guard album == nil || albumArtists.isEmpty else { return key.value }
    path.withPlatformString { path in
      for index in 0..<Self.directoryLength(path) { key.combine(byte: UInt8(bitPattern: path[index])) }
    }
    return key.value
  }

  /// How many bytes of `path` name its directory.
  ///
  /// `FilePath` would tell, but the first time it makes the runtime search all conformances of the program twice, and
  /// the first sound waits for that.
  private static func directoryLength(_ path: UnsafePointer<CInterop.PlatformChar>) -> Int {
    var length = 0
    var index = 0
    while path[index] != 0 {
      // The root is its own directory.
      if path[index] == CInterop.PlatformChar(UInt8(ascii: "/")) { length = max(1, index) }
      index += 1
    }
    return length
  }
}
