import LibraryScanning
import Platform
import PlayerFlow
import RemoteControl
import Screens
import SystemPackage

/// A player in the foreground, from its beginning to its end.
struct PlayerRun {
  /// The index of the library, where it is open already when the first sound is heard.
  var openIndex: () -> (any BrowsableLibrary)? = { nil }

  /// Begins another search for what an error calls ambiguous, as this answer has it.
  var lookUpAgain: ((CommandError, _ answer: String) throws -> Lookup)?

  private let session: Session
  private let options: PlayerOptions
  private let events: EventQueue<ForegroundView.Event>
  private let watch: SignalWatch

  /// A player that `options` ask for, which is not made yet. On the main thread, before any other but worker threads is
  /// started.
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
    let player: RunningPlayer
    do {
      player = try RunningPlayer(session, options, stateDirectory: options.stateDirectory(in: session))
    } catch let elsewhere as PlayerIsElsewhere {
      // Whoever waits for that one's end is to be told what the system asks for.
      watch.handOn {
        events.takeAll().compactMap { event in if case .signal(let signal) = event { signal } else { nil } }
      }
      throw elsewhere
    }
    let view = ForegroundView(session, of: LocalViewedPlayer(session, .quit), events: events)
    if let lookUpAgain {
      view.lookUpAgain = { [events] error, answer throws(CommandError) in
        do {
          Self.play(try lookUpAgain(error, answer), with: player, events)
        } catch {
          throw CommandError(.failure, "the system refuses to go on: \(error); end other programs and try again")
        }
      }
    }
    var server: ServedPlayer?
    // Nothing before the first sound.
    view.whenSettled = { server = serve(player) }
    let outcome = Result {
      try begin(player, events)
      player.prepareOutput()
      return try withExtendedLifetime(watch) { try view.run() }
    }
    server?.shutDown()
    session.closeLibrary()
    let end = Result { () throws(CommandError) in try player.shutDown() }
    session.status = try outcome.get()
    try end.get()
  }

  /// Plays what `lookup` finds, and tells the view by `events` what there is to tell.
  static func play(_ lookup: Lookup, with player: RunningPlayer, _ events: EventQueue<ForegroundView.Event>) {
    player.play(lookup, onProblems: { events.post(.leftOut($0)) }, onFailure: { events.post(.failed($0)) })
  }

  /// Has the library followed, and the player be reached; a player that cannot be plays all the same.
  private func serve(_ player: RunningPlayer) -> ServedPlayer? {
    session.follow(
      LibraryRequest(
        roots: options.library(in: session), dataDirectory: options.dataDirectory(in: session), in: session),
      index: openIndex())
    guard player.keeper.ownership == .own else { return nil }
    let socket = session.socket(options.socket, stateDirectory: options.stateDir)
    do throws(RemoteServerError) {
      return try PlayerServing(socket: socket).start(session, player.keeper)
    } catch {
      session.warnings.append(error.description)
      return nil
    }
  }
}
