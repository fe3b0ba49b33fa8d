// SPDX-License-Identifier: GPL-3.0-or-later

import LibraryScanning
import Platform
import PlayerFlow
import Screens
import SystemPackage
import Tagging
import Terminal
import UnicodeText
import UserSettings

/// The context in which commands run: the services, the directories given on the command line, and the output streams.
final class Session {
  /// The origin of commands.
  enum Face {
    /// The shell: a command does all its work and ends the program.
    case commandLine
    /// The REPL: a command acts on the REPL's player.
    case repl
    /// A REPL for the player in another process, reached at this socket.
    case attached(FilePath)
    /// Another process of the same user: a command acts on this process's player. `columns` is the width of its
    /// terminal, if it has one.
    case remote(columns: Int?)

    /// Whether commands are typed one after the other.
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
  let face: Face
  /// The user's settings.
  let settings: Settings
  /// The library, unless a command names another.
  let library: LibraryRoots
  /// The state directory, unless a command names another.
  let stateDirectory: FilePath
  /// The index directory, unless a command names another.
  let dataDirectory: FilePath
  /// The search for the music to play, if it was prepared.
  var preparedSearch: PreparedSearch?
  /// The library that was used last, which stays open.
  var openFlow: (request: LibraryRequest, index: any BrowsableLibrary, flow: LibraryFlow)?
  /// Keeps that library up to date with the disk.
  var followed: FollowedLibrary?
  /// The players of other processes that are followed, by socket.
  private var attachedPlayers: [FilePath: AttachedPlayer] = [:]
  /// The options of the player of this process, completed from the settings.
  var playerOptions: PlayerOptions?
  /// The persister of the queue of this process's player.
  var keeper: QueuePersister?
  /// Warnings that have not been printed yet.
  var warnings: [String] = []
  /// The file that is written, if the output is one; "-" for standard output.
  var outputFile: FilePath?
  /// Whether standard output carries sound, so that text and views must not use it.
  var soundGoesToStandardOutput: Bool {
    // The output of another process's command goes to that process.
    if case .remote = face { false } else { outputFile == FilePath("-") }
  }
  /// The exit status, unless a command fails.
  var status = ExitStatus.success
  /// The signals of the REPL that reads the commands, which a view on its terminal handles.
  var signals: ReplSignals?
  /// The line at which another process's pager starts.
  var firstLine: Int?
  /// Whether a command has announced the track it plays, so that its start need not be reported.
  var hasSaidTrack = false
  /// Receives the lines for standard error while a view uses the terminal.
  var divertedErrors: ((String) -> Void)?
  /// The error of writing to standard output, if any.
  var sayingFailure: Errno?
  /// The overrides of the output style from the command's options, and in the REPL, from those that it was started
  /// with.
  private var wish = OutputStyleOverrides()
  /// Output formatting, resolved from options, environment, settings and terminal.
  private(set) var manner = OutputStyle()
  private let outlet: OutputSink

  /// Creates a session that prints to `outlet`.
  init(
    services: Services, face: Face, settings: Settings = Settings(), library: LibraryRoots,
    stateDirectory: FilePath, dataDirectory: FilePath, outlet: OutputSink
  ) {
    self.services = services
    self.face = face
    self.settings = settings
    self.library = library
    self.stateDirectory = stateDirectory
    self.dataDirectory = dataDirectory
    self.outlet = outlet
  }

  /// Returns a session like this for a REPL with these directories.
  func repl(
    library: LibraryRoots, stateDirectory: FilePath, dataDirectory: FilePath, face: Face = .repl
  ) -> Session {
    let session = Session(
      services: services, face: face, settings: settings, library: library, stateDirectory: stateDirectory,
      dataDirectory: dataDirectory, outlet: outlet)
    (session.wish, session.manner) = (wish, manner)
    return session
  }

  /// Returns a session like this whose output is captured in `lines`.
  func keeping(_ lines: CapturedOutput) -> Session {
    let session = Session(
      services: services, face: face, settings: settings, library: library, stateDirectory: stateDirectory,
      dataDirectory: dataDirectory, outlet: .kept(lines))
    (session.wish, session.manner) = (wish, manner)
    return session
  }

  /// The width of the terminal that shows the output; `nil` if it is no terminal.
  var columns: Int? {
    if case .remote(let columns) = face { return columns }
    return StandardStream.output.terminalSize?.columns
  }

