// SPDX-License-Identifier: GPL-3.0-or-later

/// What is shown beside the cover of what is playing.
package enum PlayingSide: String, Codable, CaseIterable, Sendable {
  case queue, chapters, lyrics, spectrum, levels, none

  /// The one that a key shows after this one.
  package var next: PlayingSide {
    let all = Self.allCases
    return all[((all.firstIndex(of: self) ?? 0) + 1) % all.count]
  }
}
