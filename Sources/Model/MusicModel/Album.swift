// SPDX-License-Identifier: GPL-3.0-or-later

/// An album: tracks that belong together under one title, in playing order (by disc number, then by track number).
public struct Album: Sendable, Hashable {
  /// The title, or the name of the directory if no tag has one.
  public var title: String
  /// The artist to display: "Various Artists" for a compilation without an album artist, `nil` if unknown.
  public var artist: String?
  /// The name by which the title is sorted; `nil` if the title itself is used.
  public var sortTitle: String?
  /// The name by which the artist is sorted; `nil` if the artist's name itself is used.
  public var sortArtist: String?
  /// The most frequent release date among the tracks; `nil` if none has a date.
  public var date: ReleaseDate?
  /// Whether the album is a compilation, with tracks by several artists.
  public var isCompilation: Bool
  /// The tracks in playing order; never empty.
  public var tracks: [Track]

  /// Creates an album from these tracks, which must be in playing order.
  public init(title: String, artist: String?, isCompilation: Bool = false, tracks: [Track]) {
    self.title = title
    self.artist = artist
    self.isCompilation = isCompilation
    self.tracks = tracks
  }

  /// The album as a collection that can be added to the queue.
  public var collection: TrackCollection { TrackCollection(title: title, tracks: tracks) }
}
