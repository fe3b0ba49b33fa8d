// SPDX-License-Identifier: GPL-3.0-or-later

/// A set of the parts of a player whose changes a client can wait for with `idle`.
struct Subsystem: OptionSet, Sendable, Hashable {
  let rawValue: UInt16

  /// The library has changed.
  static let database = Subsystem(rawValue: 1 << 0)
  /// An update of the library began or ended.
  static let update = Subsystem(rawValue: 1 << 1)
  /// A stored playlist was created, changed or removed.
  static let storedPlaylist = Subsystem(rawValue: 1 << 2)
  /// The queue was edited.
  static let playlist = Subsystem(rawValue: 1 << 3)
  /// Playback started, paused or stopped, or moved to another track or position.
  static let player = Subsystem(rawValue: 1 << 4)
  /// The volume has changed.
  static let mixer = Subsystem(rawValue: 1 << 5)
  /// The output was opened or lost.
  static let output = Subsystem(rawValue: 1 << 6)
  /// A mode has changed.
  static let options = Subsystem(rawValue: 1 << 7)
  /// A partition has changed. Never reported.
  static let partition = Subsystem(rawValue: 1 << 8)
  /// A sticker has changed.
  static let sticker = Subsystem(rawValue: 1 << 9)
  /// A channel was created or removed.
  static let subscription = Subsystem(rawValue: 1 << 10)
  /// The client has received a message.
  static let message = Subsystem(rawValue: 1 << 11)
  /// A neighbour was found. Never reported.
  static let neighbor = Subsystem(rawValue: 1 << 12)
  /// A file system was mounted. Never reported.
  static let mount = Subsystem(rawValue: 1 << 13)

  /// All subsystems, each with its name in the protocol.
  static let named: [(name: String, subsystem: Subsystem)] = [
    ("database", .database), ("update", .update), ("stored_playlist", .storedPlaylist),
    ("playlist", .playlist), ("player", .player), ("mixer", .mixer), ("output", .output),
    ("options", .options), ("partition", .partition), ("sticker", .sticker), ("subscription", .subscription),
    ("message", .message), ("neighbor", .neighbor), ("mount", .mount),
  ]

  /// The set of all subsystems.
  static let all = Subsystem(named.map(\.subsystem))

  /// Creates the subsystem with this name, ignoring case.
  init?(name: String) {
    guard let known = Self.named.first(where: { $0.name == name.lowercased() }) else { return nil }
    self = known.subsystem
  }

  init(rawValue: UInt16) { self.rawValue = rawValue }

  /// The names of the subsystems in the set, in the order of the protocol.
  var names: [String] { Self.named.filter { contains($0.subsystem) }.map(\.name) }
}
