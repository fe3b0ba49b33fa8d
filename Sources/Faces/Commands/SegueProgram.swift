// SPDX-License-Identifier: GPL-3.0-or-later

import ArgumentParser
import Platform
import PlayerPort
import Screens
import SystemPackage
import Tagging
import Terminal
import UnicodeText
import UserSettings

/// The program: runs a command line, and returns an exit status.
public enum SegueProgram {
  /// The minimum limit on open files. With a lower limit, some libraries abort the process.
  private static let descriptorCount = 64
  /// The minimum limit on the address space, in bytes. With a lower limit, some libraries wait for a thread for ever,
  /// or abort the process.
  private static let addressSpace = 288 << 20

  /// Runs the command line of the process with the services that `makeServices` creates, and returns the exit status.
  ///
  /// Call this on the main thread, before any other thread is started.
  public static func run(makeServices: @escaping () -> Services) -> Int32 {
    StandardStream.occupyMissing()
    ProcessSignal.ignoreBrokenPipes()
    let limit = DescriptorLimit.raised()
    guard limit >= descriptorCount else {
      return fail(
        .failure, "the limit on open files is \(limit), but \(descriptorCount) are needed: raise it with `ulimit -n`"
      ).rawValue
    }
    let memory = MemoryLimit.current
    guard memory >= addressSpace else {
      return fail(
        .failure,
        "the limit on memory is \(memory >> 10) KiB, but \(addressSpace >> 10) are needed: raise it with `ulimit -v`"
      ).rawValue
    }
    do {
      let arguments = Array(CommandLine.arguments.dropFirst())
      // Without a command, the program shows the full screen on a terminal, and otherwise prints the help.
      let isInteractive = StandardStream.input.isTerminal && StandardStream.output.isTerminal
      let words = isInteractive && SegueCommand.namesNoCommand(arguments) ? ["screen"] + arguments : arguments
      if words.first == ShellCompletion.word {
        let lines = ShellCompletion(makeServices).answer(Array(words.dropFirst()))?.lines ?? []
        try? StandardStream.output.write(lines.map { $0 + "\n" }.joined())
        return ExitStatus.success.rawValue
      }
      let settings = Settings.ofProcess(commands: { CommandName.all })
      LegacyText.assumed = settings.textEncoding
      DateChoice.current = settings.dates
      let expanded = try AliasExpansion(settings).expanded(words)
      guard let command = try sessionCommand(expanded) else {
        return ExitStatus.success.rawValue
      }
      let session = Session(
        services: makeServices(), isConversation: false, settings: settings, library: settings.library,
        stateDirectory: Environment.stateDirectory, dataDirectory: Environment.dataDirectory,
        output: .streams(errors: (try? StandardStream.divertLibraryErrors()) ?? .standardError))
      for problem in settings.problems { session.printError("segue: \(problem.description)", level: .warning) }
      let status = run(command, bytes(of: expanded, for: words), in: session)
      // It is not an error if a client of the player has requested the end.
      let isRequested = status == .terminated && session.services.endRequest.isMade
      return (isRequested ? .success : status).rawValue
    } catch let error as PlayerError {
      return fail(error.status, error.message).rawValue
    } catch {
      return explain(error).rawValue
    }
  }

  /// Returns the command for `words`. Returns `nil` if the command needs no session and has already run.
  private static func sessionCommand(_ words: [String]) throws -> (any SessionCommand)? {
    var parsed = try SegueCommand.command(words)
    if let command = parsed as? any SessionCommand { return command }
    // `help` throws its text as an error.
    try parsed.run()
    return nil
  }

  /// Returns the words after alias expansion as bytes. Words at the end that were not replaced keep their original
  /// bytes.
  private static func bytes(of expanded: [String], for words: [String]) -> [[UInt8]] {
    let original = CommandLine.words
    guard expanded != words else { return original }
    let count = zip(expanded.reversed(), words.reversed()).prefix { $0 == $1 }.count
    return expanded.dropLast(count).map { Array($0.utf8) } + original.suffix(count)
  }

