// SPDX-License-Identifier: GPL-3.0-or-later

import LibraryIndex
import MusicModel
import Platform
import Tagging
import UnicodeText

/// What identifies a track, whatever the path of its file is; in the order of `IdentityTables.evidence`.
struct TrackEvidence: Sendable, Hashable {
  /// The maximum difference between the durations of two encodings of a track, in milliseconds.
  private static let tolerance: Int64 = 2_000

  /// The CD frame at which the track begins; -1 for the whole file.
  var segment: Int64 = -1
  var size: Int64 = 0
  var modificationTime: Int64 = 0
  /// What identifies the sound of the file; `nil` if it is not known.
  var sound: Int64?
  /// The MusicBrainz recording ID, with the album, since albums may share a recording.
  var recording: String?
  /// The title, the artists, the album and the numbers; `nil` if there are no artists.
  var names: String?
  /// The duration in milliseconds.
  var duration: Int64?

  init() {}

  /// Creates the evidence in the columns of `row` that begin with `column`.
  init(_ row: IndexStatement, _ column: Int32) {
    segment = row.integer(column)
    size = row.integer(column + 1)
    modificationTime = row.integer(column + 2)
    sound = row.optionalInteger(column + 3)
    recording = row.optionalText(column + 4)
    names = row.optionalText(column + 5)
    duration = row.optionalInteger(column + 6)
  }

  /// Creates the evidence in a file that was read, without the state of the file.
  init(_ record: TrackRecord) {
    let track = record.track
    segment = track.segment.map { Int64($0.start) } ?? -1
    sound = record.fingerprint?.value
    let separator = "\u{1F}"
    recording = record.recording.map { $0 + separator + record.groupKey }
    let numbers = [track.disc, track.number].map { $0.map { "\($0.number)" } ?? "" }.joined(separator: "-")
    names = track.artists.asColumn.map { artists in
      [track.title.searchWords, artists, record.groupKey, numbers].joined(separator: separator)
    }
    duration = track.duration.map { Int64(clamping: $0.wholeMilliseconds) }
  }

  /// Whether the tags of `other` say that it is another encoding of this track.
  func isSupported(by other: TrackEvidence) -> Bool {
    guard segment == other.segment else { return false }
    if let recording, recording == other.recording { return true }
    guard let names, names == other.names, let duration, let otherDuration = other.duration else { return false }
    return abs(duration - otherDuration) <= Self.tolerance
  }

  /// Whether the sounds of two files are known to be different.
  func hasDifferentSound(from other: TrackEvidence) -> Bool {
    if let sound, let otherSound = other.sound { sound != otherSound } else { false }
  }
}

/// A track in a ``TrackMatching``.
struct MatchedTrack: Sendable, Hashable {
  let id: Int64
  /// The path below the root of its library.
  let path: RelativePath
  let library: Int64
  let evidence: TrackEvidence
}

/// Finds which new tracks are missing tracks under another path, from the strongest evidence to the weakest. Where two
/// tracks are equally likely, neither is chosen.
struct TrackMatching {
  private enum Key: Hashable {
    case path(Int64, RelativePath)
    case file(ArraySlice<UInt8>, size: Int64, modificationTime: Int64)
    case namedSound(ArraySlice<UInt8>, Int64)
    case sound(Int64)
    case recording(String)
    case names(String)
  }

  /// A kind of evidence: what must be equal, and whether two tracks for which it is may still be different ones.
  private struct Rule: Sendable {
    let key: @Sendable (MatchedTrack) -> Key?
    var contradicts: @Sendable (TrackEvidence, TrackEvidence) -> Bool = { _, _ in false }
  }

  private static let rules = [
    Rule(key: { .path($0.library, $0.path) }, contradicts: { differ($0, $1) }),
    Rule(
      key: {
        .file($0.path.name, size: $0.evidence.size, modificationTime: $0.evidence.modificationTime)
      }, contradicts: { $0.hasDifferentSound(from: $1) }),
    Rule(key: { track in track.evidence.sound.map { .namedSound(track.path.name, $0) } }),
    Rule(key: { $0.evidence.sound.map { .sound($0) } }),
    Rule(key: { $0.evidence.recording.map { .recording($0) } }),
    Rule(key: { $0.evidence.names.map { .names($0) } }, contradicts: { !$0.isSupported(by: $1) }),
  ]

  /// Whether two files that have had the same path are different pieces of music.
  private static func differ(_ first: TrackEvidence, _ second: TrackEvidence) -> Bool {
    if let sound = first.sound, sound == second.sound { return false }
    let isSameFile = first.size == second.size && first.modificationTime == second.modificationTime
    return first.hasDifferentSound(from: second) || !isSameFile
  }

  private struct RuleKey: Hashable {
    let key: Key
    let segment: Int64
  }

  /// Returns pairs of the IDs of missing and `new` tracks. Each track is in one pair at most. If the evidence is the
  /// same, a track of the first array of `missing` is preferred to one of the second, and so on.
  static func pairs(
    _ missing: [[MatchedTrack]], _ new: [MatchedTrack]
  ) -> [(missing: Int64, new: Int64)] {
    var (missing, new) = (missing, new)
    var pairs: [(missing: Int64, new: Int64)] = []
    for rule in rules where !new.isEmpty {
      let missingByKey = missing.map { byKey($0, rule) }
      var found: Set<Int64> = []
      for (key, track) in byKey(new, rule) {
        guard let track, let former = missingByKey.lazy.compactMap({ $0[key] }).first ?? nil,
          !rule.contradicts(former.evidence, track.evidence)
        else { continue }
        pairs.append((former.id, track.id))
        found.formUnion([former.id, track.id])
      }
      for index in missing.indices { missing[index].removeAll { found.contains($0.id) } }
      new.removeAll { found.contains($0.id) }
    }
    return pairs.sorted { $0.new < $1.new }
  }

  /// Returns the track with each key, or `nil` if several tracks have it.
  private static func byKey(_ tracks: [MatchedTrack], _ rule: Rule) -> [RuleKey: MatchedTrack?] {
    var found: [RuleKey: MatchedTrack?] = [:]
    for track in tracks {
      guard let key = rule.key(track).map({ RuleKey(key: $0, segment: track.evidence.segment) }) else { continue }
      found.updateValue(found[key] == nil ? track : nil, forKey: key)
    }
    return found
  }
}
