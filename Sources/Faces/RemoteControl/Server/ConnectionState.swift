// SPDX-License-Identifier: GPL-3.0-or-later

import DequeModule

/// The state machine of a connection. It is a plain value that receives input and returns the actions to perform.
struct ConnectionState: Sendable {
  /// An action that the connection must perform.
  enum Action: Equatable {
    /// Executes the commands in these lines, and then calls ``batchEnded()``.
    case run(isList: Bool, confirms: Bool, lines: [[UInt8]])
    /// Writes these lines.
    case write([String])
    /// Exchanges messages of the port from now on.
    case openPort
    /// Handles a message of the port.
    case receive(String)
    /// Writes a line, if it is not `nil`, and closes the connection.
    case close(String?)
  }

  /// The number of waiting lines at which reading stops.
  static let backlogLimit = 64
  /// The maximum total size in bytes of the commands in a list.
  static let listLimit = 2 << 20

  /// The names of the commands that the state machine handles itself.
  static let ownCommands = [
    "command_list_begin", "command_list_end", "command_list_ok_begin", "idle", "noidle",
    "segue_port",
  ]

  private enum Phase {
    case ready
    case running
    case list(confirms: Bool, lines: [[UInt8]])
    case idle(Subsystem)
    case port
  }

  private var phase = Phase.ready
  private var backlog: Deque<[UInt8]> = []
  /// The changes of which the client has not been notified yet.
  private var changed: Subsystem = []
  /// The size in bytes of the unfinished command list; 0 if there is none.
  private(set) var listSize = 0

  /// Whether more lines can be taken.
  var takesMore: Bool { backlog.count < Self.backlogLimit }
  /// Whether the client exchanges messages of the port, whose lines may be long.
  var isPort: Bool { if case .port = phase { true } else { false } }

  /// Takes a received line. Returns the action to perform, or `nil` if there is none yet.
  mutating func receive(_ line: [UInt8]) -> Action? {
    backlog.append(line)
    return next()
  }

  /// Records that the response to the executed lines is complete. Returns the next action, if any.
  mutating func batchEnded() -> Action? {
    phase = .ready
    return next()
  }

  /// Records that these subsystems have changed. Returns the next action, if any.
  mutating func recordChanges(_ subsystems: Subsystem) -> Action? {
    changed.formUnion(subsystems)
    guard case .idle(let wanted) = phase, !changed.isDisjoint(with: wanted) else { return nil }
    phase = .ready
    return .write(takeChanges(wanted) + ["OK"])
  }

  /// Returns the next action for the waiting lines, if any.
  private mutating func next() -> Action? {
    while true {
      if case .running = phase { return nil }
      guard let line = backlog.popFirst() else { return nil }
      if let action = begin(line) { return action }
    }
  }

  private mutating func begin(_ line: [UInt8]) -> Action? {
    if case .port = phase { return .receive(String(decoding: line, as: UTF8.self)) }
    // Every command begins with a small letter. Anything else may be an HTTP request that a web page has made a browser
    // send here, so nothing in it may be executed.
    guard let first = line.first, (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(first) else {
      return .close(nil)
    }
    switch phase {
    case .running, .port: return nil
    case .list(let confirms, var lines):
      if line.isWord("command_list_end") {
        phase = .running
        listSize = 0
        return .run(isList: true, confirms: confirms, lines: lines)
      }
      // Each line has a cost in addition to its length.
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
    case .ready: return beginReady(line)
    }
  }

  private mutating func beginReady(_ line: [UInt8]) -> Action? {
    if line.isWord("command_list_begin") || line.isWord("command_list_ok_begin") {
      phase = .list(confirms: line.isWord("command_list_ok_begin"), lines: [])
      return nil
    }
    // A `noidle` that arrives after the notification was sent has no effect.
    if line.isWord("noidle") { return nil }
    if line.isWord("close") { return .close(nil) }
    if line.isWord("segue_port") {
      phase = .port
      return .openPort
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
    let notified = changed.intersection(wanted)
    changed.subtract(notified)
    return notified.names.map { "changed: \($0)" }
  }
}

extension [UInt8] {
  /// Whether this line could be the command `idle`, and so is worth parsing.
  fileprivate var mayBeIdle: Bool {
    guard let first = first(where: { $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "\t") }) else {
      return false
    }
    return first == UInt8(ascii: "i") || first == UInt8(ascii: "\"")
  }

  /// Returns whether this line consists of `word` and white space only.
  fileprivate func isWord(_ word: StaticString) -> Bool {
    guard count >= word.utf8CodeUnitCount else { return false }
    let blank = { (byte: UInt8) in byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
    var line = self[...].drop(while: blank)
    while let last = line.last, blank(last) { line.removeLast() }
    return line.elementsEqual("\(word)".utf8)
  }
}
