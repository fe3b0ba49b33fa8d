import Platform
import RemoteControl
import Screens
import SystemPackage
import Terminal
import UnicodeText

/// Has the player that runs obey the command of this process.
struct Forwarding {
  /// How long a player that has the queue has to open its socket.
  private static let patience: UInt64 = 5_000
  private static let pause: UInt64 = 20
  /// How long a player that was asked to end has for it: what its output has buffered, and its state.
  private static let endPatience: UInt64 = 10_000

  let session: Session
  let socket: FilePath
  /// The command line behind the program's name, byte for byte.
  let words: [[UInt8]]
  private let endsPlayer: Bool
  private let showsPlayer: Bool
  private let mayPage: Bool

  /// For `command`, which `session` is asked for in `words`.
  init(_ command: any PlayerCommand, _ words: [[UInt8]], in session: Session) {
    self.session = session
    self.words = words
    endsPlayer = command.endsPlayer
    showsPlayer = command.showsPlayer
    mayPage = command.mayPage
    if case .attached(let socket) = session.face, command.socketText == nil, command.stateDirectoryText == nil {
      self.socket = socket
    } else {
      socket = session.socket(command.socketText, stateDirectory: command.stateDirectoryText)
    }
  }

  /// Has it obeyed, and prints what comes of it; gives the status to end with, or `nil` where no player runs.
  ///
  /// - Throws: `CommandError` where a player runs and cannot be asked, or a word of the command is ambiguous.
  func obey() throws(CommandError) -> ExitStatus? {
    let outcome: ForwardedOutcome
    do throws(ControlClientError) {
      var client = try ControlClient(socket)
      session.detail("player: \(socket)")
      outcome = try client.forward(ForwardedCommand(words: words, by: session))
    } catch {
      if case .nobody = error { return nil }
      throw Self.error(error, at: socket)
    }
    if let text = outcome.ambiguousText, let message = outcome.errors.last,
      outcome.answers.count == outcome.output.count
    {
      for line in outcome.errors.dropLast() { session.complain(line) }
      throw CommandError(
        ExitStatus(rawValue: outcome.status) ?? .ambiguous,
        message.hasPrefix("segue: ") ? String(message.dropFirst(7)) : message,
        choices: outcome.output, ambiguousText: text, answers: outcome.answers)
    }
    let pages = PagedLines(session, mayPage: mayPage, firstLine: outcome.firstLine)
    _ = try pages.write(outcome.output)
    try pages.finish()
    session.hasSaidTrack = session.hasSaidTrack || outcome.saysTrack
    for line in outcome.errors { session.complain(line) }
    if endsPlayer { try awaitEnd() }
    return ExitStatus(rawValue: outcome.status) ?? .failure
  }

  /// Shows what the player plays, where a terminal can, the command has something played, and the player has obeyed
  /// with this `status`; gives the status to end with.
  func show(after status: ExitStatus) throws -> ExitStatus {
    guard status == .success, showsPlayer, case .commandLine = session.face, session.manner.draws,
      !session.manner.isQuiet, StandardStream.input.isTerminal
    else { return status }
    return try NowCommand.show(socket, in: session) ?? status
  }

  /// Waits until the player can no longer be reached; one that is started then waits for the rest of its end.
  private func awaitEnd() throws(CommandError) {
    let deadline = MonotonicInstant.now.advanced(byMilliseconds: Self.endPatience)
    while (try? ControlClient(socket, patience: .seconds(1))) != nil {
      guard MonotonicInstant.now < deadline else {
        throw CommandError(.failure, "the player at \(socket) was asked to end, and does not")
      }
      MonotonicInstant.now.advanced(byMilliseconds: Self.pause).sleep()
    }
  }

  /// Why the player at `socket` was not asked, or did not obey.
  static func error(_ failure: ControlClientError, at socket: FilePath) -> CommandError {
    switch failure {
    case .nobody: .noPlayer
    case .foreign:
      CommandError(.noAnswer, "another program listens at \(socket): it does not speak the MPD protocol")
    case .stopped(let process):
      CommandError(
        .noAnswer,
        "the player (process \(process)) was stopped, as by Ctrl-Z: `fg` in its terminal, or kill -CONT \(process), has it go on"
      )
    case .unreachable(.resourceTemporarilyUnavailable):
      CommandError(
        .noAnswer,
        "what listens at \(socket) does not answer: it may be another program, or a player that was stopped")
    case .refused(let refusal) where refusal.code == .unknown:
      CommandError(.noAnswer, "another MPD server listens at \(socket): it is no Segue")
    case .unreachable, .refused: CommandError(.failure, "the player at \(socket) \(reason(failure))")
    }
  }

  /// The same as soon as the player that has the queue can be reached; in between, `retry` does it without one, as soon
  /// as none has the queue any more.
  func obey(whenRefused refusal: CommandError, _ retry: () throws -> ExitStatus) throws -> ExitStatus {
    let deadline = MonotonicInstant.now.advanced(byMilliseconds: Self.patience)
    while MonotonicInstant.now < deadline {
      if let status = try obey() { return status }
      do { return try retry() } catch is PlayerIsElsewhere {}
      if let status = SignalWatch.waitingSignals.lazy.compactMap(\.endingStatus).first { return status }
      MonotonicInstant.now.advanced(byMilliseconds: Self.pause).sleep()
    }
    throw refusal
  }

  /// What became of a player, as the end of a sentence.
  static func reason(_ failure: ControlClientError) -> String {
    switch failure {
    case .nobody: "has ended"
    case .unreachable(.connectionReset), .unreachable(.brokenPipe): "ended before it answered"
    case .unreachable(.resourceTemporarilyUnavailable): "does not answer"
    case .stopped: "does not answer: it was stopped, as by Ctrl-Z"
    case .unreachable(let error): "cannot be reached: \(error)"
    case .foreign: "does not speak the MPD protocol: another program listens there"
    case .refused(let error): "refuses: \(error.message)"
    }
  }
}

extension ForwardedCommand {
  /// The command of these words, as `session` was asked for it.
  init(words: [[UInt8]], by session: Session) {
    let directory = (try? FilePath(".").absolute()) ?? "/"
    self.init(
      words: words, workingDirectory: directory, columns: session.columns, manner: session.manner.code)
  }
}

/// Another process has the queue: what was asked for is for that one.
struct PlayerIsElsewhere: Error, CustomStringConvertible {
  /// What to say where it does not answer.
  let refusal: CommandError

  var description: String { refusal.message }
}

extension CommandError {
  /// There is no player to be asked.
  static var noPlayer: CommandError {
    CommandError(.noPlayer, "no player is running; `segue play ALBUM` starts one")
  }

  /// What to say of an error that a command has ended with; `nil` where it is no error of ours or the system's: the
  /// parser of command lines explains its own.
  init?(of error: any Error) {
    switch error {
    case let error as CommandError: self = error
    case let error as PlayerIsElsewhere: self = error.refusal
    case let error as Errno:
      self.init(.failure, "the system refuses to go on: \(error); end other programs and try again")
    default: return nil
    }
  }
}
