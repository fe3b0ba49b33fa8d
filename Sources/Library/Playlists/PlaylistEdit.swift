// SPDX-License-Identifier: GPL-3.0-or-later

/// A change of the entries of a playlist. Positions are counted from 0.
public enum PlaylistEdit: Sendable, Hashable {
  /// Insert entries at this position, from 0 to the number of entries; `nil` for the end.
  case insert([PlaylistEntry], at: Int?)
  /// Remove the entries at these positions. A range may begin at the end and reach beyond it.
  case remove([Range<Int>])
  /// Move the entries at these positions. The first of them is then at `to`, and their order stays.
  case move([Range<Int>], to: Int)
  /// Give the entries at these positions other locations. Everything else about them stays.
  case relocate([Int: PlaylistLocation])
  /// Remove all entries.
  case clear
}
