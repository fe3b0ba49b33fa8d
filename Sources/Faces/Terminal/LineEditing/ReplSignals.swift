// SPDX-License-Identifier: GPL-3.0-or-later

package import Platform
import Synchronization
package import SystemPackage

/// Receives signals for a REPL. Signals that end a line or the program are stored until the main thread takes them;
/// terminal signals (suspend, resume, resize) go to the code that is drawing on the terminal.
package final class ReplSignals: Sendable {
  /// The events for the line editor, which wake it while it waits for keys.
  package let events: EventQueue<LineEvent>
  private let main: MainThreadSignals
  private let watch: SignalWatch
  private let terminal: TerminalOwner

  /// Starts catching signals. Call this on the main thread, before any threads other than worker threads are started.
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
        // No view is drawing, so the terminal is in its normal mode, and the next view reads the window size itself.
        ProcessSignal.stopProcess()
      }
    }
  }

  /// The signal that was caught and has not been taken yet, if any.
  package var caughtSignal: ProcessSignal? { main.caughtSignal }

  /// Returns the signal that was caught since the last call, if any, and clears it.
  package func takeCaught() -> ProcessSignal? { main.takeCaught() }

  /// Runs `body`, which draws on the terminal. Meanwhile, terminal signals are passed to `receive`, and Ctrl-Z does not
  /// suspend the program by itself. `body` runs on the main thread, `receive` on another.
  package func whileDrawing<Result>(
    _ receive: @escaping @Sendable (ProcessSignal) -> Void, _ body: () throws -> Result
  ) rethrows -> Result {
    let previous = terminal.replace(by: TerminalOwner.Owner(receive: receive))
    defer { _ = terminal.replace(by: previous) }
    return try body()
  }

  /// Runs `body`, which reads a line. Meanwhile, terminal signals are posted to ``events``.
  package func reading<Result>(_ body: () -> Result) -> Result {
    whileDrawing({ [events] in events.post(.signal($0)) }, body)
  }
}

/// The current recipient of terminal signals.
private final class TerminalOwner: Sendable {
  struct Owner: Sendable {
    let receive: @Sendable (ProcessSignal) -> Void
  }

  private let current = Mutex<Owner?>(nil)

  var owner: Owner? { current.withLock { $0 } }

  /// Sets the owner, and returns the previous one.
  func replace(by owner: Owner?) -> Owner? {
    current.withLock { current in
      let previous = current
      current = owner
      return previous
    }
  }
}
