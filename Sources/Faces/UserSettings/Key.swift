// SPDX-License-Identifier: GPL-3.0-or-later

/// A key that a view receives when it is pressed.
package enum Key: Equatable {
  case character(Character)
  case left
  case right
  case up
  case down
  case enter
  case tab
  case backspace
  case escape
}

extension Key {
  private static let byName: [(name: String, symbol: String, key: Key)] = [
    ("space", "space", .character(" ")), ("left", "←", .left), ("right", "→", .right), ("up", "↑", .up),
    ("down", "↓", .down), ("enter", "enter", .enter), ("tab", "tab", .tab),
    ("backspace", "backspace", .backspace), ("escape", "escape", .escape),
  ]

  /// The names of all keys that have a name: those without a printable character, and the space.
  package static var names: [String] { byName.map(\.name) }

  /// Creates the key with this name in the settings: a key name such as `left`, or a single character. Returns `nil` if
  /// `name` is neither.
  init?(named name: String) {
    if let known = Self.byName.first(where: { $0.name == name }) {
      self = known.key
    } else if name.count == 1, let character = name.first, !character.isWhitespace,
      name.unicodeScalars.allSatisfy({ $0.properties.generalCategory != .control })
    {
      self = .character(character)
    } else {
      return nil
    }
  }

  /// The name of the key in the settings.
  var name: String { Self.byName.first { $0.key == self }?.name ?? symbol }

  /// The symbol of the key in the list of keys that a view shows.
  var symbol: String {
    if let known = Self.byName.first(where: { $0.key == self }) { return known.symbol }
    if case .character(let character) = self { return String(character) }
    return ""
  }

  /// The key without Shift, if it is a letter; otherwise the same key.
  var lowercased: Key {
    guard case .character(let character) = self, let lower = character.lowercased().first else { return self }
    return .character(lower)
  }
}
