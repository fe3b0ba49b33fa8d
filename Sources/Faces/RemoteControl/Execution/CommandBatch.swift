// SPDX-License-Identifier: GPL-3.0-or-later

import NIOCore
import PlayerFlow

/// A command or a command list of a client, and the progress of its execution.
///
/// It is executed in steps, each of which produces one piece of the response, so that no thread waits for a client that
/// does not read.
struct CommandBatch: Sendable {
  /// How the commands were sent.
  enum Kind: Sendable {
    /// A single command.
    case single
    /// A command list. If `confirms` is set, each command is confirmed by `list_OK`.
    case list(confirms: Bool)
  }

  /// The size at which a piece of the response is complete, in bytes.
  private static let pieceSize = 1 << 15
  /// The number of commands that are executed on the event loop, if each of them may be.
  private static let immediateLimit = 16

  /// The thread that executes the next step.
  private(set) var lane: RemoteCommand.Lane
  /// The state that the commands work on, including that of the client.
  private(set) var context: CommandContext
  private let kind: Kind
  private let lines: [[UInt8]]
  private let table: CommandTable
  private var index = 0
  private var name = ""
  /// The error that ended the execution.
  private var fault: ProtocolError?

  /// Creates a batch of the commands in `lines`, sent by the client of `context`.
  init(_ kind: Kind, _ lines: [[UInt8]], _ context: CommandContext, table: CommandTable) {
    self.kind = kind
    self.lines = lines
    self.context = context
    self.table = table
    let lane = lines.lazy.map { table.lane(of: $0) }.max() ?? .immediate
    self.lane =
      lane > .immediate && lines.count > 1 || lines.count > Self.immediateLimit ? max(lane, .reading) : lane
  }

  /// Executes commands until a piece of the response is complete. `isLast` is whether the batch is finished.
  mutating func step() -> (bytes: ByteBuffer, isLast: Bool) {
    if lane == .keeping { return (end(), true) }
    while context.response.count < Self.pieceSize {
      do throws(ProtocolError) {
        if var source = context.source {
          let hasMore = try source.add(to: &context.response)
          context.source = hasMore ? source : nil
          if !hasMore { finishCommand() }
        } else if index < lines.count, !context.isClosing {
          try obey(lines[index])
          if context.source == nil { finishCommand() }
        } else {
          return leave()
        }
      } catch {
        fault = error
        return leave()
      }
    }
    // A long response is continued on another thread, to free the event loop.
    if lane == .immediate { lane = .reading }
    return (context.response.take(), false)
  }

  /// Ends the execution, after the last command or an error. Edits are waited for on a thread where that blocks no one.
  private mutating func leave() -> (bytes: ByteBuffer, isLast: Bool) {
    context.source = nil
    guard context.hasEdited else { return (end(), true) }
    lane = .keeping
    return (context.response.take(), false)
  }

  /// Returns the end of the response, once all edits are stored, including those before an error: what is acknowledged
  /// is not lost.
  private mutating func end() -> ByteBuffer {
    if context.hasEdited, let reason = context.player.keep(), fault == nil {
      index = max(0, lines.count - 1)
      fault = ProtocolError(.system, reason)
    }
    context.hasEdited = false
    if let fault {
      context.response.add(fault, index: index, command: name)
    } else if !context.isClosing {
      context.response.add(line: "OK")
    }
    return context.response.take()
  }

  private mutating func finishCommand() {
    index += 1
    if case .list(confirms: true) = kind { context.response.add(line: "list_OK") }
  }

  private mutating func obey(_ line: [UInt8]) throws(ProtocolError) {
    name = ""
    let words = try ProtocolWords(line)
    guard let command = table[words.command] else {
      throw ProtocolError(.unknown, "unknown command \"\(words.command)\"")
    }
    name = command.name
    try command.check(words.arguments, by: context.client)
    try command.body(Arguments(words: words.arguments), &context)
    // The next command, of any client, sees the effect of this one.
    if !command.permission.isDisjoint(with: [.add, .control]) { context.player.actions.awaitDelivery() }
  }
}
