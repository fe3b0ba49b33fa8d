import SystemPackage

/// What items are sorted by, as bytes in one piece: each is made once.
///
/// Letters count without their case; what is unknown comes last.
struct QueueSortKeys {
  private var bytes: [UInt8] = []
  private var ends: [Int] = [0]

  /// Takes in the key of the track at `index` of `tracks`.
  mutating func append(_ key: QueueSortKey, of tracks: PackedTracks, _ index: Int) {
    switch key {
    case .title:
      let names = tracks.field(.sortNames, index) { $0.sortNames() }
      append(names?.title ?? tracks.field(.title, index) { $0.text() } ?? "")
    case .artist: append(artist: tracks.track(index))
    case .album: append(album: tracks.track(index))
    case .date: append(tracks.field(.date, index) { $0.date() } ?? nil)
    case .duration: append(tracks.duration(index))
    case .path: bytes += tracks.pathBytes(index)
    }
    ends.append(bytes.count)
  }

  /// The indexes of the keys in rising or falling order; those of equal keys as they came.
  func sorted(descending: Bool) -> [Int] {
    bytes.withUnsafeBytes { bytes in
      (0..<(ends.count - 1)).sorted { left, right in
        let order = compare(bytes, left, right)
        return order == 0 ? left < right : descending ? order > 0 : order < 0
      }
    }
  }

  private func compare(_ bytes: UnsafeRawBufferPointer, _ left: Int, _ right: Int) -> Int {
    var (one, other) = (ends[left], ends[right])
    let (end, otherEnd) = (ends[left + 1], ends[right + 1])
    while one < end, other < otherEnd {
      if bytes[one] != bytes[other] { return bytes[one] < bytes[other] ? -1 : 1 }
      (one, other) = (one + 1, other + 1)
    }
    return (end - one) - (otherEnd - other)
  }

  private mutating func append(artist track: Track) {
    let artist = track.sortNames.artist ?? track.artists.joined(separator: ", ")
    append(artist.isEmpty ? nil : artist)
  }

  private mutating func append(album track: Track) {
    let artists = track.albumArtists.isEmpty ? track.artists : track.albumArtists
    let artist = track.sortNames.albumArtist ?? artists.joined(separator: ", ")
    append(artist.isEmpty ? nil : artist)
    append(track.date)
    append(track.sortNames.album ?? track.album)
    append(Int64(track.disc?.number ?? 1))
    append(Int64(track.number?.number ?? Int.max))
  }

  private mutating func append(_ text: String?) {
    guard let text else { return bytes.append(0xFF) }
    bytes.append(1)
    if text.utf8.allSatisfy({ $0 < 0x80 }) {
      for byte in text.utf8 { bytes.append((0x41...0x5A).contains(byte) ? byte + 0x20 : byte) }
    } else {
      bytes.append(contentsOf: text.lowercased().utf8)
    }
    bytes.append(0)
  }

  private mutating func append(_ date: ReleaseDate?) {
    guard let date else { return bytes.append(0xFF) }
    bytes.append(1)
    append(Int64(date.year))
    append(Int64(date.month ?? 0))
    append(Int64(date.day ?? 0))
  }

  private mutating func append(_ duration: Duration?) {
    guard let components = duration?.components else { return bytes.append(0xFF) }
    bytes.append(1)
    append(components.seconds)
    append(components.attoseconds)
  }

  private mutating func append(_ number: Int64) {
    let value = UInt64(bitPattern: number) ^ (1 << 63)
    for shift in stride(from: 56, through: 0, by: -8) {
      bytes.append(UInt8(truncatingIfNeeded: value >> UInt64(shift)))
    }
  }
}
