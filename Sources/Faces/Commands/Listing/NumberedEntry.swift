// SPDX-License-Identifier: GPL-3.0-or-later

import Terminal
import UnicodeText
import UserSettings

/// An entry of a listing, with a number by which the next command can refer to it.
struct NumberedEntry<Entry: ListedEntry>: ListedEntry {
  static var table: Table {
    Table(alignments: [.right] + Entry.table.alignments, flexible: Entry.table.flexible.map { $0 + 1 })
  }
  static var headings: [String] { ["#"] + Entry.headings }

  /// The number of the entry, counted from 1.
  let number: Int
  let entry: Entry

  var cells: [String] { ["\(number)"] + entry.cells }
  var plain: PlainLine { entry.plain.numbered(number) }
  var role: Palette.Role? { entry.role }
  var object: ListedObject { entry.object }
}
