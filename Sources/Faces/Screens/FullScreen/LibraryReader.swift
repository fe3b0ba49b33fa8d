// SPDX-License-Identifier: GPL-3.0-or-later

import CoverDrawing
import Flux
import Platform
import PlayerPort
import SystemPackage
import Tagging

/// The threads on which a full screen reads its library: the lists, the covers of albums, and the lyrics and ratings of
/// tracks. Used on the main thread.
final class LibraryReader {
  let library: ScreenLibrary
  let loader: ListLoader
  let albums: AlbumCovers
  private let lyricsWorker = Worker<FilePath?>(named: "segue-lyrics", nil)
  private let filters: Subscription?

  /// Creates a reader of `lists` and `library`, which posts what it has read to `events`.
  ///
  /// - Throws: `Errno` if no thread can be created.
  init(
    _ lists: PlayerLists, _ library: ScreenLibrary, _ covers: CoverSource, _ events: EventQueue<ViewEvent>
  ) throws(Errno) {
    self.library = library
    loader = try ListLoader(lists, events)
    albums = try AlbumCovers(covers, path: { lists.path(ofAlbum: $0)?.path }) { [events] in
      events.post(.albumCover($0, $1))
    }
    filters = library.observeFilters { [events] in events.post(.filters($0)) }
    try lyricsWorker.start(taking: { $0.take() }) { [events] path in
      let rating = lists.rating(ofFile: PathText(path))
      events.post(.lyrics(path, LyricsState.Content.find(of: path), rating: rating))
    }
  }

  deinit {
    filters?.cancel()
    lyricsWorker.close()
  }

  /// Looks for the lyrics and the rating of a track, instead of those that are still waiting.
  func findLyrics(of path: FilePath) { lyricsWorker.post { $0 = path } }
}
