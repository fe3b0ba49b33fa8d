// SPDX-License-Identifier: GPL-3.0-or-later

import MusicModel
import Platform
import PlayerFlow
import PlayerPort
import Screens
import Terminal

extension PlaybackOptions {
  /// Creates the options that change the settings of a player that is running, or has just been started.
  ///
  /// - Throws: `PlayerError` if a value is out of range.
  init(_ options: PlayerOptions) throws(PlayerError) {
    self.init()
    if let percent = options.volume {
      guard (0...100).contains(percent) else { throw .outOfRange("--volume", "\(percent)", "0 to 100") }
      volume = percent
    }
    try options.checkRanges()
    replayGain = options.replayGain.flatMap(ReplayGainSettings.Mode.init(rawValue:))
    clipping = options.clipping.flatMap(ReplayGainSettings.Clipping.init(rawValue:))
    (preamp, fallbackGain) = (options.preamp, options.fallbackGain)
    if options.crossfadeAlbums == true, options.crossfade == nil {
      throw PlayerError(.usage, "--crossfade-albums requires --crossfade SECONDS")
    }
    (crossfade, crossfadesAlbums) = (options.crossfade, options.crossfadeAlbums)
    crossfadeOnNext = options.crossfadeOnNext
    sleep = try SleepRequest(time: options.sleep, after: options.sleepAfter, named: "--sleep-after", fade: nil)
  }
}

extension SleepRequest {
  /// Creates the request for a timer that ends after a duration such as "45m", or after a unit such as "album". Returns
  /// `nil` if neither is given.
  ///
  /// - Parameter name: The option that specified `unit`.
  /// - Throws: `PlayerError` if both are given, or if one is invalid.
  init?(time: String?, after unit: String?, named name: String, fade: Double?) throws(PlayerError) {
    let end: End
    switch (time, unit) {
    case (nil, nil): return nil
    case (_?, _?): throw PlayerError(.usage, "use a sleep time or \(name), not both")
    case (let time?, nil):
      guard let duration = TimeText.span(time), duration > .zero else {
        throw PlayerError(.usage, "invalid sleep time \"\(time)\": use 45m, 1h30m or 90s")
      }
      end = .after(seconds: duration / .seconds(1))
    case (nil, let unit?):
      switch unit {
      case "chapter": end = .chapter
      case "track": end = .track
      case "album": end = .album
      case "queue": end = .queue
      default: throw .outOfRange(name, unit, "chapter, track, album or queue")
      }
    }
    self.init(end, fade: fade)
  }
}

extension PlayerError {
  /// Returns the error for the option `name` whose `value` is not in `range`.
  static func outOfRange(_ name: String, _ value: String, _ range: String) -> PlayerError {
    PlayerError(.usage, "invalid \(name) \"\(value)\": use \(range)")
  }
}

extension RawRepresentable where RawValue == String, Self: CaseIterable {
  /// Creates the case with the raw value `option`.
  ///
  /// - Parameter name: The name of the option, for the error.
  /// - Throws: `PlayerError` if there is none.
  init(option: String, named name: String) throws(PlayerError) {
    guard let known = Self(rawValue: option) else {
      throw .outOfRange(name, option, Self.allCases.map(\.rawValue).joined(separator: ", "))
    }
    self = known
  }
}
