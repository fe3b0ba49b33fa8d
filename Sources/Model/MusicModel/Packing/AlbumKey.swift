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

/// A hash that is the same at every run (FNV-1a of 64 bits, mixed at the end).
struct StableHash {
  private var state: UInt64 = 0xCBF2_9CE4_8422_2325

  mutating func combine(byte: UInt8) { state = (state ^ UInt64(byte)) &* 0x100_0000_01B3 }

  mutating func combine(_ value: UInt64) {
    for index in 0..<8 { combine(byte: UInt8(truncatingIfNeeded: value >> UInt64(8 * index))) }
  }

  mutating func combine(_ text: String) {
    for byte in text.utf8 { combine(byte: byte) }
    combine(byte: 0xFF)
  }

  /// The hash of what was combined.
  var value: UInt64 {
    var value = state
    value = (value ^ (value >> 33)) &* 0xFF51_AFD7_ED55_8CCD
    value = (value ^ (value >> 33)) &* 0xC4CE_B9FE_1A85_EC53
    return value ^ (value >> 33)
  }
}
