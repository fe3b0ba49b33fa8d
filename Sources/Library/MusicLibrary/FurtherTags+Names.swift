import MusicModel

extension FurtherTags.Kind {
  /// What TagLib calls such tags; the first that a file has counts.
  var names: [String] {
    switch self {
    case .name: ["NAME"]
    case .originalDate: ["ORIGINALDATE"]
    case .composerSort: ["COMPOSERSORT"]
    case .performer: ["PERFORMER"]
    case .conductor: ["CONDUCTOR"]
    case .ensemble: ["ENSEMBLE"]
    case .location: ["LOCATION"]
    case .grouping: ["GROUPING"]
    case .label: ["LABEL"]
    case .musicBrainzArtistID: ["MUSICBRAINZ_ARTISTID"]
    case .musicBrainzAlbumArtistID: ["MUSICBRAINZ_ALBUMARTISTID"]
    case .work: ["WORK"]
    case .movement: ["MOVEMENT", "MOVEMENTNAME"]
    case .movementNumber: ["MOVEMENTNUMBER"]
    case .musicBrainzTrackID: ["MUSICBRAINZ_TRACKID"]
    case .musicBrainzReleaseTrackID: ["MUSICBRAINZ_RELEASETRACKID"]
    case .musicBrainzWorkID: ["MUSICBRAINZ_WORKID"]
    case .mood: ["MOOD"]
    case .showMovement: ["SHOWMOVEMENT"]
    case .musicBrainzReleaseGroupID: ["MUSICBRAINZ_RELEASEGROUPID"]
    case .discSubtitle: ["DISCSUBTITLE"]
    }
  }

  /// What is called so.
  fileprivate static let byName: [String: Self] = Dictionary(
    allCases.flatMap { kind in kind.names.map { ($0, kind) } }, uniquingKeysWith: { first, _ in first })
}

extension FurtherTags {
  /// The most values of one kind that count.
  private static let valueLimit = 256

  /// What `fields` say; of most files, nothing, and soon.
  init(_ fields: TagFields) {
    var values: [Value] = []
    var counts: [Kind: Int] = [:]
    // Of the fields that are known by number, one is of these.
    for entry in fields.entries where entry.field == nil || entry.field == .originalDate {
      guard let kind = Kind.byName[entry.name], counts[kind, default: 0] < Self.valueLimit,
        kind.names.first(where: { fields.first($0) != nil }) == entry.name
      else { continue }
      let value = Value(kind, entry.value)
      guard !values.contains(value) else { continue }
      values.append(value)
      counts[kind, default: 0] += 1
    }
    self = values.isEmpty ? FurtherTags() : FurtherTags(values)
  }

  /// What the column `tags` says, which holds what ``TagJSON`` made.
  init(json: String) {
    var values: [Value] = []
    var counts: [Kind: Int] = [:]
    unsafe Array(json.utf8).withUnsafeBytes { bytes in
      unsafe TagJSONReader.read(bytes) { kind, value in
        guard counts[kind, default: 0] < Self.valueLimit else { return }
        let value = unsafe Value(kind, String(decoding: value, as: UTF8.self))
        guard !values.contains(value) else { return }
        values.append(value)
        counts[kind, default: 0] += 1
      }
    }
    self.init(values)
  }
}
