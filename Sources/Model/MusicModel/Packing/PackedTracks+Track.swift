import SystemPackage

extension PackedTracks {
  /// The track at `index`.
  func track(_ index: Int) -> Track {
    var own = record(index)
    let mask = own.unsigned()
    let base = base(index)
    var track = Track(path: FilePath(""), title: "")
    if base != index {
      var reader = record(base)
      let others = reader.unsigned()
      read(&reader, others, except: mask, base: base, into: &track)
    }
    read(&own, mask, except: 0, base: base == index ? nil : base, into: &track)
    return track
  }

  /// The bytes of the path of the track at `index`.
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

  /// Whether the record of the track at `index` says nothing about these fields that its base's does not say.
  func isLikeBase(_ index: Int, in fields: UInt64) -> Bool {
    guard base(index) != index else { return true }
    var reader = record(index)
    return reader.unsigned() & fields == 0
  }

  /// What `read` makes of the record that says what this field is; `nil` where the field is empty.
  func field<Value>(_ field: TrackField, _ index: Int, _ read: (inout ByteReader) -> Value) -> Value? {
    var reader = record(index)
    if find(field, &reader) { return read(&reader) }
    let base = base(index)
    guard base != index else { return nil }
    reader = record(base)
    return find(field, &reader) ? read(&reader) : nil
  }

  /// Brings a reader of a record to this field, if the record has it.
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

  private func read(
    _ reader: inout ByteReader, _ mask: UInt64, except skipped: UInt64, base: Int?, into track: inout Track
  ) {
    for field in TrackField.allCases where mask & field.bit != 0 {
      if skipped & field.bit != 0 {
        reader.skip(field)
        continue
      }
      switch field {
      case .duration: track.duration = reader.duration()
      case .number: track.number = reader.ordinal()
      case .path:
        let common = reader.count(upTo: bytes.count)
        let rest = reader.range(reader.count())
        let shared =
          if let base, common > 0 { pathBytes(base).prefix(common) } else { [] as ArraySlice<UInt8> }
        track.path = FilePath(bytes: shared, bytes[rest])
      case .title: track.title = reader.text()
      case .trackGain:
        track.replayGain.trackGain = reader.double()
        track.replayGain.trackPeak = reader.double()
      case .artists: track.artists = reader.texts()
      case .segment: track.segment = reader.segment()
      case .album: track.album = reader.optionalText()
      case .albumArtists: track.albumArtists = reader.texts()
      case .genres: track.genres = reader.texts()
      case .composers: track.composers = reader.texts()
      case .disc: track.disc = reader.ordinal()
      case .date: track.date = reader.date()
      case .isCompilation: track.isCompilation = reader.byte() != 0
      case .sortNames: track.sortNames = reader.sortNames()
      case .albumGain:
        track.replayGain.albumGain = reader.double()
        track.replayGain.albumPeak = reader.double()
      case .musicBrainzAlbumID: track.musicBrainzAlbumID = reader.optionalText()
      case .audio: track.audio = reader.audio()
      case .furtherAlbumTags:
        track.furtherTags = FurtherTags(reader.furtherTags() + track.furtherTags.part(ofAlbum: false))
      case .furtherTrackTags:
        track.furtherTags = FurtherTags(track.furtherTags.part(ofAlbum: true) + reader.furtherTags())
      case .range: track.range = reader.playedRange()
      }
    }
  }
}
