// SPDX-License-Identifier: GPL-3.0-or-later

import ArgumentParser
import Flux
import MusicModel
import Platform
import PlayerFlow
import PlayerPort
import Screens
import SystemPackage
import Terminal
import UserSettings

/// Reads and executes the lines of a REPL, from the terminal with a line editor, or from a script.
struct ReplLoop {
  private let session: Session
  private let signals: ReplSignals
  /// The typed lines that have not been executed yet.
  private var pendingLines: [String]
  private var script: ReplScript
  /// The last command, if it was ambiguous. The next line may be a number that chooses a candidate.
  private var ambiguous: AmbiguousCommand?

  /// Creates a loop for the player of `session`, which takes over the lines that `previous` has not executed.
  init(_ session: Session, signals: ReplSignals, after previous: ReplLoop? = nil) {
    self.session = session
    self.signals = signals
    pendingLines = previous?.pendingLines ?? []
    script = previous?.script ?? ReplScript()
    session.signals = signals
  }

  /// Reads lines until the user or the script ends the loop, and returns the exit status. Returns `nil` if a line
  /// requires a player and the player of the other process has ended.
  mutating func run() throws -> ExitStatus? {
    if StandardStream.input.isTerminal, !session.soundGoesToStandardOutput {
      // The style of the REPL, since each line can override it for itself.
      let outputStyle = session.outputStyle
      let notices = ReplNotices(session, outputStyle)
      let delegate = ReplEditorDelegate(session, signals: signals, notices: notices, outputStyle: outputStyle)
      let editor = LineEditor(
        historyFile: session.stateDirectory.appending("history"), completing: LineCompleter(session),
        delegate: delegate, outputStyle: outputStyle)
      if let editor { return runInteractively(editor, delegate, notices) }
    }
    return try runScript()
  }

  // MARK: At the terminal

  private mutating func runInteractively(_ editor: LineEditor, _ delegate: ReplEditorDelegate, _ notices: ReplNotices)
    -> ExitStatus?
  {
    var hint = ReplHint(session)
    if pendingLines.isEmpty { printHint(hint) }
    while true {
      notices.skipAnnounced()
      for line in notices.takeProblems() { session.printError(line) }
      session.printLines(notices.takeTracks())
      if let status = caughtStatus(), status != .interrupted { return finalStatus(status) }
      if let end = executePendingLines() { return end == .quit ? .success : nil }
      switch signals.reading({ editor.readLine() }) {
      case .ended:
        // The terminal has been lost; a signal may follow.
        if !StandardStream.input.isTerminal { return finalStatus(.hungUp) }
        session.printLine("")
        return .success
      case .interrupted(let isEmpty):
        let status = caughtStatus()
        if status == .hungUp { return finalStatus(.hungUp) }
        session.printLine("")
        if let status, status != .interrupted { return status }
        if isEmpty { handleInterrupt() }
      case .line(let text):
        if !text.allSatisfy(\.isWhitespace) { editor.remember(text) }
        pendingLines = text.split(whereSeparator: \.isNewline).map(String.init)
        if let end = executePendingLines() { return end == .quit ? .success : nil }
        if hint.isOutdated(in: session) {
          hint = ReplHint(session)
          // A user who has played something needs no hint.
          if session.services.playback.state.phase == .stopped, !session.hasAnnouncedTrack {
            printHint(hint)
          }
        }
      }
    }
  }

  /// Executes the pending lines. If one of them ends the loop, returns its outcome; otherwise returns `nil`.
  private mutating func executePendingLines() -> Outcome? {
    while let line = pendingLines.first {
      let outcome = execute(line, location: "")
      if outcome == .orphaned { return outcome }
      pendingLines.removeFirst()
      if outcome == .quit { return outcome }
    }
    return nil
  }

  /// Reports why the pending line, which requires a player, cannot be executed, and drops the line.
  mutating func refuseOrphan(_ error: PlayerError) {
    if script.pending != nil {
      session.report(error, location: "line \(script.number): ")
      script.pending = nil
      script.hasFailed = true
    } else if !pendingLines.isEmpty {
      session.report(error)
      pendingLines.removeFirst()
    }
  }

  /// Returns the exit status for a loop that ends with `status`. If the terminal was lost but playback is to continue,
  /// first waits until playback ends; meanwhile the player can be controlled through its socket.
  private func finalStatus(_ status: ExitStatus) -> ExitStatus {
    let state = session.services.playback.state
    guard status == .hungUp, session.settings.keepsPlayingOnHangup, session.ownsPlayer,
      state.phase == .playing
    else { return status }
    var notices = PlaybackNotices()
    let end = (try? waitUntilOver(&notices)) ?? .success
    // It is not an error that the lost terminal did not accept output.
    session.outputError = nil
    return end
  }

  /// Handles Ctrl-C in an empty line, which stops playback instead of ending the REPL.
  private mutating func handleInterrupt() {
    if !session.ownsPlayer {
      _ = execute("stop", location: "")
    } else if session.services.playback.state.phase != .stopped {
      session.services.actions.stop()
    } else {
      session.printRemark("Use quit or Ctrl-D to exit.")
    }
  }

