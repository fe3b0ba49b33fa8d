// SPDX-License-Identifier: GPL-3.0-or-later

package import Platform
package import PlayerPort
import Terminal
package import UserSettings

/// Asks the user at the terminal to choose from a numbered list of candidates: by typing a number, or with the arrow
/// keys. Used on the main thread.
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

  /// Asks for a number from 1 to `count` until the user chooses one, or none. Events other than signals that arrive
  /// meanwhile are posted to `events` again afterwards.
  package static func ask(upTo count: Int, _ events: EventQueue<ViewEvent>) -> Outcome {
    var otherEvents: [ViewEvent] = []
    defer { for event in otherEvents { events.post(event) } }
    // Without a mode for single keys, the terminal sends whole lines, which end with Enter, too.
    var mode = TerminalMode()
    defer { mode = nil }
    var parser = KeyParser()
    var answer = ChoiceAnswer(count: count)
    write(answer.prompt)
    while true {
      switch events.next(orInputFrom: StandardStream.input.descriptor) {
      case .input(let bytes):
        for key in parser.keysAndEscape(bytes) {
          let (effect, outcome) = answer.press(key)
          if mode != nil { write(effect) }
          guard let outcome else { continue }
          if mode != nil { write("\n") }
          return outcome
        }
      case .inputEnded:
        write("\n")
        return .none
      case .event(.signal(let signal)):
        if let status = signal.endingStatus {
          write("\n")
          return .ended(status)
        }
        guard signal == .suspend else { continue }
        mode = nil
        ProcessSignal.stopProcess()
        mode = TerminalMode()
        write(answer.prompt + answer.text)
      case .event(let event): otherEvents.append(event)
      case .interrupted: break
      }
    }
  }

  private static func write(_ text: String) { try? StandardStream.output.write(text) }
}

/// The answer to a question for one of several candidates, as it is being typed.
package struct ChoiceAnswer {
  /// The number of candidates.
  private let count: Int
  /// The digits that are typed.
  private(set) var text = ""
  private(set) var prompt = "Which one? Number or arrow keys, or Enter for none: "

  package init(count: Int) { self.count = max(1, count) }

  /// Handles a key. Returns what to write to the terminal, and the outcome if the question is answered.
  package mutating func press(_ key: Key) -> (effect: String, outcome: ChoicePrompt.Outcome?) {
    switch key {
    case .character(let character) where character.isASCII && character.isWholeNumber && text.count < 9:
      text.append(character)
      return (String(character), nil)
    case .backspace, .delete:
      guard !text.isEmpty else { return ("", nil) }
      text.removeLast()
      return ("\u{8} \u{8}", nil)
    case .up: return (replace(with: number.map { $0 > 1 ? $0 - 1 : count } ?? count), nil)
    case .down: return (replace(with: number.map { $0 < count ? $0 + 1 : 1 } ?? 1), nil)
    case .enter:
      if text.isEmpty { return ("", ChoicePrompt.Outcome.none) }
      if let number { return ("", .chosen(number)) }
      text = ""
      prompt = "1 to \(count), or Enter for none: "
      return ("\n" + prompt, nil)
    case .escape, .control("d"): return ("", ChoicePrompt.Outcome.none)
    default: return ("", nil)
    }
  }

  /// The number of the candidate that is typed; `nil` if there is none with this number.
  private var number: Int? { Int(text).flatMap { (1...count).contains($0) ? $0 : nil } }

  private mutating func replace(with number: Int) -> String {
    let blank = String(repeating: "\u{8}", count: text.count)
    let rest = max(0, text.count - "\(number)".count)
    text = "\(number)"
    return blank + text + String(repeating: " ", count: rest) + String(repeating: "\u{8}", count: rest)
  }
}
