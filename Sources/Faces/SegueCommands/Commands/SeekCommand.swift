import ArgumentParser
import AudioCore
import QueueFlow

/// `seek`: goes to another place in the track.
struct SeekCommand: TransportCommand {
  static let configuration = CommandConfiguration(
    commandName: "seek", abstract: "Go to another place in the track.",
    discussion: """
      PLACE is a time (90, 1:30), or a step forward or back (+10, -1:30).

      Examples:
        seek 1:30
        seek +10
        seek -1:00
      """)

  @Argument(parsing: .allUnrecognized, help: ArgumentHelp("Where to.", valueName: "place"))
  var place: [String]

  @OptionGroup var player: SocketOptions
  @OptionGroup var manner: MannerOptions

  func run(in session: Session) throws {
    let place = place.first == "--" ? Array(place.dropFirst()) : place
    guard place.count == 1, let target = SeekTarget(parsing: place[0]) else {
      throw CommandError(
        .usage, "cannot seek to \"\(place.joined(separator: " "))\": write 90, 1:30, +10 or -10")
    }
    try session.checkThatSomethingPlays()
    session.services.actions.seek(target)
  }
}
