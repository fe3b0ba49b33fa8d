// SPDX-License-Identifier: GPL-3.0-or-later

import MusicModel
import Platform
import PlayerPort
import Terminal
import UnicodeText
import UserSettings

/// A track or an album in a listing, with what users and the player note of it.
struct MarkedEntry<Entry: ListedEntry & Sendable>: ListedEntry, Sendable {
  static var table: Table { Entry.table }
  static var headings: [String] { Entry.headings }

  let entry: Entry
  let marks: RowMarks?

  /// The rating in stars, and a heart if the user likes it.
  var rating: String {
    (marks?.rating.map { HalfStars.text($0) } ?? "") + (marks?.isLiked == true ? "♥" : "")
  }

  var cells: [String] { entry.cells }
  var role: Palette.Role? { entry.role }
  var reference: ListedReference? { entry.reference }

  var plain: PlainLine {
    entry.plain.adding(marks?.rating.map { HalfStars.text($0) }, as: "rating")
      .adding(marks?.isLiked == true ? "liked" : nil)
      .adding(marks?.plays.map { ItemCount.text($0, "play") })
      .adding(marks?.skips.map { ItemCount.text($0, "skip") })
  }

  var object: ListedObject {
    var object = entry.object
    if let marks { object.setMarks(marks) }
    return object
  }
}

/// The same with columns for what is noted.
struct MarkedColumns<Entry: ListedEntry & Sendable>: ListedEntry {
  static var table: Table {
    Table(alignments: Entry.table.alignments + [.left, .right, .right], flexible: Entry.table.flexible)
  }
  static var headings: [String] { Entry.headings + ["Rating", "Plays", "Last played"] }

  let marked: MarkedEntry<Entry>

  var cells: [String] {
    let day = marked.marks?.lastPlayed.flatMap { LocalTime(secondsSince1970: $0)?.day.text }
    return marked.cells + [marked.rating, marked.marks?.plays.map { "\($0)" } ?? "", day ?? ""]
  }

  var plain: PlainLine { marked.plain }
  var role: Palette.Role? { marked.role }
  var object: ListedObject { marked.object }
  var reference: ListedReference? { marked.reference }
}
