// SPDX-License-Identifier: GPL-3.0-or-later

/// A key that a view receives when it is pressed.
package enum Key: Hashable, Sendable {
  case character(Character)
  /// A letter with Ctrl, such as `r` for Ctrl-R.
  case control(Character)
  case left
  case right
  case up
  case down
  case enter
  case tab
  case backTab
  case backspace
  case delete
  case escape
  case home
  case end
  case pageUp
  case pageDown
  /// A function key, by its number.
  case function(Int)
}

extension Key {
  private static let byName: [(name: String, symbol: String, key: Key)] = [
    ("space", "space", .character(" ")), ("left", "←", .left), ("right", "→", .right), ("up", "↑", .up),
    ("down", "↓", .down), ("enter", "enter", .enter), ("tab", "tab", .tab),
    ("shift-tab", "shift-tab", .backTab), ("backspace", "backspace", .backspace), ("delete", "delete", .delete),
    ("escape", "escape", .escape), ("home", "home", .home), ("end", "end", .end),
    ("page-up", "page-up", .pageUp), ("page-down", "page-down", .pageDown),
  ]

  /// The names of all keys that have a name: those without a printable character, and the space.
  package static var names: [String] { byName.map(\.name) + ["ctrl-r etc.", "f1 etc."] }

  /// Creates the key with this name in the settings: a key name such as `left`, or a single character. Returns `nil` if
  /// `name` is neither.
  init?(named name: String) {
    if let known = Self.byName.first(where: { $0.name == name }) {
      self = known.key
    } else if name.hasPrefix("ctrl-"), name.utf8.count == 6, let letter = name.last, ("a"..."z").contains(letter) {
      self = .control(letter)
    } else if name.first == "f", let number = Int(name.dropFirst()), (1...12).contains(number) {
      self = .function(number)
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
    switch self {
    case .character(let character): return String(character)
    case .control(let letter): return "ctrl-\(letter)"
    case .function(let number): return "f\(number)"
    default: return ""
    }
  }
}
