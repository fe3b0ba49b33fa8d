import ArgumentParser
import Platform
import SystemPackage

/// A command of the command line, or a word of the REPL: the same type, parsed the same way.
protocol SessionCommand: ParsableCommand {
  /// How it writes.
  var manner: MannerOptions { get }

  /// Does what it says.
  ///
  /// - Throws: `CommandError`.
  func run(in session: Session) throws

  /// The command itself, where it is for the player: a requirement, since a cast would search all conformances of the
  /// program.
  var forPlayer: (any PlayerCommand)? { get }
}

extension SessionCommand {
  var forPlayer: (any PlayerCommand)? { nil }
}

/// A command that acts on the player, whichever process that is.
protocol PlayerCommand: SessionCommand {
  /// Whether it can do nothing where no player runs.
  var needsRunningPlayer: Bool { get }
  /// Whether it is asked for in this process, and no player that runs is to be looked for.
  func wantsOwnPlayer(_ services: Services) -> Bool
  /// Begins what takes time and changes nothing, while it is looked for a player that runs; this process may not come
  /// to do the rest.
  func prepare(in session: Session)
  /// Whether what it prints on a terminal goes to a pager where it is longer than the screen.
  var mayPage: Bool { get }
  /// Whether the player ends by it.
  var endsPlayer: Bool { get }
  /// Whether it has something played, so that a terminal shows what plays then.
  var showsPlayer: Bool { get }
  /// Where the player is reached, in the user's words.
  var socketText: String? { get }
  /// Where the queue is kept, in the user's words.
  var stateDirectoryText: String? { get }
}

extension PlayerCommand {
  var needsRunningPlayer: Bool { false }
  var forPlayer: (any PlayerCommand)? { self }
  func wantsOwnPlayer(_ services: Services) -> Bool { false }
  func prepare(in session: Session) {}
  var mayPage: Bool { false }
  var endsPlayer: Bool { false }
  var showsPlayer: Bool { false }
  var stateDirectoryText: String? { nil }
}

/// A command about the queue: the player's, where one is reached, and else the stored one.
protocol QueueStateCommand: PlayerCommand {
  var state: StateOptions { get }
}

extension QueueStateCommand {
  /// A player that is named by its socket alone has the queue that is meant.
  var needsRunningPlayer: Bool { state.socket != nil && state.stateDir == nil }
  var socketText: String? { state.socket }
  var stateDirectoryText: String? { state.stateDir }
}

/// A command for a player that runs.
protocol TransportCommand: PlayerCommand {
  var player: SocketOptions { get }
}

extension TransportCommand {
  var needsRunningPlayer: Bool { true }
  var socketText: String? { player.socket }
}

/// Where the player is reached.
struct SocketOptions: ParsableArguments {
  @Option(name: .long, help: .socket)
  var socket: String?
}

extension ArgumentHelp {
  static let socket: ArgumentHelp =
    "The socket of the player. Default: $SEGUE_SOCKET, or segue/socket in $XDG_RUNTIME_DIR, or in the state directory."
}

extension Session {
  /// The socket of the player that a command means.
  ///
  /// A player that keeps its queue in a directory that was named has its socket there, too.
  func socket(_ text: String?, stateDirectory: String?) -> FilePath {
    if let text { return FilePath(typed: text) }
    if let stateDirectory { return FilePath(typed: stateDirectory).appending("socket") }
    return Environment.socket ?? self.stateDirectory.appending("socket")
  }
}
