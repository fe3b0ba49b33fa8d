// SPDX-License-Identifier: GPL-3.0-or-later

import ArgumentParser
import Platform
import PlayerFlow
import PlayerPort
import RemoteControl
import Screens
import Synchronization
import SystemPackage
import Tagging
import Terminal
import UnicodeText
import UserSettings

/// Executes commands that other processes of the same user send to the player of this process.
///
/// Commands are executed one after the other, so that each sees the effects of the one before. A command that waits for
/// an unresponsive disk delays the next one by at most a second.
final class ForwardedRun: Sendable {
  private let services: Services
  private let settings: Settings
  private let persister: QueuePersister
  private let stateDirectory: FilePath
  private let dataDirectory: FilePath
  private let library: LibraryRoots
  private let outputFile: FilePath?
  private let playerOptions: PlayerOptions?
  /// A latch that opens when the latest command has ended; `nil` before the first command.
  private let lastEnd = Mutex<Latch?>(nil)
  /// The maximum time in milliseconds that a command waits for the previous one.
  private static let timeoutMilliseconds: UInt64 = 1_000

  /// Creates an executor of commands for the player of `session`.
  init(_ session: Session, _ persister: QueuePersister) {
    services = session.services
    settings = session.settings
    self.persister = persister
    stateDirectory = session.stateDirectory
    dataDirectory = session.dataDirectory
    library = session.library
    outputFile = session.outputFile
    playerOptions = session.playerOptions
  }

  /// Executes `command`, and returns the outcome. May be called on any thread outside of the cooperative thread pool.
  func execute(_ command: ForwardedCommand) -> ForwardedOutcome {
    let end = Latch()
    defer { end.open() }
    let previousEnd = lastEnd.withLock { last in
      defer { last = end }
      return last
    }
    _ = previousEnd?.wait(until: MonotonicInstant.now.advanced(byMilliseconds: Self.timeoutMilliseconds))
    let context = CallerContext(directory: command.workingDirectory, words: command.words)
    return CallerContext.$current.withValue(context) { run(command) }
  }

  /// Returns a session for commands to the player of this process.
  ///
  /// - Parameters:
  ///   - columns: The width of the client's terminal; `nil` if it has none.
  ///   - lines: Captures the output.
  func session(columns: Int? = nil, printingTo lines: CapturedOutput = CapturedOutput()) -> Session {
    let session = Session(
      services: services, origin: .remote(columns: columns), settings: settings,
      library: library, stateDirectory: stateDirectory,
      dataDirectory: dataDirectory,
      output: .captured(lines))
    session.persister = persister
    session.outputFile = outputFile
    session.playerOptions = playerOptions
    return session
  }

  private func run(_ forwarded: ForwardedCommand) -> ForwardedOutcome {
    let lines = CapturedOutput()
    let session = session(columns: forwarded.columns, printingTo: lines)
    session.apply(OutputStyle(code: forwarded.style))
    var ambiguity: PlayerError?
    let status = Self.execute(
      forwarded.words.map { String(decoding: $0, as: UTF8.self) }, in: session, ambiguity: &ambiguity)
    for warning in session.warnings { session.printError("segue: \(warning)") }
    var outcome = ForwardedOutcome(
      output: lines.output, errors: lines.errors, status: status.rawValue, announcesTrack: session.hasAnnouncedTrack,
      firstLine: session.firstLine)
    outcome.ambiguousText = ambiguity?.ambiguousText
    outcome.answers = ambiguity?.answers ?? []
    return outcome
  }

  private static func execute(_ words: [String], in session: Session, ambiguity: inout PlayerError?) -> ExitStatus {
    let error: PlayerError
    do {
      guard let command = try SegueCommand.command(words) as? any PlayerCommand,
        !command.wantsOwnPlayer(session.services)
      else {
        throw PlayerError(.usage, "\(words.first ?? "") cannot be sent to a running player")
      }
      try command.run(in: session)
      session.reportStorageError()
      return session.status
    } catch let thrown {
      error = PlayerError(of: thrown) ?? PlayerError(.usage, SegueCommand.message(for: thrown))
    }
    session.report(error)
    if error.ambiguousText != nil { ambiguity = error }
    return error.status
  }
}
