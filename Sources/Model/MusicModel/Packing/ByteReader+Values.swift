extension ByteReader {
  mutating func duration() -> Duration? {
    let value = unsigned()
    switch value & 3 {
    case 0:
      if value != 0 { fail() }
      return nil
    case 1:
      let milliseconds = Int64(value >> 2)
      return Duration(
        secondsComponent: milliseconds / 1_000,
        attosecondsComponent: milliseconds % 1_000 * 1_000_000_000_000_000)
    case 2:
      let microseconds = Int64(value >> 2)
      return Duration(
        secondsComponent: microseconds / 1_000_000,
        attosecondsComponent: microseconds % 1_000_000 * 1_000_000_000_000)
    default:
      if value != 3 { fail() }
      let (seconds, attoseconds) = (signed(), signed())
      return Duration(secondsComponent: seconds, attosecondsComponent: attoseconds)
    }
  }

  mutating func double() -> Double? {
    let value = unsigned()
    let number = Int64(bitPattern: value >> 3) ^ -Int64(bitPattern: value >> 2 & 1)
    switch value & 3 {
    case 0:
      if value != 0 { fail() }
      return nil
    case 1: return Double(number) / 100
    case 2: return Double(number) / 1_000_000
    default:
      if value != 3 { fail() }
      var pattern: UInt64 = 0
      for index in 0..<8 { pattern |= UInt64(byte()) << UInt64(8 * index) }
      return Double(bitPattern: pattern)
    }
  }

  mutating func ordinal() -> Ordinal? {
    let tag = byte()
    guard tag > 0 else { return nil }
    if tag > 2 { fail() }
    let number = Int(signed())
    return Ordinal(number, of: tag == 2 ? Int(signed()) : nil)
  }

  mutating func date() -> ReleaseDate? {
    let tag = byte()
    guard tag > 0 else { return nil }
    guard tag & 1 == 1, tag < 8, var date = ReleaseDate(year: 1) else {
      fail()
      return nil
    }
    date.year = Int(signed())
    date.month = tag & 2 != 0 ? Int(signed()) : nil
    date.day = tag & 4 != 0 ? Int(signed()) : nil
    return date
  }

  mutating func sortNames() -> SortNames {
    var names = SortNames()
    names.title = optionalText()
    names.artist = optionalText()
    names.album = optionalText()
    names.albumArtist = optionalText()
    return names
  }

  mutating func audio() -> AudioSummary? {
    let tag = byte()
    guard tag > 0 else { return nil }
    if tag > 1 { fail() }
    let (rate, channels) = (Int(signed()), Int(signed()))
    return AudioSummary(sampleRate: rate, channels: channels, bitDepth: optionalInt())
  }

  mutating func furtherTags() -> [FurtherTags.Value] {
    var values: [FurtherTags.Value] = []
    for _ in 0..<count() {
      let tag = byte()
      guard let kind = FurtherTags.Kind(rawValue: tag >> 1), !isDamaged else {
        fail()
        break
      }
      let text = tag & 1 == 0 ? text() : PackedIdentifier.text(bytes[range(16)])
      values.append(FurtherTags.Value(kind, text))
    }
    return values
  }

  mutating func playedRange() -> PlayedRange? {
    guard let start = duration() else {
      _ = (duration(), duration())
      return nil
    }
    let range = PlayedRange(start: start, end: duration(), wholeDuration: duration())
    if range == nil { fail() }
    return range
  }

  mutating func segment() -> TrackSegment? {
    let tag = byte()
    guard tag > 0 else { return nil }
    let start = Int(signed())
    let segment = TrackSegment(start: start, end: optionalInt())
    if tag > 1 || segment == nil { fail() }
    return segment
  }
}

extension ByteReader {
  /// A number that is at most `bound`.
  mutating func count(upTo bound: Int) -> Int {
    let value = unsigned()
    guard value <= UInt64(bound) else {
      fail()
      return 0
    }
    return Int(value)
  }

  /// Goes on behind a field.
  mutating func skip(_ field: TrackField) {
    switch field {
    case .duration: _ = duration()
    case .number, .disc: _ = ordinal()
    case .path:
      _ = unsigned()
      skipText()
    case .title: skipText()
    case .trackGain, .albumGain:
      _ = double()
      _ = double()
    case .artists, .albumArtists, .genres, .composers: skipTexts()
    case .segment: _ = segment()
    case .album, .musicBrainzAlbumID: skipOptionalText()
    case .date: _ = date()
    case .isCompilation: _ = byte()
    case .sortNames: for _ in 0..<4 { skipOptionalText() }
    case .audio: _ = audio()
    case .furtherAlbumTags, .furtherTrackTags: _ = furtherTags()
    case .range: _ = playedRange()
    }
  }
}
