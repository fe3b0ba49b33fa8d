// SPDX-License-Identifier: GPL-3.0-or-later

package import AudioCore
import Platform

/// A chapter of a track.
package struct ListedChapter: Codable, Sendable, Equatable {
  /// The number of the chapter in the track, counted from 1.
  package var number: Int
  /// The beginning, in seconds from that of the track.
  package var start: Double
  package var title: String
}

/// Some successive chapters of a track.
package struct ChapterWindow: Codable, Sendable, Equatable {
  /// The maximum numbers of chapters before the present one, and of all.
  private static let (leadLimit, limit) = (30, 60)

  package private(set) var rows: [ListedChapter] = []
  /// The number of the present chapter, counted from 1; `nil` if there is none.
  package private(set) var current: Int?

  package init() {}

  /// Creates the window around the chapter at `position`.
  package init(_ chapters: [SourceChapter], at position: Duration) {
    guard !chapters.isEmpty else { return }
    let index = chapters.index(at: position)
    let first = max(0, min((index ?? 0) - Self.leadLimit, chapters.count - Self.limit))
    rows = chapters.indices.dropFirst(first).prefix(Self.limit).map { ListedChapter(chapters, $0) }
    current = index.map { $0 + 1 }
  }
}

extension ListedChapter {
  /// Creates the row for a chapter of this index.
  init(_ chapters: [SourceChapter], _ index: Int) {
    self.init(number: index + 1, start: chapters[index].position / .seconds(1), title: chapters[index].title)
  }
}
