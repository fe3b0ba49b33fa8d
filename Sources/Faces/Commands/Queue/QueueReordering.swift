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

  func run(in session: Session) throws {
    guard let last = words.last, words.count > 1 else {
      throw PlayerError(.usage, "missing new position: use `queue move RANGE TO`")
    }
    let range = try ItemRange(words.dropLast())
    let edited = try session.edit(.move(.range(range), to: .point(try InsertionPoint(last))), state)
    let first = edited.target ?? 0
    let count = edited.positions.reduce(0) { $0 + $1.count }
    let positions = first..<first + count
    if edited.positions == [positions] {
      let verb = count == 1 ? "is" : "are"
      return session.printRemark("\(ItemCount.text(count)) \(verb) already at \(PositionText.text(positions))")
    }
    let title = edited.title.map { ": \($0)" } ?? ""
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

  func run(in session: Session) throws {
    let positions = try session.edit(.swap(.range(try ItemRange(one)), .range(try ItemRange(other))), state).positions
    guard let one = positions.first, let other = positions.last else { return }
    session.printRemark(
      one == other
        ? "nothing to swap: both are item \(PositionText.text(one))"
        : "swapped \(PositionText.text(one)) and \(PositionText.text(other))")
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

  func run(in session: Session) throws {
    let edited = try session.edit(
      .shuffle(range.isEmpty ? nil : .range(try ItemRange(range)), albums ? .albums : .tracks), state)
    let part = edited.positions.first
    let count = part?.count ?? edited.countBefore
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

  func run(in session: Session) throws {
    // Listings of the library call this sort key `year`.
    guard let key = QueueSortKey(rawValue: key == "year" ? "date" : key) else {
      let keys = QueueSortKey.allCases.map(\.rawValue).joined(separator: ", ")
      throw PlayerError(.usage, "unknown sort key \"\(key)\": use one of \(keys)")
    }
    let edited = try session.edit(
      .sort(range.isEmpty ? nil : .range(try ItemRange(range)), key, descending: reverse), state)
    let part = edited.positions.first
    let count = part?.count ?? edited.countBefore
    if count == 0 { return session.printRemark("nothing to sort: the queue is empty") }
    session.printRemark("sorted \(ItemCount.text(count))\(PositionText.suffix(part)) by \(key.rawValue)")
  }
}
