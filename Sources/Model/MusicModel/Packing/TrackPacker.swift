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

  /// The number of tracks packed so far.
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
    records.append(mask)
    for field in TrackField.allCases where mask & field.bit != 0 {
      switch field {
      case .duration: records.append(track.duration)
      case .number: records.append(track.number)
      case .path: append(track.path, base.path)
      case .title: records.append(track.title)
      case .trackGain:
        records.append(track.replayGain.trackGain)
        records.append(track.replayGain.trackPeak)
      case .artists: records.append(track.artists)
      case .segment: records.append(track.segment)
      case .album: records.append(track.album)
      case .albumArtists: records.append(track.albumArtists)
      case .genres: records.append(track.genres)
      case .composers: records.append(track.composers)
      case .disc: records.append(track.disc)
      case .date: records.append(track.date)
      case .isCompilation: records.append(byte: track.isCompilation ? 1 : 0)
      case .sortNames: records.append(track.sortNames)
      case .albumGain:
        records.append(track.replayGain.albumGain)
        records.append(track.replayGain.albumPeak)
      case .musicBrainzAlbumID: records.append(track.musicBrainzAlbumID)
      case .audio: records.append(track.audio)
      case .additionalAlbumTags: records.append(track.additionalTags.subset(isAlbumWide: true))
      case .additionalTrackTags: records.append(track.additionalTags.subset(isAlbumWide: false))
      case .range: records.append(track.range)
      }
    }
  }

  private mutating func append(_ path: FilePath, _ base: FilePath) {
    let (length, baseLength) = (path.length, base.length)
    path.withPlatformString { path in
      let path = UnsafeRawBufferPointer(start: path, count: length)
      base.withPlatformString { base in
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

extension TrackPacker {
  /// Returns a bit mask of the fields whose encoded bytes differ between `track` and `base`.
  static func differences(_ track: Track, _ base: Track) -> UInt64 {
    var mask: UInt64 = 0
    for field in TrackField.allCases where !isSame(field, track, base) { mask |= field.bit }
    return mask
  }

  private static func isSame(_ field: TrackField, _ one: Track, _ other: Track) -> Bool {
    let (gain, otherGain) = (one.replayGain, other.replayGain)
    return switch field {
    case .duration: one.duration == other.duration
    case .number: one.number == other.number
    case .path: one.path == other.path
    case .title: isSame(one.title, other.title)
    case .trackGain:
      isSame(gain.trackGain, otherGain.trackGain) && isSame(gain.trackPeak, otherGain.trackPeak)
    case .artists: isSame(one.artists, other.artists)
    case .segment: one.segment == other.segment
    case .album: isSame(one.album, other.album)
    case .albumArtists: isSame(one.albumArtists, other.albumArtists)
    case .genres: isSame(one.genres, other.genres)
    case .composers: isSame(one.composers, other.composers)
    case .disc: one.disc == other.disc
    case .date: one.date == other.date
    case .isCompilation: one.isCompilation == other.isCompilation
    case .sortNames: isSame(one.sortNames, other.sortNames)
    case .albumGain:
      isSame(gain.albumGain, otherGain.albumGain) && isSame(gain.albumPeak, otherGain.albumPeak)
    case .musicBrainzAlbumID: isSame(one.musicBrainzAlbumID, other.musicBrainzAlbumID)
    case .audio: one.audio == other.audio
    case .additionalAlbumTags: isSame(one, other, ofAlbum: true)
    case .additionalTrackTags: isSame(one, other, ofAlbum: false)
    case .range: one.range == other.range
    }
  }

  // Strings that are canonically equivalent are equal even if their bytes differ, so the bytes are compared, too.
  private static func isSame(_ one: String, _ other: String) -> Bool {
    one.utf8.count == other.utf8.count && one == other && one.utf8.elementsEqual(other.utf8)
  }

  private static func isSame(_ one: String?, _ other: String?) -> Bool {
    guard let one, let other else { return one == nil && other == nil }
    return isSame(one, other)
  }

  private static func isSame(_ one: [String], _ other: [String]) -> Bool {
    one.count == other.count && zip(one, other).allSatisfy { isSame($0, $1) }
  }

  private static func isSame(_ one: SortNames, _ other: SortNames) -> Bool {
    isSame(one.title, other.title) && isSame(one.artist, other.artist) && isSame(one.album, other.album)
      && isSame(one.albumArtist, other.albumArtist)
  }

  private static func isSame(_ one: Track, _ other: Track, ofAlbum isAlbumWide: Bool) -> Bool {
    // Most tracks have no additional tags.
    if one.additionalTags.values.isEmpty, other.additionalTags.values.isEmpty { return true }
    let (mine, others) = (
      one.additionalTags.subset(isAlbumWide: isAlbumWide), other.additionalTags.subset(isAlbumWide: isAlbumWide)
    )
    return mine.elementsEqual(others) { $0.kind == $1.kind && isSame($0.text, $1.text) }
  }

  private static func isSame(_ one: Double?, _ other: Double?) -> Bool {
    one?.bitPattern == other?.bitPattern
  }
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

  /// All bits that a mask can have.
  static let allBits: UInt64 = (1 << UInt64(allCases.count)) - 1
}
