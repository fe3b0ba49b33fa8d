// SPDX-License-Identifier: GPL-3.0-or-later

package import Platform
import Synchronization
package import SystemPackage

/// The signals of a REPL: those that end a line or the program, and those of the terminal, which go to whatever is
/// drawing on it.
package final class ReplSignals: Sendable {
  /// The events that wake the line editor.
  package let events: EventQueue<LineEvent>
  private let main: MainThreadSignals
  private let watch: SignalWatch
  private let terminal: TerminalOwner

  /// Starts catching signals. Call on the main thread, before any threads other than worker threads are started.
  ///
  /// - Throws: `Errno` if no thread or descriptor is available.
  package init() throws(Errno) {
    let terminal = TerminalOwner()
    events = try EventQueue<LineEvent>()
    self.terminal = terminal
    main = try MainThreadSignals()
    watch = try SignalWatch([.suspend, .resume, .windowChange]) { signal in
      if let owner = terminal.owner {
        owner.receive(signal)
      } else if signal == .suspend {
        // No view is drawing: the terminal is in its normal mode, and the next view asks for the window size itself.
        ProcessSignal.stopProcess()
      }
    }
  }

  /// The signal that was caught and has not been taken yet.
  package var caughtSignal: ProcessSignal? { main.caughtSignal }

  /// Returns the signal that was caught since the last call, if any.
  package func takeCaught() -> ProcessSignal? { main.takeCaught() }

  /// Runs `body`, which draws on the terminal, while `receive` gets the terminal's signals. Ctrl-Z does not suspend the
  /// program by itself then. `body` runs on the main thread, `receive` on another.
  package func whileDrawing<Result>(
    _ receive: @escaping @Sendable (ProcessSignal) -> Void, _ body: () throws -> Result
  ) rethrows -> Result {
    let before = terminal.replace(by: TerminalOwner.Owner(receive: receive))
    defer { _ = terminal.replace(by: before) }
    return try body()
  }

  /// Runs `body`, which reads a line, while the terminal's signals are posted to ``events``.
  package func reading<Result>(_ body: () -> Result) -> Result {
    whileDrawing({ [events] in events.post(.signal($0)) }, body)
  }
}

/// The current user of the terminal.
private final class TerminalOwner: Sendable {
  struct Owner: Sendable {
    let receive: @Sendable (ProcessSignal) -> Void
  }

  private let present = Mutex<Owner?>(nil)

  var owner: Owner? { present.withLock { $0 } }

  /// Sets the owner; returns the previous one.
  func replace(by owner: Owner?) -> Owner? {
    present.withLock { present in
      let before = present
      present = owner
      return before
    }
  }
}
