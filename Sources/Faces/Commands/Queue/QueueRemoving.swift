// SPDX-License-Identifier: GPL-3.0-or-later

import ArgumentParser
import MusicModel
import PlayerFlow
import PlayerPort
import Screens
import Terminal
import UnicodeText

/// The `queue remove` command: removes items from the queue.
struct QueueRemoveCommand: QueueStateCommand {
  static let configuration = CommandConfiguration(
    commandName: "remove", abstract: "Remove items from the queue.",
    discussion: """
      \(ItemRange.help) If the current item is removed, playback continues with the one that takes its place.

      Examples:
        queue remove 3
        queue remove 3,5,9-12
        queue remove 9-
      """, aliases: ["rm"])

  @Argument(parsing: .allUnrecognized, help: "Items to remove.")
  var range: [String]

  @OptionGroup var state: StateOptions
  @OptionGroup var outputStyle: OutputStyleOptions

  func run(in session: Session) throws {
    let range = try ItemRange(range)
    var title: String?
    let edit = try session.edit(state) { queue throws(PlayerError) in
      let positions = try range.positions(in: queue.items.count, current: queue.currentPosition)
      if let first = positions.first, positions.count == 1, first.count == 1 {
        title = queue.items[first.lowerBound].track.title
      }
      session.services.actions.remove(.positions(positions))
    }
    let text = "removed \(ItemCount.text(edit.removedCount))"
    session.printRemark(title.map { "\(text): \($0)".safeForTerminal } ?? text)
  }
}

/// The `queue crop` command: removes all items except some.
struct QueueCropCommand: QueueStateCommand {
  static let configuration = CommandConfiguration(
    commandName: "crop", abstract: "Remove all items except the given ones (default: the current one).",
    discussion: """
      \(ItemRange.help)

      Examples:
        queue crop
        queue crop 3-7
        queue crop .-
      """)

  @Argument(parsing: .allUnrecognized, help: "Items to keep. Default: the current one.")
  var range: [String] = []

  @OptionGroup var state: StateOptions
  @OptionGroup var outputStyle: OutputStyleOptions

  func run(in session: Session) throws {
    let rangeToKeep = try range.isEmpty ? nil : ItemRange(range)
    let current = try ItemRange(".")
    let edit = try session.edit(state) { queue throws(PlayerError) in
      if queue.items.isEmpty, rangeToKeep == nil { return }
      let positions = try (rangeToKeep ?? current).positions(
        in: queue.items.count, current: queue.currentPosition)
      session.services.actions.crop(to: rangeToKeep.map { _ in .positions(positions) })
    }
    if edit.before.items.isEmpty { return session.printRemark("the queue is already empty") }
    if edit.removedCount == 0 { return session.printRemark("the queue has no other items") }
    session.printRemark(
      "removed \(ItemCount.text(edit.removedCount)), kept \(edit.after.items.count); \(QueueEdit.undoHint)")
  }
}

/// The `queue clear` command: removes all items from the queue.
struct QueueClearCommand: QueueStateCommand {
  static let configuration = CommandConfiguration(
    commandName: "clear", abstract: "Remove all items from the queue.",
    discussion: """
      Playback stops. `queue undo` restores the queue.

      Example:
        queue clear
      """)

  @OptionGroup var state: StateOptions
  @OptionGroup var outputStyle: OutputStyleOptions

  func run(in session: Session) throws {
    let edit = try session.edit(state) { _ in session.services.actions.clear() }
    let count = edit.before.items.count
    session.printRemark(
      count == 0 ? "the queue is already empty" : "cleared \(ItemCount.text(count)); \(QueueEdit.undoHint)")
  }
}

/// The `queue dedupe` command: removes duplicate tracks from the queue.
struct QueueDedupeCommand: QueueStateCommand {
  static let configuration = CommandConfiguration(
    commandName: "dedupe", abstract: "Remove duplicate tracks from the queue.",
    discussion: """
      Items are duplicates if they play the same part of the same file. The first of them is kept, or the current item if it is among them.

      Example:
        queue dedupe
      """)

  @OptionGroup var state: StateOptions
  @OptionGroup var outputStyle: OutputStyleOptions

  func run(in session: Session) throws {
    let edit = try session.edit(state) { _ in session.services.actions.dedupe() }
    let count = edit.removedCount
    session.printRemark(
      count == 0 ? "the queue has no duplicates" : "removed \(ItemCount.text(count, "duplicate"))")
  }
}