  private func printHint(_ hint: ReplHint) {
    guard !session.outputStyle.isQuiet else { return }
    session.printLines([session.palette[.heading].applied(to: hint.lines[0])] + hint.lines.dropFirst())
  }

  // MARK: A script

  private mutating func runScript() throws -> ExitStatus? {
    var notices = PlaybackNotices()
    while let line = try script.next() {
      let outcome = execute(line, location: "line \(script.number): ")
      printNotices(&notices)
      if let status = caughtStatus() { return status }
      if outcome == .orphaned {
        script.pending = line
        return nil
      }
      if outcome == .quit { return script.hasFailed ? .failure : .success }
      script.hasFailed = script.hasFailed || outcome == .failed
    }
    let hasFailed = script.hasFailed
    // Playback in another process continues after this process has ended.
    if !session.ownsPlayer { return hasFailed ? .failure : .success }
    if let status = try waitUntilOver(&notices) { return status }
    let state = session.services.playback.state
    if state.outputError != nil { return .noOutput }
    if state.startedCount == 0, !state.problems.isEmpty { return .nothingPlayable }
    return hasFailed ? .failure : .success
  }

  /// Waits until playback ends. Returns the exit status if a signal ended the wait, otherwise `nil`.
  private func waitUntilOver(_ notices: inout PlaybackNotices) throws -> ExitStatus? {
    let events = try EventQueue<PlaybackState>()
    let subscription = session.services.playback.observe { events.post($0) }
    defer { subscription.cancel() }
    while true {
      if let status = caughtStatus(), status != .hungUp || !session.settings.keepsPlayingOnHangup {
        return status
      }
      let state = session.services.playback.state
      printNotices(&notices)
      // That there is a current item is not sufficient, since an earlier player may have left it in the queue.
      let hasStarted = state.phase != .stopped || state.startedCount > 0
      if state.phase == .paused || state.isOver || !hasStarted { return nil }
      if case .interrupted = events.next() { continue }
    }
  }

  /// Returns the exit status for a signal that has been caught, if it ends the program.
  private func caughtStatus() -> ExitStatus? { signals.takeCaught()?.endingStatus }

  private func printNotices(_ notices: inout PlaybackNotices) {
    let library = session.openFlow.map { notices.notices(for: $0.flow.library.state) } ?? []
    for line in session.takeWarnings() + notices.notices(for: session.services.playback.state) + library {
      session.printError("segue: \(line)")
    }
  }

  // MARK: A line

  private enum Outcome {
    case done
    case failed
    case quit
    /// The line requires a player, but the player of the other process has ended.
    case orphaned
  }

  private mutating func execute(_ line: ScriptReader.Line, location: String) -> Outcome {
    switch line {
    case .text(let text):
      return execute(text, location: location)
    case .tooLong:
      session.report(
        PlayerError(.usage, "too long: a line can have at most \(ScriptReader.lineLimit) bytes"),
        location: location)
      return .failed
    }
  }

  private mutating func execute(_ line: String, location: String) -> Outcome {
    let ambiguous = ambiguous.take()
    var words: [String] = []
    do {
      words = try session.aliases.expanded(try LineTokenizer.words(line))
      if words.isEmpty { return .done }
      if words.count == 1, let chosen = Int(words[0]).flatMap({ ambiguous?.words(choosing: $0) }) {
        words = chosen.map { String(decoding: $0, as: UTF8.self) }
      }
      if let topic = HelpTopic(words) { throw CleanExit.message(topic.text(in: ReplWord.self)) }
      try CommandNames.check(words, in: ReplWord.self)
      var command = try ReplWord.parseAsRoot(words)
      if command is QuitCommand { return .quit }
      if let command = command as? any SessionCommand {
        return try session.withStyle(try command.outputStyle.overrides()) { try execute(command, words) }
      }
      // `help` throws its text as an error.
      try command.run()
      return .done
    } catch let error as QuotationError {
      session.report(PlayerError(.usage, "missing closing \(error.mark)"), location: location)
    } catch {
      if let commandError = PlayerError(of: error) {
        session.report(commandError, location: location)
        if session.takesChoices, let choice = AmbiguousCommand(words.map { Array($0.utf8) }, commandError) {
          self.ambiguous = choice
          session.printRemark("Type a number to choose one.")
        }
        return .failed
      }
      if ReplWord.exitCode(for: error).isSuccess {
        session.printLine(ReplWord.fullMessage(for: error))
        return .done
      }
      session.report(
        CommandLineProblem(words, in: ReplWord.self).error(ReplWord.message(for: error)), location: location)
    }
    return .failed
  }

  private func execute(_ command: any SessionCommand, _ words: [String]) throws -> Outcome {
    do {
      try command.run(in: session)
    } catch let error as PlayerError where error == .playerEnded && !session.ownsPlayer {
      // This process becomes the player, unless the command is for a running one.
      if command.needsRunningPlayer { throw PlayerError.noPlayer }
      return .orphaned
    }
    return .done
  }
}
