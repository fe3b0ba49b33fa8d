import ArgumentParser
import Platform
import QueueFlow

/// `sleep`: has playing end by itself.
struct SleepCommand: TransportCommand {
  static let configuration = CommandConfiguration(
    commandName: "sleep", abstract: "Fade out and stop by itself.",
    discussion: """
      TIME is 45m, 1h30m or 90s; off cancels the timer. With nothing, it says how long there is left.

      Examples:
        sleep 45m
        sleep --after album
        sleep off
      """)

  @Argument(help: "After how long, or off.")
  var time: String?

  @Option(name: .long, help: ArgumentHelp("Behind what: track, album or queue.", valueName: "unit"))
  var after: String?

  @Option(name: .long, help: ArgumentHelp("How many seconds it fades out: 10.", valueName: "seconds"))
  var fade: Double?

  @Flag(name: .long, help: "Print one line of JSON.")
  var json = false

  @OptionGroup var player: SocketOptions
  @OptionGroup var manner: MannerOptions

  func run(in session: Session) throws {
    let services = session.services
    if time == "off", after == nil {
      services.actions.sleep(nil)
      return try show(in: session, isChanged: true)
    }
    if let fade, !(0...3600).contains(fade) {
      throw CommandError.outOfRange("--fade", "\(fade)", "0 to 3600 seconds")
    }
    guard
      let timer = try SleepTimer(time: time, after: after, named: "--after", fade: fade.map { .seconds($0) })
    else {
      return try show(in: session)
    }
    try session.checkThatSomethingPlays()
    services.actions.sleep(timer)
    try show(in: session, isChanged: true)
  }

  private func show(in session: Session, isChanged: Bool = false) throws {
    if isChanged { session.services.actions.awaitDelivery() }
    let state = session.services.playback.state
    let left = state.timeToSleep(in: session.services.queue.queue, at: .now)
    try session.answer(
      Self.text(state.sleep, left), json ? ListeningAnswer.Sleep(state.sleep, left) : nil, isChanged: isChanged)
  }

  private static func text(_ timer: SleepTimer?, _ left: Duration?) -> String {
    guard let timer else { return "no sleep timer is set" }
    if let left { return "stops in \(TimeText.text(left))" }
    switch timer.end {
    case .at: return "stops soon"
    case .afterTrack: return "stops after this track"
    case .afterAlbum: return "stops after this album"
    case .afterQueue: return "stops after the queue"
    }
  }
}
