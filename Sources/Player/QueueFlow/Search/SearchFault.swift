public import MusicModel

/// Why a request has no answer.
public enum SearchFault: Error, Sendable, Hashable, CustomStringConvertible {
  /// The query cannot be understood: why, in words, and the column where, from 1.
  case query(String, column: Int)
  /// The library cannot be asked.
  case library(LibraryFault)

  /// One line. Not yet safe for a terminal.
  public var description: String {
    switch self {
    case .query(let message, let column): "column \(column): \(message)"
    case .library(let fault): fault.description
    }
  }
}
