/// Which key of the now-playing view does what.
struct KeyBindings: Sendable, Equatable {
  /// The keys of each action, the one that is shown first.
  private let keys: [KeyAction: [Key]]

  /// The keys that `chosen` names by action, and the usual ones of the others, as far as they are free. A key that is chosen for two is
  /// the first one's, in the order of the actions.
  init(_ chosen: [KeyAction: [String]] = [:]) {
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

  /// What `key` does; a capital letter that does nothing else does what the small one does.
  func action(of key: Key) -> KeyAction? { bound(key) ?? bound(key.lowercased) }

  private func bound(_ key: Key) -> KeyAction? {
    KeyAction.allCases.first { keys[$0]?.contains(key) == true }
  }

  /// What each key does, a line to be read aloud each.
  var plainLines: [String] {
    KeyAction.allCases.compactMap { action in
      let names = (keys[action] ?? []).map(\.name)
      return names.isEmpty ? nil : names.joined(separator: " or ") + ": " + action.help
    }
  }

  /// What the keys do, an item for each or for a few that belong together; `quit` is what that of quitting does.
  func items(quit: String = "quit") -> [String] {
    [
      part([.pause], "pause"), part([.seekBack, .seekForward], "10 s"),
      part([.seekForwardFar, .seekBackFar], "1 min"), part([.next], "next"), part([.previous], "previous"),
      part([.volumeUp, .volumeDown], "volume"), part([.meter], "meter"),
    ].compactMap { $0 } + mainItems(quit: quit)
  }

  /// Those that are always told: what lists the others, and what ends.
  func mainItems(quit: String = "quit") -> [String] {
    [part([.showKeys], "keys"), part([.quit], quit)].compactMap { $0 }
  }

  private func part(_ actions: [KeyAction], _ word: String) -> String? {
    let symbols = actions.compactMap { keys[$0]?.first?.symbol }
    return symbols.isEmpty ? nil : symbols.joined(separator: "/") + " " + word
  }
}
