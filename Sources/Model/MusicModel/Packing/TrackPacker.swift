// SPDX-License-Identifier: GPL-3.0-or-later

import SystemPackage

/// Packs consecutive tracks into one page.
///
/// A page consists of a type byte, the number of tracks minus one, the offset of each record (two bytes each), the
/// number of each record's base (one byte each), and the records. The first track of an album is a *base*: its record
/// contains all fields that are not empty. The record of any other track contains only the fields that differ from its
/// base. Its path consists of the number of bytes that it shares with the base's path, and the remaining bytes.
struct TrackPacker {
  /// The maximum number of tracks in a page; the number of a base must fit in a byte.
  static let capacity = 256
  /// The type byte of a page of tracks, which is its first byte.
  static let mark: UInt8 = 0x54

  private var records = ByteWriter()
  private var starts: [UInt16] = []
  private var bases: [UInt8] = []
  private var base: (track: Track, key: UInt64)?
  private var baseCount = 0

  var count: Int { starts.count }

  /// Adds `track` unless the page is full. Returns whether it was added.
  mutating func append(_ track: Track) -> Bool {
    guard starts.count < Self.capacity, let start = UInt16(exactly: records.bytes.count) else { return false }
    let key = track.albumKey
    var reference = base?.track
    if base?.key != key {
      base = (track, key)
      baseCount += 1
      reference = nil
    }
    starts.append(start)
    bases.append(UInt8(truncatingIfNeeded: baseCount - 1))
    append(track, reference ?? Track(path: FilePath(""), title: ""))
    return true
  }

  /// Returns the bytes of the page, and empties the packer.
  mutating func finish() -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(2 + 3 * count + records.bytes.count)
    bytes.append(Self.mark)
    bytes.append(UInt8(truncatingIfNeeded: count - 1))
    for start in starts {
      bytes.append(UInt8(truncatingIfNeeded: start))
      bytes.append(UInt8(truncatingIfNeeded: start >> 8))
    }
    bytes.append(contentsOf: bases)
    bytes.append(contentsOf: records.bytes)
    self = TrackPacker()
    return bytes
  }

  private mutating func append(_ track: Track, _ base: Track) {
    let mask = Self.differences(track, base)
    var writer = FieldWriter(track: track, base: base, records: records)
    // Otherwise appending would copy the bytes.
    records = ByteWriter()
    writer.records.append(mask)
    for field in TrackField.allCases where mask & field.bit != 0 { field.visit(&writer) }
    records = writer.records
  }

  /// Returns a bit mask of the fields whose encoded bytes differ between `track` and `base`.
  static func differences(_ track: Track, _ base: Track) -> UInt64 {
    var mask: UInt64 = 0
    var comparison = FieldComparison(one: track, other: base)
    for field in TrackField.allCases {
      comparison.isSame = true
      field.visit(&comparison)
      if !comparison.isSame { mask |= field.bit }
    }
    return mask
  }
}

/// Encodes fields of a track.
private struct FieldWriter: TrackFieldVisitor {
  let track: Track
  let base: Track
  var records: ByteWriter

  @inline(__always)
  mutating func visit<Value>(
    _ path: WritableKeyPath<Track, Value>, _ write: (inout ByteWriter, Value) -> Void,
    _ read: (inout ByteReader) -> Value, _ skip: (inout ByteReader) -> Void, isSame: (Value, Value) -> Bool
  ) {
    write(&records, track[keyPath: path])
  }

  mutating func visitPath() {
    let (length, baseLength) = (track.path.length, base.path.length)
    track.path.withPlatformString { path in
      let path = UnsafeRawBufferPointer(start: path, count: length)
      base.path.withPlatformString { base in
        let base = UnsafeRawBufferPointer(start: base, count: baseLength)
        var common = 0
        while common < min(length, baseLength), path[common] == base[common] { common += 1 }
        records.append(count: common)
        records.append(count: length - common)
        records.append(contentsOf: path[common...])
      }
    }
  }
}

/// Compares fields of two tracks.
private struct FieldComparison: TrackFieldVisitor {
  let one: Track
  let other: Track
  /// Whether the values visited so far have the same encoded bytes.
  var isSame = true

  @inline(__always)
  mutating func visit<Value>(
    _ path: WritableKeyPath<Track, Value>, _ write: (inout ByteWriter, Value) -> Void,
    _ read: (inout ByteReader) -> Value, _ skip: (inout ByteReader) -> Void, isSame: (Value, Value) -> Bool
  ) {
    self.isSame = self.isSame && isSame(one[keyPath: path], other[keyPath: path])
  }

  mutating func visitPath() { isSame = isSame && one.path == other.path }
}
