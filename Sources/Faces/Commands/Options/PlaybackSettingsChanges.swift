// SPDX-License-Identifier: GPL-3.0-or-later

import MusicModel
import Platform
import PlayerFlow
import PlayerPort
import Screens
import Terminal

/// The playback settings that command-line options change. A setting is `nil` if its option is not given.
struct PlaybackSettingsChanges {
  private(set) var volume: Volume?
  private(set) var replayGain: ReplayGainSettings?
  private(set) var crossfade: Crossfade?
  private(set) var sleep: SleepTimer?

  /// Creates the changes that `options` make to the settings in `state`.
  ///
  /// - Throws: `PlayerError` if a value is out of range.
  init(_ options: PlayerOptions, _ state: PlaybackState) throws(PlayerError) {
    if let percent = options.volume {
      guard (0...100).contains(percent) else { throw .outOfRange("--volume", "\(percent)", "0 to 100") }
      volume = Volume(percent: percent)
    }
    try options.checkRanges()
    var settings = state.replayGain
    settings.mode = options.replayGain.flatMap(ReplayGainSettings.Mode.init(rawValue:)) ?? settings.mode
    settings.clipping =
      options.clipping.flatMap(ReplayGainSettings.Clipping.init(rawValue:)) ?? settings.clipping
    settings.preamp = options.preamp ?? settings.preamp
    settings.fallbackGain = options.fallbackGain ?? settings.fallbackGain
    if settings != state.replayGain { replayGain = settings }
    if options.crossfadeAlbums == true, options.crossfade == nil {
      throw PlayerError(.usage, "--crossfade-albums requires --crossfade SECONDS")
    }
    if let seconds = options.crossfade {
      crossfade = Crossfade(duration: .seconds(seconds), withinAlbums: options.crossfadeAlbums == true)
    }
    sleep = try SleepTimer(time: options.sleep, after: options.sleepAfter, named: "--sleep-after", fade: nil)
  }
}

extension SleepTimer {
  /// Creates a timer that ends after a duration such as "45m", or after a unit such as "album". Returns `nil` if
  /// neither is given.
  ///
  /// - Parameter name: The option that specified `unit`.
  /// - Throws: `PlayerError` if both are given, or if one is invalid.
  init?(time: String?, after unit: String?, named name: String, fade: Duration?) throws(PlayerError) {
    let end: End
    switch (time, unit) {
    case (nil, nil): return nil
    case (_?, _?): throw PlayerError(.usage, "use a sleep time or \(name), not both")
    case (let time?, nil):
      guard let duration = TimeText.span(time), duration > .zero else {
        throw PlayerError(.usage, "invalid sleep time \"\(time)\": use 45m, 1h30m or 90s")
      }
      end = .at(MonotonicInstant.now.advanced(byMilliseconds: duration.wholeMilliseconds))
    case (nil, let unit?):
      switch unit {
      case "track": end = .afterTrack
      case "album": end = .afterAlbum
      case "queue": end = .afterQueue
      default: throw .outOfRange(name, unit, "track, album or queue")
      }
    }
    self.init(end, fade: fade ?? SleepTimer.defaultFade)
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
