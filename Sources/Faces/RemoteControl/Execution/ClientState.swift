/// A connection of a client, as long as it lasts.
typealias ClientID = ObjectIdentifier

/// What a server remembers of one client.
struct ClientState: Sendable {
  /// Which of those that are connected it is.
  let id: ClientID
  /// What it may do.
  var permission: Permission
  /// Whether it came through a socket of the file system, as the player's owner alone can.
  let isLocal: Bool
  /// The tags that it wants to be told.
  var tags = Set(SongTag.allCases)
  /// What it has turned on of the protocol.
  var features: Set<ProtocolFeature> = []
  /// What does not count in texts, where case does not.
  var normalizations: Set<StringNormalization> = []
  /// The most bytes of a chunk that it takes.
  var binaryLimit = 8192
}
