import ArgumentParser
import MusicModel

/// `queue list`, and `queue` alone: shows the queue.
struct QueueListCommand: QueueStateCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "Show the queue, the current track marked.",
    discussion: """
      Position, title, artist, album and time; "gone" stands for the time of a track whose file is not there, which is skipped until it is \
      back. On a terminal, the line below says how long the queue is, how much of it is left, and the modes. Piped, the fields stand between \
      tabs.

      Examples:
        queue
        queue list --offset 100 --limit 20
        queue --json
      """)

  @OptionGroup var window: WindowOptions
  @OptionGroup var state: StateOptions
  @OptionGroup var manner: MannerOptions

  var mayPage: Bool { !window.noPager && !window.json }

  func run(in session: Session) throws {
    try QueueListing(queue: try session.keptQueue(state), options: window).print(in: session)
  }
}
