/// What a playlist file says, or is to say: a title and entries in playing order. Nothing of it has been looked up on
/// the disk.
public struct Playlist: Sendable, Hashable {
  /// The most entries that a playlist may have, and that playlists in playlists may come to.
  public static let entryLimit = 1_000_000
  /// The most bytes that the file of a playlist may have.
  public static let sizeLimit = 64 << 20

  /// The title that the file gives; its name is not part of it.
  public var title: String?
  /// The entries in playing order.
  public var entries: [PlaylistEntry]

  /// A playlist of these entries.
  public init(title: String? = nil, entries: [PlaylistEntry] = []) {
    self.title = title
    self.entries = entries
  }
}
