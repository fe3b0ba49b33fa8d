public import MusicModel
import Platform

/// One entry of a playlist: where the music is, and what the playlist says of it.
///
/// Texts are as the file gives them (not yet made safe for a terminal), without white space at their ends, and never
/// empty.
public struct PlaylistEntry: Sendable, Hashable {
  /// Where the music is.
  public var location: PlaylistLocation
  /// Where else it may be, to be tried in this order: further locations of XSPF, and a name of unknown encoding as text
  /// in UTF-8.
  public var alternatives: [PlaylistLocation] = []
  /// The title of the track.
  public var title: String?
  /// Who plays it.
  public var artist: String?
  /// The title of its album.
  public var album: String?
  /// The artist of its album.
  public var albumArtist: String?
  /// The genre.
  public var genre: String?
  /// The name of a group of entries (`#EXTGRP`).
  public var group: String?
  /// A remark (XSPF's `annotation`).
  public var comment: String?
  /// The number of the track on its album, from 1.
  public var number: Int?
  /// How long it is said to last; whole seconds in M3U and PLS, milliseconds in XSPF.
  public var duration: Duration?

  /// Which part of the file it is, where it is not the whole (`#SEGUE-PART`, in frames of a CD; only in M3U).
  public var segment: TrackSegment?

  /// An entry of which only the place is known.
  public init(_ location: PlaylistLocation) { self.location = location }

  /// An entry for `track`, under its path and with what is known of it.
  public init(_ track: Track) {
    self.init(.path(track.path.systemBytes))
    title = track.title
    artist = track.artists.isEmpty ? nil : track.artists.joined(separator: ", ")
    album = track.album
    albumArtist = track.albumArtists.isEmpty ? nil : track.albumArtists.joined(separator: ", ")
    genre = track.genres.isEmpty ? nil : track.genres.joined(separator: ", ")
    number = track.number?.number
    duration = track.duration
    segment = track.segment
  }

  /// Whether nothing is said but the place.
  var isBare: Bool { self == PlaylistEntry(location) }
}
