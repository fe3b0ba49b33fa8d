// SPDX-License-Identifier: GPL-3.0-or-later

/// Tracks that belong together under one title, in playing order: by disc, then by track number.
public struct Album: Sendable, Hashable {
  /// The title, or the name of the directory if no tag has one.
  public var title: String
  /// The artist as shown; "Various Artists" for a compilation without an album artist, `nil` if unknown.
  public var artist: String?
  /// The name by which to sort the title, if it differs.
  public var sortTitle: String?
  /// The name by which to sort the artist, if it differs.
  public var sortArtist: String?
  /// The release date that most of its tracks have.
  public var date: ReleaseDate?
  /// Whether its tracks are by several artists.
  public var isCompilation: Bool
  /// The tracks in playing order; never empty.
  public var tracks: [Track]

  /// Creates an album of these tracks, which must be in playing order.
  public init(title: String, artist: String?, isCompilation: Bool = false, tracks: [Track]) {
    self.title = title
    self.artist = artist
    self.isCompilation = isCompilation
    self.tracks = tracks
  }

  /// The album as a collection to play.
  public var collection: TrackCollection { TrackCollection(title: title, tracks: tracks) }
}
