// SPDX-License-Identifier: GPL-3.0-or-later

/// A playlist whose tracks follow from rules, and so are always up to date: the tracks that match a query, in an order,
/// up to a limit.
public struct SmartPlaylist: Sendable, Hashable {
  /// A key by which the tracks or albums are sorted. Those that are equal by a key are sorted by the following one.
  public enum Order: Sendable, Hashable {
    case key(LibraryOrder)
    /// An order that looks random, and changes every day.
    case random

    /// Creates an order from its text: a key of ``LibraryOrder``, after `-` if it is descending, or `random`. Returns
    /// `nil` for any other text.
    public init?(_ text: some StringProtocol) {
      let name = text.drop { $0 == "-" || $0 == "+" }.lowercased()
      guard text.count - name.count <= 1 else { return nil }
      if name == "random" {
        self = .random
      } else if let key = LibraryOrder.Key(rawValue: name) {
        self = .key(LibraryOrder(key, isDescending: text.hasPrefix("-")))
      } else {
        return nil
      }
    }

    /// The text from which the order is created.
    public var text: String {
      switch self {
      case .random: "random"
      case .key(let order): (order.isDescending ? "-" : "") + order.key.rawValue
      }
    }
  }

  /// What users read about the playlist.
  public var comment: String?
  public var query: LibraryQuery
  /// The order; empty for that of albums.
  public var order: [Order] = []
  /// Whether the playlist consists of the albums that have a track that matches, with all of their tracks. The order is
  /// then that of albums.
  public var hasWholeAlbums = false
  /// The number of tracks (or albums) at the beginning that are left out.
  public var offset = 0
  /// The maximum number of tracks.
  public var limit: Int?
  /// The maximum duration, in minutes.
  public var minutes: Double?
  /// The share of the tracks (or albums) that match, in per cent, at least one; not used with ``limit``.
  public var percent: Double?
  /// The maximum number of tracks of one artist.
  public var perArtist: Int?
  /// The maximum number of tracks of one album; not used with ``hasWholeAlbums``.
  public var perAlbum: Int?

  public init(_ query: LibraryQuery) { self.query = query }
}
