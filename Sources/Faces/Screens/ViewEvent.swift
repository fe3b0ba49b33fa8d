// SPDX-License-Identifier: GPL-3.0-or-later

package import CoverDrawing
package import MusicModel
package import Platform
package import PlayerPort
package import SystemPackage
package import Tagging

/// An event that a view of a player handles.
package enum ViewEvent: Sendable {
  /// The state of the player may have changed.
  case changed
  /// The process has received a signal.
  case signal(ProcessSignal)
  /// These files are skipped because they cannot be played.
  case skipped([LibraryProblem])
  /// The lookup has failed, so there is nothing to play.
  case failed(PlayerError)
  /// A page of a list has been loaded, or cannot be.
  case page(Result<ListPage, PlayerError>, ListView)
  /// A row has been found, or not.
  case position(Result<Int?, PlayerError>, ListView, text: String)
  /// The rows of a range have been loaded, or cannot be.
  case range(Result<[ListRow], PlayerError>, ListView, Range<Int>)
  /// The album and the artists of a track have been looked up.
  case origin(Result<TrackOrigin?, PlayerError>, TrackOriginKind)
  /// Everything about a track has been loaded, or cannot be.
  case info(Result<[InfoLine], PlayerError>)
  case filters(LibraryFilters)
  case outcome(ScreenOutcome)
  /// The time for the terminal to answer queries is over.
  case answerTimeout
  /// A frame of the level meter or the spectrum has arrived.
  case soundArrived
  /// The cover for a request has been drawn; it is `nil` if the track has none.
  case cover(CoverPainter.Request, DrawnCover?)
  /// The cover of an album has been drawn; it is `nil` if the album has none.
  case albumCover(AlbumCovers.Request, DrawnCover?)
  /// The lyrics of a track have been looked for.
  case lyrics(FilePath, LyricsState.Content, rating: Int?)
}
