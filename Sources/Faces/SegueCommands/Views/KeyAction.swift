/// What a key of the now-playing view does.
enum KeyAction: String, CaseIterable, Sendable {
  case pause
  case seekBack
  case seekForward
  case seekBackFar
  case seekForwardFar
  case next
  case previous
  case volumeUp
  case volumeDown
  case meter
  case showKeys
  case quit

  /// The setting that names its keys.
  var setting: SettingName {
    switch self {
    case .pause: .pauseKey
    case .seekBack: .seekBackKey
    case .seekForward: .seekForwardKey
    case .seekBackFar: .seekBackFarKey
    case .seekForwardFar: .seekForwardFarKey
    case .next: .nextKey
    case .previous: .previousKey
    case .volumeUp: .volumeUpKey
    case .volumeDown: .volumeDownKey
    case .meter: .meterKey
    case .showKeys: .showKeysKey
    case .quit: .quitKey
    }
  }

  /// The names of its keys, where nobody names others.
  var standardKeys: [String] {
    switch self {
    case .pause: ["space"]
    case .seekBack: ["left"]
    case .seekForward: ["right"]
    case .seekBackFar: ["down"]
    case .seekForwardFar: ["up"]
    case .next: ["n"]
    case .previous: ["p"]
    case .volumeUp: ["+", "="]
    case .volumeDown: ["-", "_"]
    case .meter: ["m"]
    case .showKeys: ["?"]
    case .quit: ["q"]
    }
  }

  /// What it does, in a line.
  var help: String {
    switch self {
    case .pause: "Pauses, and goes on."
    case .seekBack: "Seeks 10 seconds back."
    case .seekForward: "Seeks 10 seconds forward."
    case .seekBackFar: "Seeks a minute back."
    case .seekForwardFar: "Seeks a minute forward."
    case .next: "Goes to the next track."
    case .previous: "Goes to the previous track."
    case .volumeUp: "Makes it louder."
    case .volumeDown: "Makes it softer."
    case .meter: "Shows the levels of both channels, and hides them."
    case .showKeys: "Lists the keys, and hides the list."
    case .quit: "Ends playing."
    }
  }
}
