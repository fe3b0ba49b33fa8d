/// What a command works with.
struct CommandContext: Sendable {
  let player: RemotePlayer
  /// What has changed for all clients because of it.
  let announce: @Sendable (Subsystem) -> Void
  var client: ClientState
  /// What is answered.
  var response = Response()
  /// Where more of the answer comes from, piece by piece as the client reads.
  var source: (any ResponseSource)?
  /// Whether something was dispatched that is acknowledged only when it is kept.
  var hasEdited = false
  /// Whether the connection ends behind the answer.
  var isClosing = false

  /// The library.
  ///
  /// - Throws: where there is none.
  var library: RemoteLibrary {
    get throws(ProtocolError) {
      guard let library = player.library else { throw ProtocolError(.system, "No library") }
      return library
    }
  }
}

/// Where a long answer comes from.
protocol ResponseSource: Sendable {
  /// Adds the next piece, some tens of kilobytes; says whether there may be more. On a thread for reading.
  mutating func add(to response: inout Response) throws(ProtocolError) -> Bool
}
