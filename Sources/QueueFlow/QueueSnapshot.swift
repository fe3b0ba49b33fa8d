public import MusicModel
import SystemPackage

/// The queue as it is kept for other processes: what a listing shows of it.
public struct QueueSnapshot: Sendable, Equatable, Codable {
  /// What is kept of an item.
  public struct Entry: Sendable, Equatable, Codable {
    /// The track's title.
    public var title: String
    /// The track's artists, as they are shown.
    public var artist: String?
    /// How long it lasts, in seconds, where that is known.
    public var seconds: Double?
    /// The file, where its path is text.
    public var path: String?
  }

  /// The collection's title.
  public var title: String
  /// The position of the current item, from 0.
  public var currentPosition: Int?
  /// The items by position.
  public var entries: [Entry]

  /// What is kept of `queue`.
  public init(_ queue: PlayQueue) {
    title = queue.title
    currentPosition = queue.currentPosition
    entries = queue.items.map { item in
      let track = item.track
      return Entry(
        title: track.title, artist: track.artists.isEmpty ? nil : track.artists.joined(separator: ", "),
        seconds: track.duration.map { $0 / .seconds(1) }, path: String(validating: track.path))
    }
  }
}
