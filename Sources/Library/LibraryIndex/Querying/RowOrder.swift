// SPDX-License-Identifier: GPL-3.0-or-later

public import MusicModel

/// The order of the rows of a listing. Rows without the value by which they are ordered come last in either direction.
public enum RowOrder: Sendable, Hashable {
  /// By what the tags say. Artists and genres are sorted by name, whichever the key.
  case tags(LibraryOrder)
  /// By rating; that of an album, an artist or a genre is the average of its rated tracks.
  case rating(isDescending: Bool)
  /// By the number of times that the tracks were played.
  case plays(isDescending: Bool)
  /// In an order that looks random, and is always the same for a seed: a new row changes no other's place.
  case random(seed: UInt64)

  /// Returns a number that determines the place of the row `id` in a random order.
  public static func place(of id: UInt64, seed: UInt64) -> UInt64 {
    // The finaliser of SplitMix64.
    var bits = id &+ (seed &+ 1) &* 0x9E37_79B9_7F4A_7C15
    bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
    bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
    return bits ^ (bits >> 31)
  }

  /// The order from which the rows are read, before they are ordered otherwise.
  func tagOrder(of listing: LibraryListing) -> LibraryOrder {
    if case .tags(let order) = self { return order }
    return LibraryOrder(listing == .tracks ? .title : .artist)
  }
}

/// What users and the player know of a track or an album, besides its tags.
public struct RowMarks: Sendable, Hashable {
  /// The time when it was added to the library, in seconds since 1970.
  public var added: Int64
  /// The rating from 1 to 10, for an album the average of its rated tracks; `nil` if there is none.
  public var rating: Int?
  /// The number of times that it was played; `nil` if it never was.
  public var plays: Int?
}
