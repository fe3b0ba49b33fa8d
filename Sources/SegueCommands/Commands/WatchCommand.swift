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
      --json each is an object with the key event: status (all of the state, first), track, state, seek, queue, volume, modes, scan, problem, \
      and missed, which says how many events whoever reads too slowly was not told; the state as it is then follows.

      Examples:
        watch
        watch --json | jq --unbuffered -r 'select(.event == "track") | .song.title'
      """)

  @Flag(name: .long, help: "Print one JSON object a line.")
  var json = false

  @OptionGroup var state: StateOptions
  @OptionGroup var manner: MannerOptions

  func run(in session: Session) throws {
    let socket = session.socket(state.socket, stateDirectory: state.stateDir)
    do throws(ControlClient.Failure) {
      var client = try ControlClient(socket)
      try client.watch { event in
        if json {
          if let text = JSONText.text(event) { session.say(data: text) }
        } else if let text = EventText.text(event, session.manner) {
          session.say(text.safeForTerminal)
        }
        return session.sayingFailure == nil
      }
    } catch {
      switch error {
      case .nobody: throw CommandError.noPlayer
      case .unreachable(.connectionReset): session.complain("segue: the player has ended")
      case .stopped, .unreachable, .foreign, .refused: throw Forwarding.error(error, at: socket)
      }
    }
  }
}
