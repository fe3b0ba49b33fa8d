/// The commands that a server knows, by their names.
struct CommandTable: Sendable {
  private let commands: [String: RemoteCommand]

  /// A table of these commands.
  init(_ commands: [RemoteCommand]) {
    self.commands = Dictionary(commands.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
  }

  /// The command of this name.
  subscript(name: String) -> RemoteCommand? { commands[name] }

  /// Which thread obeys the command of `line`.
  func lane(of line: [UInt8]) -> RemoteCommand.Lane {
    let name = line.prefix { $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "\t") }
    return commands[String(decoding: name, as: UTF8.self)]?.lane ?? .immediate
  }
}

extension CommandTable {
  /// All commands, for a server to whose network clients `access` applies, and whose clients say things to each other
  /// at `board`.
  static func all(_ access: NetworkAccess, _ board: MessageBoard) -> CommandTable {
    let families =
      connection(access) + features + ranges + playing + status + queueReading + queueEditing + queueAdding
      + queueFinding
      + playlistReading + playlistEditing + library + messages(board) + forwarding
    let names = (families.map(\.name) + ["commands", "notcommands"] + ConnectionState.wordNames).sorted()
    return CommandTable(families + listing(names, families))
  }

  /// `commands` and `notcommands`, which tell what a client may give of `names`.
  private static func listing(_ names: [String], _ families: [RemoteCommand]) -> [RemoteCommand] {
    let permissions = Dictionary(
      families.map { ($0.name, $0.permission) }, uniquingKeysWith: { first, _ in first })
    let list = { @Sendable (context: inout CommandContext, isAllowed: Bool) in
      for name in names
      where context.client.permission.isSuperset(of: permissions[name] ?? []) == isAllowed {
        context.response.add("command", name)
      }
    }
    return [
      RemoteCommand("commands", []) { list(&$1, true) },
      RemoteCommand("notcommands", []) { list(&$1, false) },
    ]
  }
}

/// A command of the protocol: its name, who may give it, and what it does.
struct RemoteCommand: Sendable {
  /// Which thread obeys it.
  enum Lane: Sendable, Comparable {
    /// None: what only looks at what is in memory is obeyed where it comes in, which spares it two threads' waking.
    case immediate
    /// One that is never kept waiting by a disk for long.
    case quick
    /// One that may read the library, files and directories.
    case reading
    /// The one that alone changes the queue and the stored playlists, so that the changes of several clients are made
    /// one after the other.
    case editing
    /// One that waits until something is kept.
    case keeping
  }

  /// What it does: adds lines to the context's response, or hands it a source of more. On a thread of its lane, one
  /// command of a client at a time.
  typealias Body = @Sendable (Arguments, inout CommandContext) throws(ProtocolError) -> Void

  let name: String
  let permission: Permission
  /// How many arguments it takes.
  let argumentCount: ClosedRange<Int>
  let lane: Lane
  let body: Body

  /// The command `name`. What changes anything is never obeyed at once, whatever `lane` says.
  init(
    _ name: String, _ permission: Permission, arguments: ClosedRange<Int> = 0...0, lane: Lane = .immediate,
    _ body: @escaping Body
  ) {
    self.name = name
    self.permission = permission
    argumentCount = arguments
    // Whatever dispatches waits for those who follow.
    self.lane = permission.isDisjoint(with: [.add, .control, .admin]) ? lane : max(lane, .quick)
    self.body = body
  }

  /// Sees to it that `client` may give it with so many arguments.
  func check(_ arguments: [String], by client: ClientState) throws(ProtocolError) {
    guard client.permission.isSuperset(of: permission) else {
      throw ProtocolError(.permission, "you don't have permission for \"\(name)\"")
    }
    if argumentCount.count == 1, arguments.count != argumentCount.lowerBound {
      throw ProtocolError(.argument, "wrong number of arguments for \"\(name)\"")
    }
    if arguments.count < argumentCount.lowerBound {
      throw ProtocolError(.argument, "too few arguments for \"\(name)\"")
    }
    if arguments.count > argumentCount.upperBound {
      throw ProtocolError(.argument, "too many arguments for \"\(name)\"")
    }
  }
}
