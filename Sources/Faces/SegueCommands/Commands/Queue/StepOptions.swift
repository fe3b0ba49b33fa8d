import ArgumentParser
import MusicModel
import UnicodeText

/// How many edits are taken back, or made again, and of which queue.
struct StepOptions: ParsableArguments {
  /// Where in the history a command goes.
  struct Direction {
    /// The edits that are there, the next last.
    let names: (PlayQueue) -> [String]
    /// Goes so many steps.
    let move: (Int) -> Void
    /// What is said before the name of each: "undid".
    let done: String
    /// What is said where there is none.
    let nothing: String
  }

  @Argument(help: "How many edits.")
  var steps = 1

  @OptionGroup var state: StateOptions

  func validate() throws {
    if steps < 1 { throw ValidationError("the number of edits is at least 1: \(steps)") }
  }

  /// Goes the steps, and says which edits these were.
  ///
  /// - Throws: `CommandError` where there is no edit.
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
