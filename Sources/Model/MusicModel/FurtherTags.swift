/// What the tags of a track say beyond the fields that it has for itself.
public struct FurtherTags: Sendable, Hashable {
  /// What a value is. The numbers are stored with the queue.
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
    /// The mood, in a few words.
    case mood
    /// Whether work and movement are to be shown in place of the title.
    case showMovement
    /// The MusicBrainz identifier of the group that the release belongs to.
    case musicBrainzReleaseGroupID
    /// The title of the disc.
    case discSubtitle

    /// Whether it is mostly the same on an album.
    var isOfAlbum: Bool {
      rawValue < Kind.work.rawValue || self == .musicBrainzReleaseGroupID || self == .discSubtitle
    }

    /// What values are sorted by: those of the album come first.
    fileprivate var place: (isOfTrack: Int, number: UInt8) { (isOfAlbum ? 0 : 1, rawValue) }
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

  /// All values, those of one kind together: the kinds that are mostly the album's come first, each in the order of the
  /// tags.
  public let values: [Value]

  /// No values.
  public init() { values = [] }

  /// These values.
  public init(_ values: [Value]) {
    // Sorted by kind, each kind as it comes.
    self.values = values.enumerated().sorted {
      let (left, right) = ($0.element.kind.place, $1.element.kind.place)
      return (left.isOfTrack, Int(left.number), $0.offset) < (right.isOfTrack, Int(right.number), $1.offset)
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
