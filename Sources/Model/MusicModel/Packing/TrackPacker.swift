import SystemPackage

/// Packs tracks that follow each other into one page.
///
/// A page is a byte that says so, the number of tracks less one, where each record begins (two bytes), which base it
/// has (a byte), and the records. The first track of an album is a *base*: its record names each field that is not
/// empty. The others' name each that differs from their base's; paths say how many bytes at the beginning are the
/// base's.
struct TrackPacker {
  /// How many tracks a page holds at most: the index of a base is a byte.
  static let capacity = 256
  /// What a page of tracks begins with.
  static let mark: UInt8 = 0x54

  private var records = ByteWriter()
  private var starts: [UInt16] = []
  private var bases: [UInt8] = []
  private var base: (track: Track, key: UInt64)?
  private var baseCount = 0

  /// How many tracks were packed.
  var count: Int { starts.count }

  /// Packs `track` behind the others, unless the page is full.
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

  /// The page's bytes; the packer is empty then.
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
      case .furtherAlbumTags: records.append(track.furtherTags.part(ofAlbum: true))
      case .furtherTrackTags: records.append(track.furtherTags.part(ofAlbum: false))
      case .range: records.append(track.range)
      }
    }
  }

  private mutating func append(_ path: FilePath, _ base: FilePath) {
    let (own, others) = (path.length, base.length)
    path.withPlatformString { path in
      let path = UnsafeRawBufferPointer(start: path, count: own)
      base.withPlatformString { base in
        let base = UnsafeRawBufferPointer(start: base, count: others)
        var common = 0
        while common < min(own, others), path[common] == base[common] { common += 1 }
        records.append(count: common)
        records.append(count: own - common)
        records.append(contentsOf: path[common...])
      }
    }
  }
}
