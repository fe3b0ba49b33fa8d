// SPDX-License-Identifier: GPL-3.0-or-later

package import MusicModel
package import Platform
package import SystemPackage
package import Tagging

/// The claim of a cue sheet on an audio file: the sheet defines the tracks of the file.
package final class SheetClaim: Sendable {
  private let sheet: CueSheet
  package let file: Int
  /// A hash that identifies the claim; 0 for a sheet in the file's own tags.
  package let claimHash: Int64

  init(_ sheet: CueSheet, file: Int, claimHash: Int64) {
    self.sheet = sheet
    self.file = file
    self.claimHash = claimHash
  }

  private var isEmbedded: Bool { claimHash == 0 }

  /// Creates the claim of the cue sheet in the file's own tags. Returns `nil` if they contain no valid sheet.
  convenience init?(embeddedIn fields: TagFields) {
    guard let text = fields.cueSheet, let sheet = try? CueSheet(text) else { return nil }
    self.init(sheet, file: 0, claimHash: 0)
  }

  /// A track of the sheet and its range in the file, in CD frames.
  private struct Part {
    let track: CueSheet.Track
    let start: Int
    let end: Int?
  }

  /// Returns the tracks of a file, and the problem with the sheet, if there is one. `whole` is the file as a single
  /// track, according to its own tags.
  ///
  /// Fields in the tags that are for one track of their own sheet precede all others of that track.
  ///
  /// If the sheet has a single track from the beginning of the file to its end, the file remains one track, and the
  /// sheet supplies only missing tags. Otherwise, each track is a segment whose fields come from the sheet. The file's
  /// tags supply missing ones, as far as they apply to all tracks. If all tracks of the sheet are beyond the end of the
  /// file, the file remains one track.
  func tracks(
    of whole: Track, fields: TagFields
  ) -> (tracks: [(track: Track, fields: TagFields)], problem: String?) {
    let (parts, problem) = parts(of: whole)
    if parts.isEmpty { return ([(whole, fields)], problem) }
    if parts.count == 1, parts[0].start == 0, parts[0].end == nil {
      let own = ownFields(of: parts[0].track, in: fields)
      let fields = (own?.completed(by: fields) ?? fields).completed(by: self.fields(of: parts[0].track))
      var track = Track(path: whole.path, fields: fields)
      track.audio = whole.audio
      track.duration = whole.duration
      return ([(track, fields)], problem)
    }
    let common = fields.commonToTracks
    let tracks = parts.compactMap { part -> (track: Track, fields: TagFields)? in
      guard let segment = TrackSegment(start: part.start, end: part.end) else { return nil }
      let ofSheet = self.fields(of: part.track)
      let own = ownFields(of: part.track, in: fields)
      let fields = (own?.completed(by: ofSheet) ?? ofSheet).completed(by: common)
      var track = Track(path: whole.path, fields: fields)
      track.segment = segment
      track.audio = whole.audio
      track.duration = segment.duration(inFileOf: whole.duration)
      return (track, fields)
    }
    return (tracks, problem)
  }

  /// Returns the audio tracks of the sheet that begin before the end of the file. The problem names the first track
  /// that does not.
  private func parts(of whole: Track) -> (parts: [Part], problem: String?) {
    let allTracks = sheet.tracks.filter { $0.playbackStart?.file == file }
    let tracksBeforeEnd = allTracks.prefix { track in
      guard let frame = track.playbackStart?.frame, let duration = whole.duration else { return true }
      return Duration(cdFrames: frame) < duration
    }
    var parts: [Part] = []
    for (index, track) in tracksBeforeEnd.enumerated() where track.isAudio {
      guard let start = track.playbackStart?.frame else { continue }
      let next = index + 1 < tracksBeforeEnd.count ? tracksBeforeEnd[index + 1].playbackStart?.frame : nil
      parts.append(Part(track: track, start: start, end: next))
    }
    guard tracksBeforeEnd.count < allTracks.count else { return (parts, nil) }
    let name = whole.path.lastComponent?.string ?? ""
    return (parts, "track \(allTracks[tracksBeforeEnd.count].number) begins after the end of \(name)")
  }

  /// Returns the fields in the tags that are for a track of the sheet in the same tags; `nil` if there are none. The
  /// performer is the artist if neither they nor the sheet name another one for the track.
  private func ownFields(of track: CueSheet.Track, in fields: TagFields) -> TagFields? {
    guard isEmbedded, var own = fields.cueTracks[track.number] else { return nil }
    if track.texts.performer == nil, own.first("ARTIST") == nil {
      for performer in own.values("PERFORMER") { own.append(performer, to: "ARTIST") }
    }
    return own
  }

  /// Returns the fields that the sheet contains for a track, by TagLib's property names.
  private func fields(of track: CueSheet.Track) -> TagFields {
    var fields = TagFields()
    func add(_ name: String, _ values: String?...) {
      for case let value? in values where fields.first(name) == nil { fields.append(value, to: name) }
    }
    let (trackTexts, albumTexts) = (track.texts, sheet.texts)
    add("TITLE", trackTexts.title, "Track \(track.number)")
    add("ARTIST", trackTexts.performer, albumTexts.performer)
    add("ALBUM", albumTexts.title)
    add("ALBUMARTIST", albumTexts.performer)
    add("COMPOSER", trackTexts.songwriter, albumTexts.songwriter)
    add("TRACKNUMBER", "\(track.number)")
    add("TRACKTOTAL", "\(sheet.tracks.count(where: \.isAudio))")
    add("ISRC", track.isrc)
    add("BARCODE", sheet.catalog)
    for (name, remark) in [
      ("DATE", "DATE"), ("GENRE", "GENRE"), ("DISCNUMBER", "DISCNUMBER"), ("DISCTOTAL", "TOTALDISCS"),
      ("DISCID", "DISCID"), ("COMMENT", "COMMENT"),
    ] {
      add(name, trackTexts.remarks[remark], albumTexts.remarks[remark])
    }
    for name in ["REPLAYGAIN_ALBUM_GAIN", "REPLAYGAIN_ALBUM_PEAK"] { add(name, albumTexts.remarks[name]) }
    for name in ["REPLAYGAIN_TRACK_GAIN", "REPLAYGAIN_TRACK_PEAK"] { add(name, trackTexts.remarks[name]) }
    return fields
  }
}

