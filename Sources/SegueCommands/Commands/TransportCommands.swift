import ArgumentParser
import AudioCore
import MusicModel
import QueueFlow

// The words of a player's transport: each says one thing to the player that runs.

struct PauseCommand: SessionCommand {
  static let configuration = CommandConfiguration(commandName: "pause", abstract: "Wait at this place.")

  func run(in session: Session) throws {
    try session.checkThatSomethingPlays()
    session.services.actions.pause()
  }
}

struct ResumeCommand: SessionCommand {
  static let configuration = CommandConfiguration(
    commandName: "resume", abstract: "Go on after a pause, or with the current track.")

  func run(in session: Session) throws {
    if session.services.queue.queue.items.isEmpty {
      throw CommandError(.nothingPlayable, "the queue is empty: play an album first")
    }
    session.services.actions.resume()
  }
}

struct NextCommand: SessionCommand {
  static let configuration = CommandConfiguration(commandName: "next", abstract: "Go to the next track.")

  func run(in session: Session) throws {
    try session.checkThatThereIsACurrentTrack()
    session.services.actions.next()
  }
}

struct PreviousCommand: SessionCommand {
  static let configuration = CommandConfiguration(
    commandName: "previous",
    abstract: "Go to the track before, or, after its first three seconds, to the beginning of this one.")

  func run(in session: Session) throws {
    try session.checkThatThereIsACurrentTrack()
    session.services.actions.previous()
  }
}

struct StopCommand: SessionCommand {
  static let configuration = CommandConfiguration(commandName: "stop", abstract: "Stop playing.")

  func run(in session: Session) throws {
    try session.checkThatSomethingPlays()
    session.services.actions.stop()
  }
}

struct SeekCommand: SessionCommand {
  static let configuration = CommandConfiguration(
    commandName: "seek", abstract: "Go to another place in the track.",
    discussion: "PLACE is a time (90, 1:30), or a step forward or back (+10, -1:30).")

  @Argument(parsing: .allUnrecognized, help: ArgumentHelp("Where to.", valueName: "place"))
  var place: [String]

  func run(in session: Session) throws {
    guard place.count == 1, let target = SeekTarget(parsing: place[0]) else {
      throw CommandError(
        .usage, "cannot seek to \"\(place.joined(separator: " "))\": write 90, 1:30, +10 or -10")
    }
    try session.checkThatSomethingPlays()
    session.services.actions.seek(target)
  }
}

struct VolumeCommand: SessionCommand {
  static let configuration = CommandConfiguration(
    commandName: "volume", abstract: "Show or set the volume.",
    discussion: "PERCENT is 0 to 100, or a step (+5, -5).")

  @Argument(parsing: .allUnrecognized, help: ArgumentHelp("How loud.", valueName: "percent"))
  var percent: [String] = []

  func run(in session: Session) throws {
    guard let text = percent.first else {
      return session.say("volume \(session.services.playback.state.volume.percent)")
    }
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
  }
}

extension Session {
  fileprivate func checkThatSomethingPlays() throws(CommandError) {
    // A script is faster than the engine: what was just put in the queue counts as playing.
    let playback = services.playback.state
    if playback.phase == .stopped, playback.isOver || services.queue.queue.current == nil {
      throw CommandError(.nothingPlayable, "nothing is playing: play an album first")
    }
  }

  fileprivate func checkThatThereIsACurrentTrack() throws(CommandError) {
    if services.queue.queue.current == nil {
      throw CommandError(.nothingPlayable, "no track is current: play an album first")
    }
  }
}

extension SeekTarget {
  /// Understands `90`, `1:30`, `+10` and `-1:30`.
  init?(parsing text: String) {
    let isStep = text.hasPrefix("+") || text.hasPrefix("-")
    guard let duration = TimeText.duration(isStep ? text.dropFirst() : text[...]) else { return nil }
    self = isStep ? .by(text.hasPrefix("-") ? .zero - duration : duration) : .to(duration)
  }
}
