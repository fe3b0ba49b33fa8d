import ArgumentParser
import MusicModel
import Platform
import QueueFlow

/// `status`: says what plays, where it goes, and whether it is bit-perfect.
struct StatusCommand: QueueStateCommand {
  static let configuration = CommandConfiguration(
    commandName: "status", abstract: "Say what plays, where it goes, and whether it is bit-perfect.",
    discussion: """
      From another terminal, of the player that runs; where none does, the status to end with is 8. Bit-perfect means that the output \
      is given the very samples of the file; what a sound server or a device makes of them is theirs.
      """)

  @Flag(name: .long, help: "Print one line of JSON.")
  var json = false

  @OptionGroup var state: StateOptions

  static var needsRunningPlayer: Bool { true }

  func run(in session: Session) throws {
    let services = session.services
    let queue = services.queue.queue
    let status = PlayerStatus(
      services.playback.state, queue: queue,
      elapsed: queue.current.flatMap { services.playback.heard(of: $0.id) })
    if json {
      guard let text = JSONText.text(status) else {
        throw CommandError(.failure, "the status cannot be written as JSON")
      }
      return session.say(text)
    }
    for line in StatusListing.lines(status, columns: session.columns) { session.say(line) }
  }
}
