import Platform
import QueueFlow
import SystemPackage
import UnicodeText

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
    /// Another process of the same user: a command acts on what this process plays. Its terminal has so many columns, if it has one.
    case remote(columns: Int?)

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
  /// Where the library is, unless a command names another.
  let library: FilePath
  /// Where the state is kept, unless a command names another place.
  let stateDirectory: FilePath
  /// Where the index is kept, unless a command names another place.
  let dataDirectory: FilePath
  /// The library that was asked last, which stays open.
  var openFlow: (request: LibraryRequest, flow: LibraryFlow)?
  /// What keeps that library in step with the disk.
  var followed: FollowedLibrary?
  /// What keeps the queue of the player of this process.
  var keeper: StateKeeper?
  /// What the user should know, and was not told yet.
  var warnings: [String] = []
  /// The file that the sound goes to, if it goes to one: "-" for standard output.
  var outputFile: FilePath?
  /// Whether standard output carries sound, so that words and views have to stay away from it.
  var soundGoesToStandardOutput: Bool { outputFile == FilePath("-") }
  /// What the program ends with, unless a command fails.
  var status = ExitStatus.success
  /// Why standard output did not take what was printed, if it did not.
  var sayingFailure: Errno?
  private let outlet: Outlet

  /// A session that prints to `outlet`.
  init(
    services: Services, face: Face, library: FilePath, stateDirectory: FilePath, dataDirectory: FilePath,
    outlet: Outlet
  ) {
    self.services = services
    self.face = face
    self.library = library
    self.stateDirectory = stateDirectory
    self.dataDirectory = dataDirectory
    self.outlet = outlet
  }

  /// This session for a REPL with these directories.
  func repl(
    library: FilePath, stateDirectory: FilePath, dataDirectory: FilePath, face: Face = .repl
  ) -> Session {
    Session(
      services: services, face: face, library: library, stateDirectory: stateDirectory,
      dataDirectory: dataDirectory, outlet: outlet)
  }

  /// How many columns the terminal has that shows what is printed; `nil` where it is none.
  var columns: Int? {
    if case .remote(let columns) = face { return columns }
    return StandardStream.output.terminalSize?.columns
  }

  /// What the user should know of the queue that is kept and was not told yet, a line each; from now on it counts as told.
  func takeWarnings() -> [String] {
    defer { warnings = [] }
    return warnings + (keeper?.takeNotices() ?? [])
  }

  /// Prints a line, which is safe for a terminal already.
  func say(_ line: String) {
    if soundGoesToStandardOutput {
      complain(line)
    } else {
      do throws(Errno) { try outlet.say(line) } catch { sayingFailure = error }
    }
  }

  /// Prints lines, which are safe for a terminal already, in one piece where that is possible.
  func say(_ lines: [String]) {
    if soundGoesToStandardOutput {
      for line in lines { complain(line) }
    } else if !lines.isEmpty {
      say(lines.joined(separator: "\n"))
    }
  }

  /// Sees to it that all was printed. A reader that has read enough, like head(1), is no failure.
  func checkThatAllIsSaid() throws(CommandError) {
    if let sayingFailure, sayingFailure != .brokenPipe {
      throw CommandError(.failure, "standard output could not be written: \(sayingFailure)")
    }
  }

  /// Prints an error: one line on standard error, and what there is to choose from on standard output.
  func report(_ error: CommandError, place: String = "") {
    complain("segue: \(place)\(error.message)")
    for choice in error.choices { say(choice.safeForTerminal) }
  }

  /// Prints a line on standard error, and makes it safe for a terminal.
  func complain(_ line: String) {
    outlet.complain(line.safeForTerminal)
  }
}
