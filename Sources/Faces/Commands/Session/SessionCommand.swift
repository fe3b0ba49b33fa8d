// SPDX-License-Identifier: GPL-3.0-or-later

import ArgumentParser
import Platform
import SystemPackage

/// A command that runs in a session, either from the command line or as a word of the REPL. Both parse it in the same
/// way.
protocol SessionCommand: ParsableCommand {
  var outputStyle: OutputStyleOptions { get }

  /// Runs the command.
  ///
  /// - Throws: An error that `PlayerError(of:)` converts, one of the argument parser, or ``EndedBySignal``.
  func run(in session: Session) throws

  /// Whether the command fails if no player is running.
  var needsRunningPlayer: Bool { get }

  /// Whether `--inline` or its opposite is given; `nil` if the setting decides.
  var inline: Bool? { get }
}

extension SessionCommand {
  var inline: Bool? { nil }
  var needsRunningPlayer: Bool { false }
}

/// A command with the options that select a player.
protocol StateCommand: SessionCommand {
  var state: StateOptions { get }
}

extension StateCommand {
  var outputStyle: OutputStyleOptions { state.outputStyle }
}

/// A command about the queue of the running player or, if none is running, about the stored queue.
protocol QueueStateCommand: StateCommand {}

extension QueueStateCommand {
  var needsRunningPlayer: Bool { PlayerTarget.queue(state).needsRunningPlayer }
}

/// A command that requires a running player.
protocol TransportCommand: StateCommand {}

extension TransportCommand {
  var needsRunningPlayer: Bool { true }
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
