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
        crossfade off
      """)

  @Argument(help: "How many seconds, 0 to 30, or off.")
  var seconds: String?

  @Flag(name: .long, help: "Crossfade on albums that play in order, too.")
  var albums = false

  @Flag(name: .long, help: "Print one line of JSON.")
  var json = false

  @OptionGroup var player: SocketOptions
  @OptionGroup var manner: MannerOptions

  func run(in session: Session) throws {
    guard let text = seconds else { return try show(in: session) }
    guard let seconds = text == "off" ? 0 : Double(text), (0...(Crossfade.limit / .seconds(1))).contains(seconds)
    else { throw CommandError.outOfRange("crossfade", text, "0 to 30 seconds, or off") }
    session.services.actions.setCrossfade(Crossfade(duration: .seconds(seconds), withinAlbums: albums))
    try show(in: session, isChanged: true)
  }

  private func show(in session: Session, isChanged: Bool = false) throws {
    if isChanged { session.services.actions.awaitDelivery() }
    let crossfade = session.services.playback.state.crossfade
    try session.answer(
      Self.text(crossfade), json ? ListeningAnswer.Crossfade(crossfade) : nil, isChanged: isChanged)
  }

  private static func text(_ crossfade: Crossfade) -> String {
    let length = crossfade.duration / .seconds(1)
    return length > 0
      ? "crossfade \(StatusListing.decimal(length)) s\(crossfade.withinAlbums ? ", albums too" : "")" : "no crossfade"
  }
}
