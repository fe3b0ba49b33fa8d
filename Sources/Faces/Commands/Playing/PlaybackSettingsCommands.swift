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

  func run(in session: Session) throws {
    if percent.isEmpty { return try show(nil, in: session) }
    try show(SettingChange(volume: percent.joined(separator: " ")), in: session)
  }

  private func show(_ change: SettingChange?, in session: Session) throws {
    let volume = try session.settings(change, .player(state)).volume
    try session.answer("volume \(volume.volume)", json ? volume : nil, isChanged: change != nil)
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

  func run(in session: Session) throws {
    let change = try mode.map { text throws(PlayerError) in
      SettingChange.replayGain(try .init(option: text, named: "replaygain"))
    }
    let replayGain = try session.settings(change, .player(state)).replayGain
    let reason = change == nil && replayGain.replayGain != "off" ? replayGain.reason.map { " (\($0))" } : nil
    try session.answer(
      "ReplayGain \(replayGain.replayGain)\(reason ?? "")", json ? replayGain : nil, isChanged: change != nil)
  }
}

/// The `crossfade` command: shows or sets the crossfade between tracks.
struct CrossfadeCommand: TransportCommand {
  static let configuration = CommandConfiguration(
    commandName: "crossfade", abstract: "Show or set the crossfade between tracks.",
    discussion: """
      Tracks of an album that plays in order are not crossfaded unless --albums is given. The crossfade when you go to the next track has a \
      length of its own.

      Examples:
        crossfade 6
        crossfade 4 --albums
        crossfade --on-next 2
        crossfade off
      """)

  @Argument(help: "Duration in seconds, 0 to 30, or off.")
  var seconds: String?

  @Flag(name: .long, help: "Also crossfade between tracks of an album that plays in order.")
  var albums = false

  @Option(
    name: .customLong("on-next"), parsing: .unconditional,
    help: ArgumentHelp("Duration when you go to the next track, 0 to 30, or off.", valueName: "seconds"))
  var onNext: String?

  @Flag(name: .long, help: "Print one line of JSON.")
  var json = false

  @OptionGroup var state: StateOptions

  func run(in session: Session) throws {
    let length = try seconds.map { text throws(PlayerError) in try Self.length("crossfade", text) }
    let lengthOnNext = try onNext.map { text throws(PlayerError) in try Self.length("--on-next", text) }
    let changes = [
      length.map { SettingChange.crossfade(seconds: $0, withinAlbums: albums) },
      lengthOnNext.map { .crossfadeOnNext(seconds: $0) },
    ].compactMap(\.self)
    var crossfade = try session.settings(changes.first, .player(state)).crossfade
    for change in changes.dropFirst() { crossfade = try session.settings(change, .player(state)).crossfade }
    let text = CrossfadeText.text(
      crossfade.crossfade, albums: crossfade.crossfadeAlbums, onNext: crossfade.crossfadeOnNext)
    try session.answer(text, json ? crossfade : nil, isChanged: !changes.isEmpty)
  }

  private static func length(_ name: String, _ text: String) throws(PlayerError) -> Double {
    guard let seconds = text == "off" ? 0 : Double(text), (0...(Crossfade.limit / .seconds(1))).contains(seconds) else {
      throw PlayerError.outOfRange(name, text, "0 to 30 seconds, or off")
    }
    return seconds
  }
}

/// Describes the crossfade in words.
enum CrossfadeText {
  /// Returns words such as "crossfade 4 s, also within albums, on next 2 s". Lengths are in seconds.
  static func text(_ seconds: Double, albums: Bool, onNext: Double) -> String {
    let lengths = [
      seconds > 0 ? "\(StatusListing.decimal(seconds)) s\(albums ? ", also within albums" : "")" : nil,
      onNext > 0 ? "on next \(StatusListing.decimal(onNext)) s" : nil,
    ].compactMap(\.self)
    return lengths.isEmpty ? "no crossfade" : "crossfade " + lengths.joined(separator: ", ")
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
        sleep --after chapter
        sleep off
      """)

  @Argument(help: "Time until playback stops, or off.")
  var time: String?

  @Option(name: .long, help: ArgumentHelp("Stop at the end of the chapter, track, album or queue.", valueName: "unit"))
  var after: String?

  @Option(name: .long, help: ArgumentHelp("Fade-out in seconds, 0 to 3600. Default: 10.", valueName: "seconds"))
  var fade: Double?

  @Flag(name: .long, help: "Print one line of JSON.")
  var json = false

  @OptionGroup var state: StateOptions

  func run(in session: Session) throws {
    if time == "off", after == nil { return try show(.sleep(nil), in: session) }
    if let fade, !(0...3600).contains(fade) {
      throw PlayerError.outOfRange("--fade", "\(fade)", "0 to 3600 seconds")
    }
    let request = try SleepRequest(time: time, after: after, named: "--after", fade: fade)
    try show(request.map { .sleep($0) }, in: session)
  }

  private func show(_ change: SettingChange?, in session: Session) throws {
    let sleep = try session.settings(change, .player(state)).sleep
    try session.answer(Self.text(sleep), json ? sleep : nil, isChanged: change != nil)
  }

  private static func text(_ sleep: PlayerSettings.Sleep) -> String {
    if sleep.after != "off", let left = sleep.sleep {
      return "stops in \(TimeText.text(Duration(reportedSeconds: left)))"
    }
    switch sleep.after {
    case "off": return "no sleep timer is set"
    case "time": return "stops soon"
    case "chapter", "track", "album": return "stops at the end of this \(sleep.after)"
    default: return "stops at the end of the \(sleep.after)"
    }
  }
}

extension SettingChange {
  /// Creates the change of the volume to the percentage `text`, or by it if it has a sign.
  ///
  /// - Throws: `PlayerError` if it is no percentage.
  init(volume text: String) throws(PlayerError) {
    guard let number = Int(text), (-100...100).contains(number) else {
      throw PlayerError(.usage, "invalid volume \"\(text)\": use 0 to 100, +5 or -5")
    }
    self = text.hasPrefix("+") || text.hasPrefix("-") ? .volumeStep(number) : .volume(percent: number)
  }
}

extension Session {
  /// Changes a setting of the player of `target`, unless it is `nil`, and returns all settings.
  func settings(
    _ change: SettingChange?, _ target: PlayerTarget, changes: Bool = true
  ) throws -> PlayerSettings {
    guard case .settings(let settings) = try send(.settings(change), to: target, changes: changes) else {
      throw PlayerError.unexpectedReply
    }
    return settings
  }

  /// Prints `object` as JSON or, if it is `nil`, prints `text`. After a change, `text` is printed for people only, not
  /// for scripts.
  func answer(_ text: String, _ object: (some Encodable)?, isChanged: Bool) throws(PlayerError) {
    if let object {
      try printJSON(object)
    } else if isChanged {
      confirm(text)
    } else {
      printLine(text)
    }
  }
}
