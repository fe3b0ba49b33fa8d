// SPDX-License-Identifier: GPL-3.0-or-later

import Platform
import PlayerPort
import RemoteControl
import Screens
import SystemPackage
import Terminal
import UnicodeText

/// Sends the command of this process to the running player for execution.
struct Forwarding {
  /// The maximum time in milliseconds to wait until a player that owns the queue opens its socket.
  private static let timeoutMilliseconds: UInt64 = 5_000
  /// The time in milliseconds between attempts.
  private static let retryInterval: UInt64 = 20
  /// The maximum time to wait until a player that was asked to quit closes its connections. After that, it stores its
  /// state; a new player waits for its end.
  private static let endTimeout = Duration.seconds(10)

  let session: Session
  let socket: FilePath
  /// The words of the command line without the name of the program, as bytes.
  let words: [[UInt8]]
  private let needsPlayer: Bool
  private let endsPlayer: Bool
  private let showsPlayer: Bool
  private let mayPage: Bool

  /// Creates the forwarding of `command`. `words` are the words that the user wrote.
  init(_ command: any PlayerCommand, _ words: [[UInt8]], in session: Session) {
    self.session = session
    self.words = words
    needsPlayer = command.needsRunningPlayer
    endsPlayer = command.endsPlayer
    showsPlayer = command.showsPlayer
    mayPage = command.mayPage
    if case .attached(let socket) = session.origin, command.socketText == nil, command.stateDirectoryText == nil {
      self.socket = socket
    } else {
      socket = session.socket(command.socketText, stateDirectory: command.stateDirectoryText)
    }
  }

  /// Sends the command to the player, and prints its output. Returns the exit status; `nil` if no player is running, or
  /// if nobody answers at the socket and the command needs no running player. A new player then replaces the socket,
  /// unless it finds that another program uses it.
  ///
  /// - Throws: `PlayerError` if a player is running but cannot be reached, or if a word of the command is ambiguous.
  func forward() throws(PlayerError) -> ExitStatus? {
    let outcome: ForwardedOutcome
    var client: ControlClient
    do throws(ControlClientError) {
      client = try ControlClient(socket)
    } catch {
      switch error {
      case .notListening: return nil
      case .unreachable(.resourceTemporarilyUnavailable) where !needsPlayer: return nil
      default: throw Self.error(error, at: socket)
      }
    }
    do throws(ControlClientError) {
      session.detail("player: \(socket)")
      outcome = try client.forward(ForwardedCommand(words: words, by: session))
    } catch {
      throw Self.error(error, at: socket)
    }
    if let text = outcome.ambiguousText, let message = outcome.errors.last,
      outcome.answers.count == outcome.output.count
    {
      for line in outcome.errors.dropLast() { session.printError(line) }
      throw PlayerError(
        ExitStatus(rawValue: outcome.status) ?? .ambiguous,
        message.hasPrefix("segue: ") ? String(message.dropFirst(7)) : message,
        choices: outcome.output, ambiguousText: text, answers: outcome.answers)
    }
    let pages = PagedLines(session, mayPage: mayPage, firstLine: outcome.firstLine)
    _ = try pages.write(outcome.output)
    try pages.finish()
    session.hasAnnouncedTrack = session.hasAnnouncedTrack || outcome.announcesTrack
    for line in outcome.errors { session.printError(line) }
    // To connect again would start another player, if a service manager does that for each client.
    guard !endsPlayer || client.waitUntilClosed(within: Self.endTimeout) else {
      throw PlayerError(.failure, "the player at \(socket) does not quit")
    }
    return ExitStatus(rawValue: outcome.status) ?? .failure
  }

  /// After a command that starts playback has succeeded, shows the player if the terminal can be redrawn. Returns the
  /// exit status.
  func show(after status: ExitStatus) throws -> ExitStatus {
    guard status == .success, showsPlayer, case .commandLine = session.origin, session.outputStyle.draws,
      !session.outputStyle.isQuiet, StandardStream.input.isTerminal
    else { return status }
    return try NowCommand.show(socket, in: session) ?? status
  }

