import SystemPackage

extension Track {
  /// What tells the album of this track from others: a hash that is the same at every run.
  ///
  /// It is of the album's title and the album's artists, as bytes; where either is missing, of the directory, too. So tracks
  /// without these tags are of one album where they lie in one directory.
  var albumKey: UInt64 {
    var key = StableHash()
    key.combine(album.map { 1 + UInt64($0.utf8.count) } ?? 0)
    if let album { key.combine(album) }
    for artist in albumArtists { key.combine(artist) }
    guard album == nil || albumArtists.isEmpty else { return key.value }
    path.removingLastComponent().withPlatformString { pointer in
      var pointer = pointer
      while pointer.pointee != 0 {
        key.combine(byte: UInt8(bitPattern: pointer.pointee))
        pointer += 1
      }
    }
    return key.value
  }
}
