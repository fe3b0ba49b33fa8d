import ArgumentParser
import MusicModel
import Platform
import QueueFlow

/// `resume`: goes on.
struct ResumeCommand: PlayerCommand {
  static let configuration = CommandConfiguration(
    commandName: "resume", abstract: "Go on where playing stopped.",
    discussion: """
      On the command line with the queue that is kept, at its current track, to the second; `segue play` alone does the \
      same. In the REPL after a pause, too.

      Examples:
        resume
        resume --volume 60
      """)

  @OptionGroup var options: PlayerOptions

  var manner: MannerOptions { options.manner }

  var showsPlayer: Bool { true }
  func wantsOwnPlayer(_ services: Services) -> Bool { options.rendersFile(services) }
  var socketText: String? { options.socket }
  var stateDirectoryText: String? { options.stateDir }

  /// The command of a command line.
  init() {}

  /// The command with these options, as they were parsed.
  init(_ options: PlayerOptions) { self.options = options }

  func run(in session: Session) throws {
    guard session.face.isPlayer else {
      return try PlayerRun(session, options).run { player, events in
        try player.resume { events.post(.failed($0)) }
      }
    }
    try options.checkThatItPlays(in: session)
    if session.services.queue.queue.items.isEmpty { throw CommandError.emptyQueue }
    try options.apply(to: session.services.actions, session.services.playback.state)
    session.services.actions.resume()
    session.tellIfOutputIsDisabled()
  }
}
