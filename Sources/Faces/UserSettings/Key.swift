// SPDX-License-Identifier: GPL-3.0-or-later

/// A key of a view that takes keys one by one.
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

  /// The names of the keys that are no characters, and of the space.
  package static var names: [String] { byName.map(\.name) }

  /// Creates the key called `name`, or the key of that character; `nil` if there is none.
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

  /// The name in the settings.
  var name: String { Self.byName.first { $0.key == self }?.name ?? symbol }

  /// The symbol in a line of keys.
  var symbol: String {
    if let known = Self.byName.first(where: { $0.key == self }) { return known.symbol }
    if case .character(let character) = self { return String(character) }
    return ""
  }

  /// The key without Shift, if it is a letter.
  var lowercased: Key {
    guard case .character(let character) = self, let lower = character.lowercased().first else { return self }
    return .character(lower)
  }
}
