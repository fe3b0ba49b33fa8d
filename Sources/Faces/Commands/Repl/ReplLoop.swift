// SPDX-License-Identifier: GPL-3.0-or-later

import ArgumentParser
import Flux
import MusicModel
import Platform
import PlayerFlow
import Screens
import SystemPackage
import Terminal
import UserSettings

/// Reads lines and executes them: from the terminal with a line editor, or from a script.
struct ReplLoop {
  private let session: Session
  private let signals: ReplSignals
  /// The typed lines that are still to be executed.
  private var firstLines: [String]
  private var script: ReplScript
  /// The last command, if it was ambiguous and a number can now resolve it.
  private var ambiguous: AmbiguousCommand?

  /// Creates a loop for the player of `session`, reacting to `signals`. It continues with the lines that `before` has
  /// left.
  init(_ session: Session, signals: ReplSignals, after before: ReplLoop? = nil) {
    self.session = session
    self.signals = signals
    firstLines = before?.firstLines ?? []
    script = before?.script ?? ReplScript()
    session.signals = signals
  }

  /// Runs until the user or the script ends it, and returns the exit status; `nil` if a line needs a player and the one
  /// of the other process has ended.
  mutating func run() throws -> ExitStatus? {
    if StandardStream.input.isTerminal, !session.soundGoesToStandardOutput {
      // The style before any line, since a line may override it for itself.
      let manner = session.manner
      let news = ReplNews(session, manner)
      let surroundings = ReplSurroundings(session, signals: signals, news: news, manner: manner)
      let editor = LineEditor(
        historyFile: session.stateDirectory.appending("history"), completing: ReplCompletion(session),
        surroundings: surroundings, manner: manner)
      if let editor { return converse(editor, surroundings, news) }
    }
    return try runScript()
  }

  // MARK: At the terminal

  private mutating func converse(_ editor: LineEditor, _ surroundings: ReplSurroundings, _ news: ReplNews)
    -> ExitStatus?
  {
    var hint = ReplHint(session)
    if firstLines.isEmpty { tell(hint) }
    while true {
      news.passOverSaid()
      for line in news.takeProblems() { session.complain(line) }
      session.say(news.takeTracks())
      if let status = caughtEnd(), status != .interrupted { return ended(status) }
      if let end = obeyFirstLines() { return end == .quit ? .success : nil }
      switch signals.reading({ editor.readLine() }) {
      case .ended:
        // The terminal is lost; the signal for that may follow.
        if !StandardStream.input.isTerminal { return ended(.hungUp) }
        session.say("")
        return .success
      case .interrupted(let isEmpty):
        let status = caughtEnd()
        if status == .hungUp { return ended(.hungUp) }
        session.say("")
        if let status, status != .interrupted { return status }
        if isEmpty { stopSong() }
      case .line(let text):
        if !text.allSatisfy(\.isWhitespace) { editor.remember(text) }
        firstLines = text.split(whereSeparator: \.isNewline).map(String.init)
        if let end = obeyFirstLines() { return end == .quit ? .success : nil }
        if hint.isOutdated(in: session) {
          hint = ReplHint(session)
          // A user who plays something needs no hint.
          if session.services.playback.state.phase == .stopped, !session.hasSaidTrack {
            tell(hint)
          }
        }
      }
    }
  }

  /// Executes the typed lines up to one that ends the loop; returns how that one ended.
  private mutating func obeyFirstLines() -> Outcome? {
    while let line = firstLines.first {
      let outcome = obey(line, place: "")
      if outcome == .orphaned { return outcome }
      firstLines.removeFirst()
      if outcome == .quit { return outcome }
    }
    return nil
  }

  /// Reports why the line that needs a player cannot be executed, and drops it.
  mutating func refuseOrphan(_ error: CommandError) {
    if script.pending != nil {
      session.report(error, place: "line \(script.number): ")
      script.pending = nil
      script.hasFailed = true
    } else if !firstLines.isEmpty {
      session.report(error)
      firstLines.removeFirst()
    }
  }

  /// Returns the exit status for an end with `status`. If the terminal is lost and the settings keep playing, it first
  /// waits for playback to end; meanwhile the player is reachable through its socket.
  private func ended(_ status: ExitStatus) -> ExitStatus {
    let state = session.services.playback.state
    guard status == .hungUp, session.settings.keepsPlayingOnHangup, session.face.isPlayer,
      state.phase == .playing
    else { return status }
    var news = PlaybackNotices()
    let end = (try? waitUntilOver(&news)) ?? .success
    // Output that a lost terminal could not show is no failure.
    session.sayingFailure = nil
    return end
  }

