// SPDX-License-Identifier: GPL-3.0-or-later

import LibraryIndex
import MusicModel

/// A tag of the protocol that Segue supports. The raw value is its name in the protocol.
enum SongTag: String, Sendable, Hashable, CaseIterable {
  /// The artists of the track.
  case artist = "Artist"
  /// The sort name of the artists.
  case artistSort = "ArtistSort"
  /// The title of the album.
  case album = "Album"
  /// The sort name of the album.
  case albumSort = "AlbumSort"
  case albumArtist = "AlbumArtist"
  /// The sort name of the album artists.
  case albumArtistSort = "AlbumArtistSort"
  /// The title of the track.
  case title = "Title"
  /// The sort name of the title.
  case titleSort = "TitleSort"
  /// The number of the track on its disc.
  case track = "Track"
  /// The genres.
  case genre = "Genre"
  /// The release date.
  case date = "Date"
  case composer = "Composer"
  /// The number of the disc.
  case disc = "Disc"
  /// The MusicBrainz identifier of the release.
  case musicBrainzAlbumID = "MUSICBRAINZ_ALBUMID"
  /// The name of the stream or broadcast.
  case name = "Name"
  /// The date of the first release of the recording.
  case originalDate = "OriginalDate"
  /// The sort name of the composers.
  case composerSort = "ComposerSort"
  case performer = "Performer"
  case conductor = "Conductor"
  case ensemble = "Ensemble"
  /// The place where the recording was made.
  case location = "Location"
  /// A group to which the track belongs besides its album.
  case grouping = "Grouping"
  /// The record label.
  case label = "Label"
  /// The MusicBrainz identifiers of the artists.
  case musicBrainzArtistID = "MUSICBRAINZ_ARTISTID"
  /// The MusicBrainz identifiers of the album artists.
  case musicBrainzAlbumArtistID = "MUSICBRAINZ_ALBUMARTISTID"
  /// The name of the work.
  case work = "Work"
  /// The name of the movement of the work.
  case movement = "Movement"
  case movementNumber = "MovementNumber"
  /// The MusicBrainz identifier of the recording.
  case musicBrainzTrackID = "MUSICBRAINZ_TRACKID"
  /// The MusicBrainz identifier of the track on its release.
  case musicBrainzReleaseTrackID = "MUSICBRAINZ_RELEASETRACKID"
  /// The MusicBrainz identifier of the work.
  case musicBrainzWorkID = "MUSICBRAINZ_WORKID"
  /// The mood, in a few words.
  case mood = "Mood"
  /// Whether work and movement should be shown instead of the title.
  case showMovement = "ShowMovement"
  /// The MusicBrainz identifier of the release group.
  case musicBrainzReleaseGroupID = "MUSICBRAINZ_RELEASEGROUPID"
  /// The title of the disc.
  case discSubtitle = "DiscSubtitle"

  /// The kind under which the library stores this tag among the additional tags; `nil` if `Track` has a property for
  /// it.
  var additionalKind: AdditionalTags.Kind? { if case .additional(let kind) = field { kind } else { nil } }

  /// Creates the tag with this name, ignoring case.
  init?(name: String) {
    let key = name.lowercased()
    guard let tag = Self.allCases.first(where: { $0.rawValue.lowercased() == key }) else { return nil }
    self = tag
  }
}
