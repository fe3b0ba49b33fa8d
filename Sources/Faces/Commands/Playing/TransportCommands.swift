// SPDX-License-Identifier: GPL-3.0-or-later

import ArgumentParser
import AudioCore
import MusicModel
import PlayerFlow
import PlayerPort
import RemoteControl
import Screens
import Terminal

extension TransportCommand {
  /// Makes the running player perform a request.
  fileprivate func control(_ request: TransportRequest, in session: Session) throws {
    _ = try session.send(.transport(request), to: .player(state))
  }
}

/// The `pause` command: pauses playback.
struct PauseCommand: TransportCommand {
  static let configuration = CommandConfiguration(
    commandName: "pause", abstract: "Pause playback.",
    discussion: """
      Example:
        pause
      """)

  @OptionGroup var state: StateOptions

  func run(in session: Session) throws { try control(.pause, in: session) }
}

/// The `toggle` command: pauses or resumes playback.
struct ToggleCommand: TransportCommand {
  static let configuration = CommandConfiguration(
    commandName: "toggle", abstract: "Toggle between play and pause.",
    discussion: """
      Example:
        toggle
      """)

  @OptionGroup var state: StateOptions

  func run(in session: Session) throws { try control(.toggle, in: session) }
}

/// The `stop` command: stops playback.
struct StopCommand: TransportCommand {
  static let configuration = CommandConfiguration(
    commandName: "stop", abstract: "Stop playback.",
    discussion: """
      Example:
        stop
      """)

  @OptionGroup var state: StateOptions

  func run(in session: Session) throws { try control(.stop, in: session) }
}

/// The `next` command: skips to the next track.
struct NextCommand: TransportCommand {
  static let configuration = CommandConfiguration(
    commandName: "next", abstract: "Skip to the next track.",
    discussion: """
      Example:
        next
      """)

  @OptionGroup var state: StateOptions

  func run(in session: Session) throws { try control(.next, in: session) }
}

/// The `previous` command: skips to the previous track, or to the start of the current one.
struct PreviousCommand: TransportCommand {
  static let configuration = CommandConfiguration(
    commandName: "previous",
    abstract: "Skip to the previous track, or to the start of the current one.",
    discussion: """
      In the first three seconds of a track, it skips to the previous one; after that, to the start of the current one. At the end of the \
      queue, it plays the last track.

      Example:
        previous
      """)

  @OptionGroup var state: StateOptions

  func run(in session: Session) throws { try control(.previous, in: session) }
}

/// The `seek` command: seeks in the current track.
struct SeekCommand: TransportCommand {
  static let configuration = CommandConfiguration(
    commandName: "seek", abstract: "Seek in the current track.",
    discussion: """
      POSITION is a time (90, 1:30), or a step forward or back (+10, -1:30).

      Examples:
        seek 1:30
        seek +10
        seek -1:00
      """)

  @Argument(parsing: .allUnrecognized, help: ArgumentHelp("Time in the track, or a step.", valueName: "position"))
  var position: [String]

  @OptionGroup var state: StateOptions

  func run(in session: Session) throws {
    let words = position.first == "--" ? Array(position.dropFirst()) : position
    guard words.count == 1, let target = SeekTarget(parsing: words[0]) else {
      throw PlayerError(
        .usage, "invalid position \"\(words.joined(separator: " "))\": use 90, 1:30, +10 or -10")
    }
    switch target {
    case .to(let position): try control(.seekTo(position), in: session)
    case .by(let step): try control(.seekBy(step), in: session)
    }
  }
}

extension SeekTarget {
  /// Creates a target from text such as `90`, `1:30`, `+10` or `-1:30`. Returns `nil` if the text is invalid.
  init?(parsing text: String) {
    let isStep = text.hasPrefix("+") || text.hasPrefix("-")
    guard let duration = TimeText.duration(isStep ? text.dropFirst() : text[...]) else { return nil }
    self = isStep ? .by(text.hasPrefix("-") ? .zero - duration : duration) : .to(duration)
  }
}

/// The `loop` command: repeats a passage of the current track.
struct LoopCommand: TransportCommand {
  static let configuration = CommandConfiguration(
    commandName: "loop", abstract: "Repeat a passage of the current track.",
    discussion: """
      A and B are the times where the passage begins and ends (90, 1:30). `mark` sets A to the present position, then B, and then ends the \
      repetition. So do `off`, a seek out of the passage, and another track. Without arguments, the passage is shown.

      Examples:
        loop 1:02 1:15
        loop mark
        loop off
      """)

  @Argument(help: ArgumentHelp("Beginning and end of the passage; or mark, or off.", valueName: "time"))
  var times: [String] = []

  @Flag(name: .long, help: "Print one line of JSON.")
  var json = false

  @OptionGroup var state: StateOptions

  func run(in session: Session) throws {
    if let request = try request { try control(.loop(request), in: session) }
    guard case .status(let status) = try session.send(.status, to: .player(state), changes: false) else {
      throw PlayerError.unexpectedReply
    }
    let text = LoopText.text(status).map { "repeats \($0)" } ?? "no passage is repeated"
    try session.answer(text, json ? LoopAnswer(loop: status.loop) : nil, isChanged: !times.isEmpty)
  }

  /// What to do; `nil` only to show the passage.
  private var request: LoopRequest? {
    get throws(PlayerError) {
      switch times {
      case []: return nil
      case ["mark"]: return .mark
      case ["off"]: return .off
      default:
        let positions = times.compactMap { TimeText.duration($0[...]) }
        guard times.count == 2, positions.count == 2 else {
          throw PlayerError(
            .usage, "invalid passage \"\(times.joined(separator: " "))\": use two times such as 1:02 1:15, mark, or off"
          )
        }
        return .passage(from: positions[0], to: positions[1])
      }
    }
  }
}

/// The JSON object that `loop --json` prints.
private struct LoopAnswer: Encodable {
  let loop: PlayerStatus.Loop?
}

/// The `quit` command of the command line: ends the running player.
struct QuitPlayerCommand: TransportCommand {
  static let configuration = CommandConfiguration(
    commandName: "quit", abstract: "Quit the running player.",
    discussion: """
      The queue and the position are saved. The player may be `segue serve`, or `play` or `repl` in another terminal.

      Example:
        quit
      """)

  @OptionGroup var state: StateOptions

  /// The maximum time to wait until the player closes its connections. After that, it stores its state; a new player
  /// waits for its end.
  private static let endTimeout = Duration.seconds(10)

  func run(in session: Session) throws {
    try session.withPlayer(.player(state), changes: false) { player in
      do throws(PlayerError) { _ = try session.send(.quit, to: player) } catch {
        // A player that ends may close the connection first.
        guard error == .playerEnded else { throw error }
      }
      // To connect again would start another player, if a service manager does that for each client.
      guard let player = player as? RemotePlayer, !player.waitUntilEnded(within: Self.endTimeout) else { return }
      throw PlayerError(.failure, "the player at \(player.path) does not quit")
    }
  }
}
