// SPDX-License-Identifier: GPL-3.0-or-later

/// The tags of a track that have no property of their own in ``Track``.
public struct AdditionalTags: Sendable, Hashable {
  /// The kind of a tag. The raw values are stored with the queue.
  public enum Kind: UInt8, Sendable, Hashable, CaseIterable {
    /// The name of the stream or broadcast.
    case name
    /// The date when the recording was first released.
    case originalDate
    case composerSort
    case performer
    case conductor
    case ensemble
    /// The location of the recording.
    case location
    /// A group that the track belongs to, other than its album.
    case grouping
    case label
    /// The MusicBrainz identifiers of the artists.
    case musicBrainzArtistID
    /// The MusicBrainz identifiers of the album artists.
    case musicBrainzAlbumArtistID
    case work
    case movement
    case movementNumber
    /// The MusicBrainz identifier of the recording.
    case musicBrainzTrackID
    /// The MusicBrainz identifier of the track on its release.
    case musicBrainzReleaseTrackID
    /// The MusicBrainz identifier of the work.
    case musicBrainzWorkID
    /// The mood, in a few words.
    case mood
    /// Whether to show the work and movement in place of the title.
    case showMovement
    /// The MusicBrainz identifier of the release group.
    case musicBrainzReleaseGroupID
    case discSubtitle
    /// The artists as the tags credit them, if these also list them one by one ("Ann feat. Bea").
    case artistCredit
    /// The track number as the tags write it, if it is not a plain number ("A1", "IV").
    case writtenNumber
    /// The date when this edition was released, if ``Track/date`` is another one, or might be.
    case releaseDate
    /// The album artists as the tags credit them, if these also list them one by one ("Ann & Bea").
    case albumArtistCredit

    /// Whether the value is shown in place of a property of ``Track``.
    public var isShownForm: Bool { [.artistCredit, .albumArtistCredit, .writtenNumber].contains(self) }

    /// Whether all tracks of an album usually have the same value of this kind.
    var isAlbumWide: Bool {
      rawValue < Kind.work.rawValue
        || [.musicBrainzReleaseGroupID, .discSubtitle, .albumArtistCredit].contains(self)
    }

    /// The sort key of the kind. Kinds that usually have one value for a whole album come first.
    fileprivate var sortKey: (group: Int, number: UInt8) { (isAlbumWide ? 0 : 1, rawValue) }
  }

  /// A tag value and its kind.
  public struct Value: Sendable, Hashable {
    public let kind: Kind
    /// The text of the value, on one line.
    public let text: String

    public init(_ kind: Kind, _ text: String) {
      self.kind = kind
      self.text = text
    }
  }

  /// All values, grouped by kind. Kinds that usually have one value for a whole album come first; the values of each
  /// kind are in the order of the tags.
  public let values: [Value]

  /// Creates an empty set of tags.
  public init() { values = [] }

  /// Creates tags from these values, which are grouped by kind.
  public init(_ values: [Value]) {
    // The order within each kind is preserved.
    self.values = values.enumerated().sorted {
      let (left, right) = ($0.element.kind.sortKey, $1.element.kind.sortKey)
      return (left.group, Int(left.number), $0.offset) < (right.group, Int(right.number), $1.offset)
    }.map(\.element)
  }

  /// The values of this kind, in the order of the tags.
  public subscript(kind: Kind) -> [String] { values.filter { $0.kind == kind }.map(\.text) }

  /// The values that are shown in place of properties of ``Track``.
  public var shownForms: AdditionalTags {
    values.isEmpty ? self : AdditionalTags(values.filter(\.kind.isShownForm))
  }

  /// Returns the first value of this kind, or `nil` if there is none.
  public func first(_ kind: Kind) -> String? { values.first { $0.kind == kind }?.text }

  /// Returns the values of the tags that usually have one value for a whole album or, if `isAlbumWide` is `false`, the
  /// values of all other tags.
  func subset(isAlbumWide: Bool) -> ArraySlice<Value> {
    let start = values.firstIndex { !$0.kind.isAlbumWide } ?? values.endIndex
    return isAlbumWide ? values[..<start] : values[start...]
  }
}
