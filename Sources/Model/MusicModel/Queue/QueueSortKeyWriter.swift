/// Makes what items are sorted by into bytes. Letters count without their case; what is unknown comes last.
struct QueueSortKeyWriter {
  private let key: QueueSortKey
  /// The fields of a track that are mostly those of its album.
  private let sharedFields: UInt64
  /// What was made last of these.
  private var shared: (page: UInt32, base: Int, bytes: [UInt8])?

  /// A writer of keys of this kind.
  init(_ key: QueueSortKey) {
    self.key = key
    let fields: [TrackField] =
      switch key {
      case .artist: [.artists, .sortNames]
      case .album: [.artists, .albumArtists, .album, .disc, .date, .sortNames]
      case .date: [.date]
      case .title, .duration, .path: []
      }
    sharedFields = fields.reduce(0) { $0 | $1.bit }
  }

  /// Appends the key of the track of `entry`, which is one of `tracks`, to `bytes`.
  mutating func append(to bytes: inout [UInt8], _ tracks: PackedTracks, _ entry: QueueEntry) {
    let index = Int(entry.index)
    switch key {
    case .title: bytes.append(text: title(tracks, index))
    case .duration: bytes.append(duration: tracks.duration(index))
    case .path: tracks.appendPath(index, to: &bytes)
    case .artist, .date: appendShared(to: &bytes, tracks, entry)
    case .album:
      appendShared(to: &bytes, tracks, entry)
      bytes.append(number: Int64(tracks.field(.number, index) { $0.ordinal() }??.number ?? .max))
    }
  }

  private func title(_ tracks: PackedTracks, _ index: Int) -> String {
    tracks.field(.sortNames, index) { $0.sortNames() }?.title ?? tracks.field(.title, index) { $0.text() }
      ?? ""
  }

  private mutating func appendShared(to bytes: inout [UInt8], _ tracks: PackedTracks, _ entry: QueueEntry) {
    let index = Int(entry.index)
    guard tracks.isLikeBase(index, in: sharedFields) else {
      return append(to: &bytes, tracks.track(index))
    }
    let base = tracks.base(index)
    if let shared, shared.page == entry.page, shared.base == base {
      bytes += shared.bytes
    } else {
      let start = bytes.count
      append(to: &bytes, tracks.track(base))
      shared = (entry.page, base, Array(bytes[start...]))
    }
  }

  private func append(to bytes: inout [UInt8], _ track: Track) {
    switch key {
    case .artist: bytes.append(name: track.sortNames.artist ?? track.artists.joined(separator: ", "))
    case .date: bytes.append(date: track.date)
    case .album:
      let artists = track.albumArtists.isEmpty ? track.artists : track.albumArtists
      bytes.append(name: track.sortNames.albumArtist ?? artists.joined(separator: ", "))
      bytes.append(date: track.date)
      bytes.append(text: track.sortNames.album ?? track.album)
      bytes.append(number: Int64(track.disc?.number ?? 1))
    case .title, .duration, .path: break
    }
  }
}

extension [UInt8] {
  fileprivate mutating func append(text: String?) {
    guard var text else { return append(0xFF) }
    append(1)
    let isPlain = text.withUTF8 { bytes in
      for byte in bytes { append((0x41...0x5A).contains(byte) ? byte + 0x20 : byte) }
      return bytes.allSatisfy { $0 < 0x80 }
    }
    if !isPlain {
      removeLast(text.utf8.count)
      append(contentsOf: text.lowercased().utf8)
    }
    append(0)
  }

  fileprivate mutating func append(name: String) { append(text: name.isEmpty ? nil : name) }

  fileprivate mutating func append(date: ReleaseDate?) {
    guard let date else { return append(0xFF) }
    append(1)
    append(number: Int64(date.year))
    append(number: Int64(date.month ?? 0))
    append(number: Int64(date.day ?? 0))
  }

  fileprivate mutating func append(duration: Duration?) {
    guard let components = duration?.components else { return append(0xFF) }
    append(1)
    append(number: components.seconds)
    append(number: components.attoseconds)
  }

  fileprivate mutating func append(number: Int64) {
    let value = UInt64(bitPattern: number) ^ (1 << 63)
    for shift in stride(from: 56, through: 0, by: -8) {
      append(UInt8(truncatingIfNeeded: value >> UInt64(shift)))
    }
  }
}
