// SPDX-License-Identifier: GPL-3.0-or-later

import ArgumentParser
import Platform
import SystemPackage

/// A command that runs in a session, either from the command line or as a word of the REPL. Both parse it in the same
/// way.
protocol SessionCommand: ParsableCommand {
  /// The options for the output style.
  var outputStyle: OutputStyleOptions { get }

  /// Runs the command.
  ///
  /// - Throws: `PlayerError`.
  func run(in session: Session) throws

  /// The command itself if it is a ``PlayerCommand``, otherwise `nil`. It is a requirement because a cast would search
  /// all conformances in the program.
  var forPlayer: (any PlayerCommand)? { get }
}

extension SessionCommand {
  var forPlayer: (any PlayerCommand)? { nil }
}

/// A command that acts on the player, in this process or another.
protocol PlayerCommand: SessionCommand {
  /// Whether the command fails if no player is running.
  var needsRunningPlayer: Bool { get }
  /// Returns whether the command needs a player in this process, and so must not be sent to another one.
  func wantsOwnPlayer(_ services: Services) -> Bool
  /// Starts slow work without side effects while a running player is being looked for. If there is one, the result may
  /// not be needed.
  func prepare(in session: Session)
  /// Whether output that is longer than the screen goes to a pager.
  var mayPage: Bool { get }
  /// Whether the command ends the player.
  var endsPlayer: Bool { get }
  /// Whether the command starts playback, so that a terminal shows the player afterwards.
  var showsPlayer: Bool { get }
  /// The socket of the player as the user gave it; `nil` if the option is not given.
  var socketText: String? { get }
  /// The state directory as the user gave it; `nil` if the option is not given.
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

/// A command about the queue of the running player or, if none is running, about the stored queue.
protocol QueueStateCommand: PlayerCommand {
  var state: StateOptions { get }
}

extension QueueStateCommand {
  /// If only a socket is given, the queue is that of the player there, and so the player must be running.
  var needsRunningPlayer: Bool { state.socket != nil && state.stateDir == nil }
  var socketText: String? { state.socket }
  var stateDirectoryText: String? { state.stateDir }
}

/// A command that requires a running player.
protocol TransportCommand: PlayerCommand {
  var state: StateOptions { get }
}

extension TransportCommand {
  var needsRunningPlayer: Bool { true }
  var socketText: String? { state.socket }
  var stateDirectoryText: String? { state.stateDir }
}

extension ArgumentHelp {
  static let socket: ArgumentHelp =
    "Socket of the player. Default: $SEGUE_SOCKET, segue/socket in $XDG_RUNTIME_DIR, or socket in the state directory."
}

extension Session {
  /// Returns the path of the socket of the player to which a command refers.
  ///
  /// - Parameters:
  ///   - text: The path that the user gave for the socket, if any.
  ///   - stateDirectory: The state directory that the user gave, if any. The socket of its player is in it.
  func socket(_ text: String?, stateDirectory: String?) -> FilePath {
    if let text { return FilePath(typed: text) }
    if let stateDirectory { return FilePath(typed: stateDirectory).appending("socket") }
    return Environment.socket ?? self.stateDirectory.appending("socket")
  }
}
