// SPDX-License-Identifier: GPL-3.0-or-later

import NIOCore
import PlayerFlow
import PlayerPort

/// A single command or a command list from a client, and the progress of its execution.
///
/// It is executed in steps, each of which produces one piece of the response, so that a client that does not read its
/// response does not block a thread.
struct CommandBatch: Sendable {
  /// The form in which the commands were sent.
  enum Kind: Sendable {
    case single
    /// A command list. If `confirms`, the response contains `list_OK` after each command.
    case list(confirms: Bool)
  }

  /// The size in bytes at which a piece of the response is complete.
  private static let pieceSize = 1 << 15
  /// The maximum number of commands in a batch that is executed on the event loop.
  private static let immediateLimit = 16

  /// The kind of thread that must execute the next step.
  private(set) var lane: RemoteCommand.Lane
  /// The state with which the commands work, including that of the client.
  private(set) var context: CommandContext
  private let kind: Kind
  private let lines: [[UInt8]]
  private let table: CommandTable
  private var index = 0
  private var name = ""
  /// The error that ended the execution, if any.
  private var error: ProtocolError?

  /// Creates a batch of the commands in `lines` from the client of `context`.
  init(_ kind: Kind, _ lines: [[UInt8]], _ context: CommandContext, table: CommandTable) {
    self.kind = kind
    self.lines = lines
    self.context = context
    self.table = table
    let lane = lines.lazy.map { table.lane(of: $0) }.max() ?? .immediate
    self.lane =
      lane > .immediate && lines.count > 1 || lines.count > Self.immediateLimit ? max(lane, .reading) : lane
  }

  /// Executes commands until a piece of the response is complete. `isLast` states whether the batch is finished.
  mutating func step() -> (bytes: ByteBuffer, isLast: Bool) {
    if lane == .storing { return (end(), true) }
    while context.response.count < Self.pieceSize {
      do throws(ProtocolError) {
        if var source = context.source {
          let hasMore = try source.add(to: &context.response)
          context.source = hasMore ? source : nil
          if !hasMore { finishCommand() }
        } else if index < lines.count, !context.isClosing {
          try execute(lines[index])
          if context.source == nil { finishCommand() }
        } else {
          return finish()
        }
      } catch {
        self.error = error
        return finish()
      }
    }
    // The rest of a long response is produced on another thread, to keep the event loop free.
    if lane == .immediate { lane = .reading }
    return (context.response.take(), false)
  }

  /// Ends the execution after the last command or an error. If edits must be stored first, the final step is left to a
  /// thread that may wait for that.
  private mutating func finish() -> (bytes: ByteBuffer, isLast: Bool) {
    context.source = nil
    guard context.hasEdited else { return (end(), true) }
    lane = .storing
    return (context.response.take(), false)
  }

  /// Waits until all edits are stored, including those before an error, and returns the end of the response. An edit
  /// that has been acknowledged is never lost.
  private mutating func end() -> ByteBuffer {
    do throws(ProtocolError) {
      if context.hasEdited { try context.send(.store) }
    } catch {
      if self.error == nil { (self.error, index) = (error, max(0, lines.count - 1)) }
    }
    context.hasEdited = false
    if let error {
      context.response.add(error, index: index, command: name)
    } else if !context.isClosing {
      context.response.add(line: "OK")
    }
    return context.response.take()
  }

  private mutating func finishCommand() {
    index += 1
    if case .list(confirms: true) = kind { context.response.add(line: "list_OK") }
  }

  private mutating func execute(_ line: [UInt8]) throws(ProtocolError) {
    name = ""
    let words = try ProtocolWords(line)
    guard let command = table[words.command] else {
      throw ProtocolError(.unknown, "unknown command \"\(words.command)\"")
    }
    name = words.command
    let arguments = Arguments(words: words.arguments, command: name)
    try command.check(arguments, by: context.client)
    guard !command.permission.isDisjoint(with: [.add, .control]) else { return try command.body(arguments, &context) }
    let before = context.queue
    defer { context.client.seenQueue.edited(before, context.queue) }
    try command.body(arguments, &context)
  }
}
