import NIOCore

/// What a client asked for in one go, a command or a list of commands, and how far it is obeyed.
///
/// It is obeyed in steps, each of which gives a piece of the answer: nobody's thread waits for a client that does not read.
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

  /// Which thread obeys it.
  let lane: RemoteCommand.Lane
  /// What it leaves behind of the client.
  private(set) var context: CommandContext
  private let kind: Kind
  private let lines: [[UInt8]]
  private let table: CommandTable
  private var index = 0
  private var name = ""

  /// The commands in `lines`, given by the client of `context`.
  init(_ kind: Kind, _ lines: [[UInt8]], _ context: CommandContext, table: CommandTable) {
    self.kind = kind
    self.lines = lines
    self.context = context
    self.table = table
    lane = lines.count > 1 ? .reading : lines.first.map { table.lane(of: $0) } ?? .quick
  }

  /// Obeys as much as makes a piece of an answer; `isLast` says whether that was all.
  mutating func step() -> (bytes: ByteBuffer, isLast: Bool) {
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
          try keep()
          if !context.isClosing { context.response.add(line: "OK") }
          return (context.response.take(), true)
        }
      } catch {
        // What was obeyed before it is kept, too.
        if context.hasEdited { _ = context.player.keep() }
        context.source = nil
        context.response.add(error, index: index, command: name)
        return (context.response.take(), true)
      }
    }
    return (context.response.take(), false)
  }

  private mutating func finishCommand() {
    index += 1
    if case .list(confirms: true) = kind { context.response.add(line: "list_OK") }
  }

  private mutating func obey(_ line: [UInt8]) throws(ProtocolError) {
    name = ""
    let words: ProtocolWords
    do throws(ProtocolWords.Failure) { words = try ProtocolWords(line) } catch {
      throw ProtocolError(error == .noCommand ? .unknown : .argument, error.message)
    }
    guard let command = table[words.command] else {
      throw ProtocolError(.unknown, "unknown command \"\(words.command)\"")
    }
    name = command.name
    try command.check(words.arguments, by: context.client)
    try command.body(Arguments(words: words.arguments), &context)
  }

  /// Waits until what was edited is kept: what is acknowledged is not lost.
  private mutating func keep() throws(ProtocolError) {
    guard context.hasEdited else { return }
    context.hasEdited = false
    if let fault = context.player.keep() {
      index = max(0, lines.count - 1)
      throw ProtocolError(.system, fault)
    }
  }
}
