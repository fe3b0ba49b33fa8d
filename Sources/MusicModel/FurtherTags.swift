/// What the tags of a track say beyond the fields that it has for itself.
public struct FurtherTags: Sendable, Hashable {
  /// What a value is.
  ///
  /// Those that are mostly the album's come first.
  public enum Kind: UInt8, Sendable, Hashable, CaseIterable {
    /// What the stream or broadcast is called.
    case name
    /// When the recording was released first.
    case originalDate
    /// What to sort the composers by.
    case composerSort
    /// Who plays or sings.
    case performer
    /// Who conducts.
    case conductor
    /// Who plays together.
    case ensemble
    /// Where it was recorded.
    case location
    /// What the track belongs to besides its album.
    case grouping
    /// Who published it.
    case label
    /// The artists' MusicBrainz identifiers.
    case musicBrainzArtistID
    /// The album artists' MusicBrainz identifiers.
    case musicBrainzAlbumArtistID
    /// The work that is played.
    case work
    /// The movement of the work.
    case movement
    /// The number of the movement.
    case movementNumber
    /// The recording's MusicBrainz identifier.
    case musicBrainzTrackID
    /// The MusicBrainz identifier of the track on its release.
    case musicBrainzReleaseTrackID
    /// The work's MusicBrainz identifier.
    case musicBrainzWorkID

    /// Whether it is mostly the same on an album.
    var isOfAlbum: Bool { rawValue < Kind.work.rawValue }
  }

  /// One value.
  public struct Value: Sendable, Hashable {
    /// What it is.
    public let kind: Kind
    /// One line.
    public let text: String

    /// The value `text`.
    public init(_ kind: Kind, _ text: String) {
      self.kind = kind
      self.text = text
    }
  }

  /// All values, those of one kind together, in the order of ``Kind`` and else in that of the tags.
  public let values: [Value]

  /// No values.
  public init() { values = [] }

  /// These values.
  public init(_ values: [Value]) {
    // Sorted by kind, each kind as it comes.
    self.values = values.enumerated().sorted {
      ($0.element.kind.rawValue, $0.offset) < ($1.element.kind.rawValue, $1.offset)
    }.map(\.element)
  }

  /// The values of this kind.
  public subscript(kind: Kind) -> [String] { values.filter { $0.kind == kind }.map(\.text) }

  /// The values that are mostly the album's, or the others.
  func part(ofAlbum isOfAlbum: Bool) -> ArraySlice<Value> {
    let start = values.firstIndex { !$0.kind.isOfAlbum } ?? values.endIndex
    return isOfAlbum ? values[..<start] : values[start...]
  }
}
