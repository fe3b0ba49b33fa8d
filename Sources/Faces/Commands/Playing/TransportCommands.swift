// SPDX-License-Identifier: GPL-3.0-or-later

import ArgumentParser
import AudioCore
import MusicModel
import PlayerFlow
import PlayerPort
import Screens
import Terminal

/// The `pause` command: pauses playback.
struct PauseCommand: TransportCommand {
  static let configuration = CommandConfiguration(
    commandName: "pause", abstract: "Pause playback.",
    discussion: """
      Example:
        pause
      """)

  @OptionGroup var state: StateOptions
  @OptionGroup var outputStyle: OutputStyleOptions

  func run(in session: Session) throws {
    try session.checkThatSomethingPlays()
    session.services.actions.pause()
  }
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
  @OptionGroup var outputStyle: OutputStyleOptions

  func run(in session: Session) throws {
    try session.checkThatThereIsACurrentTrack()
    session.services.actions.toggle()
    session.reportDisabledOutput()
  }
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
  @OptionGroup var outputStyle: OutputStyleOptions

  func run(in session: Session) throws {
    // This also ends the wait of a player in the foreground whose playback has been stopped by a client. Otherwise, it
    // has no effect if nothing is playing.
    session.services.actions.stop()
  }
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
  @OptionGroup var outputStyle: OutputStyleOptions

  func run(in session: Session) throws {
    try session.checkThatThereIsACurrentTrack()
    session.services.actions.next()
    session.reportDisabledOutput()
  }
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
  @OptionGroup var outputStyle: OutputStyleOptions

  func run(in session: Session) throws {
    if session.services.queue.queue.items.isEmpty { throw PlayerError.emptyQueue }
    session.services.actions.previous()
    session.reportDisabledOutput()
  }
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
  @OptionGroup var outputStyle: OutputStyleOptions

  func run(in session: Session) throws {
    let words = position.first == "--" ? Array(position.dropFirst()) : position
    guard words.count == 1, let target = SeekTarget(parsing: words[0]) else {
      throw PlayerError(
        .usage, "invalid position \"\(words.joined(separator: " "))\": use 90, 1:30, +10 or -10")
    }
    try session.checkThatSomethingPlays()
    guard session.services.playback.state.isSeekable else {
      throw PlayerError(.failure, "this stream does not allow seeking")
    }
    session.services.actions.seek(target)
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
  @OptionGroup var outputStyle: OutputStyleOptions

  var endsPlayer: Bool { true }

  func run(in session: Session) throws { session.services.endRequest.make() }
}
