/// What can be set, by its name in the file of settings: what stands ahead of a dot is a table there.
enum SettingName: String, CaseIterable, Sendable {
  case library
  case ignore
  case textEncoding = "text-encoding"
  case playlists
  case output
  case buffer
  case rate
  case depth
  case onFormatChange = "on-format-change"
  case pauseOnLoss = "pause-on-loss"
  case onHangup = "on-hangup"
  case restore
  case replayGain = "replay-gain"
  case preamp
  case fallbackGain = "fallback-gain"
  case clipping
  case crossfade
  case crossfadeAlbums = "crossfade-albums"
  case volumeStep = "volume-step"
  case color
  case plain
  case repeatMode = "modes.repeat"
  case randomMode = "modes.random"
  case singleMode = "modes.single"
  case consumeMode = "modes.consume"
  case pauseKey = "keys.pause"
  case seekBackKey = "keys.seek-back"
  case seekForwardKey = "keys.seek-forward"
  case seekBackFarKey = "keys.seek-back-far"
  case seekForwardFarKey = "keys.seek-forward-far"
  case nextKey = "keys.next"
  case previousKey = "keys.previous"
  case volumeUpKey = "keys.volume-up"
  case volumeDownKey = "keys.volume-down"
  case meterKey = "keys.meter"
  case showKeysKey = "keys.show-keys"
  case quitKey = "keys.quit"
  case headingColour = "colours.heading"
  case titleColour = "colours.title"
  case artistColour = "colours.artist"
  case progressColour = "colours.progress"
  case nextColour = "colours.next"
  case keysColour = "colours.keys"
  case errorColour = "colours.error"

  /// The tables of the file, but that of the aliases.
  static let tables = ["modes", "keys", "colours"]

  /// The parts of the name.
  var path: [String] { rawValue.split(separator: ".").map(String.init) }

  /// Behind the table, if it is in one.
  var shortName: String { rawValue.split(separator: ".").last.map(String.init) ?? rawValue }
}
