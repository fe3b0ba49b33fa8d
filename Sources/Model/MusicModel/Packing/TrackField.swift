// SPDX-License-Identifier: GPL-3.0-or-later

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
