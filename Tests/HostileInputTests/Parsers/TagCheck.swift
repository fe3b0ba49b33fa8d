// SPDX-License-Identifier: GPL-3.0-or-later

import MusicModel
import Platform
import SystemPackage
import TestSupport

@testable import CueSheets
@testable import MusicModel
@testable import Tagging

enum TagCheck {
  /// Returns the problem in the tags of a file with these bytes: a difference from what TagLib reads, or an invalid
  /// track.
  static func problem(in bytes: [UInt8]) -> String? {
    withFile(bytes) { path in
      let (ours, theirs) = (TagContents(path), TagContents(path, byTagLibAlone: true))
      if ours != theirs {
        return "it is read as\n\(String(describing: ours))\n--- but by TagLib as\n\(String(describing: theirs))"
      }
      guard let status = try? FileStatus(of: path),
        let (tracks, _) = try? TagReader().read(path, status, claim: nil)
      else { return nil }
      if tracks.isEmpty { return "no tracks" }
      return TextRules.firstProblem(tracks) { track, fields in
        var track = track
        track.additionalTags = AdditionalTags(fields)
        return problem(of: track) ?? packingProblem(of: track) ?? jsonProblem(of: fields)
      }
    }
  }

  /// Returns the problem in the picture in a file with these bytes.
  static func pictureProblem(in bytes: [UInt8]) -> String? {
    withFile(bytes) { path in
      let limit = 4_096
      guard let picture = EmbeddedPicture(of: path, limit: limit) else { return nil }
      return (1...limit).contains(picture.bytes.count) ? nil : "a picture of \(picture.bytes.count) bytes"
    }
  }

  /// Returns the problem in a file with these bytes after ReplayGain tags were written to it. Whether the tags are read
  /// back is not checked, since such bytes are seldom a valid audio file.
  static func gainProblem(in bytes: [UInt8]) -> String? {
    withFile(bytes) { path in
      let before = TagContents(path)
      guard (try? TagWriter.write(ReplayGainTags(trackGain: -3.5, trackPeak: 0.5), to: path)) != nil, let before
      else { return nil }
      guard let after = TagContents(path) else { return "the file cannot be read any more" }
      guard let audio = before.audio?.summary, after.audio?.summary != audio else { return nil }
      return "the audio was \(audio), and is now \(after)"
    }
  }

  /// Returns the problem in the tags read from the column `tags` of an index.
  static func jsonProblem(in bytes: [UInt8]) -> String? {
    let tags = AdditionalTags(json: String(decoding: bytes, as: UTF8.self))
    if tags.values.contains(where: { $0.text.utf8.count > bytes.count * 3 }) { return "a value longer than the input" }
    var fields = TagFields()
    for line in bytes.split(separator: 0x0A) {
      let parts = line.split(separator: UInt8(ascii: "="), maxSplits: 1)
      guard parts.count == 2 else { continue }
      fields.append(String(decoding: parts[1], as: UTF8.self), to: String(decoding: parts[0], as: UTF8.self))
    }
    return jsonProblem(of: fields)
  }

  /// Returns the problem in the values of a track.
  static func problem(of track: Track) -> String? {
    if let problem = TextRules.lineProblem(track.title, "the title") { return problem }
    let lists = [track.artists, track.albumArtists, track.genres, track.composers]
    if let problem = TextRules.lineProblem(lists.flatMap { $0 }, "a name") { return problem }
    if lists.contains(where: { Set($0).count != $0.count }) { return "a name is listed twice" }
    let names = track.sortNames
    let texts = [
      track.album, names.title, names.artist, names.album, names.albumArtist, track.musicBrainzAlbumID,
    ]
    if let problem = TextRules.lineProblem(texts.compactMap { $0 }, "a text") { return problem }
    if let problem = TextRules.lineProblem(track.additionalTags.values.map(\.text), "an additional tag") {
      return problem
    }
    for ordinal in [track.number, track.disc].compactMap({ $0 }) {
      guard (0...9_999).contains(ordinal.number), ordinal.total.map({ $0 > 0 }) ?? true else { return "\(ordinal)" }
    }
    if let date = track.date, ReleaseDate(year: date.year, month: date.month, day: date.day) != date {
      return "\(date)"
    }
    if track.replayGain.validated != track.replayGain { return "\(track.replayGain)" }
    if let duration = track.duration, duration < .zero { return "the duration is \(duration)" }
    if let audio = track.audio, audio.sampleRate < 1 || audio.channels < 1 { return "\(audio)" }
    return nil
  }

  /// Returns the problem in a track after packing and unpacking it.
  private static func packingProblem(of track: Track) -> String? {
    var packer = TrackPacker()
    var other = track
    other.title += "!"
    guard packer.append(track), packer.append(other) else { return nil }
    guard let packed = PackedTracks(packer.finish()) else { return "the packed track cannot be unpacked" }
    return packed.track(0) == track && packed.track(1) == other ? nil : "unpacked, the track differs"
  }

  /// Returns the problem in tags after storing them in an index.
  private static func jsonProblem(of fields: TagFields) -> String? {
    guard let json = TagJSON.text(fields) else { return nil }
    let (stored, tags) = (AdditionalTags(json: json), AdditionalTags(fields))
    return stored == tags ? nil : "the index has \(stored.values), and the tags \(tags.values)"
  }

  /// Calls `body` with a file that contains `bytes`, and has the suffix that they suggest.
  private static func withFile(_ bytes: [UInt8], _ body: (FilePath) -> String?) -> String? {
    guard let directory = try? TemporaryDirectory(),
      let path = try? directory.write(bytes, to: "a.\(suffix(of: bytes))")
    else { return "cannot write a file" }
    return withExtendedLifetime(directory) { body(path) }
  }

  private static func suffix(of bytes: [UInt8]) -> String {
    switch bytes.prefix(4) {
    case ArraySlice("fLaC".utf8): "flac"
    case ArraySlice("RIFF".utf8): "wav"
    case ArraySlice("FORM".utf8): "aiff"
    case ArraySlice("OggS".utf8): bytes.dropFirst(28).starts(with: "Opus".utf8) ? "opus" : "ogg"
    default: "mp3"
    }
  }
}