  /// Returns the error for a player at `socket` that could not be reached, or did not execute the command.
  static func error(_ failure: ControlClientError, at socket: FilePath) -> PlayerError {
    switch failure {
    case .notListening: .noPlayer
    case .notAPlayer:
      PlayerError(.noAnswer, "another program is listening on \(socket): it does not speak the MPD protocol")
    case .insecure(let problem): PlayerError(.failure, "\(problem)")
    case .stopped(let process):
      PlayerError(
        .noAnswer,
        "the player (process \(process)) is suspended, for example by Ctrl-Z: run `fg` in its terminal, or `kill -CONT \(process)`"
      )
    case .unreachable(.resourceTemporarilyUnavailable):
      PlayerError(
        .noAnswer,
        "the program at \(socket) is not responding: it may be a suspended player, or another program")
    case .refused(let refusal) where refusal.code == .unknown:
      PlayerError(.noAnswer, "an MPD server other than Segue is listening on \(socket)")
    case .unreachable, .refused: PlayerError(.failure, "the player at \(socket) \(reason(failure))")
    }
  }

  /// Sends the command as soon as the player that owns the queue can be reached. Until then, repeatedly calls `retry`,
  /// which executes the command without that player if it has ended.
  ///
  /// - Throws: `refusal` if neither succeeds in time.
  func forward(whenRefused refusal: PlayerError, _ retry: () throws -> ExitStatus) throws -> ExitStatus {
    let deadline = MonotonicInstant.now.advanced(byMilliseconds: Self.timeoutMilliseconds)
    while MonotonicInstant.now < deadline {
      if let status = try forward() { return status }
      do { return try retry() } catch is PlayerRunsElsewhereError {}
      if let status = SignalWatch.waitingSignals.lazy.compactMap(\.endingStatus).first { return status }
      MonotonicInstant.now.advanced(byMilliseconds: Self.retryInterval).sleep()
    }
    throw refusal
  }

  /// Returns the reason why a player cannot be reached, as the end of a sentence.
  static func reason(_ failure: ControlClientError) -> String {
    switch failure {
    case .notListening: "has ended"
    case .unreachable(.connectionReset): "ended before it responded"
    case .unreachable(.resourceTemporarilyUnavailable): "is not responding"
    case .stopped: "is not responding: it is suspended, for example by Ctrl-Z"
    case .unreachable(let error): "cannot be reached: \(error)"
    case .insecure(let problem): "may be that of another user: \(problem)"
    case .notAPlayer: "does not speak the MPD protocol: another program is listening there"
    case .refused(let error): "refused: \(error.message)"
    }
  }
}

extension ForwardedCommand {
  /// Creates the command `words`, with the working directory, and with the width and output style of `session`.
  init(words: [[UInt8]], by session: Session) {
    let directory = (try? FilePath(".").absolute()) ?? "/"
    self.init(
      words: words, workingDirectory: directory, columns: session.columns, style: session.outputStyle.code)
  }
}

/// The error thrown if another process owns the queue, and so must execute the command.
struct PlayerRunsElsewhereError: Error, CustomStringConvertible {
  /// The error to report if the other process does not respond.
  let refusal: PlayerError

  var description: String { refusal.message }
}

extension PlayerError {
  /// The error for a command that requires a running player.
  static var noPlayer: PlayerError {
    PlayerError(.noPlayer, "no player is running; `segue play ALBUM` starts one")
  }

  /// Creates the error to report for an error that a command has thrown. Returns `nil` if it is neither an error of
  /// Segue nor of the system; the argument parser formats its own errors.
  init?(of error: any Error) {
    switch error {
    case let error as PlayerError: self = error
    case let error as PlayerRunsElsewhereError: self = error.refusal
    case let error as Errno:
      self.init(.failure, "system error: \(error)")
    default: return nil
    }
  }
}
