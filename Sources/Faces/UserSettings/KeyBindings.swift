// SPDX-License-Identifier: GPL-3.0-or-later

/// A setting of the table `[keys]`: the keys of an action that controls the player, where no list is shown.
package struct KeySetting: Sendable {
  package let name: SettingName
  package let action: ScreenAction
  /// The names of the default keys.
  package let defaultKeys: [String]

  /// The description of the action in one line.
  package var help: String { action == .help ? "Show or hide all keys." : action.help }

  private init(_ name: SettingName, _ action: ScreenAction, _ defaultKeys: [String]) {
    self.name = name
    self.action = action
    self.defaultKeys = defaultKeys
  }

  package static let all: [KeySetting] = [
    KeySetting(.pauseKey, .pause, ["space"]),
    KeySetting(.seekBackKey, .seekBack, ["left"]),
    KeySetting(.seekForwardKey, .seekForward, ["right"]),
    KeySetting(.seekBackFarKey, .seekBackFar, ["down"]),
    KeySetting(.seekForwardFarKey, .seekForwardFar, ["up"]),
    KeySetting(.nextKey, .next, ["n"]),
    KeySetting(.previousKey, .previous, ["p"]),
    KeySetting(.volumeUpKey, .volumeUp, ["+", "="]),
    KeySetting(.volumeDownKey, .volumeDown, ["-", "_"]),
    KeySetting(.meterKey, .meter, ["m"]),
    KeySetting(.showKeysKey, .help, ["?"]),
    KeySetting(.quitKey, .quit, ["q"]),
  ]
}

/// The keys that control a player on a terminal that cannot be redrawn.
package struct KeyBindings: Sendable, Equatable {
  private let keys: [ScreenAction: [Key]]

  /// Creates bindings with the key names in `chosen`. Other actions have their default keys, except those that are
  /// taken. A key that is chosen for two actions belongs to the first of them in the order of ``KeySetting/all``.
  package init(_ chosen: [ScreenAction: [String]] = [:]) {
    var taken: [Key] = []
    var keys: [ScreenAction: [Key]] = [:]
    let all = KeySetting.all
    for setting in all.filter({ chosen[$0.action] != nil }) + all.filter({ chosen[$0.action] == nil }) {
      let free = (chosen[setting.action] ?? setting.defaultKeys).compactMap(Key.init(named:)).filter {
        !taken.contains($0)
      }
      keys[setting.action] = free
      taken += free
    }
    self.keys = keys
  }

  func keys(of action: ScreenAction) -> [Key] { keys[action] ?? [] }

  /// Returns the action to which `key` is bound. A capital letter that is not bound stands for the small letter.
  package func action(of key: Key) -> ScreenAction? { bound(key) ?? bound(key.lowercased) }

  private func bound(_ key: Key) -> ScreenAction? { keys.first { $0.value.contains(key) }?.key }

  /// The bindings, one line per action.
  package var plainLines: [String] {
    KeySetting.all.compactMap { setting in
      let names = keys(of: setting.action).map(\.name)
      return names.isEmpty ? nil : names.joined(separator: " or ") + ": " + setting.help
    }
  }
}
