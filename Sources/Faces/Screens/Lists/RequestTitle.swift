package import MusicModel
import PlayerFlow

/// A request in words: `Albums: coltrane year:1957..1965 · genre Jazz or Bebop · by year, last first`.
package enum RequestTitle {
  /// The words. Not yet safe for a terminal.
  static func text(_ request: SearchRequest) -> String {
    let listing = name(of: request.listing)
    var parts = [request.text.allSatisfy(\.isWhitespace) ? listing : "\(listing): \(request.text)"]
    if let filters = text(request.filters) { parts.append(filters) }
    let isOrdered = request.listing == .albums || request.listing == .tracks
    if isOrdered, request.order != LibraryOrder() { parts.append(text(request.order)) }
    return parts.joined(separator: " · ")
  }

  /// The filters, or `nil` where none is chosen.
  package static func text(_ filters: LibraryFilters) -> String? {
    let parts = LibraryFilters.Kind.allCases.compactMap { kind in
      filters.values[kind].map { "\(kind.rawValue) \($0.joined(separator: " or "))" }
    }
    return parts.isEmpty ? nil : parts.joined(separator: " · ")
  }

  private static func name(of listing: SearchListing) -> String {
    switch listing {
    case .albums: "Albums"
    case .tracks: "Tracks"
    case .artists: "Artists"
    case .genres: "Genres"
    case .hits: "Search"
    }
  }

  private static func text(_ order: LibraryOrder) -> String {
    "by \(order.key.rawValue)" + (order.isDescending ? ", last first" : "")
  }
}
