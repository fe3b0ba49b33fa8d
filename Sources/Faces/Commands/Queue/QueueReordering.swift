// SPDX-License-Identifier: GPL-3.0-or-later

import ArgumentParser
import MusicModel
import PlayerFlow
import PlayerPort
import Screens
import Terminal
import UnicodeText

/// The `queue move` command: moves items within the queue.
struct QueueMoveCommand: QueueStateCommand {
  static let configuration = CommandConfiguration(
    commandName: "move", abstract: "Move items within the queue.",
    discussion: """
      \(ItemRange.help) TO is the new position of the first of these items: \(InsertionPoint.help) The items stay together, in their order.

      Examples:
        queue move 7 1
        queue move 9-12 next
        queue move -2 end
      """)

  @Argument(
    parsing: .allUnrecognized,
    help: ArgumentHelp("Items to move, and their new position: RANGE TO.", valueName: "range-to"))
  var words: [String]

  @OptionGroup var state: StateOptions
  @OptionGroup var outputStyle: OutputStyleOptions

  func run(in session: Session) throws {
    guard let last = words.last, words.count > 1 else {
      throw PlayerError(.usage, "missing new position: use `queue move RANGE TO`")
    }
    let range = try ItemRange(words.dropLast())
    let point = try InsertionPoint(last)
    var first = 0
    var moved: [Range<Int>] = []
    let edit = try session.edit(state) { queue throws(PlayerError) in
      moved = try range.positions(in: queue.items.count, current: queue.currentPosition)
      first = try point.target(of: moved, in: queue)
      session.services.actions.move(.positions(moved), to: first)
    }
    let count = moved.reduce(0) { $0 + $1.count }
    let positions = first..<first + count
    if moved == [positions] {
      let verb = count == 1 ? "is" : "are"
      return session.printRemark("\(ItemCount.text(count)) \(verb) already at \(PositionText.text(positions))")
    }
    let title = count == 1 ? ": " + edit.before.items[moved[0].lowerBound].track.title : ""
    session.printRemark(
      "moved \(ItemCount.text(count)) to \(PositionText.text(positions))\(title)".safeForTerminal)
  }
}

/// The `queue swap` command: swaps two items of the queue.
struct QueueSwapCommand: QueueStateCommand {
  static let configuration = CommandConfiguration(
    commandName: "swap", abstract: "Swap two items of the queue.",
    discussion: """
      An item is a position, `.` for the current item, or `last`.

      Examples:
        queue swap 3 7
        queue swap . last
      """)

  @Argument(help: "First item.")
  var one: String

  @Argument(help: "Second item.")
  var other: String

  @OptionGroup var state: StateOptions
  @OptionGroup var outputStyle: OutputStyleOptions

  func run(in session: Session) throws {
    let ranges = [try ItemRange(one), try ItemRange(other)]
    var positions: [Int] = []
    _ = try session.edit(state) { queue throws(PlayerError) in
      positions = []
      for range in ranges {
        positions.append(try range.position(in: queue))
      }
      session.services.actions.swap(positions[0], positions[1])
    }
    let (one, other) = (positions[0] + 1, positions[1] + 1)
    session.printRemark(
      one == other ? "nothing to swap: both are item \(one)" : "swapped \(one) and \(other)")
  }
}

/// The `queue shuffle` command: shuffles items of the queue.
struct QueueShuffleCommand: QueueStateCommand {
  static let configuration = CommandConfiguration(
    commandName: "shuffle", abstract: "Shuffle the queue, or a part of it.",
    discussion: """
      This reorders the queue once; `mode random` leaves the items where they are, and plays them in another order. \(ItemRange.help) Here, \
      it must be a single range.

      Examples:
        queue shuffle
        queue shuffle --albums
        queue shuffle 12-
      """)

  @Argument(parsing: .allUnrecognized, help: "Items to shuffle. Default: all.")
  var range: [String] = []

  @Flag(name: .long, help: "Shuffle whole albums; the order of their tracks stays the same.")
  var albums = false

  @OptionGroup var state: StateOptions
  @OptionGroup var outputStyle: OutputStyleOptions

  func run(in session: Session) throws {
    let range = try range.isEmpty ? nil : ItemRange(range)
    var part: Range<Int>?
    let edit = try session.edit(state) { queue throws(PlayerError) in
      part = try range?.contiguousPositions(in: queue)
      session.services.actions.shuffle(part, by: albums ? .albums : .tracks)
    }
    let count = part?.count ?? edit.before.items.count
    if count == 0 { return session.printRemark("nothing to shuffle: the queue is empty") }
    session.printRemark(
      "shuffled \(ItemCount.text(count))\(PositionText.suffix(part))\(albums ? " by album" : "")")
  }
}

/// The `queue sort` command: sorts items of the queue.
struct QueueSortCommand: QueueStateCommand {
  static let configuration = CommandConfiguration(
    commandName: "sort", abstract: "Sort the queue, or a part of it.",
    discussion: """
      KEY is title, artist, album (album artist, date, album, disc and track number), date, duration or path. Items with equal keys keep \
      their order. \(ItemRange.help) Here, it must be a single range.

      Examples:
        queue sort album
        queue sort duration --reverse
        queue sort title 5-last
      """)

  @Argument(help: "Sort key.")
  var key: String

  @Argument(parsing: .allUnrecognized, help: "Items to sort. Default: all.")
  var range: [String] = []

  @Flag(name: .long, help: "Reverse the order.")
  var reverse = false

  @OptionGroup var state: StateOptions
  @OptionGroup var outputStyle: OutputStyleOptions

  func run(in session: Session) throws {
    // Listings of the library call this sort key `year`.
    guard let key = QueueSortKey(rawValue: key == "year" ? "date" : key) else {
      let keys = QueueSortKey.allCases.map(\.rawValue).joined(separator: ", ")
      throw PlayerError(.usage, "unknown sort key \"\(key)\": use one of \(keys)")
    }
    let range = try range.isEmpty ? nil : ItemRange(range)
    var part: Range<Int>?
    let edit = try session.edit(state) { queue throws(PlayerError) in
      part = try range?.contiguousPositions(in: queue)
      session.services.actions.sort(part, by: key, descending: reverse)
    }
    let count = part?.count ?? edit.before.items.count
    if count == 0 { return session.printRemark("nothing to sort: the queue is empty") }
    session.printRemark("sorted \(ItemCount.text(count))\(PositionText.suffix(part)) by \(key.rawValue)")
  }
}
