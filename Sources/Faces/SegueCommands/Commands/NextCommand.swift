import ArgumentParser
import QueueFlow

/// `next`: goes to the next track.
struct NextCommand: TransportCommand {
  static let configuration = CommandConfiguration(
    commandName: "next", abstract: "Go to the next track.",
    discussion: """
      Example:
        next
      """)

  @OptionGroup var player: SocketOptions
  @OptionGroup var manner: MannerOptions

  func run(in session: Session) throws {
    try session.checkThatThereIsACurrentTrack()
    session.services.actions.next()
    session.tellIfOutputIsDisabled()
  }
}
