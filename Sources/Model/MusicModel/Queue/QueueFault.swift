/// Why a queue could not be kept, or what was kept not be used.
public struct QueueFault: Error, Sendable, Hashable, CustomStringConvertible {
  /// What it means for what follows.
  public enum Kind: Sendable, Hashable {
    /// What was kept could not be used, and has another name now: nothing is kept at present.
    case setAside
    /// What is kept cannot be used, and stays as it is.
    case unusable
    /// It could not be written: what was kept before is there still.
    case unwritten
  }

  /// What it means for what follows.
  public let kind: Kind
  /// One line: what, where, and what to do. Not yet safe for a terminal.
  public let description: String

  /// A fault of these parts.
  public init(_ kind: Kind, _ description: String) {
    self.kind = kind
    self.description = description
  }
}
