package import MusicModel
package import Platform
package import SystemPackage
package import Tagging

/// A file of which a cue sheet says what tracks it holds.
package final class SheetClaim: Sendable {
  private let sheet: CueSheet
  /// Which of the sheet's files it is.
  package let file: Int
  /// Tells what is claimed from any other claim, and from none, which is 0.
  package let mark: Int64

  /// The claim of `sheet` on its file of this number.
  init(_ sheet: CueSheet, file: Int, mark: Int64) {
    self.sheet = sheet
    self.file = file
    self.mark = mark
  }

  /// The claim of the sheet in the file's own tags; `nil` where they hold none that makes sense.
  convenience init?(embeddedIn fields: TagFields) {
    guard let text = fields.cueSheet, let sheet = try? CueSheet(text) else { return nil }
    self.init(sheet, file: 0, mark: 0)
  }

  /// A track of the sheet, and where it is in the file.
  private struct Part {
    let track: CueSheet.Track
    let start: Int
    let end: Int?
  }

  /// The tracks of the file, which is `whole` by its own tags, and what of the sheet cannot be.
  ///
  /// A file that is one track from its beginning to its end stays that, and the sheet says what its tags do not.
  /// Otherwise each track is a segment, the sheet comes first, and the file's tags say what it does not, as far as that
  /// is the same for all tracks. Where the sheet's tracks are all behind the file's end, the file remains one track.
  func tracks(
    of whole: Track, fields: TagFields
  ) -> (tracks: [(track: Track, fields: TagFields)], problem: String?) {
    let (parts, problem) = parts(of: whole)
    if parts.isEmpty { return ([(whole, fields)], problem) }
    if parts.count == 1, parts[0].start == 0, parts[0].end == nil {
      let fields = fields.completed(by: self.fields(of: parts[0].track))
      var track = Track(path: whole.path, fields: fields)
      track.audio = whole.audio
      track.duration = whole.duration
      return ([(track, fields)], problem)
    }
    let common = fields.commonToTracks
    let tracks = parts.compactMap { part -> (track: Track, fields: TagFields)? in
      guard let segment = TrackSegment(start: part.start, end: part.end) else { return nil }
      let fields = self.fields(of: part.track).completed(by: common)
      var track = Track(path: whole.path, fields: fields)
      track.segment = segment
      track.audio = whole.audio
      track.duration = segment.duration(inFileOf: whole.duration)
      return (track, fields)
    }
    return (tracks, problem)
  }

  /// The tracks that are sound, as far as the file reaches.
  private func parts(of whole: Track) -> (parts: [Part], problem: String?) {
    let inFile = sheet.tracks.filter { $0.beginning?.file == file }
    let inReach = inFile.prefix { track in
      guard let frame = track.beginning?.frame, let duration = whole.duration else { return true }
      return Duration(cdFrames: frame) < duration
    }
    var parts: [Part] = []
    for (index, track) in inReach.enumerated() where track.isAudio {
      guard let start = track.beginning?.frame else { continue }
      let next = index + 1 < inReach.count ? inReach[index + 1].beginning?.frame : nil
      parts.append(Part(track: track, start: start, end: next))
    }
    guard inReach.count < inFile.count else { return (parts, nil) }
    let name = whole.path.lastComponent?.string ?? ""
    return (parts, "track \(inFile[inReach.count].number) begins behind the end of \(name)")
  }

  /// What the sheet says of a track, by the names of tags.
  private func fields(of track: CueSheet.Track) -> TagFields {
    var fields = TagFields()
    func add(_ name: String, _ values: String?...) {
      for case let value? in values where fields.first(name) == nil { fields.append(value, to: name) }
    }
    let (own, album) = (track.texts, sheet.texts)
    add("TITLE", own.title, "Track \(track.number)")
    add("ARTIST", own.performer, album.performer)
    add("ALBUM", album.title)
    add("ALBUMARTIST", album.performer)
    add("COMPOSER", own.songwriter, album.songwriter)
    add("TRACKNUMBER", "\(track.number)")
    add("TRACKTOTAL", "\(sheet.tracks.count(where: \.isAudio))")
    add("ISRC", track.isrc)
    add("BARCODE", sheet.catalog)
    for (name, remark) in [
      ("DATE", "DATE"), ("GENRE", "GENRE"), ("DISCNUMBER", "DISCNUMBER"), ("DISCTOTAL", "TOTALDISCS"),
      ("DISCID", "DISCID"), ("COMMENT", "COMMENT"),
    ] {
      add(name, own.remarks[remark], album.remarks[remark])
    }
    for name in ["REPLAYGAIN_ALBUM_GAIN", "REPLAYGAIN_ALBUM_PEAK"] { add(name, album.remarks[name]) }
    for name in ["REPLAYGAIN_TRACK_GAIN", "REPLAYGAIN_TRACK_PEAK"] { add(name, own.remarks[name]) }
    return fields
  }
}

