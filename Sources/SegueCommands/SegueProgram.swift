import ArgumentParser
import Platform
import SystemPackage
import UnicodeText

/// The program: a command line in, an exit status out.
public enum SegueProgram {
  /// Obeys the command line of the process with what `makeServices` gives, and gives the status to end with.
  ///
  /// On the main thread, before any other thread is started.
  public static func run(makeServices: () -> Services) -> Int32 {
    StandardStream.occupyMissing()
    ProcessSignal.ignoreBrokenPipes()
    do {
      let words = Array(CommandLine.arguments.dropFirst())
      guard let command = try SegueCommand.playingCommand(words) ?? sessionCommand(words) else {
        return ExitStatus.success.rawValue
      }
      let session = Session(
        services: makeServices(), face: .commandLine, library: Environment.libraryDirectory,
        stateDirectory: Environment.stateDirectory, dataDirectory: Environment.dataDirectory,
        outlet: .streams(errors: (try? StandardStream.divertLibraryErrors()) ?? .standardError))
      return run(command, in: session).rawValue
    } catch {
      return explain(error).rawValue
    }
  }

  /// The command that `words` mean; `nil` where that is `help`, and had nothing to say.
  private static func sessionCommand(_ words: [String]) throws -> (any SessionCommand)? {
    var parsed = try SegueCommand.command(words)
    if let command = parsed as? any SessionCommand { return command }
    // `help` throws what it has to say.
    try parsed.run()
    return nil
  }

  private static func run(_ command: any SessionCommand, in session: Session) -> ExitStatus {
    do {
      session.status = try obey(command, in: session)
      if session.status == .success { try session.checkThatAllIsSaid() }
      return session.status
    } catch let error as CommandError {
      session.report(error)
      return error.status
    } catch let error as Errno {
      session.report(
        CommandError(.failure, "the system refuses to go on: \(error); end other programs and try again"))
      return .failure
    } catch {
      session.report(CommandError(.failure, "\(error)"))
      return .failure
    }
  }

  /// Has `command` obeyed: where it is for the player, by the one that runs, if one does.
  private static func obey(_ command: any SessionCommand, in session: Session) throws -> ExitStatus {
    let obeyHere = { () throws -> ExitStatus in
      try command.run(in: session)
      return session.status
    }
    guard let wanted = command.forPlayer, !wanted.wantsOwnPlayer else { return try obeyHere() }
    let forwarding = Forwarding(wanted, CommandLine.words, in: session)
    if let status = try forwarding.obey() { return status }
    if type(of: wanted).needsRunningPlayer {
      throw CommandError.noPlayer
    }
    do {
      return try obeyHere()
    } catch let elsewhere as PlayerIsElsewhere {
      return try forwarding.obey(whenRefused: elsewhere.refusal, obeyHere)
    }
  }

  /// Prints the help that was asked for, or what is wrong with the command line.
  private static func explain(_ error: any Error) -> ExitStatus {
    if SegueCommand.exitCode(for: error).isSuccess {
      do throws(Errno) {
        try StandardStream.output.write(SegueCommand.fullMessage(for: error) + "\n")
      } catch {
        if error == .brokenPipe { return .success }
        return fail(.failure, "standard output could not be written: \(error)")
      }
      return .success
    }
    return fail(.usage, SegueCommand.message(for: error) + "; `segue help` lists the commands")
  }

  private static func fail(_ status: ExitStatus, _ message: String) -> ExitStatus {
    try? StandardStream.error.write("segue: \(message.safeForTerminal)\n")
    return status
  }
}
