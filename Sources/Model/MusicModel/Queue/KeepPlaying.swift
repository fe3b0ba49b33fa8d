// SPDX-License-Identifier: GPL-3.0-or-later

/// The music that is added to a queue before it ends, so that playback continues.
public struct KeepPlaying: Sendable, Hashable {
  /// Where the music comes from.
  public enum Source: Sendable, Hashable {
    /// Music like what plays: of the same genres and decade, or by artists that the user plays at the same time.
    case similar
    /// The tracks that match a query, which may name a playlist.
    case query(String)
  }

  public var source: Source
  /// Whether single tracks are added, or whole albums.
  public var unit: ShuffleUnit

  public init(_ source: Source, by unit: ShuffleUnit = .tracks) { (self.source, self.unit) = (source, unit) }

  /// Creates the mode from its text: `similar` or a query, after `albums` if whole albums are added. Returns `nil` for
  /// text without a source.
  public init?(_ text: String) {
    var words = text.split(whereSeparator: \.isWhitespace)
    unit = words.first?.lowercased() == "albums" && words.count > 1 ? .albums : .tracks
    if unit == .albums { words.removeFirst() }
    if words.isEmpty { return nil }
    let source = words.joined(separator: " ")
    self.source = source.lowercased() == "similar" ? .similar : .query(source)
  }

  /// The text from which the mode is created.
  public var text: String {
    let prefix = unit == .albums ? "albums " : ""
    switch source {
    case .similar: return prefix + "similar"
    case .query(let query): return prefix + query
    }
  }
}
