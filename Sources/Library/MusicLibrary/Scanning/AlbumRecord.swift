import MusicModel
import UnicodeText

/// What the row of an album holds that its tags make of it.
struct AlbumRecord: Sendable {
  let title: String
  let artist: String?
  let titleKey: String
  let artistKey: String
  let sortTitleKey: String?
  let sortArtistKey: String?
  let sort: [UInt8]
  let titleSort: [UInt8]
  let date: ReleaseDate?
  let isCompilation: Bool

  init(_ album: Album) {
    title = album.title
    artist = album.artist
    titleKey = album.title.searchWords
    artistKey = (album.artist ?? "").searchWords
    sortTitleKey = (album.sortTitle?.searchWords).flatMap { $0.isEmpty ? nil : $0 }
    sortArtistKey = (album.sortArtist?.searchWords).flatMap { $0.isEmpty ? nil : $0 }
    sort = AlbumOrder.sortKey(of: album)
    titleSort = AlbumOrder.titleKey(of: album)
    date = album.date
    isCompilation = album.isCompilation
  }
}