  /// Handles Ctrl-C in an empty line: stops playback instead of ending the REPL.
  private mutating func stopSong() {
    if case .attached = session.face {
      _ = obey("stop", place: "")
    } else if session.services.playback.state.phase != .stopped {
      session.services.actions.stop()
    } else {
      session.remark("Use quit or Ctrl-D to exit.")
    }
  }

  private func tell(_ hint: ReplHint) {
    guard !session.manner.isQuiet else { return }
    session.say([session.palette[.heading].applied(to: hint.lines[0])] + hint.lines.dropFirst())
  }

  // MARK: A script

  private mutating func runScript() throws -> ExitStatus? {
    var news = PlaybackNotices()
    while let line = try script.next() {
      let outcome = obey(line, place: "line \(script.number): ")
      tell(&news)
      if let status = caughtEnd() { return status }
      if outcome == .orphaned {
        script.pending = line
        return nil
      }
      if outcome == .quit { return script.hasFailed ? .failure : .success }
      script.hasFailed = script.hasFailed || outcome == .failed
    }
    let hasFailed = script.hasFailed
    // Playback of another process continues without this one.
    if case .attached = session.face { return hasFailed ? .failure : .success }
    if let status = try waitUntilOver(&news) { return status }
    let state = session.services.playback.state
    if state.outputError != nil { return .noOutput }
    if state.startedCount == 0, !state.problems.isEmpty { return .nothingPlayable }
    return hasFailed ? .failure : .success
  }

  /// Waits until nothing plays; returns the exit status if a signal ended the wait.
  private func waitUntilOver(_ news: inout PlaybackNotices) throws -> ExitStatus? {
    let events = try EventQueue<PlaybackState>()
    let subscription = session.services.playback.observe { events.post($0) }
    defer { subscription.cancel() }
    while true {
      if let status = caughtEnd(), status != .hungUp || !session.settings.keepsPlayingOnHangup {
        return status
      }
      let state = session.services.playback.state
      tell(&news)
      // A current item is not enough: an earlier player may have left it.
      let hasBegun = state.phase != .stopped || state.startedCount > 0
      if state.phase == .paused || state.isOver || !hasBegun { return nil }
      if case .interrupted = events.next() { continue }
    }
  }

  /// Returns the exit status of a signal received meanwhile that ends the program.
  private func caughtEnd() -> ExitStatus? { signals.takeCaught()?.endingStatus }

  private func tell(_ news: inout PlaybackNotices) {
    let library = session.openFlow.map { news.take(from: $0.flow.library.state) } ?? []
    for line in session.takeWarnings() + news.take(from: session.services.playback.state) + library {
      session.complain("segue: \(line)")
    }
  }

  // MARK: A line

  private enum Outcome {
    case done
    case failed
    case quit
    /// It needs a player, and the one of the other process has ended.
    case orphaned
  }

  private mutating func obey(_ line: ScriptReader.Line, place: String) -> Outcome {
    switch line {
    case .text(let text):
      return obey(text, place: place)
    case .tooLong:
      session.report(
        CommandError(.usage, "too long: a line can have \(ScriptReader.lineLimit) bytes"),
        place: place)
      return .failed
    }
  }

  private mutating func obey(_ line: String, place: String) -> Outcome {
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
        return try session.adopting(try command.manner.wish()) { try obey(command, words) }
      }
      // `help` throws its text as an error.
      try command.run()
      return .done
    } catch let error as QuotationError {
      session.report(CommandError(.usage, "missing closing \(error.mark)"), place: place)
    } catch {
      if let known = CommandError(of: error) {
        session.report(known, place: place)
        if session.takesChoices, let choice = AmbiguousCommand(words.map { Array($0.utf8) }, known) {
          self.ambiguous = choice
          session.remark("Type a number to choose one.")
        }
        return .failed
      }
      if ReplWord.exitCode(for: error).isSuccess {
        session.say(ReplWord.fullMessage(for: error))
        return .done
      }
      session.report(
        CommandError(.usage, ReplWord.message(for: error) + "; use `help` to list the commands"), place: place)
    }
    return .failed
  }

  private func obey(_ command: any SessionCommand, _ words: [String]) throws -> Outcome {
    if case .attached = session.face, let wanted = command.forPlayer {
      let bytes = words.map { Array($0.utf8) }
      guard let status = try Forwarding(wanted, bytes, in: session).obey() else {
        // Nothing is known here about a player that was named explicitly.
        let isNamed = wanted.socketText != nil || wanted.stateDirectoryText != nil
        if isNamed || wanted.needsRunningPlayer { throw CommandError.noPlayer }
        return .orphaned
      }
      return status == .success ? .done : .failed
    }
    try command.run(in: session)
    // An edit is stored before it is acknowledged.
    session.tellIfNotStored()
    return .done
  }
}
