public import SystemPackage

/// A list in a directory of saved lists.
public struct SavedPlaylist: Sendable, Hashable {
  /// What it is called: the file's name without its suffix, as text.
  public var name: String
  /// The file; absolute.
  public var path: FilePath
  /// The format that its suffix says.
  public var format: PlaylistFormat
  /// How many entries it has, those of playlists in it not counted; `nil` where it cannot be read.
  public var entryCount: Int?
  /// When it was changed last: nanoseconds since 1970.
  public var modificationTime: Int64
}
