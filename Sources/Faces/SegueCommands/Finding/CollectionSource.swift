import MusicLibrary
import MusicModel
import SystemPackage

/// A library in which something to play is looked up. Its calls block while the disk does; any thread.
protocol CollectionSource: Sendable {
  /// The directories of music.
  var roots: LibraryRoots { get }

  /// The index of the library, where it was asked already.
  var openIndex: IndexedLibrary? { get }

  /// Opens the index, where it is there already and nothing is wrong with it, so that whoever asks next does not wait
  /// for that. Changes nothing.
  func prepare()

  /// The album that `text` names.
  func album(named text: String) throws(CommandError) -> Match<AlbumName>

  /// The album with this id as the disk has it now; `nil` where it is gone.
  func presentAlbum(_ id: Int64) throws(CommandError) -> Album?

  /// The tracks of which the query `text` is true; `nil` where it is nothing but words.
  ///
  /// - Throws: `CommandError` also where it is a query that cannot be understood.
  func tracks(answering text: String) throws(CommandError) -> [Track]?

  /// The tracks whose title `text` names: the whole title beats its beginning, and that words in it.
  func tracks(titled text: String) throws(CommandError) -> [Track]

  /// The tracks on which an artist is named so.
  func tracks(byArtist name: String) throws(CommandError) -> [Track]

  /// All albums, in the order of listings.
  func allAlbums() throws(CommandError) -> [Album]

  /// Brings the library in step with the disk, where that is possible.
  func catchUp() throws(CommandError)
}

extension AlbumName {
  /// What finds this album again.
  var text: String { artist.map { "\($0)/\(title)" } ?? title }
}
