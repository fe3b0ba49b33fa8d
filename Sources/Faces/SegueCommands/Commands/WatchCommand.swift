import ArgumentParser
import Platform
import QueueFlow
import RemoteControl
import SystemPackage
import UnicodeText

/// `watch`: tells what happens to the player.
struct WatchCommand: SessionCommand {
  static let configuration = CommandConfiguration(
    commandName: "watch", abstract: "Tell what happens to the player that runs, a line each.",
    discussion: """
      Tracks, pauses, edits of the queue, the volume, modes, the reading of the library, and problems, until the player or the command ends. With \
      --json each is an object with the key event: status (all of the state, first), track, state, seek, queue, volume, modes, crossfade, \
      replaygain, outputs, playlists, scan, problem, and missed, which says how many events whoever reads too slowly was not told; the state \
      as it is then follows.

      With --reconnect it waits for a player where none runs, or the last one has ended: the event waiting reports that, and the next \
      status that a player is there.

      Examples:
        watch
        watch --reconnect
        watch --json | jq --unbuffered -r 'select(.event == "track") | .song.title'
      """)

  /// How long a player that does not answer is left alone, in milliseconds.
  private static let longestPause: UInt64 = 2_000

  @Flag(name: .long, help: "Print one JSON object a line.")
  var json = false

  @Flag(name: .long, help: "Wait for a player where none runs, and for the next one where it ends.")
  var reconnect = false

  @OptionGroup var state: StateOptions
  @OptionGroup var manner: MannerOptions

  func run(in session: Session) throws {
    let socket = session.socket(state.socket, stateDirectory: state.stateDir)
    let awaited = try? socket.absolute()
    var arrival = ArrivalWatch(for: reconnect ? awaited : nil)
    var isAwaited = false
    while true {
      var isConnected = false
      var longestPause = UInt64.max
      do throws(ControlClient.Failure) {
        var client = try ControlClient(socket)
        try client.watch { event in
          isConnected = true
          return show(event, in: session)
        }
        return
      } catch {
        guard reconnect, Self.mayComeBack(error), session.sayingFailure == nil else {
          return try Self.end(error, at: socket, in: session)
        }
        // A player that does not answer makes no new socket.
        if error != .nobody { longestPause = Self.longestPause }
        if isConnected {
          isAwaited = false
          arrival.restart()
        }
      }
      if !isAwaited, !show(PlayerEvent(.waiting), in: session) { return }
      isAwaited = true
      while !arrival.wait(longest: longestPause) {}
    }
  }

  /// Prints `event`; gives whether it could be printed.
  private func show(_ event: PlayerEvent, in session: Session) -> Bool {
    if json {
      var event = event
      event.song?.findCover(session.services.covers)
      event.status?.song?.findCover(session.services.covers)
      if let text = JSONText.text(event) { session.say(data: text) }
    } else if let text = EventText.text(event, session.manner) {
      session.say(text.safeForTerminal)
    }
    return session.sayingFailure == nil
  }

  /// Whether a later attempt may succeed.
  private static func mayComeBack(_ failure: ControlClient.Failure) -> Bool {
    switch failure {
    case .nobody, .unreachable, .stopped: true
    case .foreign, .refused: false
    }
  }

  private static func end(_ failure: ControlClient.Failure, at socket: FilePath, in session: Session) throws {
    switch failure {
    case .nobody: throw CommandError.noPlayer
    case .unreachable(.connectionReset): session.complain("segue: the player has ended")
    case .stopped, .unreachable, .foreign, .refused: throw Forwarding.error(failure, at: socket)
    }
  }
}
