import Platform
import SystemPackage

/// A player in the foreground, from its beginning to its end.
struct PlayerRun {
  /// Called once, when the first sound is on its way.
  var whenHeard: () -> Void = {}

  private let session: Session
  private let options: PlayerOptions
  private let events: EventQueue<ForegroundView.Event>
  private let watch: SignalWatch

  /// A player that `options` ask for, which is not made yet. On the main thread, before any other but worker threads is started.
  ///
  /// - Throws: `Errno` where the system grants no thread.
  init(_ session: Session, _ options: PlayerOptions) throws {
    self.session = session
    self.options = options
    let events = try EventQueue<ForegroundView.Event>()
    self.events = events
    watch = try SignalWatch(ProcessSignal.allCases) { events.post(.signal($0)) }
  }

  /// Makes the player, has `begin` say what it plays, and shows it until it is over.
  func run(_ begin: (RunningPlayer, EventQueue<ForegroundView.Event>) throws -> Void) throws {
    let player = try RunningPlayer(session, options, stateDirectory: options.stateDirectory(in: session))
    let outcome = Result {
      try begin(player, events)
      player.prepareOutput()
      return try withExtendedLifetime(watch) {
        try ForegroundView(session, events: events, whenHeard: whenHeard).run()
      }
    }
    session.closeLibrary()
    let end = Result { () throws(CommandError) in try player.shutDown() }
    session.status = try outcome.get()
    try end.get()
  }
}
