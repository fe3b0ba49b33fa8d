/// A script for the REPL, and how far it is obeyed.
struct ReplScript {
  private var reader = ScriptReader()
  /// How many lines of it were taken.
  private(set) var number = 0
  /// Whether one has failed.
  var hasFailed = false
  /// The line that was taken last, where it is to be taken again.
  var pending: ScriptReader.Line?

  /// The next line; `nil` behind the last.
  ///
  /// - Throws: `CommandError` where it cannot be read.
  mutating func next() throws(CommandError) -> ScriptReader.Line? {
    if let line = pending.take() { return line }
    number += 1
    do {
      return try reader.next()
    } catch {
      throw CommandError(.failure, "the script cannot be read: \(error); pipe it in, or redirect a file")
    }
  }
}
