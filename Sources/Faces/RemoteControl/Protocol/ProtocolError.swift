/// Why a command of a client is refused: an `ACK` of the MPD protocol.
public struct ProtocolError: Error, Sendable, Equatable {
  /// What kind of error it is, by the protocol's numbers.
  public enum Code: Int, Sendable {
    /// Not within a command list, or only there.
    case notList = 1
    /// An argument is missing, too much, or makes no sense.
    case argument = 2
    /// The password is wrong.
    case password = 3
    /// The client may not do that.
    case permission = 4
    /// There is no such command.
    case unknown = 5
    /// There is no such song, list or sticker.
    case noExist = 50
    /// The queue would become too long.
    case playlistTooLarge = 51
    /// The system refuses.
    case system = 52
    /// A stored playlist cannot be loaded.
    case playlistLoad = 53
    /// The library is being updated already.
    case updatingAlready = 54
    /// Nothing plays to which that applies.
    case playerSync = 55
    /// Something of this name is there already.
    case exists = 56
  }

  /// What kind of error it is.
  public let code: Code
  /// One line for people.
  public let message: String

  /// An error of this kind.
  public init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }
}