  private static func run(
    _ command: any SessionCommand, _ words: [[UInt8]], in session: Session
  ) -> ExitStatus {
    do {
      session.apply(try command.outputStyle.overrides())
      session.inlineOption = command.inline
      session.detail(session.settingsLocation)
      try command.run(in: session)
      if session.status == .success { try session.checkThatAllIsPrinted() }
      return session.status
    } catch let end as EndedBySignal {
      return end.status
    } catch {
      let texts = words.map { String(decoding: $0, as: UTF8.self) }
      let commandError =
        PlayerError(of: error)
        ?? CommandLineProblem(texts, in: SegueCommand.self).error(SegueCommand.message(for: error))
      session.report(commandError)
      return choose(commandError, words, in: session) ?? commandError.status
    }
  }

  /// Lets the user at the terminal choose a candidate for the ambiguous word in `error`, and runs the command with
  /// it. Returns `nil` if the user chooses none.
  private static func choose(_ error: PlayerError, _ words: [[UInt8]], in session: Session) -> ExitStatus? {
    guard session.takesChoices, let ambiguous = AmbiguousCommand(words, error),
      let events = try? EventQueue<ViewEvent>(),
      let watch = try? SignalWatch([.interrupt, .quit, .terminate, .hangUp], { events.post(.signal($0)) })
    else { return nil }
    switch withExtendedLifetime(watch, { ChoicePrompt.ask(upTo: ambiguous.count, events) }) {
    case .none: return nil
    case .ended(let status): return status
    case .chosen(let number):
      guard let chosen = ambiguous.words(choosing: number),
        let command = try? SegueCommand.command(chosen.map { String(decoding: $0, as: UTF8.self) })
          as? any SessionCommand
      else { return nil }
      return run(command, chosen, in: session)
    }
  }

  /// Prints the help that was requested, or the error in the command line.
  private static func explain(_ error: any Error) -> ExitStatus {
    if SegueCommand.exitCode(for: error).isSuccess {
      do throws(Errno) {
        try StandardStream.output.write(SegueCommand.fullMessage(for: error) + "\n")
      } catch {
        if error == .brokenPipe { return .success }
        return fail(.failure, "cannot write to standard output: \(error)")
      }
      return .success
    }
    let words = FormerCommands.renamed(Array(CommandLine.arguments.dropFirst()))
    let problem = CommandLineProblem(words, in: SegueCommand.self).error(SegueCommand.message(for: error))
    return fail(problem.status, problem.message)
  }

  private static func fail(_ status: ExitStatus, _ message: String) -> ExitStatus {
    let message = AddressSecrets.removed(from: message).safeForTerminal
    try? StandardStream.error.write(OutputStyle().withSupportedSymbols("segue: \(message)\n"))
    return status
  }
}

/// The words of a command, one or several of which are ambiguous.
struct AmbiguousCommand {
  private let words: [[UInt8]]
  /// The indices of the ambiguous words.
  private let range: Range<Int>
  private let answers: [String]

  /// Creates the value from the words of a command, as bytes, and the error of that command. Returns `nil` if the error
  /// has no candidates to choose from.
  init?(_ words: [[UInt8]], _ error: PlayerError) {
    // The first word is the command.
    let texts = words.dropFirst().map { String(decoding: $0, as: UTF8.self) }
    guard let text = error.ambiguousText, !error.answers.isEmpty, let range = texts.range(forming: text) else {
      return nil
    }
    self.words = words
    self.range = range.lowerBound + 1..<range.upperBound + 1
    answers = error.answers
  }

  /// The number of candidates.
  var count: Int { answers.count }

  /// Returns the words with the ambiguous ones replaced by the candidate with this number, counted from 1. Returns
  /// `nil` if there is no such candidate.
  func words(choosing number: Int) -> [[UInt8]]? {
    guard (1...answers.count).contains(number) else { return nil }
    return words[..<range.lowerBound] + [Array(answers[number - 1].utf8)] + words[range.upperBound...]
  }
}
