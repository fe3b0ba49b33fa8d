// SPDX-License-Identifier: GPL-3.0-or-later

public import MusicModel

/// A search request: the text and filters that all views share.
public struct SearchRequest: Sendable, Hashable {
  /// The text to search for, taken literally and not as a query.
  public var text = ""
  /// The filters that narrow the search.
  public var filters = LibraryFilters()
}

/// A request for rows that are being loaded, or will be as soon as the user stops typing.
public struct PageRequest: Sendable, Hashable {
  /// The part of the rows that is requested.
  public enum Part: Sendable, Hashable {
    case first
    /// The rows after this many.
    case more(after: Int)
    /// This many rows from the beginning, which have been read before.
    case reload(Int)
  }

  /// The sequence number of the request; unique, and greater for a later one.
  public let number: UInt64
  /// The text and filters to search with.
  public let request: SearchRequest
  /// The part of the rows that is requested.
  public let part: Part
  /// The maximum number of rows to read.
  public let limit: Int
  /// Whether the user is typing the text, so that the request waits for the next key.
  public let isTyped: Bool
}
