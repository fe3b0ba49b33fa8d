public import Flux
public import MusicModel

/// Says what a view wants of a listing: the only way from a view into the flow. From any thread.
public struct SearchActionCreator: Sendable {
  private let dispatcher: SearchDispatcher

  /// One that speaks to `dispatcher`.
  public init(dispatcher: SearchDispatcher) { self.dispatcher = dispatcher }

  /// Lists this; by this text and in this order, or else by what was chosen before.
  public func list(_ listing: SearchListing, text: String? = nil, order: LibraryOrder? = nil) {
    dispatcher.dispatch(.list(listing, text: text, order: order))
  }

  /// Lists this, or else what is listed already, by `text` as soon as nothing more is typed.
  public func type(_ text: String, in listing: SearchListing? = nil) {
    dispatcher.dispatch(.type(text, in: listing))
  }

  /// Asks for `text` at once.
  public func submit(_ text: String) { dispatcher.dispatch(.submit(text)) }

  /// Lists in this order.
  public func order(_ order: LibraryOrder) { dispatcher.dispatch(.order(order)) }

  /// Changes the filters.
  public func filter(_ change: FilterChange) { dispatcher.dispatch(.filter(change)) }

  /// Reads what is listed again.
  public func refresh() { dispatcher.dispatch(.refresh) }

  /// Reads on behind the last row.
  public func loadMore() { dispatcher.dispatch(.loadMore) }

  /// Asks again what could not be answered.
  public func retry() { dispatcher.dispatch(.retry) }

  /// Offers the values of `kind`; with `nil`, of none.
  public func offerChoices(_ kind: LibraryFilters.Kind?) { dispatcher.dispatch(.offerChoices(kind)) }
}
