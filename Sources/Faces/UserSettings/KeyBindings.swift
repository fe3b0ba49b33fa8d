/// Which key of the now-playing view does what.
package struct KeyBindings: Sendable, Equatable {
  /// The keys of each action, the one that is shown first.
  private let keys: [KeyAction: [Key]]

  /// The keys that `chosen` names by action, and the usual ones of the others, as far as they are free. A key that is
  /// chosen for two is the first one's, in the order of the actions.
  package init(_ chosen: [KeyAction: [String]] = [:]) {
    var taken: [Key] = []
    var keys: [KeyAction: [Key]] = [:]
    let order =
      KeyAction.allCases.filter { chosen[$0] != nil } + KeyAction.allCases.filter { chosen[$0] == nil }
    for action in order {
      let free = (chosen[action] ?? action.standardKeys).compactMap(Key.init(named:)).filter {
        !taken.contains($0)
      }
      keys[action] = free
      taken += free
    }
    self.keys = keys
  }

  /// The keys of `action`, the one that is shown first.
  func keys(of action: KeyAction) -> [Key] { keys[action] ?? [] }

  /// What `key` does; a capital letter that does nothing else does what the small one does.
  package func action(of key: Key) -> KeyAction? { bound(key) ?? bound(key.lowercased) }

  private func bound(_ key: Key) -> KeyAction? {
    KeyAction.allCases.first { keys[$0]?.contains(key) == true }
  }

  /// What each key does, a line to be read aloud each.
  package var plainLines: [String] {
    KeyAction.allCases.compactMap { action in
      let names = (keys[action] ?? []).map(\.name)
      return names.isEmpty ? nil : names.joined(separator: " or ") + ": " + action.help
    }
  }

  /// What the keys do, an item for each or for a few that belong together; `quit` is what that of quitting does. Arrows
  /// are words where signs are of ASCII.
  package func items(quit: String = "quit", isASCII: Bool = false) -> [String] {
    let items: [([KeyAction], String)] = [
      ([.pause], "pause"), ([.seekBack, .seekForward], "10 s"), ([.seekForwardFar, .seekBackFar], "1 min"),
      ([.next], "next"), ([.previous], "previous"), ([.volumeUp, .volumeDown], "volume"),
      ([.meter], "meter"),
    ]
    return items.compactMap { part($0, $1, isASCII) } + mainItems(quit: quit, isASCII: isASCII)
  }

  /// Those that are always told: what lists the others, and what ends.
  package func mainItems(quit: String = "quit", isASCII: Bool = false) -> [String] {
    [part([.showKeys], "keys", isASCII), part([.quit], quit, isASCII)].compactMap { $0 }
  }

  private func part(_ actions: [KeyAction], _ word: String, _ isASCII: Bool) -> String? {
    let names = actions.compactMap { keys[$0]?.first }.map { isASCII ? $0.name : $0.symbol }
    return names.isEmpty ? nil : names.joined(separator: "/") + " " + word
  }
}

/// What a key of the now-playing view does.
package enum KeyAction: String, CaseIterable, Sendable {
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
  package var setting: SettingName {
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
  package var standardKeys: [String] {
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
  package var help: String {
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
