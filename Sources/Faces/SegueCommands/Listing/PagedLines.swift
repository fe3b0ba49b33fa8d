import Platform
import SystemPackage

/// Lines on their way to standard output, as they are, or to a pager as soon as they are more than the screen holds.
final class PagedLines {
  private let session: Session
  /// The room that there is before a pager is needed; `nil` where none is.
  private let room: Int?
  private let firstLine: Int?
  private var waiting: [String] = []
  private var pager: Pager?

  /// Lines for the terminal of `session`, or for the process that has asked for them, which has its own pager. A pager
  /// shows the line `firstLine` first, counted from 1, where it can.
  init(_ session: Session, mayPage: Bool, firstLine: Int? = nil) {
    self.session = session
    self.firstLine = firstLine
    if case .remote = session.face {
      session.firstLine = firstLine
      room = nil
    } else {
      let screen = mayPage && session.manner.draws ? StandardStream.output.terminalSize : nil
      // The prompt that follows takes a line.
      room = Pager.command == nil ? nil : screen.map { $0.rows - 1 }
    }
  }

  /// Takes `lines`, and says whether anybody reads on.
  func write(_ lines: [String]) throws(CommandError) -> Bool {
    guard let room else {
      session.say(data: lines)
      return session.sayingFailure == nil
    }
    waiting += lines
    if pager == nil {
      guard waiting.count > room else { return true }
      guard let command = Pager.command, let started = try? Pager(command, line: firstLine) else {
        return flush()
      }
      pager = consume started
    }
    let text = waiting.map { $0 + "\n" }.joined()
    waiting = []
    do throws(Errno) {
      try pager?.write(text)
      return true
    } catch {
      return false
    }
  }

  private func flush() -> Bool {
    for line in waiting { session.say(data: line) }
    waiting = []
    return session.sayingFailure == nil
  }

  /// Lets out what is left, and waits until all is read.
  func finish() throws(CommandError) {
    if let pager = pager.take() {
      pager.finish()
    } else {
      for line in waiting { session.say(data: line) }
    }
    try session.checkThatAllIsSaid()
  }
}
