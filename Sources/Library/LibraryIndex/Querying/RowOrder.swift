// SPDX-License-Identifier: GPL-3.0-or-later

public import MusicModel

/// The order of the rows of a listing. Rows without the value by which they are ordered come last in either direction.
public enum RowOrder: Sendable, Hashable {
  /// By a key. Artists and genres are sorted by name, unless the key is a mark.
  case key(LibraryOrder)
  /// In an order that looks random, and is always the same for a seed: a new row changes no other's place.
  case random(seed: UInt64)

  /// Whether rows are ordered by marks, which change without a scan.
  public var usesMarks: Bool { if case .key(let order) = self { order.key.isMark } else { false } }

  /// Returns a number that determines the place of the row `id` in a random order.
  public static func place(of id: UInt64, seed: UInt64) -> UInt64 {
    // The finaliser of SplitMix64.
    var bits = id &+ (seed &+ 1) &* 0x9E37_79B9_7F4A_7C15
    bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
    bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
    return bits ^ (bits >> 31)
  }

  /// The key and the direction; those of the listing's own order if this one is random.
  func keyOrder(of listing: LibraryListing) -> LibraryOrder {
    if case .key(let order) = self { return order }
    return LibraryOrder(listing == .tracks ? .title : .artist)
  }
}
