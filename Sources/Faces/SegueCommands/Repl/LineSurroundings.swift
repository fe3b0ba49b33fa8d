import Platform

/// What stands around a line that is being typed, and what happens meanwhile. For the main thread.
protocol LineSurroundings: AnyObject {
  /// What wakes who waits for keys.
  var events: EventQueue<LineEvent> { get }
  /// Whether a signal has come for which the line is to be left.
  var hasCaughtSignal: Bool { get }

  /// The prompt, on a terminal with so many columns.
  func prompt(columns: Int) -> ReplPrompt

  /// What is to be told, a line each, safe for a terminal; from now on it counts as told.
  func takeMessages() -> [String]

  /// The key for it was pressed in an empty line.
  func search()
}

/// What happens while a line is being typed.
enum LineEvent: Sendable {
  /// The prompt may be another, or there are messages.
  case changed
  /// The program is to stop, goes on, or has another window.
  case signal(ProcessSignal)
}
