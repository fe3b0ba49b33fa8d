// SPDX-License-Identifier: GPL-3.0-or-later

import ArgumentParser
import Platform
import SystemPackage

/// A command of the command line or a word of the REPL, which are the same type and parsed alike.
protocol SessionCommand: ParsableCommand {
  /// The output style options.
  var manner: MannerOptions { get }

  /// Runs the command.
  ///
  /// - Throws: `CommandError`.
  func run(in session: Session) throws

  /// The command itself if it is a ``PlayerCommand``. A requirement, since a cast would search all conformances of the
  /// program.
  var forPlayer: (any PlayerCommand)? { get }
}

extension SessionCommand {
  var forPlayer: (any PlayerCommand)? { nil }
}

/// A command that acts on the player, in whichever process that is.
protocol PlayerCommand: SessionCommand {
  /// Whether it fails if no player is running.
  var needsRunningPlayer: Bool { get }
  /// Returns whether it needs a player in this process, and must not be forwarded.
  func wantsOwnPlayer(_ services: Services) -> Bool
  /// Starts slow work without side effects while a running player is looked for; this process may not need its result.
  func prepare(in session: Session)
  /// Whether output longer than the terminal's screen goes to a pager.
  var mayPage: Bool { get }
  /// Whether it ends the player.
  var endsPlayer: Bool { get }
  /// Whether it starts playback, so that a terminal shows the player afterwards.
  var showsPlayer: Bool { get }
  /// The socket of the player, in the user's words.
  var socketText: String? { get }
  /// The directory of the queue, in the user's words.
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

/// A command about the queue: that of the running player, otherwise the stored one.
protocol QueueStateCommand: PlayerCommand {
  var state: StateOptions { get }
}

extension QueueStateCommand {
  /// A player given by its socket alone has the queue.
  var needsRunningPlayer: Bool { state.socket != nil && state.stateDir == nil }
  var socketText: String? { state.socket }
  var stateDirectoryText: String? { state.stateDir }
}

/// A command for a running player.
protocol TransportCommand: PlayerCommand {
  var player: SocketOptions { get }
}

extension TransportCommand {
  var needsRunningPlayer: Bool { true }
  var socketText: String? { player.socket }
}

/// The option for the player's socket.
struct SocketOptions: ParsableArguments {
  @Option(name: .long, help: .socket)
  var socket: String?
}

extension ArgumentHelp {
  static let socket: ArgumentHelp =
    "Socket of the player. Default: $SEGUE_SOCKET, segue/socket in $XDG_RUNTIME_DIR, or socket in the state directory."
}

extension Session {
  /// Returns the socket of the player that a command means.
  ///
  /// A player with an explicit state directory has its socket there.
  func socket(_ text: String?, stateDirectory: String?) -> FilePath {
    if let text { return FilePath(typed: text) }
    if let stateDirectory { return FilePath(typed: stateDirectory).appending("socket") }
    return Environment.socket ?? self.stateDirectory.appending("socket")
  }
}
