import ArgumentParser
import Flux
import MusicModel
import Platform
import QueueFlow
import SystemPackage

/// Reads lines and obeys them: from the terminal with an editor, or from a script.
struct ReplLoop {
  private let session: Session
  private let signals: MainThreadSignals

  /// A loop that acts on what `session` plays, and on `signals`.
  init(_ session: Session, signals: MainThreadSignals) {
    self.session = session
    self.signals = signals
  }

  /// Works until the user or the script ends, and gives the status to end with.
  func run() throws -> ExitStatus {
    let historyFile = session.stateDirectory.appending("history")
    if StandardStream.input.isTerminal, !session.soundGoesToStandardOutput,
      let editor = LineEditor(historyFile: historyFile, completing: ReplCompletion(session))
    {
      return converse(editor)
    }
    return try runScript()
  }

  // MARK: At the terminal

  private func converse(_ editor: LineEditor) -> ExitStatus {
    var news = News()
    session.say("Type help for the words, quit or Ctrl-D to end.")
    while true {
      tell(&news)
      if let status = caughtEnd(), status != .interrupted { return status }
      switch editor.readLine() {
      case .ended:
        session.say("")
        return .success
      case .interrupted:
        session.say("")
        if let status = caughtEnd(), status != .interrupted { return status }
      case .line(let line):
        if !line.allSatisfy(\.isWhitespace) { editor.remember(line) }
        if obey(line, place: "") == .quit { return .success }
      }
    }
  }

  // MARK: A script

  private func runScript() throws -> ExitStatus {
    var reader = ScriptReader()
    var news = News()
    var number = 0
    var hasFailed = false
    while let line = try nextLine(&reader) {
      number += 1
      let outcome = obey(line, place: "line \(number): ")
      tell(&news)
      if let status = caughtEnd() { return status }
      if outcome == .quit { return hasFailed ? .failure : .success }
      hasFailed = hasFailed || outcome == .failed
    }
    // What another process plays goes on without this one.
    if case .attached = session.face { return hasFailed ? .failure : .success }
    if let status = try waitUntilOver(&news) { return status }
    let state = session.services.playback.state
    if state.outputError != nil { return .noOutput }
    if state.startedCount == 0, !state.problems.isEmpty { return .nothingPlayable }
    return hasFailed ? .failure : .success
  }

  private func nextLine(_ reader: inout ScriptReader) throws(CommandError) -> ScriptReader.Line? {
    do {
      return try reader.next()
    } catch {
      throw CommandError(.failure, "the script cannot be read: \(error); pipe it in, or redirect a file")
    }
  }

  /// Waits until nothing plays; gives the status where a signal ends the wait.
  private func waitUntilOver(_ news: inout News) throws -> ExitStatus? {
    let events = try EventQueue<PlaybackState>()
    let subscription = session.services.playback.observe { events.post($0) }
    defer { subscription.cancel() }
    while true {
      if let status = caughtEnd() { return status }
      let state = session.services.playback.state
      tell(&news)
      // The current item alone says nothing: it may be the one with which an earlier player ended.
      let hasBegun = state.isAwaited || state.phase != .stopped || state.startedCount > 0
      if state.phase == .paused && !state.isResuming || state.isOver || !hasBegun { return nil }
      if case .interrupted = events.next() { continue }
    }
  }

  /// The status to end with where a signal that ends the program came meanwhile.
  private func caughtEnd() -> ExitStatus? { signals.takeCaught()?.endingStatus }

  private func tell(_ news: inout News) {
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
  }

  private func obey(_ line: ScriptReader.Line, place: String) -> Outcome {
    switch line {
    case .text(let text):
      return obey(text, place: place)
    case .tooLong:
      session.report(
        CommandError(.usage, "longer than the \(ScriptReader.lineLimit) bytes that a line may have"),
        place: place)
      return .failed
    }
  }

  private func obey(_ line: String, place: String) -> Outcome {
    do {
      let words = try LineTokenizer.words(line)
      if words.isEmpty { return .done }
      var command = try ReplWord.parseAsRoot(words)
      if command is QuitCommand { return .quit }
      if case .attached = session.face, let wanted = command as? any PlayerCommand {
        let bytes = words.map { Array($0.utf8) }
        guard let status = try Forwarding(wanted, bytes, in: session).obey() else {
          throw CommandError.noPlayer
        }
        return status == .success ? .done : .failed
      }
      if let command = command as? any SessionCommand {
        try command.run(in: session)
        // What is acknowledged is kept.
        try session.flush()
      } else {
        // `help` throws what it has to say.
        try command.run()
      }
      return .done
    } catch let error as CommandError {
      session.report(error, place: place)
    } catch LineTokenizer.Failure.unterminated(let mark) {
      session.report(CommandError(.usage, "a \(mark) has no partner"), place: place)
    } catch {
      if ReplWord.exitCode(for: error).isSuccess {
        session.say(ReplWord.fullMessage(for: error))
        return .done
      }
      session.report(
        CommandError(.usage, ReplWord.message(for: error) + "; `help` lists the words"), place: place)
    }
    return .failed
  }
}
