// SPDX-License-Identifier: GPL-3.0-or-later

import SystemPackage

struct PackedTracks: Sendable {
  let bytes: [UInt8]
  /// The indexes of the base tracks; see ``TrackPacker``.
  private let bases: [UInt8]
  /// The album keys of the base tracks; see ``Track/albumKey``.
  private(set) var albums: [UInt64]

  /// Creates a page from these bytes, or returns `nil` if they are not a valid page.
  init?(_ bytes: [UInt8]) {
    guard bytes.count >= 2, bytes[0] == TrackPacker.mark else { return nil }
    self.bytes = bytes
    let count = Int(bytes[1]) + 1
    guard bytes.count >= 2 + 3 * count else { return nil }
    var bases: [UInt8] = []
    for index in 0..<count {
      let base = Int(bytes[2 + 2 * count + index])
      if base == bases.count { bases.append(UInt8(index)) }
      guard base == bases.count - 1 else { return nil }
    }
    self.bases = bases
    albums = []
    guard isValid(count) else { return nil }
    albums = bases.map { track(Int($0)).albumKey }
  }

  /// The number of tracks, from 1 to 256.
  var count: Int { Int(bytes[1]) + 1 }

  /// Returns the album key of the track at `index`; see ``Track/albumKey``.
  func album(_ index: Int) -> UInt64 { albums[ordinal(index)] }

  /// Whether the page has a track of any of these albums, given by their keys.
  func hasAlbum(in wanted: NumberSet) -> Bool { albums.contains { wanted.contains($0) } }

  /// Returns the duration of the track at `index`, or `nil` if it is unknown.
  func duration(_ index: Int) -> Duration? {
    var reader = record(index)
    if reader.unsigned() & TrackField.duration.bit != 0 { return reader.duration() }
    let base = base(index)
    guard base != index else { return nil }
    reader = record(base)
    return reader.unsigned() & TrackField.duration.bit != 0 ? reader.duration() : nil
  }

  func base(_ index: Int) -> Int { Int(bases[ordinal(index)]) }

  func record(_ index: Int) -> ByteReader {
    ByteReader(bytes, from: start(index), to: index + 1 < count ? start(index + 1) : bytes.count)
  }

  private func ordinal(_ index: Int) -> Int { Int(bytes[2 + 2 * count + index]) }

  private func start(_ index: Int) -> Int {
    2 + 3 * count + Int(bytes[2 + 2 * index]) + Int(bytes[3 + 2 * index]) << 8
  }

  /// Whether every record is valid, without extra bytes.
  private func isValid(_ count: Int) -> Bool {
    guard start(0) == 2 + 3 * count else { return false }
    return (0..<count).allSatisfy { index in
      guard index + 1 == count || start(index) < start(index + 1), start(index) < bytes.count else {
        return false
      }
      var reader = record(index)
      let base = base(index)
      let length = base == index ? 0 : pathBytes(base).count
      let mask = reader.unsigned()
      guard mask & ~TrackField.allBits == 0 else { return false }
      for field in TrackField.allCases where mask & field.bit != 0 {
        if field == .path {
          guard reader.unsigned() <= UInt64(length) else { return false }
          reader.skipText()
        } else {
          reader.skip(field)
        }
      }
      return !reader.isDamaged && reader.isAtEnd
    }
  }
}

extension PackedTracks {
  func track(_ index: Int) -> Track {
    var own = record(index)
    let mask = own.unsigned()
    let base = base(index)
    var track = Track(path: FilePath(""), title: "")
    if base != index {
      var reader = FieldReader(page: self, base: base, reader: record(base), track: track)
      reader.read(reader.reader.unsigned(), except: mask)
      track = reader.track
    }
    var reader = FieldReader(page: self, base: base == index ? nil : base, reader: own, track: track)
    reader.read(mask, except: 0)
    return reader.track
  }

