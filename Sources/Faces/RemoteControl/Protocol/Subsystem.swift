/// The parts of a player that a client can wait for with `idle`.
struct Subsystem: OptionSet, Sendable, Hashable {
  let rawValue: UInt16

  /// The library has changed.
  static let database = Subsystem(rawValue: 1 << 0)
  /// An update of the library began or ended.
  static let update = Subsystem(rawValue: 1 << 1)
  /// A stored playlist was made, changed or removed.
  static let storedPlaylist = Subsystem(rawValue: 1 << 2)
  /// The queue was edited.
  static let playlist = Subsystem(rawValue: 1 << 3)
  /// Playing began, stopped, went on to another track or place.
  static let player = Subsystem(rawValue: 1 << 4)
  /// The volume was changed.
  static let mixer = Subsystem(rawValue: 1 << 5)
  /// The output was opened or lost.
  static let output = Subsystem(rawValue: 1 << 6)
  /// A mode was changed.
  static let options = Subsystem(rawValue: 1 << 7)
  /// A partition was changed: never.
  static let partition = Subsystem(rawValue: 1 << 8)
  /// A sticker was changed.
  static let sticker = Subsystem(rawValue: 1 << 9)
  /// A channel was subscribed to, or is no more.
  static let subscription = Subsystem(rawValue: 1 << 10)
  /// A message came for the client.
  static let message = Subsystem(rawValue: 1 << 11)
  /// A neighbour was found: never.
  static let neighbor = Subsystem(rawValue: 1 << 12)
  /// Something was mounted: never.
  static let mount = Subsystem(rawValue: 1 << 13)

  /// All of them, by the names of the protocol.
  static let named: [(name: String, subsystem: Subsystem)] = [
    ("database", .database), ("update", .update), ("stored_playlist", .storedPlaylist),
    ("playlist", .playlist), ("player", .player), ("mixer", .mixer), ("output", .output),
    ("options", .options), ("partition", .partition), ("sticker", .sticker), ("subscription", .subscription),
    ("message", .message), ("neighbor", .neighbor), ("mount", .mount),
  ]

  /// All of them.
  static let all = Subsystem(named.map(\.subsystem))

  /// The subsystem of this name.
  init?(name: String) {
    guard let known = Self.named.first(where: { $0.name == name.lowercased() }) else { return nil }
    self = known.subsystem
  }

  init(rawValue: UInt16) { self.rawValue = rawValue }

  /// Their names, in the protocol's order.
  var names: [String] { Self.named.filter { contains($0.subsystem) }.map(\.name) }
}
