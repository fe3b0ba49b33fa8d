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
      """)

  @Argument(help: "Which gain counts.")
  var mode: String?

  @OptionGroup var player: SocketOptions
  @OptionGroup var manner: MannerOptions

  func run(in session: Session) throws {
    let state = session.services.playback.state
    guard let mode else {
      let now = state.phase == .stopped || state.replayGain.mode == .off ? "" : " (\(state.gain.description))"
      return session.say("ReplayGain \(state.replayGain.mode.rawValue)\(now)")
    }
    var settings = state.replayGain
    settings.mode = try .init(option: mode, named: "replaygain")
    session.services.actions.setReplayGain(settings)
    session.confirm("ReplayGain \(session.services.playback.state.replayGain.mode.rawValue)")
  }
}
