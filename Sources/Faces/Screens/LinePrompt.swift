// SPDX-License-Identifier: GPL-3.0-or-later

package import Platform
package import PlayerPort
import Terminal
import UnicodeText
import UserSettings

/// Asks for lines of text, such as tokens, on the terminal or from a pipe. Used on the main thread.
package struct LinePrompt {
  package enum Outcome: Equatable {
    case line(String)
    /// The input has ended, or the user gave up.
    case none
    /// A signal ends the program with this exit status.
    case ended(ExitStatus)
  }

  /// The maximum number of characters of a line.
  private static let limit = 1_000

  private let events: EventQueue<ViewEvent>
  private var parser = KeyParser()
  /// Keys that were pressed after the last line, such as the next lines in a pipe.
  private var keys: [Key] = []

  /// Creates a prompt that gets the signals of the process through `events`.
  package init(_ events: EventQueue<ViewEvent>) { self.events = events }

  /// Asks for a line.
  ///
  /// - Parameter isSecret: Whether the line is not shown while it is typed.
  package mutating func ask(_ question: String, isSecret: Bool = false) -> Outcome {
    var mode = TerminalMode()
    defer { mode = nil }
    let shows = mode != nil
    if shows { write(question) }
    var line = ""
    while true {
      while !keys.isEmpty {
        switch keys.removeFirst() {
        case .character(let character) where line.count < Self.limit:
          line.append(character)
          if shows, !isSecret { write(String(character).safeForTerminal) }
        case .backspace, .delete:
          guard !line.isEmpty else { continue }
          line.removeLast()
          if shows, !isSecret { write("\u{8} \u{8}") }
        case .enter:
          if shows { write("\n") }
          return .line(line)
        case .control("d") where line.isEmpty, .escape:
          if shows { write("\n") }
          return .none
        default: break
        }
      }
      switch events.next(orInputFrom: StandardStream.input.descriptor) {
      case .input(let bytes): keys = parser.keysAndEscape(bytes)
      case .inputEnded: return line.isEmpty ? .none : .line(line)
      case .event(.signal(let signal)):
        if let status = signal.endingStatus {
          if shows { write("\n") }
          return .ended(status)
        }
        guard signal == .suspend else { continue }
        mode = nil
        ProcessSignal.stopProcess()
        mode = TerminalMode()
        if shows { write(question) }
      case .event, .interrupted: break
      }
    }
  }

  private func write(_ text: String) { try? StandardStream.output.write(text) }
}