extension TagFields {
  /// Fields that are of one track alone, so that those of a file with several say nothing of each.
  private static let ofOneTrack: Set<String> = [
    "TITLE", "TITLESORT", "SUBTITLE", "TRACKNUMBER", "TRACK", "TRACKTOTAL", "TOTALTRACKS", "ISRC", "COMMENT",
    "DESCRIPTION", "LYRICS", "UNSYNCEDLYRICS", "REPLAYGAIN_TRACK_GAIN", "REPLAYGAIN_TRACK_PEAK",
    "R128_TRACK_GAIN", "MUSICBRAINZ_TRACKID", "MUSICBRAINZ_RELEASETRACKID", "ACOUSTID_ID", "LENGTH",
  ]
  /// What another field says how to sort, or says in another unit.
  private static let companions = [
    "ARTIST": ["ARTISTSORT", "ARTISTS"], "ALBUM": ["ALBUMSORT"], "ALBUMARTIST": ["ALBUMARTISTSORT"],
    "REPLAYGAIN_ALBUM_GAIN": ["R128_ALBUM_GAIN"],
  ]

  /// The fields that are the same for all tracks of a file.
  fileprivate var commonToTracks: TagFields {
    var common = TagFields()
    for entry in entries where !Self.ofOneTrack.contains(entry.name) {
      common.append(entry.value, to: entry.name)
    }
    return common
  }

  /// These fields, and those of `others` under names that there are not.
  fileprivate func completed(by others: TagFields) -> TagFields {
    var all = self
    var names = Set(entries.lazy.map(\.name))
    for name in names { names.formUnion(Self.companions[name] ?? []) }
    for entry in others.entries where !names.contains(entry.name) {
      all.append(entry.value, to: entry.name)
    }
    return all
  }
}

extension TrackSegment {
  /// How long it lasts in a file that lasts so long.
  fileprivate func duration(inFileOf whole: Duration?) -> Duration? {
    let begin = Duration(cdFrames: start)
    let limit = end.map { Duration(cdFrames: $0) }
    guard let last = [limit, whole].compactMap({ $0 }).min() else { return nil }
    return max(.zero, last - begin)
  }
}

extension Duration {
  /// As long as so many CD frames last.
  fileprivate init(cdFrames: Int) {
    let (seconds, rest) = cdFrames.quotientAndRemainder(dividingBy: TrackSegment.framesPerSecond)
    self = .seconds(seconds) + .seconds(1) * rest / TrackSegment.framesPerSecond
  }
}

extension TagReader {
  /// The tracks of the file at `path`, whose status is known, with all that its tags hold: as `claim` has it, or else
  /// the cue sheet in its tags; and what of that sheet cannot be. Throws what ``track(at:)`` throws.
  package func read(
    _ path: FilePath, _ status: FileStatus, claim: SheetClaim?
  ) throws(LibraryProblem) -> (tracks: [(track: Track, fields: TagFields)], problem: String?) {
    let (track, fields) = try read(path, status)
    guard let claim = claim ?? SheetClaim(embeddedIn: fields) else { return ([(track, fields)], nil) }
    return claim.tracks(of: track, fields: fields)
  }
}
