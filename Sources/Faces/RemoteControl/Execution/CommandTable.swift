// SPDX-License-Identifier: GPL-3.0-or-later

/// The commands that a server understands, by name.
struct CommandTable: Sendable {
  private let commands: [String: RemoteCommand]

  /// Creates a table of `commands`.
  init(_ commands: [RemoteCommand]) {
    let named = commands.flatMap { command in command.names.map { ($0, command) } }
    self.commands = Dictionary(named, uniquingKeysWith: { first, _ in first })
  }

  /// Returns the command with this name; `nil` if there is none.
  subscript(name: String) -> RemoteCommand? { commands[name] }

  /// Returns the kind of thread for the command in `line`.
  func lane(of line: [UInt8]) -> RemoteCommand.Lane {
    let name = line.prefix { $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "\t") }
    return commands[String(decoding: name, as: UTF8.self)]?.lane ?? .immediate
  }
}

extension CommandTable {
  /// Returns the table of all commands of a server.
  ///
  /// - Parameters:
  ///   - access: The permissions of network clients.
  ///   - board: The channels through which clients exchange messages.
  ///   - guesses: The wrong passwords so far.
  static func all(
    _ access: NetworkAccess, _ board: MessageBoard, _ guesses: PasswordGuesses = PasswordGuesses()
  ) -> CommandTable {
    let commands =
      connection(access, guesses) + features + ranges + playing + status + queueReading + queueEditing + queueAdding
      + queueFinding
      + playlistReading + playlistEditing + library + messages(board)
    let names = (commands.flatMap(\.names) + ["commands", "notcommands"] + ConnectionState.ownCommands).sorted()
    return CommandTable(commands + listing(names, commands))
  }

  /// Returns the commands `commands` and `notcommands`. They list those of `names` that a client may use, and those
  /// that it may not. The permission for a name is that of the command in
  /// `commands`; other names require none.
  private static func listing(_ names: [String], _ commands: [RemoteCommand]) -> [RemoteCommand] {
    let table = CommandTable(commands)
    let list = { @Sendable (context: inout CommandContext, isAllowed: Bool) in
      for name in names
      where context.client.permission.isSuperset(of: table[name]?.permission ?? []) == isAllowed {
        context.response.add("command", name)
      }
    }
    return [
      RemoteCommand("commands", []) { list(&$1, true) },
      RemoteCommand("notcommands", []) { list(&$1, false) },
    ]
  }
}

/// A command of the protocol: its names, the permission that it requires, and its implementation.
struct RemoteCommand: Sendable {
  /// The kind of thread that executes a command.
  enum Lane: Sendable, Comparable {
    /// The event loop. Commands that only read memory are executed where they arrive, so that no other thread has to be
    /// woken.
    case immediate
    /// A thread whose commands never wait long for a disk.
    case quick
    /// A thread that may read the library, files and directories.
    case reading
    /// The only thread that changes the queue and the stored playlists, so that changes by several clients happen one
    /// after the other.
    case editing
    /// A thread that waits until edits are stored.
    case storing
  }

  /// The implementation of a command. It adds lines to the response of the context, or sets a source for the rest. It
  /// runs on a thread of the command's lane, and never at the same time as another command of the same client.
  typealias Body = @Sendable (Arguments, inout CommandContext) throws(ProtocolError) -> Void

  /// The names of the command. What it does may depend on the one by which it is called.
  let names: [String]
  let permission: Permission
  /// The numbers of arguments that the command accepts.
  let argumentCount: ClosedRange<Int>
  let lane: Lane
  let body: Body

  /// Creates the command `name`, which also has the names `others`. A command that changes anything is never executed
  /// on the event loop, even if `lane` is `immediate`.
  init(
    _ name: String, or others: [String] = [], _ permission: Permission, arguments: ClosedRange<Int> = 0...0,
    lane: Lane = .immediate, _ body: @escaping Body
  ) {
    names = [name] + others
    self.permission = permission
    argumentCount = arguments
    // Dispatching a change waits for its subscribers.
    self.lane = permission.isDisjoint(with: [.add, .control, .admin]) ? lane : max(lane, .quick)
    self.body = body
  }

  /// Throws an error if `client` lacks the permission for the command, or if the number of arguments is wrong.
  func check(_ arguments: Arguments, by client: ClientState) throws(ProtocolError) {
    let name = arguments.command
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
