/// A page of tracks, in the form in which ``TrackPacker`` packs them.
struct PackedTracks: Sendable {
  /// The page.
  let bytes: [UInt8]
  /// The indexes of the tracks that are bases.
  private let bases: [UInt8]
  /// The bases' albums.
  private(set) var albums: [UInt64]

  /// The page of these bytes; `nil` for bytes that no packer can have made.
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
    guard isSound(count) else { return nil }
    albums = bases.map { track(Int($0)).albumKey }
  }

  /// How many tracks it holds, 1 to 256.
  var count: Int { Int(bytes[1]) + 1 }

  /// The album of the track at `index`, see ``Track/albumKey``.
  func album(_ index: Int) -> UInt64 { albums[ordinal(index)] }

  /// Whether a track is of one of these albums.
  func isOf(_ wanted: NumberSet) -> Bool { albums.contains { wanted.contains($0) } }

  /// How long the track at `index` lasts.
  func duration(_ index: Int) -> Duration? {
    var reader = record(index)
    if reader.unsigned() & TrackField.duration.bit != 0 { return reader.duration() }
    let base = base(index)
    guard base != index else { return nil }
    reader = record(base)
    return reader.unsigned() & TrackField.duration.bit != 0 ? reader.duration() : nil
  }

  /// The index of the base of the track at `index`.
  func base(_ index: Int) -> Int { Int(bases[ordinal(index)]) }

  /// A reader of the record of the track at `index`.
  func record(_ index: Int) -> ByteReader {
    ByteReader(bytes, from: start(index), to: index + 1 < count ? start(index + 1) : bytes.count)
  }

  private func ordinal(_ index: Int) -> Int { Int(bytes[2 + 2 * count + index]) }

  private func start(_ index: Int) -> Int {
    2 + 3 * count + Int(bytes[2 + 2 * index]) + Int(bytes[3 + 2 * index]) << 8
  }

  /// Whether every record can be read, to its end.
  private func isSound(_ count: Int) -> Bool {
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
