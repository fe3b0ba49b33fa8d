// SPDX-License-Identifier: GPL-3.0-or-later

import LibraryScanning
import Platform
import PlayerFlow
import PlayerPort
import Screens
import SystemPackage
import Tagging
import Terminal
import UnicodeText
import UserSettings

/// The context in which commands run: the services, the directories in use, and the destination of output.
final class Session {
  /// Where commands come from, and on which player they act.
  enum Origin {
    /// The shell. A command does all its work, and then the program ends.
    case commandLine
    /// The REPL of a player in this process. Commands act on that player.
    case repl
    /// A REPL for a player in another process, which is reached through this socket.
    case attached(FilePath)
    /// Another process of the same user. Commands act on the player in this process. `columns` is the width of the
    /// other process's terminal, if it has one.
    case remote(columns: Int?)

    /// Whether commands are typed one after the other, in a REPL.
    var isConversation: Bool {
      switch self {
      case .repl, .attached: true
      case .commandLine, .remote: false
      }
    }

    /// Whether commands act on the player of this process.
    var isPlayer: Bool {
      switch self {
      case .commandLine, .attached: false
      case .repl, .remote: true
      }
    }
  }

  let services: Services
  let origin: Origin
  /// The user's settings.
  let settings: Settings
  /// The music directories that apply unless a command names others.
  let library: LibraryRoots
  /// The state directory that applies unless a command names another.
  let stateDirectory: FilePath
  /// The index directory that applies unless a command names another.
  let dataDirectory: FilePath
  /// The search for the music to play, if it has been prepared.
  var preparedSearch: PreparedSearch?
  /// The library that was used last. It stays open.
  var openFlow: (request: LibraryRequest, index: any BrowsableLibrary, flow: LibraryFlow)?
  /// Keeps the open library up to date with the disk; `nil` if it is not followed.
  var followedLibrary: FollowedLibrary?
  /// The players in other processes that are being followed, by socket.
  private var attachedPlayers: [FilePath: AttachedPlayer] = [:]
  /// The options of the player in this process, completed from the settings; `nil` if there is no player.
  var playerOptions: PlayerOptions?
  /// The persister of the queue of this process's player.
  var persister: QueuePersister?
  /// The warnings that have not been printed yet.
  var warnings: [String] = []
  /// The file to which audio is written; "-" for standard output, `nil` if the output is a device.
  var outputFile: FilePath?
  /// Whether standard output carries sound, so that neither text nor views may use it.
  var soundGoesToStandardOutput: Bool {
    // The output of a command from another process is sent to that process.
    if case .remote = origin { false } else { outputFile == FilePath("-") }
  }
  /// The exit status, unless a command fails.
  var status = ExitStatus.success
  /// The signals of the REPL in which commands run; `nil` outside of a REPL. A view handles terminal signals while it
  /// draws.
  var signals: ReplSignals?
  /// The line of the output at which the pager of another process should start, counted from 1; `nil` for the first.
  var firstLine: Int?
  /// Whether a command has announced the track that it plays, so that the start of the track need not be reported.
  var hasAnnouncedTrack = false
  /// Receives the lines for standard error while a view uses the terminal; `nil` if they are printed at once.
  var divertedErrors: ((String) -> Void)?
  /// Whether standard error goes to the system's journal, which reads the level of each line.
  private lazy var logsToJournal = output.isJournal
  /// The error that occurred in writing to standard output; `nil` if there was none.
  var outputError: Errno?
  /// The overrides of the output style: by the options of the command and, in a REPL, by those with which it was
  /// started.
  private var overrides = OutputStyleOverrides()
  /// Output formatting, resolved from options, environment, settings and terminal.
  private(set) var outputStyle = OutputStyle()
  private let output: OutputSink

  /// Creates a session that prints to `output`.
  init(
    services: Services, origin: Origin, settings: Settings = Settings(), library: LibraryRoots,
    stateDirectory: FilePath, dataDirectory: FilePath, output: OutputSink
  ) {
    self.services = services
    self.origin = origin
    self.settings = settings
    self.library = library
    self.stateDirectory = stateDirectory
    self.dataDirectory = dataDirectory
    self.output = output
  }

  /// Returns a copy for a REPL that uses these directories.
  func repl(
    library: LibraryRoots, stateDirectory: FilePath, dataDirectory: FilePath, origin: Origin = .repl
  ) -> Session {
    let session = Session(
      services: services, origin: origin, settings: settings, library: library, stateDirectory: stateDirectory,
      dataDirectory: dataDirectory, output: output)
    (session.overrides, session.outputStyle) = (overrides, outputStyle)
    return session
  }

  /// Returns a copy whose output is captured in `lines`.
  func capturing(in lines: CapturedOutput) -> Session {
    let session = Session(
      services: services, origin: origin, settings: settings, library: library, stateDirectory: stateDirectory,
      dataDirectory: dataDirectory, output: .captured(lines))
    (session.overrides, session.outputStyle) = (overrides, outputStyle)
    return session
  }

  /// The width of the terminal that displays the output; `nil` if there is none.
  var columns: Int? {
    if case .remote(let columns) = origin { return columns }
    return StandardStream.output.terminalSize?.columns
  }

  /// Returns the player that listens on `socket`, and follows it from now on.
  ///
  /// - Throws: `Errno` if no thread can be created.
  func attachedPlayer(at socket: FilePath) throws(Errno) -> AttachedPlayer {
    if let known = attachedPlayers[socket] { return known }
    let player = try AttachedPlayer(socket)
    attachedPlayers[socket] = player
    return player
  }

