// SPDX-License-Identifier: GPL-3.0-or-later

import ArgumentParser
import MusicModel
import Platform
import PlayerFlow
import PlayerPort
import Screens
import Terminal
import UnicodeText

/// The `queue history` command: lists the edits of the queue.
struct QueueHistoryCommand: QueueStateCommand {
  static let configuration = CommandConfiguration(
    commandName: "history", abstract: "List the edits of the queue, newest first.",
    discussion: """
      Each line shows an edit, and the command that undoes or redoes everything up to it: `queue undo 2` undoes the last two edits. Undone \
      edits come first.

      Examples:
        queue history
        queue history --limit 5
      """)

  @OptionGroup var window: WindowOptions
  @OptionGroup var state: StateOptions

  func run(in session: Session) throws {
    guard case .history(let undoable, let redoable) = try session.send(.history, to: .queue(state), changes: false)
    else { throw PlayerError.unexpectedReply }
    let edits =
      redoable.enumerated().map {
        ListedEdit(direction: .redo, steps: redoable.count - $0, name: $1)
      }
      + undoable.reversed().enumerated().map { ListedEdit(direction: .undo, steps: $0 + 1, name: $1) }
    if edits.isEmpty, !window.json, session.outputStyle.isForPeople {
      return session.printRemark("no edits yet")
    }
    let printer = ListingPrinter<ListedEdit>(session, isJSON: window.json, mayPage: !window.noPager)
    _ = try printer.print(Array(edits.dropFirst(window.offset ?? 0).prefix(window.limit ?? .max)))
    try printer.finish()
  }
}

/// An edit in a listing, which can be undone or redone.
struct ListedEdit: ListedEntry, Equatable {
  /// How the edit is reached: by undoing or by redoing.
  enum Direction: String {
    case undo
    case redo
  }

  static var table: Table { Table(alignments: [.left, .right, .left], flexible: [2]) }
  static var headings: [String] { ["", "Steps", "Edit"] }

  let direction: Direction
  /// The number of steps to the edit; at least 1.
  let steps: Int
  let name: String

  var cells: [String] { [direction.rawValue, "\(steps)", name] }

  var plain: PlainLine { PlainLine(name).prefixed(with: "\(direction.rawValue) \(steps)") }

  var object: ListedObject {
    var object = ListedObject(.edit)
    object.name = name
    if direction == .undo { object.undo = steps } else { object.redo = steps }
    return object
  }
}

/// The `queue undo` command: undoes the last edits.
struct QueueUndoCommand: QueueStateCommand {
  static let configuration = CommandConfiguration(
    commandName: "undo", abstract: "Undo the last edits of the queue.",
    discussion: """
      If this removes the playing track from the queue, the item that was current before the edit becomes current again. `queue history` \
      lists the edits, and `queue redo` redoes them. Changes of playlists and ratings that the running player has made are undone like edits \
      of the queue, until it ends.

      Examples:
        queue undo
        queue undo 3
      """)

  @OptionGroup var options: StepOptions

  var state: StateOptions { options.state }

  func run(in session: Session) throws { try options.run(.undo(options.steps), done: "undid", in: session) }
}

/// The `queue redo` command: redoes the last edits that were undone.
struct QueueRedoCommand: QueueStateCommand {
  static let configuration = CommandConfiguration(
    commandName: "redo", abstract: "Redo the last undone edits of the queue.",
    discussion: """
      After a new edit, there is nothing to redo.

      Examples:
        queue redo
        queue redo 3
      """)

  @OptionGroup var options: StepOptions

  var state: StateOptions { options.state }

  func run(in session: Session) throws { try options.run(.redo(options.steps), done: "redid", in: session) }
}

/// The options of a command that undoes or redoes edits: the number of edits, and the queue.
struct StepOptions: ParsableArguments {
  @Argument(help: "Number of edits.")
  var steps = 1

  @OptionGroup var state: StateOptions

  func validate() throws {
    if steps < 1 { throw ValidationError("invalid number of edits \"\(steps)\": use 1 or more") }
  }

  /// Undoes or redoes edits, and prints their names after the verb `done`.
  ///
  /// - Throws: `PlayerError` if there is no edit to undo or redo.
  func run(_ edit: QueueEdit, done: String, in session: Session) throws {
    for name in try session.edit(edit, state).names { session.printRemark("\(done) \(name)".safeForTerminal) }
  }
}
