import ArgumentParser
import MusicModel

/// `queue insert`: adds tracks at a position.
struct QueueInsertCommand: QueueStateCommand {
  static let configuration = CommandConfiguration(
    commandName: "insert", abstract: "Insert tracks into the queue.",
    discussion: """
      POS is \(ItemPlace.help)

      \(QueryOptions.discussion)

      Examples:
        queue insert 1 "Kind of Blue"
        queue insert . ~/Music/Low/02.flac
      """)

  @Argument(help: ArgumentHelp("Where the first of them stands then.", valueName: "pos"))
  var place: String

  @OptionGroup var options: QueryOptions
  @OptionGroup var manner: MannerOptions

  var state: StateOptions { options.state }

  func run(in session: Session) throws {
    let place = try ItemPlace(place)
    try options.add(in: session) { queue throws(CommandError) in try place.entry(in: queue) }
  }
}