  /// Returns the player that listens at `socket`, which is followed from now on.
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

  /// Returns the warnings and the notices of the stored queue that have not been printed yet, one line each.
  func takeWarnings() -> [String] {
    defer { warnings = [] }
    return warnings + (keeper?.takeNotices() ?? [])
  }

  /// Applies `wish` to the output style; overrides in it that are `nil` stay as they were.
  func adopt(_ wish: OutputStyleOverrides) {
    self.wish = wish.before(self.wish)
    manner = OutputStyle(self.wish, settings, .ofProcess)
  }

  /// Sets the output style to that of another process, which shows the output.
  func adopt(_ manner: OutputStyle) { self.manner = manner }

  /// Runs `body` with `wish` applied to the output style, and restores the style afterwards.
  func adopting<Result>(_ wish: OutputStyleOverrides, _ body: () throws -> Result) rethrows -> Result {
    let before = (self.wish, manner)
    defer { (self.wish, manner) = before }
    adopt(wish)
    return try body()
  }

  /// The styles for printed text.
  var palette: Palette {
    manner.hasColours && !soundGoesToStandardOutput ? settings.palette : .plain
  }

  /// Prints a line that was not requested, such as a confirmation, a hint, or the next track; nothing in quiet style.
  /// The line must be safe for a terminal.
  func remark(_ line: String) {
    if !manner.isQuiet { say(line) }
  }

  /// Prints the result of a change, but only for people: scripts know what they have requested.
  ///
  /// - Parameter line: A line that is safe for a terminal.
  func confirm(_ line: String) {
    if manner.isForPeople { remark(line) }
  }

  /// Prints a detail on standard error in verbose style.
  func detail(_ line: @autoclosure () -> String) {
    if manner.isVerbose { complain(line()) }
  }

  /// Prints a line for people, with characters that the locale supports. The line must be safe for a terminal.
  func say(_ line: String) { say(data: manner.signed(line)) }

  /// Prints lines for people, at once if possible. The lines must be safe for a terminal.
  func say(_ lines: [String]) { say(data: lines.map(manner.signed)) }

  /// Prints a line unchanged, for scripts or with its characters replaced already. The line must be safe for a
  /// terminal.
  func say(data line: String) {
    if soundGoesToStandardOutput {
      complain(line)
    } else {
      do throws(Errno) { try outlet.say(line) } catch { sayingFailure = error }
    }
  }

  /// Prints lines unchanged, at once if possible. The lines must be safe for a terminal.
  func say(data lines: [String]) {
    if soundGoesToStandardOutput {
      for line in lines { complain(line) }
    } else if !lines.isEmpty {
      say(data: lines.joined(separator: "\n"))
    }
  }

  /// Throws if output could not be written. A reader that closes the pipe early, like head(1), is no failure.
  func checkThatAllIsSaid() throws(CommandError) {
    if let sayingFailure, sayingFailure != .brokenPipe {
      throw CommandError(.failure, "cannot write to standard output: \(sayingFailure)")
    }
  }

  /// Prints an error at `place`: one line on standard error, and its choices on standard output.
  func report(_ error: CommandError, place: String) {
    complain("segue: \(place)\(error.message)")
    let isNumbered = error.ambiguousText != nil && takesChoices
    for (index, choice) in error.choices.enumerated() {
      say((isNumbered ? "  \(index + 1)  " : "") + choice.safeForTerminal)
    }
  }

  /// Whether a user at a terminal can resolve an ambiguous word by a number.
  var takesChoices: Bool {
    if case .remote = face { return false }
    return manner.isTerminal && StandardStream.input.isTerminal && !soundGoesToStandardOutput
  }

  /// Prints a line on standard error, made safe for a terminal.
  func complain(_ line: String) {
    if let divertedErrors { return divertedErrors(line) }
    outlet.complain(manner.signed(line.safeForTerminal))
  }
}

/// The part of a session that views use.
extension Session: ViewContext {
  var isPlayer: Bool { face.isPlayer }

  func report(_ error: CommandError) { report(error, place: "") }
}

extension Session {
  /// Prints an object as a line of JSON.
  ///
  /// - Throws: `CommandError` if it cannot be encoded.
  func say(json object: some Encodable) throws(CommandError) {
    guard let line = JSONText.text(object) else {
      throw CommandError(.failure, "cannot encode the output as JSON")
    }
    say(data: line)
  }
}
