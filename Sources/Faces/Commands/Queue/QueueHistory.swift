import ArgumentParser
import MusicModel
import Platform
import PlayerFlow
import Screens
import Terminal
import UnicodeText

/// The `queue history` command: lists the edits.
struct QueueHistoryCommand: QueueStateCommand {
  static let configuration = CommandConfiguration(
    commandName: "history", abstract: "List the edits of the queue, the newest first.",
    discussion: """
      Each with what brings the queue there: `queue undo 2` takes the last two back. At the top stand those that were taken back, which \
      `queue redo` makes again.

      Examples:
        queue history
        queue history --limit 5
      """)

  @OptionGroup var window: WindowOptions
  @OptionGroup var state: StateOptions
  @OptionGroup var manner: MannerOptions

  var mayPage: Bool { !window.noPager && !window.json }

  func run(in session: Session) throws {
    let queue = try session.keptQueue(state)
    let edits =
      queue.redoable.enumerated().map {
        ListedEdit(direction: .redo, steps: queue.redoable.count - $0, name: $1)
      }
      + queue.undoable.reversed().enumerated().map { ListedEdit(direction: .undo, steps: $0 + 1, name: $1) }
    if edits.isEmpty, !window.json, session.manner.isForPeople {
      return session.remark("nothing was edited yet")
    }
    let printer = ListingPrinter<ListedEdit>(session, isJSON: window.json, mayPage: !window.noPager)
    _ = try printer.print(Array(edits.dropFirst(window.offset ?? 0).prefix(window.limit ?? .max)))
    try printer.finish()
  }
}

/// An edit in a listing that can be undone or redone.
struct ListedEdit: ListedEntry, Equatable {
  /// The direction in which it is reached.
  enum Direction: String {
    case undo
    case redo
  }

  static var table: Table { Table(alignments: [.left, .right, .left], flexible: [2]) }
  static var headings: [String] { ["", "Steps", "Edit"] }

  let direction: Direction
  /// The number of steps to it, from 1.
  let steps: Int
  let name: String

  var cells: [String] { [direction.rawValue, "\(steps)", name] }

  var plain: PlainLine { PlainLine(name).behind("\(direction.rawValue) \(steps)") }

  var object: ListedObject {
    var object = ListedObject(.edit)
    object.name = name
    if direction == .undo { object.undo = steps } else { object.redo = steps }
    return object
  }
}

/// The `queue undo` command: undoes edits.
struct QueueUndoCommand: QueueStateCommand {
  static let configuration = CommandConfiguration(
    commandName: "undo", abstract: "Take back the last edit of the queue, or several.",
    discussion: """
      What was current before the edit is current again where what plays is not in the queue any more. `queue history` lists the edits, and \
      `queue redo` makes them again.

      Examples:
        queue undo
        queue undo 3
      """)

  @OptionGroup var options: StepOptions
  @OptionGroup var manner: MannerOptions

  var state: StateOptions { options.state }

  func run(in session: Session) throws {
    try options.run(
      in: session,
      StepOptions.Direction(
        names: \.undoable, move: session.services.actions.undo, done: "undid",
        nothing: "there is no edit to undo"))
  }
}

/// The `queue redo` command: redoes edits.
struct QueueRedoCommand: QueueStateCommand {
  static let configuration = CommandConfiguration(
    commandName: "redo", abstract: "Make the last edit again that was undone, or several.",
    discussion: """
      A new edit leaves nothing to be made again.

      Examples:
        queue redo
        queue redo 3
      """)

  @OptionGroup var options: StepOptions
  @OptionGroup var manner: MannerOptions

  var state: StateOptions { options.state }

  func run(in session: Session) throws {
    try options.run(
      in: session,
      StepOptions.Direction(
        names: \.redoable, move: session.services.actions.redo, done: "redid",
        nothing: "there is no edit to make again"))
  }
}

/// The number of edits to undo or redo, and their queue.
struct StepOptions: ParsableArguments {
  /// The direction of a command in the history.
  struct Direction {
    /// Returns the names of the available edits, the nearest one last.
    let names: (PlayQueue) -> [String]
    /// Moves by this number of steps.
    let move: (Int) -> Void
    /// The verb to print before each name, such as "undid".
    let done: String
    /// The message if there is no edit.
    let nothing: String
  }

  @Argument(help: "How many edits.")
  var steps = 1

  @OptionGroup var state: StateOptions

  func validate() throws {
    if steps < 1 { throw ValidationError("the number of edits is at least 1: \(steps)") }
  }

  /// Undoes or redoes the edits, and prints their names.
  ///
  /// - Throws: `CommandError` if there is no edit.
  func run(in session: Session, _ direction: Direction) throws {
    let edit = try session.edit(state) { queue throws(CommandError) in
      if direction.names(queue).isEmpty { throw CommandError(.notFound, direction.nothing) }
      direction.move(steps)
    }
    for name in direction.names(edit.before).suffix(steps).reversed() {
      session.remark("\(direction.done) \(name)".safeForTerminal)
    }
  }
}
