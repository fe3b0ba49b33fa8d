import NIOCore
import PlayerFlow

/// What a client asked for in one go, a command or a list of commands, and how far it is obeyed.
///
/// It is obeyed in steps, each of which gives a piece of the answer: nobody's thread waits for a client that does not
/// read.
struct CommandBatch: Sendable {
  /// How a client's commands are put together.
  enum Kind: Sendable {
    /// A single command.
    case single
    /// A list; where `confirms`, each command is confirmed by `list_OK`.
    case list(confirms: Bool)
  }

  /// A piece of the answer is finished at about so many bytes.
  private static let pieceSize = 1 << 15
  /// How many commands are obeyed at once, where each of them may be.
  private static let immediateLimit = 16

  /// Which thread obeys what is next of it.
  private(set) var lane: RemoteCommand.Lane
  /// What it leaves behind of the client.
  private(set) var context: CommandContext
  private let kind: Kind
  private let lines: [[UInt8]]
  private let table: CommandTable
  private var index = 0
  private var name = ""
  /// Why it was refused.
  private var fault: ProtocolError?

  /// The commands in `lines`, given by the client of `context`.
  init(_ kind: Kind, _ lines: [[UInt8]], _ context: CommandContext, table: CommandTable) {
    self.kind = kind
    self.lines = lines
    self.context = context
    self.table = table
    let lane = lines.lazy.map { table.lane(of: $0) }.max() ?? .immediate
    self.lane =
      lane > .immediate && lines.count > 1 || lines.count > Self.immediateLimit ? max(lane, .reading) : lane
  }

  /// Obeys as much as makes a piece of an answer; `isLast` says whether that was all.
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
    // Whoever has much to tell leaves the event loop to the others.
    if lane == .immediate { lane = .reading }
    return (context.response.take(), false)
  }

  /// All is obeyed, or was refused: what was edited is waited for where that holds up nobody.
  private mutating func leave() -> (bytes: ByteBuffer, isLast: Bool) {
    context.source = nil
    guard context.hasEdited else { return (end(), true) }
    lane = .keeping
    return (context.response.take(), false)
  }

  /// What ends the answer. What was edited is kept then, also before what was refused: what is acknowledged is not
  /// lost.
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
    // Whoever asks next is told what has come of it.
    if !command.permission.isDisjoint(with: [.add, .control]) { context.player.actions.awaitDelivery() }
  }
}
