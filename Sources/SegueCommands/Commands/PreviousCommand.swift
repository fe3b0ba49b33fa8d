import ArgumentParser
import QueueFlow

/// `previous`: goes to the track before.
struct PreviousCommand: TransportCommand {
  static let configuration = CommandConfiguration(
    commandName: "previous",
    abstract: "Go to the track before, or, after its first three seconds, to the beginning of this one.",
    discussion: """
      Example:
        previous
      """)

  @OptionGroup var player: SocketOptions
  @OptionGroup var manner: MannerOptions

  func run(in session: Session) throws {
    try session.checkThatThereIsACurrentTrack()
    session.services.actions.previous()
    session.tellIfOutputIsDisabled()
  }
}
