import ArgumentParser
import QueueFlow

/// `crossfade`: shows or sets how tracks fade into each other.
struct CrossfadeCommand: TransportCommand {
  static let configuration = CommandConfiguration(
    commandName: "crossfade", abstract: "Show or set how long tracks fade into each other.",
    discussion: """
      On an album that plays in order they do not, unless --albums is given.

      Examples:
        crossfade 6
        crossfade 4 --albums
        crossfade 0
      """)

  @Argument(help: "How many seconds, 0 to 30.")
  var seconds: Double?

  @Flag(name: .long, help: "Crossfade on albums that play in order, too.")
  var albums = false

  @OptionGroup var player: SocketOptions
  @OptionGroup var manner: MannerOptions

  func run(in session: Session) throws {
    let present = session.services.playback.state.crossfade
    guard let seconds else {
      let length = present.duration / .seconds(1)
      return session.say(
        length > 0
          ? "crossfade \(StatusListing.decimal(length)) s\(present.withinAlbums ? ", albums too" : "")"
          : "no crossfade")
    }
    guard (0...(Crossfade.limit / .seconds(1))).contains(seconds) else {
      throw CommandError.outOfRange("crossfade", "\(seconds)", "0 to 30 seconds")
    }
    session.services.actions.setCrossfade(Crossfade(duration: .seconds(seconds), withinAlbums: albums))
  }
}
