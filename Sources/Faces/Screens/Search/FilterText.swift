// SPDX-License-Identifier: GPL-3.0-or-later

package import MusicModel

/// Describes filters in words, such as `genre Jazz or Bebop · decade 1950s`.
package enum FilterText {
  /// Returns the description, or `nil` if no filter is set. Not yet escaped for a terminal.
  package static func text(_ filters: LibraryFilters) -> String? {
    let parts = LibraryFilters.Kind.allCases.compactMap { kind in
      filters.values[kind].map { "\(kind.rawValue) \($0.joined(separator: " or "))" }
    }
    return parts.isEmpty ? nil : parts.joined(separator: " · ")
  }
}
