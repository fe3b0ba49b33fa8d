/// What a client may do.
struct Permission: OptionSet, Sendable, Hashable {
  let rawValue: UInt8

  /// Look at the player and the library.
  static let read = Permission(rawValue: 1 << 0)
  /// Add to the queue.
  static let add = Permission(rawValue: 1 << 1)
  /// Control playing, the queue and the playlists.
  static let control = Permission(rawValue: 1 << 2)
  /// Update the library, and end the player.
  static let admin = Permission(rawValue: 1 << 3)
  /// Run commands of the command line, which reach files beyond the library: the owner's own socket alone.
  static let owner = Permission(rawValue: 1 << 4)

  /// What whoever may do everything through the network may do.
  static let network: Permission = [.read, .add, .control, .admin]
  /// What the owner of the player may do.
  static let everything: Permission = [.network, .owner]

  /// The permission of this name.
  init?(name: String) {
    switch name {
    case "read": self = .read
    case "add": self = .add
    // MPD tells playing apart since 0.23.
    case "control", "player": self = .control
    case "admin": self = .admin
    default: return nil
    }
  }

  init(rawValue: UInt8) { self.rawValue = rawValue }
}
