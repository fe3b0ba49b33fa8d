/// Why a text is no query.
public struct LibraryQueryError: Error, Sendable, Hashable, CustomStringConvertible {
  /// Where the fault begins: the number of the character, from 1.
  public var column: Int
  /// What is wrong there, and what would be right: one line, which may quote the query. Not yet safe for a terminal.
  public var message: String

  /// The fault `message` at `column`.
  public init(column: Int, message: String) {
    self.column = column
    self.message = message
  }

  /// The message with its column, in one line.
  public var description: String { "column \(column): \(message)" }
}
