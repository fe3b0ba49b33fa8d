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

/// The fields of a track, in the order of a packed record. Fields that usually differ between the tracks of an album
/// come first.
enum TrackField: UInt64, CaseIterable {
  case duration, number, path, title, trackGain, artists, segment, album, albumArtists, genres, composers,
    disc, date
  case isCompilation, sortNames, albumGain, musicBrainzAlbumID, audio
  case additionalAlbumTags, additionalTrackTags
  case range

  /// The field's bit in the mask of a record.
  var bit: UInt64 { 1 << rawValue }

  static let allBits: UInt64 = (1 << UInt64(allCases.count)) - 1

  /// Has `visitor` visit the values of the field, in the order in which they are encoded.
  @inline(__always)
  func visit(_ visitor: inout some TrackFieldVisitor) {
    switch self {
    case .duration: visitor.visit(\.duration, { $0.append($1) }, { $0.duration() })
    case .number: visitor.visit(\.number, { $0.append($1) }, { $0.ordinal() })
    case .path: visitor.visitPath()
    case .title:
      visitor.visit(\.title, { $0.append($1) }, { $0.text() }, { $0.skipText() }, isSame: { $0.isIdentical(to: $1) })
    case .trackGain:
      visitor.visit(number: \.replayGain.trackGain)
      visitor.visit(number: \.replayGain.trackPeak)
    case .artists: visitor.visit(texts: \.artists)
    case .segment: visitor.visit(\.segment, { $0.append($1) }, { $0.segment() })
    case .album: visitor.visit(text: \.album)
    case .albumArtists: visitor.visit(texts: \.albumArtists)
    case .genres: visitor.visit(texts: \.genres)
    case .composers: visitor.visit(texts: \.composers)
    case .disc: visitor.visit(\.disc, { $0.append($1) }, { $0.ordinal() })
    case .date: visitor.visit(\.date, { $0.append($1) }, { $0.date() })
    case .isCompilation: visitor.visit(\.isCompilation, { $0.append(byte: $1 ? 1 : 0) }, { $0.byte() != 0 })
    case .sortNames:
      visitor.visit(text: \.sortNames.title)
      visitor.visit(text: \.sortNames.artist)
      visitor.visit(text: \.sortNames.album)
      visitor.visit(text: \.sortNames.albumArtist)
    case .albumGain:
      visitor.visit(number: \.replayGain.albumGain)
      visitor.visit(number: \.replayGain.albumPeak)
    case .musicBrainzAlbumID: visitor.visit(text: \.musicBrainzAlbumID)
    case .audio: visitor.visit(\.audio, { $0.append($1) }, { $0.audio() })
    case .additionalAlbumTags: visitor.visit(tags: \.additionalTags.ofAlbum)
    case .additionalTrackTags: visitor.visit(tags: \.additionalTags.ofTrack)
    case .range: visitor.visit(\.range, { $0.append($1) }, { $0.playedRange() })
    }
  }
}

/// Something that is done with the values of a track's fields, such as writing them.
protocol TrackFieldVisitor {
  /// Visits a value, which is encoded by `write`, decoded by `read` and passed over by `skip`. Two values are the same
  /// if their encoded bytes are.
  mutating func visit<Value>(
    _ path: WritableKeyPath<Track, Value>, _ write: (inout ByteWriter, Value) -> Void,
    _ read: (inout ByteReader) -> Value, _ skip: (inout ByteReader) -> Void, isSame: (Value, Value) -> Bool)

  /// Visits the path, which is encoded with reference to that of another track.
  mutating func visitPath()
}

extension TrackFieldVisitor {
  @inline(__always)
  mutating func visit<Value: Equatable>(
    _ path: WritableKeyPath<Track, Value>, _ write: (inout ByteWriter, Value) -> Void,
    _ read: (inout ByteReader) -> Value
  ) {
    visit(path, write, read, { _ = read(&$0) }, isSame: { $0 == $1 })
  }

  @inline(__always)
  fileprivate mutating func visit(text path: WritableKeyPath<Track, String?>) {
    visit(path, { $0.append($1) }, { $0.optionalText() }, { $0.skipOptionalText() }) { one, other in
      guard let one, let other else { return one == nil && other == nil }
      return one.isIdentical(to: other)
    }
  }

  @inline(__always)
  fileprivate mutating func visit(texts path: WritableKeyPath<Track, [String]>) {
    visit(path, { $0.append($1) }, { $0.texts() }, { $0.skipTexts() }) { one, other in
      one.count == other.count && zip(one, other).allSatisfy { $0.isIdentical(to: $1) }
    }
  }

  @inline(__always)
  fileprivate mutating func visit(number path: WritableKeyPath<Track, Double?>) {
    visit(path, { $0.append($1) }, { $0.double() }, { _ = $0.double() }) { $0?.bitPattern == $1?.bitPattern }
  }

  @inline(__always)
  fileprivate mutating func visit(tags path: WritableKeyPath<Track, ArraySlice<AdditionalTags.Value>>) {
    visit(path, { $0.append($1) }, { $0.additionalTags()[...] }, { _ = $0.additionalTags() }) { one, other in
      one.elementsEqual(other) { $0.kind == $1.kind && $0.text.isIdentical(to: $1.text) }
    }
  }
}

extension String {
  /// Whether the texts have the same bytes. Texts that are canonically equivalent are equal even if they do not.
  fileprivate func isIdentical(to other: String) -> Bool {
    utf8.count == other.utf8.count && self == other && utf8.elementsEqual(other.utf8)
  }
}

extension AdditionalTags {
  fileprivate var ofAlbum: ArraySlice<Value> {
    get { subset(isAlbumWide: true) }
    set { self = AdditionalTags(Array(newValue) + ofTrack) }
  }

  fileprivate var ofTrack: ArraySlice<Value> {
    get { subset(isAlbumWide: false) }
    set { self = AdditionalTags(Array(ofAlbum) + newValue) }
  }
}
