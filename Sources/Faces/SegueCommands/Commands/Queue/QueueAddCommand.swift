import ArgumentParser
import MusicModel

/// `queue add`: adds tracks at the end.
struct QueueAddCommand: QueueStateCommand {
  static let configuration = CommandConfiguration(
    commandName: "add", abstract: "Add tracks at the end of the queue.",
    discussion: """
      \(QueryOptions.discussion)

      Examples:
        queue add "Kind of Blue"
        queue add Low "Miles Davis/Blue Haze" ~/Music/one.flac
      """)

  @OptionGroup var options: QueryOptions
  @OptionGroup var manner: MannerOptions

  var state: StateOptions { options.state }

  func run(in session: Session) throws {
    try options.add(in: session) { _ in .end }
  }
}
