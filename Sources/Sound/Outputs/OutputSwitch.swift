// SPDX-License-Identifier: GPL-3.0-or-later

public import AudioCore
import Synchronization

/// Opens the output that is chosen by now, which can be changed while another one is open. If the new one does not
/// open, the one before is used again. Can be used from any thread.
public final class OutputSwitch: Sendable {
  private struct Openers {
    var present: OutputOpener
    /// The output before, until the present one has been opened; `nil` if it has.
    var previous: OutputOpener?
  }

  private let openers: Mutex<Openers>
  private let makeOpener: @Sendable (OutputChoice) -> OutputOpener
  private let onOpening: @Sendable (OutputChoice, OutputError?) -> Void

  /// Creates a switch that uses `choice` at first.
  ///
  /// - Parameter onOpening: Receives the output that is used after a change, when it has been opened for the first
  ///   time, or the one before together with the error with which the new one has not opened. Called on the thread that
  ///   opens outputs; must return at once.
  public init(
    _ choice: OutputChoice, onOpening: @escaping @Sendable (OutputChoice, OutputError?) -> Void,
    makeOpener: @escaping @Sendable (OutputChoice) -> OutputOpener
  ) {
    openers = Mutex(Openers(present: makeOpener(choice)))
    self.onOpening = onOpening
    self.makeOpener = makeOpener
  }

  /// The output that is used, or is to be used when one is opened next.
  public var choice: OutputChoice { openers.withLock { $0.present.choice } }

  /// Uses another output from the next opening on.
  public func use(_ choice: OutputChoice) {
    let opener = makeOpener(choice)
    opener.prepare()
    openers.withLock { openers in
      openers = Openers(present: opener, previous: openers.previous ?? openers.present)
    }
  }

  /// If the output that is chosen by now does not open, opening fails, instead of using the one before.
  public func forgetPrevious() { openers.withLock { $0.previous = nil } }

  /// Starts to load the libraries that the output needs, if any, in the background.
  public func prepare() { openers.withLock { $0.present }.prepare() }

  /// Opens the output as ``OutputOpener/open(_:)`` does.
  public func open(_ format: DeviceFormat) throws(OutputError) -> any AudioOutput {
    let (present, previous) = openers.withLock { ($0.present, $0.previous) }
    do throws(OutputError) {
      let output = try present.open(format)
      if previous != nil, forgetPrevious(of: present) { onOpening(present.choice, nil) }
      return output
    } catch {
      // The same output may accept it as PCM.
      let isRefusedDSD = format.isDSD && error.kind == .unsupportedFormat
      guard let previous, !isRefusedDSD, returnToPrevious(from: present) else { throw error }
      onOpening(previous.choice, error)
      return try previous.open(format)
    }
  }

  /// Whether `opener` is still the present one; then what came before it is forgotten.
  private func forgetPrevious(of opener: OutputOpener) -> Bool {
    openers.withLock { openers in
      guard openers.present === opener else { return false }
      openers.previous = nil
      return true
    }
  }

  /// Uses the output before `opener` again, unless that is no longer the present one; returns whether it does.
  private func returnToPrevious(from opener: OutputOpener) -> Bool {
    openers.withLock { openers in
      guard openers.present === opener, let previous = openers.previous else { return false }
      openers = Openers(present: previous)
      return true
    }
  }
}
