public import MusicModel

/// What is wanted of a listing, or what was read of it.
public enum SearchAction: Sendable, Equatable {
  /// List this; by this text and in this order, or else by what was chosen before.
  case list(SearchListing, text: String?, order: LibraryOrder?)
  /// The text was typed so far: this, or else what is listed already, is listed by it when nothing more is typed.
  case type(String, in: SearchListing?)
  /// The text is finished: it is asked for at once.
  case submit(String)
  /// List in this order.
  case order(LibraryOrder)
  /// Change the filters.
  case filter(FilterChange)
  /// Read what is listed again, as far as it was read.
  case refresh
  /// Read on behind the last row; nothing while something is being read, or where there are no more.
  case loadMore
  /// Ask again what could not be answered.
  case retry
  /// Offer the values of this kind, from now on; with `nil`, of none.
  case offerChoices(LibraryFilters.Kind?)
  /// Something was read.
  case report(SearchReport)
}
