// SPDX-License-Identifier: GPL-3.0-or-later

package import Platform
package import PlayerPort

/// Asks the user at the terminal to choose from a numbered list of candidates. Used on the main thread.
package enum ChoicePrompt {
  /// The outcome of a prompt.
  package enum Outcome: Equatable {
    /// The number of the candidate that the user chose, counted from 1.
    case chosen(Int)
    /// The user chose no candidate.
    case none
    /// A signal ends the program with this exit status.
    case ended(ExitStatus)
  }

  /// Asks for a number from 1 to `count` until the user types one or an empty line. Events other than signals that
  /// arrive meanwhile are posted to `events` again afterwards.
  package static func ask(upTo count: Int, _ events: EventQueue<ViewEvent>) -> Outcome {
    var otherEvents: [ViewEvent] = []
    defer { for event in otherEvents { events.post(event) } }
    var typed: [UInt8] = []
    write("Which one? Number, or Enter for none: ")
    while true {
      switch events.next(orInputFrom: StandardStream.input.descriptor) {
      case .input(let bytes):
        typed += bytes
        guard let end = typed.firstIndex(of: UInt8(ascii: "\n")) else { continue }
        if let outcome = outcome(of: typed[..<end], upTo: count) { return outcome }
        typed = []
        write("1 to \(count), or Enter for none: ")
      case .inputEnded:
        write("\n")
        return .none
      case .event(.signal(let signal)):
        if let status = signal.endingStatus {
          write("\n")
          return .ended(status)
        }
        if signal == .suspend { ProcessSignal.stopProcess() }
      case .event(let event): otherEvents.append(event)
      case .interrupted: break
      }
    }
  }

  /// Returns the outcome that a typed line stands for; `nil` if it is neither empty nor a valid number.
  static func outcome(of line: some Collection<UInt8>, upTo count: Int) -> Outcome? {
    let text = String(decoding: line, as: UTF8.self).filter { !$0.isWhitespace }
    if text.isEmpty { return Outcome.none }
    guard let number = Int(text), (1...max(1, count)).contains(number) else { return nil }
    return .chosen(number)
  }

  private static func write(_ text: String) { try? StandardStream.output.write(text) }
}
