import LibraryScanning
import Platform
import PlayerFlow
import Screens
import SystemPackage
import Tagging
import Terminal
import UnicodeText
import UserSettings

/// What a command works with: the services, the places that the command line named, and the streams.
final class Session {
  /// Who asks for the commands.
  enum Face {
    /// The shell: a command does all of its work and ends the program.
    case commandLine
    /// The REPL: a command acts on what the REPL plays.
    case repl
    /// A REPL beside a player that runs in another process, and is reached at this socket.
    case attached(FilePath)
    /// Another process of the same user: a command acts on what this process plays. Its terminal has so many columns,
    /// if it has one.
    case remote(columns: Int?)

    /// Whether somebody types one command after the other.
    var isConversation: Bool {
      switch self {
      case .repl, .attached: true
      case .commandLine, .remote: false
      }
    }

    /// Whether commands act on what this process plays.
    var isPlayer: Bool {
      switch self {
      case .commandLine, .attached: false
      case .repl, .remote: true
      }
    }
  }

  let services: Services
  let face: Face
  /// What the user has set.
  let settings: Settings
  /// Where the library is, unless a command names another.
  let library: LibraryRoots
  /// Where the state is kept, unless a command names another place.
  let stateDirectory: FilePath
  /// Where the index is kept, unless a command names another place.
  let dataDirectory: FilePath
  /// The search for what is to be played, where that was prepared.
  var preparedSearch: PreparedSearch?
  /// The library that was asked last, which stays open.
  var openFlow: (request: LibraryRequest, index: any BrowsableLibrary, flow: LibraryFlow)?
  /// What keeps that library in step with the disk.
  var followed: FollowedLibrary?
  /// The players of other processes that are followed, by their sockets.
  private var attachedPlayers: [FilePath: AttachedPlayer] = [:]
  /// What the player of this process was started with, filled from the settings.
  var playerOptions: PlayerOptions?
  /// What keeps the queue of the player of this process.
  var keeper: QueuePersister?
  /// What the user should know, and was not told yet.
  var warnings: [String] = []
  /// The file that the sound goes to, if it goes to one: "-" for standard output.
  var outputFile: FilePath?
  /// Whether standard output carries sound, so that words and views have to stay away from it.
  var soundGoesToStandardOutput: Bool {
    // What another process asked for goes to its own.
    if case .remote = face { false } else { outputFile == FilePath("-") }
  }
  /// What the program ends with, unless a command fails.
  var status = ExitStatus.success
  /// The signals of the REPL that reads the commands, which a view on its terminal has to answer.
  var signals: ReplSignals?
  /// The line that a pager begins with, of what is printed for another process.
  var firstLine: Int?
  /// Whether a command has said which track it plays: that it begins is no news then.
  var hasSaidTrack = false
  /// Takes the lines for standard error while a view has the terminal.
  var divertedErrors: ((String) -> Void)?
  /// Why standard output did not take what was printed, if it did not.
  var sayingFailure: Errno?
  /// What the options ask for of how is written: those of the command, and in the REPL, those that it was started with.
  private var wish = OutputStyleOverrides()
  /// How is written to who asks.
  private(set) var manner = OutputStyle()
  private let outlet: OutputSink

  /// A session that prints to `outlet`.
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

  /// This session for a REPL with these directories.
  func repl(
    library: LibraryRoots, stateDirectory: FilePath, dataDirectory: FilePath, face: Face = .repl
  ) -> Session {
    let session = Session(
      services: services, face: face, settings: settings, library: library, stateDirectory: stateDirectory,
      dataDirectory: dataDirectory, outlet: outlet)
    (session.wish, session.manner) = (wish, manner)
    return session
  }

  /// This session for what is printed to `lines`.
  func keeping(_ lines: CapturedOutput) -> Session {
    let session = Session(
      services: services, face: face, settings: settings, library: library, stateDirectory: stateDirectory,
      dataDirectory: dataDirectory, outlet: .kept(lines))
    (session.wish, session.manner) = (wish, manner)
    return session
  }

  /// How many columns the terminal has that shows what is printed; `nil` where it is none.
  var columns: Int? {
    if case .remote(let columns) = face { return columns }
    return StandardStream.output.terminalSize?.columns
  }

  /// The player that listens at `socket`, which is followed from now on.
  ///
  /// - Throws: `Errno` where the system grants no thread.
  func attachedPlayer(at socket: FilePath) throws(Errno) -> AttachedPlayer {
    if let known = attachedPlayers[socket] { return known }
    let player = try AttachedPlayer(socket)
    attachedPlayers[socket] = player
    return player
  }

