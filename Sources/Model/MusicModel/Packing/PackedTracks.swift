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

/// Packs a MusicBrainz identifier (32 lower-case hexadecimal digits and four dashes) into 16 bytes.
enum PackedIdentifier {
  private static let dashes: [Int] = [8, 13, 18, 23]

  /// Returns the 16 bytes of an identifier, or `nil` if `text` is not an identifier in lower case.
  static func bytes(_ text: String) -> [UInt8]? {
    guard text.utf8.count == 36 else { return nil }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(16)
    var highDigit: UInt8?
    for (index, character) in text.utf8.enumerated() {
      if dashes.contains(index) {
        guard character == UInt8(ascii: "-") else { return nil }
        continue
      }
      guard let digit = digit(character) else { return nil }
      if let high = highDigit {
        bytes.append(high << 4 | digit)
        highDigit = nil
      } else {
        highDigit = digit
      }
    }
    return bytes
  }

  static func text(_ bytes: some Sequence<UInt8>) -> String {
    var text: [UInt8] = []
    text.reserveCapacity(36)
    for byte in bytes {
      if dashes.contains(text.count) { text.append(UInt8(ascii: "-")) }
      for digit in [byte >> 4, byte & 15] {
        text.append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10)
      }
    }
    return String(decoding: text, as: UTF8.self)
  }

  private static func digit(_ character: UInt8) -> UInt8? {
    switch character {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): character - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): character - UInt8(ascii: "a") + 10
    default: nil
    }
  }
}

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
