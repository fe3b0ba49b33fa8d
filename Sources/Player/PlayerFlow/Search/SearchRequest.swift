// SPDX-License-Identifier: GPL-3.0-or-later

public import MusicModel

/// The search request that all views share.
public struct SearchRequest: Sendable, Hashable {
  /// The text to search for, taken literally and not as a query.
  public var text = ""
  /// The filters that narrow the search.
  public var filters = LibraryFilters()
}

/// A request that is loading, or will be as soon as no more is typed.
public struct SearchAsk: Sendable, Hashable {
  /// The part of the rows that is requested.
  public enum Part: Sendable, Hashable {
    /// The first rows of a new answer.
    case first
    /// The rows after this many.
    case more(behind: Int)
    /// This many rows from the beginning, which were read before.
    case again(Int)
  }

  /// The number of the request: unique, and greater for a later one.
  public let number: UInt64
  /// The text and filters.
  public let request: SearchRequest
  /// The part of the rows that is requested.
  public let part: Part
  /// The largest number of rows to read.
  public let limit: Int
  /// Whether the text is being typed, so that the request waits for the next key.
  public let isTyped: Bool
}
