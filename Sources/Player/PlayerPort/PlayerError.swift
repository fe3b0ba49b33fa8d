// SPDX-License-Identifier: GPL-3.0-or-later

package import MusicModel
package import Platform
import UnicodeText

/// The error with which a command fails: a one-line message for people, and an exit status for scripts.
public struct PlayerError: Error, Codable, Sendable, Equatable {
  /// The exit status with which the program ends.
  public let status: ExitStatus
  /// What failed, where, and what to do about it, in one line. Not yet escaped for a terminal.
  public let message: String
  /// The candidates that an ambiguous command could mean, one per line.
  public let choices: [String]
  /// The word of the command that is ambiguous; `nil` if a candidate cannot simply replace it.
  public let ambiguousText: String?
  /// The text that replaces ``ambiguousText`` for each of ``choices``.
  public let answers: [String]
  /// What the user should know besides the error, one line each; not yet escaped for a terminal.
  public let warnings: [String]
  /// What is wrong with a saved playlist, if that is the error.
  package internal(set) var playlistProblem: PlaylistProblem?

  /// Creates an error. If `answers` is `nil`, the choices themselves are the replacements.
  public init(
    _ status: ExitStatus, _ message: String, choices: [String] = [], ambiguousText: String? = nil,
    answers: [String]? = nil, warnings: [String] = []
  ) {
    self.status = status
    self.message = message
    self.choices = choices
    self.ambiguousText = choices.isEmpty ? nil : ambiguousText
    self.answers = answers ?? choices
    self.warnings = warnings
  }
}

/// The exit status of the program.
public enum ExitStatus: Int32, Codable, Sendable, CaseIterable {
  /// The command succeeded.
  case success = 0
  /// An error that has no status of its own.
  case failure = 1
  /// The command line is invalid.
  case usage = 2
  /// No album, track or file matches.
  case notFound = 3
  /// Several albums or tracks match.
  case ambiguous = 4
  /// The library cannot be read.
  case unreadableLibrary = 5
  /// The output cannot be opened, or has failed.
  case noOutput = 6
  /// None of the tracks can be played.
  case nothingPlayable = 7
  /// The command needs a running player, and there is none.
  case noPlayer = 8
  /// The program at the socket is not a player, or does not respond.
  case noAnswer = 9
  /// The terminal was lost.
  case hungUp = 129
  /// Ended by Ctrl-C.
  case interrupted = 130
  /// Ended by Ctrl-\.
  case quit = 131
  /// Ended by a termination signal.
  case terminated = 143

  /// Whether a signal has ended the program.
  package var isOfSignal: Bool { [.hungUp, .interrupted, .quit, .terminated].contains(self) }

  /// The description of the status in the manual.
  public var meaning: String {
    switch self {
    case .success: "success, or the player was ended by `segue quit`"
    case .failure: "any other error, or a line of a script failed"
    case .usage: "invalid command line"
    case .notFound: "no album, track or file matches"
    case .ambiguous: "several albums or tracks match; they are listed on standard output"
    case .unreadableLibrary: "the library cannot be read"
    case .noOutput: "the output cannot be opened, or failed (disk full, device lost)"
    case .nothingPlayable: "none of the tracks can be played, or the queue is empty"
    case .noPlayer: "no player is running, and the command needs one"
    case .noAnswer: "the program at the player's socket is not a player, or is not responding"
    case .hungUp: "ended by SIGHUP (terminal closed)"
    case .interrupted: "ended by SIGINT (Ctrl-C)"
    case .quit: "ended by SIGQUIT (Ctrl-\\)"
    case .terminated: "ended by SIGTERM"
    }
  }
}

extension ProcessSignal {
  /// The exit status of a program that is ended by this signal; `nil` if the signal does not end programs.
  package var endingStatus: ExitStatus? {
    switch self {
    case .interrupt: .interrupted
    case .quit: .quit
    case .terminate: .terminated
    case .hangUp: .hungUp
    case .suspend, .resume, .windowChange: nil
    }
  }
}

extension PlayerError {
  /// The error for an empty queue.
  package static var emptyQueue: PlayerError {
    PlayerError(.nothingPlayable, "the queue is empty: play an album first, as in `segue play ALBUM`")
  }

  /// The error for a command that requires a running player.
  package static var noPlayer: PlayerError {
    PlayerError(.noPlayer, "no player is running; `segue play ALBUM` starts one")
  }

  /// The error for a row or an item that a user has chosen, and that is no longer there.
  static var missing: PlayerError { PlayerError(.notFound, "the selected item no longer exists") }

  /// The error of a port whose player has ended.
  package static var playerEnded: PlayerError {
    PlayerError(.failure, "the player ended before it responded")
  }

  /// The error for a player of another version, whose reply is not the one that was expected.
  package static var unexpectedReply: PlayerError {
    PlayerError(.noAnswer, "the running player is of another version: restart it")
  }

  /// The error of a port whose player is suspended.
  package static var notResponding: PlayerError {
    PlayerError(.noAnswer, "the player is not responding: it is suspended, for example by Ctrl-Z")
  }

  /// The error of a port whose player does not reply in time.
  package static var noReply: PlayerError {
    PlayerError(.noAnswer, "the player has not replied in time: it is busy or hangs, and may still do this")
  }

  /// Creates the error for a library that cannot be read or queried.
  package init(_ error: LibraryError) {
    self.init(error.kind == .directory ? .unreadableLibrary : .failure, error.description)
  }

  /// Creates the error for an invalid query.
  package init(_ error: LibraryQueryError) { self.init(.usage, "invalid query, \(error.description)") }
}

extension String {
  /// The text truncated to 120 cells, for quoting it in a one-line error message.
  package var brief: String { truncated(toCells: 120) }
}
