import ArgumentParser
import MusicModel

/// `queue next`: adds tracks right behind the current one.
struct QueueNextCommand: QueueStateCommand {
  static let configuration = CommandConfiguration(
    commandName: "next", abstract: "Have tracks played right behind the current one.",
    discussion: """
      \(QueryOptions.discussion)

      What is put there by several such commands is played in the order in which it was given, and stays together under random.

      Examples:
        queue next "Kind of Blue"
        queue next ~/Music/Low/02.flac
      """)

  @OptionGroup var options: QueryOptions
  @OptionGroup var manner: MannerOptions

  var state: StateOptions { options.state }

  func run(in session: Session) throws {
    try options.add(in: session) { _ in .next }
  }
}
