// SPDX-License-Identifier: GPL-3.0-or-later

/// The key bindings of the now-playing view.
package struct KeyBindings: Sendable, Equatable {
  /// The keys of each action. Views show the first.
  private let keys: [KeyAction: [Key]]

  /// Creates bindings with the key names in `chosen`. Other actions have their default keys, except those that are
  /// taken. A key that is chosen for two actions belongs to the first of them in the order of ``KeyAction``.
  package init(_ chosen: [KeyAction: [String]] = [:]) {
    var taken: [Key] = []
    var keys: [KeyAction: [Key]] = [:]
    let order =
      KeyAction.allCases.filter { chosen[$0] != nil } + KeyAction.allCases.filter { chosen[$0] == nil }
    for action in order {
      let free = (chosen[action] ?? action.defaultKeys).compactMap(Key.init(named:)).filter {
        !taken.contains($0)
      }
      keys[action] = free
      taken += free
    }
    self.keys = keys
  }

  /// Returns the keys of `action`. Views show the first.
  func keys(of action: KeyAction) -> [Key] { keys[action] ?? [] }

  /// Returns the action to which `key` is bound. A capital letter that is not bound stands for the small letter.
  package func action(of key: Key) -> KeyAction? { bound(key) ?? bound(key.lowercased) }

  private func bound(_ key: Key) -> KeyAction? {
    KeyAction.allCases.first { keys[$0]?.contains(key) == true }
  }

  /// The bindings in plain style, one line per action.
  package var plainLines: [String] {
    KeyAction.allCases.compactMap { action in
      let names = (keys[action] ?? []).map(\.name)
      return names.isEmpty ? nil : names.joined(separator: " or ") + ": " + action.help
    }
  }

  /// Returns a short text for each action or group of related actions, such as "space pause".
  ///
  /// - Parameters:
  ///   - quit: The word for what the quit key does.
  ///   - isASCII: Whether arrows are shown as words.
  package func items(quit: String = "quit", isASCII: Bool = false) -> [String] {
    let items: [([KeyAction], String)] = [
      ([.pause], "pause"), ([.seekBack, .seekForward], "10 s"), ([.seekForwardFar, .seekBackFar], "1 min"),
      ([.next], "next"), ([.previous], "previous"), ([.volumeUp, .volumeDown], "volume"),
      ([.meter], "meter"),
    ]
    return items.compactMap { part($0, $1, isASCII) } + mainItems(quit: quit, isASCII: isASCII)
  }

  /// Returns the short texts that are always shown: those of the key list and the quit key.
  package func mainItems(quit: String = "quit", isASCII: Bool = false) -> [String] {
    [part([.showKeys], "keys", isASCII), part([.quit], quit, isASCII)].compactMap { $0 }
  }

  private func part(_ actions: [KeyAction], _ word: String, _ isASCII: Bool) -> String? {
    let names = actions.compactMap { keys[$0]?.first }.map { isASCII ? $0.name : $0.symbol }
    return names.isEmpty ? nil : names.joined(separator: "/") + " " + word
  }
}

/// An action of the now-playing view to which keys can be bound.
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

  /// The setting that binds keys to the action.
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

  /// The names of the default keys of the action.
  package var defaultKeys: [String] {
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

  /// The description of the action in one line.
  package var help: String {
    switch self {
    case .pause: "Pause or resume."
    case .seekBack: "Seek back 10 seconds."
    case .seekForward: "Seek forward 10 seconds."
    case .seekBackFar: "Seek back 1 minute."
    case .seekForwardFar: "Seek forward 1 minute."
    case .next: "Go to the next track."
    case .previous: "Go to the previous track."
    case .volumeUp: "Raise the volume."
    case .volumeDown: "Lower the volume."
    case .meter: "Show or hide the level meter."
    case .showKeys: "Show or hide all keys."
    case .quit: "Quit."
    }
  }
}
