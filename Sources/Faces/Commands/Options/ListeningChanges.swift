import MusicModel
import Platform
import PlayerFlow
import Screens
import Terminal

/// What options change of what can be changed while music plays; `nil` where they do not mention it.
struct ListeningChanges {
  private(set) var volume: Volume?
  private(set) var replayGain: ReplayGainSettings?
  private(set) var crossfade: Crossfade?
  private(set) var sleep: SleepTimer?

  /// What `options` change of `state`.
  ///
  /// - Throws: `CommandError` where a value is out of its range.
  init(_ options: PlayerOptions, _ state: PlaybackState) throws(CommandError) {
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
      throw CommandError(.usage, "--crossfade-albums needs --crossfade SECONDS")
    }
    if let seconds = options.crossfade {
      crossfade = Crossfade(duration: .seconds(seconds), withinAlbums: options.crossfadeAlbums == true)
    }
    sleep = try SleepTimer(time: options.sleep, after: options.sleepAfter, named: "--sleep-after", fade: nil)
  }
}

extension SleepTimer {
  /// The timer that ends after `time` ("45m"), or behind `unit` ("album"); `nil` where neither is given.
  ///
  /// - Parameter name: the option that `unit` was given by.
  /// - Throws: `CommandError` where both are given, or one is not understood.
  init?(time: String?, after unit: String?, named name: String, fade: Duration?) throws(CommandError) {
    let end: End
    switch (time, unit) {
    case (nil, nil): return nil
    case (_?, _?): throw CommandError(.usage, "a sleep timer ends after a time or behind something, not both")
    case (let time?, nil):
      guard let duration = TimeText.span(time), duration > .zero else {
        throw CommandError(.usage, "no time to sleep is \"\(time)\": write 45m, 1h30m or 90s")
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
    self.init(end, fade: fade ?? SleepTimer.usualFade)
  }
}

extension CommandError {
  /// The option `name` was given `value`, which is not one of `range`.
  static func outOfRange(_ name: String, _ value: String, _ range: String) -> CommandError {
    CommandError(.usage, "\(name) \(value): write \(range)")
  }
}

extension RawRepresentable where RawValue == String, Self: CaseIterable {
  /// The case that is named `option`.
  ///
  /// - Throws: `CommandError` where none is.
  init(option: String, named name: String) throws(CommandError) {
    guard let known = Self(rawValue: option) else {
      throw .outOfRange(name, option, Self.allCases.map(\.rawValue).joined(separator: ", "))
    }
    self = known
  }
}
