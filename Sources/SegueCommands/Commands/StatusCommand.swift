import ArgumentParser
import Platform
import QueueFlow

/// `status`: says what plays, where it goes, and whether it is bit-perfect.
struct StatusCommand: SessionCommand {
  static let configuration = CommandConfiguration(
    commandName: "status", abstract: "Say what plays, where it goes, and whether it is bit-perfect.",
    discussion: """
      From another terminal, of the player that runs. Bit-perfect means that the output is given the very samples of the \
      file; what a sound server or a device makes of them is theirs.
      """)

  @Flag(name: .long, help: "Print one line of JSON.")
  var json = false

  @OptionGroup var state: StateOptions

  func run(in session: Session) throws {
    guard let status = try status(session) else {
      throw CommandError(.nothingPlayable, "no player has run yet; `segue play ALBUM` starts one")
    }
    if json { return session.say(try text(status)) }
    let columns = StandardStream.output.terminalSize?.columns
    for line in StatusListing.lines(status, columns: columns) { session.say(line) }
  }

  private func status(_ session: Session) throws(CommandError) -> PlayerStatus? {
    let services = session.services
    if session.face == .repl, state.stateDir == nil {
      return PlayerStatus(services.playback.state, queue: services.queue.queue)
    }
    return try session.read(.status(in: state.directory(in: session)))?.advanced(to: .now)
  }

  private func text(_ status: PlayerStatus) throws(CommandError) -> String {
    guard let text = JSONText.text(status) else {
      throw CommandError(.failure, "the status cannot be written as JSON")
    }
    return text
  }
}
