// SPDX-License-Identifier: GPL-3.0-or-later

import MusicModel
import SystemPackage
import UnicodeText

/// A group of candidates that belong to one album, and the reason why they do.
struct AlbumGroup: Sendable {
  /// The property that the tracks of a group have in common. Groups in different directories that share it may be
  /// joined. Names and IDs are represented by their numbers in a ``GroupingSource``.
  enum Identity: Hashable, Sendable {
    /// The number of the MusicBrainz album ID.
    case release(Int)
    /// The number of the artist's folded name.
    case artist(Int)
    case compilation
    /// Only the directory.
    case unknown
  }

  let identity: Identity
  var members: [AlbumCandidate]

  /// The key that groups must share to be joined; `nil` if the group cannot be joined.
  var mergeKey: MergeKey? {
    guard let first = members.first else { return nil }
    switch identity {
    case .unknown: return nil
    case .release: return MergeKey(identity: identity, title: nil)
    case .artist, .compilation:
      guard members.allSatisfy(\.isTitled) else { return nil }
      return MergeKey(identity: identity, title: first.titleKey)
    }
  }

  /// The identity of a group, and the album title if that must be the same.
  struct MergeKey: Hashable, Sendable {
    let identity: Identity
    let title: Int?
  }

  /// Splits a group that contains the same tracks in several formats into one group for each copy, according to rule 3
  /// of ``AlbumGrouping``.
  func copies(source: GroupingSource) -> [AlbumGroup] {
    guard let format = members.first?.format, members.contains(where: { $0.format != format }) else {
      return [self]
    }
    let formats = members.grouped { $0.format }.sorted { left, right in
      (right.members.count, left.key.utf8.count, left.key) < (left.members.count, right.key.utf8.count, right.key)
    }
    var parts: [(slots: Set<TrackSlot>, members: [AlbumCandidate])] = []
    for format in formats {
      let slots = Set(format.members.map { source.slot(of: $0) })
      let partIndex = parts.firstIndex { part in
        2 * part.slots.intersection(slots).count < min(part.slots.count, slots.count)
      }
      if let partIndex {
        parts[partIndex].slots.formUnion(slots)
        parts[partIndex].members += format.members
      } else {
        parts.append((slots, format.members))
      }
    }
    return parts.map { AlbumGroup(identity: identity, members: $0.members) }
  }
}

/// The identity of a track among copies of an album: its track number or, if there is none, its file name, on its disc.
enum TrackSlot: Hashable, Sendable {
  case position(AlbumCandidate.Position)
  /// The file name without its suffix, as a number in a ``GroupingSource``.
  case name(disc: Int, Int)
}

extension GroupingSource {
  func slot(of candidate: AlbumCandidate) -> TrackSlot {
    if let position = candidate.position { return .position(position) }
    return .name(disc: candidate.disc ?? 1, number(of: tracks[candidate.index].path.stem ?? ""))
  }
}

/// Joins groups in several directories, according to rule 4 of ``AlbumGrouping``.
struct GroupMerger {
  private let source: GroupingSource
  private var single: [AlbumGroup] = []
  private var related: [[AlbumGroup]] = []
  private var indexByKey: [AlbumGroup.MergeKey: Int] = [:]

  init(source: GroupingSource) {
    self.source = source
  }

  mutating func append(_ group: AlbumGroup) {
    guard let key = group.mergeKey else { return single.append(group) }
    if let index = indexByKey[key] {
      related[index].append(group)
    } else {
      indexByKey[key] = related.count
      related.append([group])
    }
  }

  /// Returns all groups, after joining those that belong to one album.
  func groups() -> [AlbumGroup] {
    var groups = single
    for candidates in related { groups += joined(candidates) }
    return groups
  }

  private func joined(_ groups: [AlbumGroup]) -> [AlbumGroup] {
    guard groups.count > 1, let first = groups.first else { return groups }
    if areParts(groups) {
      return [AlbumGroup(identity: first.identity, members: groups.flatMap(\.members))]
    }
    // There may be several copies, each in several directories.
    let copies = groups.grouped { group in Set(group.members.map(\.format)) }
    guard copies.count > 1 else { return groups }
    return copies.flatMap { copy in
      copy.members.count > 1 && areParts(copy.members)
        ? [AlbumGroup(identity: first.identity, members: copy.members.flatMap(\.members))] : copy.members
    }
  }

  private func areParts(_ groups: [AlbumGroup]) -> Bool {
    var usedSlots: Set<TrackSlot> = []
    for group in groups {
      if case .release = group.identity {
      } else if group.members.contains(where: { $0.number == nil }) {
        return false
      }
      let slots = Set(group.members.map { source.slot(of: $0) })
      guard usedSlots.isDisjoint(with: slots) else { return false }
      usedSlots.formUnion(slots)
    }
    return true
  }
}

/// A track to be grouped, with the values that matter for grouping. Directories, titles, names and IDs are represented
/// by their numbers in a ``GroupingSource``.
struct AlbumCandidate: Sendable {
  /// The index of the track in ``GroupingSource/tracks``.
  let index: Int
  /// The directory of the track's album.
  let directory: Int
  let title: Int
  let titleKey: Int
  /// Whether the album title comes from a tag, and not from the directory.
  let isTitled: Bool
  /// The folded name of the track's first artist, without guests; `nil` if unknown.
  let artist: Int?
  /// The album artists as written in the tags; `nil` if there are none.
  let shownAlbumArtist: Int?
  /// The folded names of the album artists; `nil` if there are none.
  let albumArtist: Int?
  /// The MusicBrainz album ID; `nil` if there is none.
  let release: Int?
  /// The disc number, from the track's tags or, if they have none, from the album title or the directory.
  var disc: Int?
  var number: Int?
  /// The folded title of the disc; `nil` if there is none.
  let subtitle: Int?
  /// The format of the file, which is given by its suffix.
  let format: String
  let isCompilation: Bool
  /// Whether the track number was taken from the file name, and so must be removed from the title.
  var isNumberedByName = false

  /// The album artist or, if there is none, the track artist.
  var creditedArtist: Int? { albumArtist ?? artist }

  /// The disc and track number. Two tracks with the same position count as the same track of an album.
  var position: Position? { number.map { Position(disc: disc ?? 1, number: $0) } }

  struct Position: Hashable, Sendable {
    let disc: Int
    let number: Int
  }
}

extension String {
  /// The folded form of the text, or the text itself if folding leaves nothing.
  var matchingKey: String {
    let folded = foldedForMatching
    return folded.isEmpty ? self : folded
  }

  /// The artist's name without guests, which follow "feat." in any spelling, such as "(Ft. Somebody)" or
  /// "feat.Somebody".
  var withoutGuests: String {
    guard utf8.contains(where: { $0 | 0x20 == UInt8(ascii: "f") }) else { return self }
    let words = split(omittingEmptySubsequences: false, whereSeparator: \.isWhitespace)
    let guestIndex = words.dropFirst().firstIndex {
      let word = $0.drop { $0 == "(" || $0 == "[" }.lowercased()
      return ["feat", "ft", "featuring"].contains(word) || ["feat.", "ft."].contains { word.hasPrefix($0) }
    }
    guard let guestIndex else { return self }
    return words[..<guestIndex].joined(separator: " ")
  }

  /// Whether a folded artist name means various artists.
  var isVariousArtists: Bool {
    ["various artists", "various", "va", "v.a.", "v/a", "various artist"].contains(self)
  }
}
