import Platform
public import SystemPackage

/// Why a server does not listen.
public enum RemoteServerError: Error, Sendable, Equatable, CustomStringConvertible {
  /// Another player listens at this socket.
  case taken(FilePath)
  /// Something else than a player listens at it.
  case foreign(FilePath)
  /// The socket cannot be made.
  case socket(FilePath, String)
  /// The system does not grant what a server needs: threads, or descriptors.
  case resources(Errno)
  /// The address cannot be listened at.
  case address(ListenAddress, String)

  /// One line: what, where, and why.
  public var description: String {
    switch self {
    case .taken(let path): "another player listens at \(path.shown)"
    case .foreign(let path):
      "another program listens at \(path.shown), which is no player, or does not answer"
    case .socket(let path, let reason): "other programs cannot reach this player at \(path.shown): \(reason)"
    case .resources(let error): "other programs cannot reach this player: the system refuses to go on: \(error)"
    case .address(let address, let reason): "cannot listen at \(address): \(reason)"
    }
  }
}