extension TagFields {
  fileprivate func values(_ name: String) -> [String] { entries.filter { $0.name == name }.map(\.value) }

  /// The names of the fields that describe a single track. If a file has several tracks, they apply to none of them.
  private static let singleTrackNames: Set<String> = [
    "TITLE", "TITLESORT", "SUBTITLE", "TRACKNUMBER", "TRACK", "TRACKTOTAL", "TOTALTRACKS", "ISRC", "COMMENT",
    "DESCRIPTION", "LYRICS", "UNSYNCEDLYRICS", "REPLAYGAIN_TRACK_GAIN", "REPLAYGAIN_TRACK_PEAK",
    "R128_TRACK_GAIN", "MUSICBRAINZ_TRACKID", "MUSICBRAINZ_RELEASETRACKID", "ACOUSTID_ID", "LENGTH",
  ]
  /// The fields that contain the sort name of another field, or its value in another form, by the name of that other
  /// field.
  private static let companions = [
    "ARTIST": ["ARTISTSORT", "ARTISTS"], "ALBUM": ["ALBUMSORT"],
    "ALBUMARTIST": ["ALBUMARTISTSORT", "ALBUMARTISTS"],
    "REPLAYGAIN_ALBUM_GAIN": ["R128_ALBUM_GAIN"],
  ]

  /// The fields that apply to all tracks of a file.
  fileprivate var commonToTracks: TagFields {
    var common = TagFields()
    common.fingerprint = fingerprint
    for entry in entries where !Self.singleTrackNames.contains(entry.name) {
      common.append(entry.value, to: entry.name)
    }
    return common
  }

  /// Returns these fields together with those of `others` whose names do not occur here.
  fileprivate func completed(by others: TagFields) -> TagFields {
    var all = self
    all.fingerprint = fingerprint ?? others.fingerprint
    var names = Set(entries.lazy.map(\.name))
    for name in names { names.formUnion(Self.companions[name] ?? []) }
    for entry in others.entries where !names.contains(entry.name) {
      all.append(entry.value, to: entry.name)
    }
    return all
  }
}

extension TrackSegment {
  /// Returns the duration of the segment in a file of this duration; `nil` if it is unknown.
  fileprivate func duration(inFileOf whole: Duration?) -> Duration? {
    let begin = Duration(cdFrames: start)
    let limit = end.map { Duration(cdFrames: $0) }
    guard let last = [limit, whole].compactMap({ $0 }).min() else { return nil }
    return max(.zero, last - begin)
  }
}

extension Duration {
  fileprivate init(cdFrames: Int) {
    let (seconds, rest) = cdFrames.quotientAndRemainder(dividingBy: TrackSegment.framesPerSecond)
    self = .seconds(seconds) + .seconds(1) * rest / TrackSegment.framesPerSecond
  }
}

extension TagReader {
  /// Reads the tracks of the file at `path`, each with all of its tags. The tracks are defined by `claim` or, if it is
  /// `nil`, by the cue sheet in the file's tags. Also returns the problem with that sheet, if there is one. Throws like
  /// ``track(at:)``.
  package func read(
    _ path: FilePath, _ status: FileStatus, claim: SheetClaim?
  ) throws(LibraryProblem) -> (tracks: [(track: Track, fields: TagFields)], problem: String?) {
    let (track, fields) = try read(path, status)
    guard let claim = claim ?? SheetClaim(embeddedIn: fields) else { return ([(track, fields)], nil) }
    return claim.tracks(of: track, fields: fields)
  }
}
