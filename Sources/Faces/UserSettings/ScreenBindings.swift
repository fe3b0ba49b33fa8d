// SPDX-License-Identifier: GPL-3.0-or-later

/// The key bindings of the full screen: the default keys of the actions, changed by the user's settings.
package struct ScreenBindings: Sendable, Equatable {
  /// What a key does.
  package enum Target: Sendable, Equatable {
    case action(ScreenAction)
    /// Runs a command, given as the user typed it.
    case command(String)
    /// Runs a program of the user, given with its arguments, with the selected tracks.
    case program([String])

    /// Creates the target that the text of a setting stands for: the name of an action, a command after a colon, or a
    /// program after an exclamation mark. Returns `nil` if it is none of these.
    init?(_ text: String) {
      if text.first == "!" {
        guard let words = try? LineTokenizer.words(String(text.dropFirst())), !words.isEmpty else { return nil }
        self = .program(words)
      } else if text.first == ":" {
        self = .command(String(text.dropFirst()))
      } else if let action = ScreenAction(named: text) {
        self = .action(action)
      } else {
        return nil
      }
    }
  }

  /// What each sequence of keys does.
  private var targets: [[Key]: Target] = [:]
  /// The keys of each action, the defaults first.
  private var sequences: [ScreenAction: [[Key]]] = [:]

  /// Creates the bindings of `preset`, changed by `settings`: what keys do, by their names, where an empty text removes
  /// the binding of a key.
  package init(_ settings: [String: String] = [:], preset: KeyPreset = .segue) {
    bindDefaults()
    bind(preset.bindings)
    bind(settings)
    for (keys, target) in targets {
      if case .action(let action) = target { sequences[action, default: []].append(keys) }
    }
    for (action, bound) in sequences where bound.count > 1 {
      let defaults = action.defaultKeys.compactMap(Self.keys)
      sequences[action] = bound.sorted { left, right in
        let (leftRank, rightRank) = (defaults.firstIndex(of: left) ?? .max, defaults.firstIndex(of: right) ?? .max)
        return (leftRank, Self.name(left)) < (rightRank, Self.name(right))
      }
    }
  }

  private mutating func bindDefaults() {
    for action in ScreenAction.allCases {
      for keys in action.defaultKeys.compactMap(Self.keys) { targets[keys] = .action(action) }
    }
  }

  private mutating func bind(_ settings: [String: String]) {
    let chosen = settings.compactMap { name, text in Self.keys(name).map { ($0, Target(text)) } }
    for (keys, target) in chosen.sorted(by: { $0.0.count > $1.0.count }) {
      // A key with which the user's sequences begin does nothing alone, unless the user has bound it, too.
      if target != nil { for count in 1..<max(1, keys.count) { targets[Array(keys.prefix(count))] = nil } }
      targets[keys] = target
    }
  }

  /// Returns the keys that a name in the settings stands for: one key, or several letters to press one after the other.
  /// Returns `nil` if it is not valid.
  static func keys(_ name: String) -> [Key]? {
    if let key = Key(named: name) { return [key] }
    let letters = name.compactMap { Key(named: String($0)) }
    return letters.count == name.count && (2...4).contains(letters.count) ? letters : nil
  }

  /// What a sequence of keys means.
  package enum Meaning: Sendable, Equatable {
    case target(Target)
    /// It is the beginning of a longer sequence.
    case prefix
    case nothing
  }

  /// Returns what `keys`, pressed one after the other, mean.
  package func meaning(of keys: [Key]) -> Meaning {
    if let target = targets[keys] { return .target(target) }
    return targets.keys.contains { $0.count > keys.count && $0.starts(with: keys) } ? .prefix : .nothing
  }

  /// Returns the keys of an action as a view shows them, the defaults first, such as "↑" or "gg".
  package func keys(of action: ScreenAction, isASCII: Bool = false) -> [String] {
    sequences[action, default: []].map { keys in keys.map { isASCII ? $0.name : $0.symbol }.joined() }
  }

  private static func name(_ keys: [Key]) -> String { keys.map(\.name).joined() }

  /// The actions that a terminal offers on which no screen can be drawn.
  private static let plainActions: [ScreenAction] = [
    .pause, .stop, .next, .previous, .seekBack, .seekForward, .seekBackFar, .seekForwardFar, .volumeUp, .volumeDown,
    .speedUp, .speedDown, .normalSpeed, .help, .quit,
  ]

  /// Returns the action of `key` on a terminal on which no screen can be drawn.
  package func plainAction(of key: Key) -> ScreenAction? {
    guard case .target(.action(let action)) = meaning(of: [key]) else { return nil }
    return Self.plainActions.contains(action.withoutList) ? action.withoutList : nil
  }

  /// The keys on a terminal on which no screen can be drawn, one line per action.
  package var plainLines: [String] {
    Self.plainActions.compactMap { action in
      let same = ScreenAction.allCases.filter { $0.withoutList == action }
      let keys = targets.filter { $0.key.count == 1 && same.map { .action($0) }.contains($0.value) }.map(\.key)
      let names = keys.map(Self.name).sorted { ($0.count, $0) > ($1.count, $1) }
      return names.isEmpty ? nil : names.joined(separator: " or ") + ": " + action.help
    }
  }
}
