import ArgumentParser
import QueueFlow

/// `volume`: shows or sets the volume.
struct VolumeCommand: TransportCommand {
  static let configuration = CommandConfiguration(
    commandName: "volume", abstract: "Show or set the volume.",
    discussion: """
      PERCENT is 0 to 100, or a step (+5, -5).

      Examples:
        volume
        volume 80
        volume -5
        volume --json
      """)

  @Argument(parsing: .allUnrecognized, help: ArgumentHelp("How loud.", valueName: "percent"))
  var percent: [String] = []

  @Flag(name: .long, help: "Print one line of JSON.")
  var json = false

  @OptionGroup var player: SocketOptions
  @OptionGroup var manner: MannerOptions

  func run(in session: Session) throws {
    guard let text = percent.first else { return try show(in: session) }
    guard percent.count == 1, let number = Int(text), (-100...100).contains(number) else {
      throw CommandError(
        .usage, "no volume is \"\(percent.joined(separator: " "))\": write 0 to 100, +5 or -5")
    }
    let isStep = text.hasPrefix("+") || text.hasPrefix("-")
    if isStep {
      session.services.actions.changeVolume(by: number)
    } else {
      session.services.actions.setVolume(Volume(percent: number))
    }
    try show(in: session, isChanged: true)
  }

  private func show(in session: Session, isChanged: Bool = false) throws {
    if isChanged { session.services.actions.awaitDelivery() }
    let volume = session.services.playback.state.volume.percent
    try session.answer("volume \(volume)", json ? ListeningAnswer.Volume(volume: volume) : nil, isChanged: isChanged)
  }
}
