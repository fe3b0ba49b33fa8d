import ArgumentParser
import MusicModel
import QueueFlow

/// `replaygain`: shows or sets by which rules tracks are made louder or softer.
struct ReplayGainCommand: TransportCommand {
  static let configuration = CommandConfiguration(
    commandName: "replaygain", abstract: "Show or set ReplayGain.",
    discussion: """
      MODE is off, track, album, or auto: album where an album plays in order.

      Examples:
        replaygain
        replaygain album
        replaygain --json
      """)

  @Argument(help: "Which gain counts.")
  var mode: String?

  @Flag(name: .long, help: "Print one line of JSON.")
  var json = false

  @OptionGroup var player: SocketOptions
  @OptionGroup var manner: MannerOptions

  func run(in session: Session) throws {
    let state = session.services.playback.state
    guard let mode else {
      let now = state.phase == .stopped || state.replayGain.mode == .off ? "" : " (\(state.gain.description))"
      return try show(now, in: session)
    }
    var settings = state.replayGain
    settings.mode = try .init(option: mode, named: "replaygain")
    session.services.actions.setReplayGain(settings)
    try show("", in: session, isChanged: true)
  }

  private func show(_ now: String, in session: Session, isChanged: Bool = false) throws {
    if isChanged { session.services.actions.awaitDelivery() }
    let state = session.services.playback.state
    try session.answer(
      "ReplayGain \(state.replayGain.mode.rawValue)\(now)", json ? ListeningAnswer.ReplayGain(state) : nil,
      isChanged: isChanged)
  }
}
