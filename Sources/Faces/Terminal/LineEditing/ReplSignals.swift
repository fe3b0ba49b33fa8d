package import Platform
import Synchronization
package import SystemPackage

/// The signals of a REPL: those that end a line or the program, and those of its terminal, which are for who has that.
package final class ReplSignals: Sendable {
  /// What wakes who waits for keys of a line.
  package let events: EventQueue<LineEvent>
  private let main: MainThreadSignals
  private let watch: SignalWatch
  private let terminal: TerminalOwner

  /// Catches signals from now on. On the main thread, before any other but worker threads is started.
  ///
  /// - Throws: `Errno` where the system grants no thread or no descriptors.
  package init() throws(Errno) {
    let terminal = TerminalOwner()
    events = try EventQueue<LineEvent>()
    self.terminal = terminal
    main = try MainThreadSignals()
    watch = try SignalWatch([.suspend, .resume, .windowChange]) { signal in
      if let owner = terminal.owner {
        owner.receive(signal)
      } else if signal == .suspend {
        // While nobody draws, a command has the terminal as it was; whoever draws next asks for the window itself.
        ProcessSignal.stopProcess()
      }
    }
  }

  /// The signal that was caught and that nobody has taken yet.
  package var caughtSignal: ProcessSignal? { main.caughtSignal }

  /// The signal that was caught, if one was since this was last asked.
  package func takeCaught() -> ProcessSignal? { main.takeCaught() }

  /// Has `body` draw on the terminal: what happens to that is for `receive` meanwhile, also Ctrl-Z, which stops the
  /// program no more by itself. `body` runs on the main thread, `receive` on another.
  package func whileDrawing<Result>(
    _ receive: @escaping @Sendable (ProcessSignal) -> Void, _ body: () throws -> Result
  ) rethrows -> Result {
    let before = terminal.replace(by: TerminalOwner.Owner(receive: receive))
    defer { _ = terminal.replace(by: before) }
    return try body()
  }

  /// Has `body` read a line, and ``events`` say what happens to the terminal meanwhile.
  package func reading<Result>(_ body: () -> Result) -> Result {
    whileDrawing({ [events] in events.post(.signal($0)) }, body)
  }
}

/// Who draws on the terminal.
private final class TerminalOwner: Sendable {
  struct Owner: Sendable {
    let receive: @Sendable (ProcessSignal) -> Void
  }

  private let present = Mutex<Owner?>(nil)

  var owner: Owner? { present.withLock { $0 } }

  /// Makes `owner` the one; gives the one before.
  func replace(by owner: Owner?) -> Owner? {
    present.withLock { present in
      let before = present
      present = owner
      return before
    }
  }
}
