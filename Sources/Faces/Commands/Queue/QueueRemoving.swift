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

  func run(in session: Session) throws {
    let edited = try session.edit(.remove(.range(try ItemRange(range))), state)
    let text = "removed \(ItemCount.text(edited.removedCount))"
    session.printRemark(edited.title.map { "\(text): \($0)".safeForTerminal } ?? text)
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

  func run(in session: Session) throws {
    let edited = try session.edit(.crop(range.isEmpty ? nil : try ItemRange(range)), state)
    if edited.countBefore == 0 { return session.printRemark("the queue is already empty") }
    if edited.removedCount == 0 { return session.printRemark("the queue has no other items") }
    session.printRemark(
      "removed \(ItemCount.text(edited.removedCount)), kept \(edited.countAfter); \(EditedQueue.undoHint)")
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

  func run(in session: Session) throws {
    let count = try session.edit(.clear, state).countBefore
    session.printRemark(
      count == 0 ? "the queue is already empty" : "cleared \(ItemCount.text(count)); \(EditedQueue.undoHint)")
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

  func run(in session: Session) throws {
    let count = try session.edit(.dedupe, state).removedCount
    session.printRemark(
      count == 0 ? "the queue has no duplicates" : "removed \(ItemCount.text(count, "duplicate"))")
  }
}
