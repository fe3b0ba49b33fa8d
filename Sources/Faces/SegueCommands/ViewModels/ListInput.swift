import MusicModel
import QueueFlow

/// What the user wants of a list.
enum ListInput: Sendable, Equatable {
  /// Show it.
  case open
  /// This was typed so far.
  case type(String)
  /// This was typed, and the line is finished.
  case submit(String)
  /// Show it in this order.
  case order(LibraryOrder)
  /// Change the filters.
  case filter(FilterChange)
  /// Read it again.
  case refresh
  /// The last row is in sight.
  case loadMore
  /// Try again what failed.
  case retry
}
