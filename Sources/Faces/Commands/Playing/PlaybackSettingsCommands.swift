// SPDX-License-Identifier: GPL-3.0-or-later

import ArgumentParser
import MusicModel
import Platform
import PlayerFlow
import PlayerPort
import Screens
import Terminal

/// The `volume` command: shows or sets the volume.
struct VolumeCommand: TransportCommand {
  static let configuration = CommandConfiguration(
    commandName: "volume", abstract: "Show or set the volume.",
    discussion: """
      PERCENT is 0 to 100, or a change (+5, -5).

      Examples:
        volume
        volume 80
        volume -5
        volume --json
      """)

  @Argument(parsing: .allUnrecognized, help: ArgumentHelp("New volume, or a change.", valueName: "percent"))
  var percent: [String] = []

  @Flag(name: .long, help: "Print one line of JSON.")
  var json = false

  @OptionGroup var state: StateOptions
  @OptionGroup var outputStyle: OutputStyleOptions

  func run(in session: Session) throws {
    guard let text = percent.first else { return try show(in: session) }
    guard percent.count == 1, let number = Int(text), (-100...100).contains(number) else {
      throw PlayerError(
        .usage, "invalid volume \"\(percent.joined(separator: " "))\": use 0 to 100, +5 or -5")
    }
    let isStep = text.hasPrefix("+") || text.hasPrefix("-")
    if isStep {
      session.services.actions.changeVolume(by: number)
    } else {
      session.services.actions.setVolume(Volume(percent: number))
    }
    try show(in: session, isChanged: true)
  }

  private func show(in session: Session, isChanged: Bool = false) throws {
    if isChanged { session.services.actions.awaitDelivery() }
    let volume = session.services.playback.state.volume.percent
    try session.answer(
      "volume \(volume)", json ? PlaybackSettingsJSON.Volume(volume: volume) : nil, isChanged: isChanged)
  }
}

/// The `replaygain` command: shows or sets the ReplayGain mode.
struct ReplayGainCommand: TransportCommand {
  static let configuration = CommandConfiguration(
    commandName: "replaygain", abstract: "Show or set the ReplayGain mode.",
    discussion: """
      MODE is off, track, album, or auto (album while an album plays in order).

      Examples:
        replaygain
        replaygain album
        replaygain --json
      """)

  @Argument(help: "New mode.")
  var mode: String?

  @Flag(name: .long, help: "Print one line of JSON.")
  var json = false

  @OptionGroup var state: StateOptions
  @OptionGroup var outputStyle: OutputStyleOptions

  func run(in session: Session) throws {
    let state = session.services.playback.state
    guard let mode else {
      let suffix = state.phase == .stopped || state.replayGain.mode == .off ? "" : " (\(state.gain.description))"
      return try show(suffix, in: session)
    }
    var settings = state.replayGain
    settings.mode = try .init(option: mode, named: "replaygain")
    session.services.actions.setReplayGain(settings)
    try show("", in: session, isChanged: true)
  }

  private func show(_ suffix: String, in session: Session, isChanged: Bool = false) throws {
    if isChanged { session.services.actions.awaitDelivery() }
    let state = session.services.playback.state
    try session.answer(
      "ReplayGain \(state.replayGain.mode.rawValue)\(suffix)", json ? PlaybackSettingsJSON.ReplayGain(state) : nil,
      isChanged: isChanged)
  }
}

/// The `crossfade` command: shows or sets the crossfade between tracks.
struct CrossfadeCommand: TransportCommand {
  static let configuration = CommandConfiguration(
    commandName: "crossfade", abstract: "Show or set the crossfade between tracks.",
    discussion: """
      Tracks of an album that plays in order are not crossfaded unless --albums is given.

      Examples:
        crossfade 6
        crossfade 4 --albums
        crossfade off
      """)

  @Argument(help: "Duration in seconds, 0 to 30, or off.")
  var seconds: String?

  @Flag(name: .long, help: "Also crossfade between tracks of an album that plays in order.")
  var albums = false

  @Flag(name: .long, help: "Print one line of JSON.")
  var json = false

  @OptionGroup var state: StateOptions
  @OptionGroup var outputStyle: OutputStyleOptions

  func run(in session: Session) throws {
    guard let text = seconds else { return try show(in: session) }
    guard let seconds = text == "off" ? 0 : Double(text), (0...(Crossfade.limit / .seconds(1))).contains(seconds)
    else { throw PlayerError.outOfRange("crossfade", text, "0 to 30 seconds, or off") }
    session.services.actions.setCrossfade(Crossfade(duration: .seconds(seconds), withinAlbums: albums))
    try show(in: session, isChanged: true)
  }

  private func show(in session: Session, isChanged: Bool = false) throws {
    if isChanged { session.services.actions.awaitDelivery() }
    let crossfade = session.services.playback.state.crossfade
    try session.answer(
      Self.text(crossfade), json ? PlaybackSettingsJSON.Crossfade(crossfade) : nil, isChanged: isChanged)
  }

  private static func text(_ crossfade: Crossfade) -> String {
    let length = crossfade.duration / .seconds(1)
    return length > 0
      ? "crossfade \(StatusListing.decimal(length)) s\(crossfade.withinAlbums ? ", also within albums" : "")"
      : "no crossfade"
  }
}

/// The `sleep` command: shows or sets the sleep timer.
struct SleepCommand: TransportCommand {
  static let configuration = CommandConfiguration(
    commandName: "sleep", abstract: "Show or set the sleep timer, which fades out and stops.",
    discussion: """
      TIME is 45m, 1h30m or 90s; off cancels the timer. Without arguments, the time left is shown.

      Examples:
        sleep 45m
        sleep --after album
        sleep off
      """)

  @Argument(help: "Time until playback stops, or off.")
  var time: String?

  @Option(name: .long, help: ArgumentHelp("Stop at the end of the track, album or queue.", valueName: "unit"))
  var after: String?

  @Option(name: .long, help: ArgumentHelp("Fade-out in seconds, 0 to 3600. Default: 10.", valueName: "seconds"))
  var fade: Double?

  @Flag(name: .long, help: "Print one line of JSON.")
  var json = false

  @OptionGroup var state: StateOptions
  @OptionGroup var outputStyle: OutputStyleOptions

  func run(in session: Session) throws {
    let services = session.services
    if time == "off", after == nil {
      services.actions.sleep(nil)
      return try show(in: session, isChanged: true)
    }
    if let fade, !(0...3600).contains(fade) {
      throw PlayerError.outOfRange("--fade", "\(fade)", "0 to 3600 seconds")
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
      Self.text(state.sleep, left), json ? PlaybackSettingsJSON.Sleep(state.sleep, left) : nil, isChanged: isChanged)
  }

  private static func text(_ timer: SleepTimer?, _ left: Duration?) -> String {
    guard let timer else { return "no sleep timer is set" }
    if let left { return "stops in \(TimeText.text(left))" }
    switch timer.end {
    case .at: return "stops soon"
    case .afterTrack: return "stops at the end of this track"
    case .afterAlbum: return "stops at the end of this album"
    case .afterQueue: return "stops at the end of the queue"
    }
  }
}
