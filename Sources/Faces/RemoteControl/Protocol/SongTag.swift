import LibraryIndex
import MusicModel

/// The tags of a song that the protocol knows and Segue has, by their names there.
enum SongTag: String, Sendable, Hashable, CaseIterable {
  /// The artists of the track.
  case artist = "Artist"
  /// What to sort the artists by.
  case artistSort = "ArtistSort"
  /// The title of the album.
  case album = "Album"
  /// What to sort the album by.
  case albumSort = "AlbumSort"
  /// The artists of the album.
  case albumArtist = "AlbumArtist"
  /// What to sort the artists of the album by.
  case albumArtistSort = "AlbumArtistSort"
  /// The title.
  case title = "Title"
  /// What to sort the title by.
  case titleSort = "TitleSort"
  /// The number on the disc.
  case track = "Track"
  /// The genres.
  case genre = "Genre"
  /// When it was released.
  case date = "Date"
  /// The composers.
  case composer = "Composer"
  /// The number of the disc.
  case disc = "Disc"
  /// The release's MusicBrainz identifier.
  case musicBrainzAlbumID = "MUSICBRAINZ_ALBUMID"
  /// What the stream or broadcast is called.
  case name = "Name"
  /// When the recording was released first.
  case originalDate = "OriginalDate"
  /// What to sort the composers by.
  case composerSort = "ComposerSort"
  /// Who plays or sings.
  case performer = "Performer"
  /// Who conducts.
  case conductor = "Conductor"
  /// Who plays together.
  case ensemble = "Ensemble"
  /// Where it was recorded.
  case location = "Location"
  /// What the track belongs to besides its album.
  case grouping = "Grouping"
  /// Who published it.
  case label = "Label"
  /// The artists' MusicBrainz identifiers.
  case musicBrainzArtistID = "MUSICBRAINZ_ARTISTID"
  /// The album artists' MusicBrainz identifiers.
  case musicBrainzAlbumArtistID = "MUSICBRAINZ_ALBUMARTISTID"
  /// The work that is played.
  case work = "Work"
  /// The movement of the work.
  case movement = "Movement"
  /// The number of the movement.
  case movementNumber = "MovementNumber"
  /// The recording's MusicBrainz identifier.
  case musicBrainzTrackID = "MUSICBRAINZ_TRACKID"
  /// The MusicBrainz identifier of the track on its release.
  case musicBrainzReleaseTrackID = "MUSICBRAINZ_RELEASETRACKID"
  /// The work's MusicBrainz identifier.
  case musicBrainzWorkID = "MUSICBRAINZ_WORKID"
  /// The mood, in a few words.
  case mood = "Mood"
  /// Whether work and movement are to be shown in place of the title.
  case showMovement = "ShowMovement"
  /// The MusicBrainz identifier of the group that the release belongs to.
  case musicBrainzReleaseGroupID = "MUSICBRAINZ_RELEASEGROUPID"
  /// The title of the disc.
  case discSubtitle = "DiscSubtitle"

  /// Which of a track's further tags it is; `nil` where the track has it for itself.
  var furtherKind: FurtherTags.Kind? { if case .further(let kind) = field { kind } else { nil } }

  /// The tag that a client calls `name`, in whatever case.
  init?(name: String) {
    let key = name.lowercased()
    guard let tag = Self.allCases.first(where: { $0.rawValue.lowercased() == key }) else { return nil }
    self = tag
  }
}
