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
  let services: Services
  /// The player on which commands act, in this process or another one; `nil` if each command looks for it.
  var player: (any PlayerPort)?
  /// Whether commands are typed one after the other, in a REPL or on a full screen.
  let isConversation: Bool
  /// The user's settings.
  var settings: Settings
  /// The music directories that apply unless a command names others.
  private(set) var library: LibraryRoots
  /// The music directory that the user has typed because those of the command do not exist; `nil` if none was.
  private(set) var typedLibrary: LibraryRoots?
  /// The state directory that applies unless a command names another.
  let stateDirectory: FilePath
  /// The index directory that applies unless a command names another.
  let dataDirectory: FilePath
  /// The library that was used last. It stays open.
  var openFlow: (request: LibraryRequest, index: any BrowsableLibrary, flow: LibraryFlow)?
  /// Keeps the open library up to date with the disk; `nil` if it is not followed.
  var followedLibrary: FollowedLibrary?
  /// What scrobbling uses in the data directory.
  private(set) lazy var scrobbling = services.makeScrobbling(dataDirectory, settings.scrobbling)
  /// The persister of the queue of this process's player.
  var persister: QueuePersister?
  /// The warnings that have not been printed yet.
  var warnings: [String] = []
  /// The file to which audio is written; "-" for standard output, `nil` if the output is a device.
  var outputFile: FilePath?
  /// Whether standard output carries sound, so that neither text nor views may use it.
  var soundGoesToStandardOutput: Bool { outputFile == FilePath("-") }
  /// The exit status, unless a command fails.
  var status = ExitStatus.success
  /// The signals of the REPL in which commands run; `nil` outside of a REPL. A view handles terminal signals while it
  /// draws.
  var signals: ReplSignals?
  /// Whether a command has announced the track that it plays, so that the start of the track need not be reported.
  var hasAnnouncedTrack = false
  /// The maximum number of warnings to print for the reply of a player; `nil` for all.
  var warningLimit: Int?
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
  /// Whether the command asks for a screen below the prompt, or for one on the whole terminal; `nil` if it says
  /// neither.
  var inlineOption: Bool?
  private let output: OutputSink

  /// Creates a session that prints to `output`.
  init(
    services: Services, isConversation: Bool, settings: Settings = Settings(), library: LibraryRoots,
    stateDirectory: FilePath, dataDirectory: FilePath, output: OutputSink
  ) {
    self.services = services
    self.isConversation = isConversation
    self.settings = settings
    self.library = library
    self.stateDirectory = stateDirectory
    self.dataDirectory = dataDirectory
    self.output = output
  }

  /// Returns a copy for a REPL or a full screen that uses the directories that `options` name.
  func repl(_ options: PlayerOptions) -> Session {
    let library = options.libraryRequest(in: self)
    return copy(library.roots, options.stateDirectory(in: self), library.dataDirectory, output)
  }

  /// Returns a copy whose output is captured in `lines`.
  func capturing(in lines: CapturedOutput) -> Session {
    let session = copy(library, stateDirectory, dataDirectory, .captured(lines))
    (session.player, session.openFlow, session.outputFile) = (player, openFlow, outputFile)
    return session
  }

  /// Makes a session for commands that run on another thread, in the same directories and style, except for colours.
  /// Its output is captured, and its commands act on the given player.
  var maker: @Sendable (CapturedOutput, any PlayerPort) -> Session {
    var style = outputStyle
    style.hasColours = false
    return { [services, settings, library, stateDirectory, dataDirectory, outputFile, style] lines, player in
      let session = Session(
        services: services, isConversation: true, settings: settings, library: library, stateDirectory: stateDirectory,
        dataDirectory: dataDirectory, output: .captured(lines))
      (session.player, session.outputFile, session.outputStyle) = (player, outputFile, style)
      return session
    }
  }

  private func copy(
    _ library: LibraryRoots, _ stateDirectory: FilePath, _ dataDirectory: FilePath, _ output: OutputSink
  ) -> Session {
    let session = Session(
      services: services, isConversation: true, settings: settings, library: library, stateDirectory: stateDirectory,
      dataDirectory: dataDirectory, output: output)
    (session.overrides, session.outputStyle) = (overrides, outputStyle)
    return session
  }

  /// Uses a music directory in place of those that the command and the settings name.
  func use(_ directory: FilePath) {
    library = LibraryRoots(directory)
    typedLibrary = library
  }

  /// Whether commands act on the player of this process.
  var ownsPlayer: Bool { player is LocalPlayer }

  /// The width of the terminal that displays the output; `nil` if there is none.
  var columns: Int? { StandardStream.output.terminalSize?.columns }

  /// Whether a screen is shown in a few lines below the prompt.
  var isInline: Bool { inlineOption ?? settings.flag(.inline) == true }

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
    for (index, (choice, answer)) in zip(error.choices, error.answers).enumerated() {
      // A script gets what it can use in place of the ambiguous word, and then what that is.
      let script = answer == choice ? [choice] : [answer, choice]
      printLine(
        isNumbered
          ? "  \(index + 1)  \(choice.safeForTerminal)" : script.map(\.safeForTerminal).joined(separator: "\t"))
    }
  }

  /// Whether the user can be asked to choose from candidates for an ambiguous word, since input and output are a
  /// terminal.
  var takesChoices: Bool {
    outputStyle.isTerminal && StandardStream.input.isTerminal && !soundGoesToStandardOutput
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
  var isPlayer: Bool { ownsPlayer }

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
