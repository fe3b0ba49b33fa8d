import MusicLibrary
import MusicModel

/// An album that is to be measured, or a file alone.
struct GainAlbum: Sendable, Equatable {
  /// What to call it.
  let title: String
  /// Who made it.
  let artist: String?
  /// The tracks in playing order.
  let tracks: [Track]
  /// Whether these are all of the album, so that it has a loudness of its own.
  let isWhole: Bool

  /// What tells the album from others, in the index.
  var key: Int64 { StoredLoudness.key(ofAlbum: tracks.map(\.path)) }

  init(_ album: Album) {
    title = album.title
    artist = album.artist
    tracks = album.tracks
    isWhole = true
  }

  /// A file of which nobody knows whether it is the whole album.
  init(file: Track) {
    title = file.title
    artist = file.artists.isEmpty ? nil : file.artists.joined(separator: ", ")
    tracks = [file]
    isWhole = false
  }
}
