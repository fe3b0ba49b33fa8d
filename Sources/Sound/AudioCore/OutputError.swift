/// Why sound cannot be put out.
public struct OutputError: Error, Sendable, Hashable, CustomStringConvertible {
  /// What kind of fault it is.
  public enum Kind: Sendable, Hashable {
    /// There is no such driver.
    case unknownDriver
    /// The device or the file could not be opened.
    case cannotOpen
    /// The device went while it was open; it may come back.
    case lost
    /// Not everything could be stored in the file.
    case incomplete
    /// The output cannot take this format.
    case unsupportedFormat
  }

  /// What kind of fault it is.
  public let kind: Kind
  /// Which output and what is wrong with it, in words for people.
  public let description: String

  /// A fault described in words for people.
  public init(kind: Kind, description: String) {
    self.kind = kind
    self.description = description
  }
}
