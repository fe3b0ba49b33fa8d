package import CoverDrawing

/// What a terminal answers when it is asked how it shows pictures.
///
/// It is asked for its name by XTVERSION (CSI > q), and for primary device attributes (DA1, CSI c), which every
/// terminal answers, and behind the other. Only one that has said its name, and is no tmux or screen, is then asked by
/// kitty's query: those, and terminals that are too old to say their names, take that for something else, as for a
/// title.
package struct TerminalAnswers: Equatable {
  /// What the terminal is sent first.
  package static let question = "\u{1B}[>0q\u{1B}[c"
  /// What it is sent then, where that cannot be taken for anything else.
  private static let kittyQuestion = "\u{1B}_Gi=31,s=1,v=1,a=q,t=d,f=24;AAAA\u{1B}\\\u{1B}[c"
  /// The most bytes of an answer.
  private static let limit = 256

  private enum Place: Equatable {
    case ground
    case escape
    case sequence
    case string(UInt8)
    case stringEscape(UInt8)
  }

  /// How much has been asked, and answered.
  private enum Stage {
    case first, named, kitty, complete
  }

  private var stage = Stage.first
  /// Whether all has been answered.
  package var isComplete: Bool { stage == .complete }
  /// Whether anything has been answered by a terminal.
  private var isAnswered: Bool { stage != .first }
  /// Whether it knows kitty's graphics.
  private(set) var hasKitty = false
  /// Whether it knows sixels.
  private(set) var hasSixels = false
  /// What it calls itself; not yet safe for a terminal.
  private(set) var name: String?
  private var place = Place.ground
  private var part: [UInt8] = []

  /// Nothing was asked or answered yet.
  package init() {}

  /// Reads the answers in `bytes`, which were typed or answered; gives what is to be taken for keys. Sequences of CSI
  /// stay among that, since no key is one of the answers.
  package mutating func take(_ bytes: [UInt8]) -> [UInt8] {
    var keys: [UInt8] = []
    for byte in bytes { take(byte, &keys) }
    // An Escape at the end was typed alone.
    if place == .escape {
      place = .ground
      keys.append(0x1B)
    }
    return keys
  }

  private mutating func take(_ byte: UInt8, _ keys: inout [UInt8]) {
    switch place {
    case .ground:
      if byte == 0x1B { place = .escape } else { keys.append(byte) }
    case .escape:
      part = []
      switch byte {
      case UInt8(ascii: "_"), UInt8(ascii: "P"): place = .string(byte)
      case UInt8(ascii: "["):
        place = .sequence
        keys += [0x1B, byte]
      case 0x1B: keys.append(0x1B)
      default:
        place = .ground
        keys += [0x1B, byte]
      }
    case .sequence:
      keys.append(byte)
      if (0x40...0x7E).contains(byte) {
        place = .ground
        if byte == UInt8(ascii: "c") { readAttributes() }
      } else {
        add(byte)
      }
    case .string(let kind):
      if byte == 0x1B {
        place = .stringEscape(kind)
      } else {
        add(byte)
      }
    case .stringEscape(let kind):
      place = .ground
      if byte == UInt8(ascii: "\\") { readString(kind) }
    }
  }

  /// What is longer than any answer is none.
  private mutating func add(_ byte: UInt8) {
    if part.count < Self.limit { part.append(byte) } else { place = .ground }
  }

  private mutating func readAttributes() {
    guard part.first == UInt8(ascii: "?") else { return }
    switch stage {
    case .first: stage = .named
    case .named, .complete: break
    case .kitty: stage = .complete
    }
    hasSixels = part.dropFirst().split(separator: UInt8(ascii: ";")).contains { $0.elementsEqual("4".utf8) }
  }

  private mutating func readString(_ kind: UInt8) {
    let text = String(decoding: part, as: UTF8.self)
    if kind == UInt8(ascii: "_"), text.hasPrefix("Gi=31"), text.hasSuffix(";OK") { hasKitty = true }
    if kind == UInt8(ascii: "P"), text.hasPrefix(">|") { name = String(text.dropFirst(2)) }
  }

  /// What the terminal is to be sent now that it has answered the first question, by these variables of the
  /// environment; `nil` where there is nothing more to ask.
  package mutating func furtherQuestion(variable: (String) -> String?) -> String? {
    guard stage == .named else { return nil }
    guard name != nil, !isMultiplexed(variable) else {
      stage = .complete
      return nil
    }
    stage = .kitty
    return Self.kittyQuestion
  }

  /// Whether tmux or screen stands between, which pass neither kitty's nor iTerm2's pictures on. Where the program runs
  /// on another machine than they, their variables are not there.
  private func isMultiplexed(_ variable: (String) -> String?) -> Bool {
    let names = ["tmux", "screen"]
    return variable("TMUX") != nil || variable("STY") != nil
      || [name, variable("TERM")].contains { text in names.contains { text?.lowercased().hasPrefix($0) == true } }
  }

  /// How the terminal shows pictures, by its answers, and by these variables of the environment where it does not say
  /// what it is.
  package func graphics(variable: (String) -> String?) -> TerminalGraphics {
    if !isMultiplexed(variable) {
      if hasKitty { return .kitty }
      let isITerm2 =
        name.map { $0.hasPrefix("iTerm2") || $0.hasPrefix("WezTerm") }
        ?? (variable("LC_TERMINAL") == "iTerm2" || variable("TERM_PROGRAM") == "iTerm.app")
      // The environment alone may be that of another terminal.
      if isITerm2, isAnswered { return .iTerm2 }
    }
    return hasSixels ? .sixels : .symbols
  }
}
