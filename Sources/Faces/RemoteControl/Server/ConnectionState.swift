import DequeModule

/// What a connection is at: a pure machine that is told what comes, and says what is to be done.
struct ConnectionState: Sendable {
  /// What is to be done.
  enum Action: Equatable {
    /// Obey these lines, and then call ``batchEnded()``.
    case run(isList: Bool, confirms: Bool, lines: [[UInt8]])
    /// Write these lines.
    case write([String])
    /// Tell all that happens from now on.
    case watch
    /// Write this line, if any, and close.
    case close(String?)
  }

  /// How many lines wait at most before no more are read.
  static let backlogLimit = 64
  /// The most bytes that the commands of a list may have together.
  static let listLimit = 2 << 20

  /// The words that it takes itself, and that are no commands elsewhere.
  static let wordNames = [
    "command_list_begin", "command_list_end", "command_list_ok_begin", "idle", "noidle",
    "segue_watch",
  ]

  private enum Phase {
    case ready
    case running
    case list(confirms: Bool, lines: [[UInt8]])
    case idle(Subsystem)
    case watching
  }

  private var phase = Phase.ready
  private var backlog: Deque<[UInt8]> = []
  /// What changed since the client was told last.
  private var changed: Subsystem = []
  /// How many bytes a list that is not finished has.
  private(set) var listSize = 0

  /// Whether more lines may come.
  var takesMore: Bool { backlog.count < Self.backlogLimit }
  /// Whether it is told all that happens.
  var isWatching: Bool { if case .watching = phase { true } else { false } }

  /// A line came. Gives what is to be done, which may be nothing yet.
  mutating func take(_ line: [UInt8]) -> Action? {
    backlog.append(line)
    return next()
  }

  /// The lines that ran are answered.
  mutating func batchEnded() -> Action? {
    phase = .ready
    return next()
  }

  /// These subsystems have changed.
  mutating func note(_ subsystems: Subsystem) -> Action? {
    changed.formUnion(subsystems)
    guard case .idle(let wanted) = phase, !changed.isDisjoint(with: wanted) else { return nil }
    phase = .ready
    return .write(takeChanges(wanted) + ["OK"])
  }

  /// What is to be done next of the lines that wait.
  private mutating func next() -> Action? {
    while true {
      if case .running = phase { return nil }
      guard let line = backlog.popFirst() else { return nil }
      if let action = begin(line) { return action }
    }
  }

  private mutating func begin(_ line: [UInt8]) -> Action? {
    // Every command begins with such a letter. What does not may be a browser's request, which a page has had it send
    // here: what follows in it is not to be obeyed.
    guard let first = line.first, (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(first) else {
      return .close(nil)
    }
    switch phase {
    case .running: return nil
    case .list(let confirms, var lines):
      if line.isWord("command_list_end") {
        phase = .running
        listSize = 0
        return .run(isList: true, confirms: confirms, lines: lines)
      }
      // Each line costs something, however short it is.
      listSize += line.count + 64
      guard listSize <= Self.listLimit else { return .close("ACK [51@0] {} Command list is too large") }
      phase = .ready
      lines.append(line)
      phase = .list(confirms: confirms, lines: lines)
      return nil
    case .idle(let wanted):
      guard line.isWord("noidle") else { return .close(nil) }
      phase = .ready
      return .write(takeChanges(wanted) + ["OK"])
    case .watching:
      guard line.isWord("noidle") else { return .close(nil) }
      phase = .ready
      return .write(["OK"])
    case .ready: return beginReady(line)
    }
  }

  private mutating func beginReady(_ line: [UInt8]) -> Action? {
    if line.isWord("command_list_begin") || line.isWord("command_list_ok_begin") {
      phase = .list(confirms: line.isWord("command_list_ok_begin"), lines: [])
      return nil
    }
    // Whoever was told of a change before its `noidle` came says it in vain.
    if line.isWord("noidle") { return nil }
    if line.isWord("close") { return .close(nil) }
    if line.isWord("segue_watch") {
      phase = .watching
      return .watch
    }
    guard line.mayBeIdle, let words = try? ProtocolWords(line), words.command == "idle" else {
      phase = .running
      return .run(isList: false, confirms: false, lines: [line])
    }
    var wanted: Subsystem = []
    for name in words.arguments {
      guard let subsystem = Subsystem(name: name) else {
        return .write(["ACK [2@0] {idle} Unrecognized idle event: \(String(name.filter { !$0.isNewline }))"])
      }
      wanted.formUnion(subsystem)
    }
    if wanted.isEmpty { wanted = .all }
    if !changed.isDisjoint(with: wanted) { return .write(takeChanges(wanted) + ["OK"]) }
    phase = .idle(wanted)
    return nil
  }

  private mutating func takeChanges(_ wanted: Subsystem) -> [String] {
    let told = changed.intersection(wanted)
    changed.subtract(told)
    return told.names.map { "changed: \($0)" }
  }
}

extension [UInt8] {
  /// Whether it is worth to take this line apart, to know whether it is `idle`.
  fileprivate var mayBeIdle: Bool {
    guard let first = first(where: { $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "\t") }) else {
      return false
    }
    return first == UInt8(ascii: "i") || first == UInt8(ascii: "\"")
  }

  /// Whether this line is the word `word` alone.
  fileprivate func isWord(_ word: StaticString) -> Bool {
    guard count >= word.utf8CodeUnitCount else { return false }
    let blank = { (byte: UInt8) in byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
    var line = self[...].drop(while: blank)
    while let last = line.last, blank(last) { line.removeLast() }
    return line.elementsEqual("\(word)".utf8)
  }
}