  func pathBytes(_ index: Int) -> [UInt8] {
    var path: [UInt8] = []
    appendPath(index, to: &path)
    return path
  }

  /// Appends the bytes of the path of the track at `index` to `path`.
  func appendPath(_ index: Int, to path: inout [UInt8]) {
    let base = base(index)
    var reader = record(index)
    guard find(.path, &reader) else {
      if base != index { appendPath(base, to: &path) }
      return
    }
    let common = reader.count(upTo: bytes.count)
    let rest = reader.range(reader.count())
    if common > 0, base != index {
      let start = path.count
      appendPath(base, to: &path)
      path.removeLast(path.count - start - min(common, path.count - start))
    }
    path += bytes[rest]
  }

  /// Whether the track at `index` has the same values as its base track in these fields, given as a bit mask.
  func isLikeBase(_ index: Int, in fields: UInt64) -> Bool {
    guard base(index) != index else { return true }
    var reader = record(index)
    return reader.unsigned() & fields == 0
  }

  /// Returns the value of a field of the track at `index`, decoded by `read`; `nil` if the field is empty.
  func field<Value>(_ field: TrackField, _ index: Int, _ read: (inout ByteReader) -> Value) -> Value? {
    var reader = record(index)
    if find(field, &reader) { return read(&reader) }
    let base = base(index)
    guard base != index else { return nil }
    reader = record(base)
    return find(field, &reader) ? read(&reader) : nil
  }

  /// Moves a reader from the beginning of a record to this field. Returns whether the record contains the field.
  private func find(_ field: TrackField, _ reader: inout ByteReader) -> Bool {
    let mask = reader.unsigned()
    guard mask & field.bit != 0 else { return false }
    var before = mask & (field.bit - 1)
    while before != 0 {
      if let other = TrackField(rawValue: UInt64(before.trailingZeroBitCount)) { reader.skip(other) }
      before &= before - 1
    }
    return true
  }
}

/// Decodes fields of a track.
private struct FieldReader: TrackFieldVisitor {
  let page: PackedTracks
  /// The index of the track with whose path the paths begin; `nil` if there is none.
  let base: Int?
  var reader: ByteReader
  var track: Track

  /// Reads the fields in `mask`, except those in `skipped`.
  mutating func read(_ mask: UInt64, except skipped: UInt64) {
    for field in TrackField.allCases where mask & field.bit != 0 {
      if skipped & field.bit != 0 { reader.skip(field) } else { field.visit(&self) }
    }
  }

  @inline(__always)
  mutating func visit<Value>(
    _ path: WritableKeyPath<Track, Value>, _ write: (inout ByteWriter, Value) -> Void,
    _ read: (inout ByteReader) -> Value, _ skip: (inout ByteReader) -> Void, isSame: (Value, Value) -> Bool
  ) {
    track[keyPath: path] = read(&reader)
  }

  mutating func visitPath() {
    let common = reader.count(upTo: page.bytes.count)
    let rest = reader.range(reader.count())
    let shared =
      if let base, common > 0 { page.pathBytes(base).prefix(common) } else { [] as ArraySlice<UInt8> }
    track.path = FilePath(bytes: shared, page.bytes[rest])
  }
}

extension FilePath {
  /// Creates a path from the concatenation of `bytes` and `rest`, up to the first zero byte.
  init(bytes: some Collection<UInt8>, _ rest: some Collection<UInt8>) {
    let count = bytes.count + rest.count
    self = withUnsafeTemporaryAllocation(of: CInterop.PlatformChar.self, capacity: count + 1) { buffer in
      var index = 0
      for byte in bytes {
        buffer[index] = CInterop.PlatformChar(bitPattern: byte)
        index += 1
      }
      for byte in rest {
        buffer[index] = CInterop.PlatformChar(bitPattern: byte)
        index += 1
      }
      buffer[index] = 0
      return buffer.baseAddress.map { FilePath(platformString: $0) } ?? FilePath("")
    }
  }
}