  /// What is put in the place of aliases.
  var aliases: AliasExpansion { AliasExpansion(settings) }

  /// What the user should know of the queue that is kept and was not told yet, a line each; from now on it counts as
  /// told.
  func takeWarnings() -> [String] {
    defer { warnings = [] }
    return warnings + (keeper?.takeNotices() ?? [])
  }

  /// Has all be written as `wish` asks, and as it was asked before for what that does not mention.
  func adopt(_ wish: OutputStyleOverrides) {
    self.wish = wish.before(self.wish)
    manner = OutputStyle(self.wish, settings, .ofProcess)
  }

  /// Has all be written in the manner of another process, which shows it.
  func adopt(_ manner: OutputStyle) { self.manner = manner }

  /// Has what `body` prints be written as `wish` asks, and as before for what that does not mention.
  func adopting<Result>(_ wish: OutputStyleOverrides, _ body: () throws -> Result) rethrows -> Result {
    let before = (self.wish, manner)
    defer { (self.wish, manner) = before }
    adopt(wish)
    return try body()
  }

  /// The styles of what is printed.
  var palette: Palette {
    manner.hasColours && !soundGoesToStandardOutput ? settings.palette : .plain
  }

  /// Prints what was not asked for, safe for a terminal already: what was done, a hint, the track that begins; nothing
  /// where the user wants quiet.
  func remark(_ line: String) {
    if !manner.isQuiet { say(line) }
  }

  /// Says what holds since a command, to people alone: scripts know what they have asked for.
  ///
  /// - Parameter line: safe for a terminal.
  func confirm(_ line: String) {
    if manner.isForPeople { remark(line) }
  }

  /// Prints on standard error what is done on the way, where the user wants to know.
  func detail(_ line: @autoclosure () -> String) {
    if manner.isVerbose { complain(line()) }
  }

  /// Prints a line for people, which is safe for a terminal already, with signs that the locale knows.
  func say(_ line: String) { say(data: manner.signed(line)) }

  /// Prints lines for people, which are safe for a terminal already, in one piece where that is possible.
  func say(_ lines: [String]) { say(data: lines.map(manner.signed)) }

  /// Prints a line as it is, which is safe for a terminal already: what a script reads, and what has its signs.
  func say(data line: String) {
    if soundGoesToStandardOutput {
      complain(line)
    } else {
      do throws(Errno) { try outlet.say(line) } catch { sayingFailure = error }
    }
  }

  /// Prints lines as they are, which are safe for a terminal already, in one piece where that is possible.
  func say(data lines: [String]) {
    if soundGoesToStandardOutput {
      for line in lines { complain(line) }
    } else if !lines.isEmpty {
      say(data: lines.joined(separator: "\n"))
    }
  }

  /// Sees to it that all was printed. A reader that has read enough, like head(1), is no failure.
  func checkThatAllIsSaid() throws(CommandError) {
    if let sayingFailure, sayingFailure != .brokenPipe {
      throw CommandError(.failure, "standard output could not be written: \(sayingFailure)")
    }
  }

  /// Prints an error, which is about `place`: one line on standard error, and what there is to choose from on standard
  /// output.
  func report(_ error: CommandError, place: String) {
    complain("segue: \(place)\(error.message)")
    let isNumbered = error.ambiguousText != nil && takesChoices
    for (index, choice) in error.choices.enumerated() {
      say((isNumbered ? "  \(index + 1)  " : "") + choice.safeForTerminal)
    }
  }

  /// Whether somebody at a terminal may choose by a number what an ambiguous word means.
  var takesChoices: Bool {
    if case .remote = face { return false }
    return manner.isTerminal && StandardStream.input.isTerminal && !soundGoesToStandardOutput
  }

  /// Prints a line on standard error, and makes it safe for a terminal.
  func complain(_ line: String) {
    if let divertedErrors { return divertedErrors(line) }
    outlet.complain(manner.signed(line.safeForTerminal))
  }
}

/// What a view needs of a session.
extension Session: ViewContext {
  var isPlayer: Bool { face.isPlayer }

  func report(_ error: CommandError) { report(error, place: "") }
}

extension Session {
  /// Prints an object as a line of JSON.
  ///
  /// - Throws: `CommandError` where it has none.
  func say(json object: some Encodable) throws(CommandError) {
    guard let line = JSONText.text(object) else {
      throw CommandError(.failure, "the answer cannot be written as JSON")
    }
    say(data: line)
  }
}