  /// The expansion of the user's aliases.
  var aliases: AliasExpansion { AliasExpansion(settings) }

  /// Returns the warnings, and the notices about the stored queue, that have not been printed yet, one line each.
  func takeWarnings() -> [String] {
    defer { warnings = [] }
    return warnings + (persister?.takeNotices() ?? [])
  }

  /// Applies overrides to the output style. Those that are `nil` leave the style unchanged.
  func apply(_ overrides: OutputStyleOverrides) {
    self.overrides = overrides.merging(over: self.overrides)
    outputStyle = OutputStyle(self.overrides, settings, .ofProcess)
  }

  /// Sets the output style to that of another process, which displays the output.
  func apply(_ outputStyle: OutputStyle) { self.outputStyle = outputStyle }

  /// Runs `body` with overrides applied to the output style, and restores the style afterwards.
  func withStyle<Result>(_ overrides: OutputStyleOverrides, _ body: () throws -> Result) rethrows -> Result {
    let before = (self.overrides, outputStyle)
    defer { (self.overrides, outputStyle) = before }
    apply(overrides)
    return try body()
  }

  /// The text styles for printed output.
  var palette: Palette {
    outputStyle.hasColours && !soundGoesToStandardOutput ? settings.palette : .plain
  }

  /// Prints a line in addition to the requested output, such as a confirmation, a hint, or the next track, unless the
  /// style is quiet. The line must be safe for a terminal.
  func printRemark(_ line: String) {
    if !outputStyle.isQuiet { printLine(line) }
  }

  /// Prints the result of a change for people. Scripts know what they have requested, so nothing is printed for them.
  ///
  /// - Parameter line: The line to print; it must be safe for a terminal.
  func confirm(_ line: String) {
    if outputStyle.isForPeople { printRemark(line) }
  }

  /// Prints a detail on standard error, if the style is verbose.
  func detail(_ line: @autoclosure () -> String) {
    if outputStyle.isVerbose { printError(line(), level: .debugging) }
  }

  /// Prints a line of text for people, with symbols that the terminal supports. The line must be safe for a terminal.
  func printLine(_ line: String) { printLine(data: outputStyle.withSupportedSymbols(line)) }

  /// Prints lines of text for people, in one write if possible. The lines must be safe for a terminal.
  func printLines(_ lines: [String]) { printLines(data: lines.map(outputStyle.withSupportedSymbols)) }

  /// Prints a line unchanged, because it is data for scripts, or its symbols have been replaced already. The line must
  /// be safe for a terminal.
  func printLine(data line: String) {
    if soundGoesToStandardOutput {
      printError(line)
    } else {
      do throws(Errno) { try output.printLine(line) } catch { outputError = error }
    }
  }

  /// Prints lines of data unchanged, in one write if possible. The lines must be safe for a terminal.
  func printLines(data lines: [String]) {
    if soundGoesToStandardOutput {
      for line in lines { printError(line) }
    } else if !lines.isEmpty {
      printLine(data: lines.joined(separator: "\n"))
    }
  }

  /// Throws an error if output could not be written. It is not an error if a reader such as head(1) closes the pipe
  /// early.
  func checkThatAllIsPrinted() throws(PlayerError) {
    if let outputError, outputError != .brokenPipe {
      throw PlayerError(.failure, "cannot write to standard output: \(outputError)")
    }
  }

  /// Prints an error: its message on standard error, preceded by `location`, and its candidates on standard output.
  func report(_ error: PlayerError, location: String) {
    printError("segue: \(location)\(error.message)")
    let isNumbered = error.ambiguousText != nil && takesChoices
    for (index, choice) in error.choices.enumerated() {
      printLine((isNumbered ? "  \(index + 1)  " : "") + choice.safeForTerminal)
    }
  }

  /// Whether the user can be asked to choose from candidates for an ambiguous word, since input and output are a
  /// terminal.
  var takesChoices: Bool {
    if case .remote = origin { return false }
    return outputStyle.isTerminal && StandardStream.input.isTerminal && !soundGoesToStandardOutput
  }

  /// Makes a line safe for a terminal, and prints it on standard error.
  func printError(_ line: String) { printError(line, level: .error) }

  /// Makes a line safe for a terminal, and prints it on standard error, with its level if that goes to the journal.
  func printError(_ line: String, level: LogLevel) {
    // What was typed is repeated in messages, but not the passwords in it.
    let line = AddressSecrets.removed(from: line)
    if let divertedErrors { return divertedErrors(line) }
    let prefix = logsToJournal ? "<\(level.rawValue)>" : ""
    output.printError(prefix + outputStyle.withSupportedSymbols(line.safeForTerminal))
  }
}

/// The part of a session that views use.
extension Session: ViewContext {
  var isPlayer: Bool { origin.isPlayer }

  func report(_ error: PlayerError) { report(error, location: "") }
}

extension Session {
  /// Prints an object as one line of JSON.
  ///
  /// - Throws: `PlayerError` if the object cannot be encoded.
  func printJSON(_ object: some Encodable) throws(PlayerError) {
    guard let line = JSONText.text(object) else {
      throw PlayerError(.failure, "cannot encode the output as JSON")
    }
    printLine(data: line)
  }
}
