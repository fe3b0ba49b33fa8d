import ArgumentParser
import QueueFlow

/// `stop`: stops playing.
struct StopCommand: TransportCommand {
  static let configuration = CommandConfiguration(
    commandName: "stop", abstract: "Stop playing.",
    discussion: """
      Example:
        stop
      """)

  @OptionGroup var player: SocketOptions
  @OptionGroup var manner: MannerOptions

  func run(in session: Session) throws {
    // What a client has stopped is stopped for good by this: a player in the foreground waits no longer for it to go
    // on. Where nothing plays, there is nothing to do.
    session.services.actions.stop()
  }
}
