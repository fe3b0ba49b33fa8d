// SPDX-License-Identifier: GPL-3.0-or-later

import SystemPackage

extension Track {
  /// A hash that identifies the track's album and is the same in every run.
  ///
  /// It is computed from the bytes of the album's title and artists and, if either is missing, also of the directory.
  /// Tracks without these tags thus belong to the same album if they are in the same directory.
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

  /// Returns the length of the directory in `path`, in bytes.
  ///
  /// This does not use `FilePath`, because its first use makes the runtime search all protocol conformances twice,
  /// which would delay the first sound.
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

/// A hash function with the same results in every run (64-bit FNV-1a, mixed at the end).
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

  /// The hash of the values combined so far.
  var value: UInt64 {
    var value = state
    value = (value ^ (value >> 33)) &* 0xFF51_AFD7_ED55_8CCD
    value = (value ^ (value >> 33)) &* 0xC4CE_B9FE_1A85_EC53
    return value ^ (value >> 33)
  }
}
