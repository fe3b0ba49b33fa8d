public import SystemPackage

/// An entry of a playlist, and what there is on the disk.
public struct ResolvedEntry: Sendable, Hashable {
  /// Why an entry cannot be played.
  public enum Reason: Sendable, Hashable, CustomStringConvertible {
    /// No such file is there.
    case notFound
    /// It is an address in the net, with this scheme.
    case address(scheme: String)
    /// It leads out of the library.
    case outsideLibrary
    /// A FIFO or a device is there.
    case notAFile
    /// No file can have such a name: it is empty, or has a NUL in it.
    case unusableName
    /// The operating system refused to look.
    case unreadable(Errno)
    /// It is a playlist that is being read already.
    case loop
    /// It is a playlist within too many others.
    case tooDeep
    /// It is a playlist that cannot be read.
    case unreadablePlaylist(PlaylistError)

    /// The reason in words, without the path, as the end of a line.
    public var description: String {
      switch self {
      case .notFound: "no such file"
      case .address(let scheme): "an address (\(scheme)), which cannot be played"
      case .outsideLibrary: "outside of the library"
      case .notAFile: "not a regular file"
      case .unusableName: "not the name of a file"
      case .unreadable(let code): "cannot be read: \(code)"
      case .loop: "a playlist that contains itself"
      case .tooDeep: "a playlist within more than \(PlaylistResolver.depthLimit) others"
      case .unreadablePlaylist(let error): error.description
      }
    }
  }

  /// What the playlist says; its place is relative to ``playlist``.
  public var entry: PlaylistEntry
  /// The file of the playlist that says it: one within the other, where playlists are entries.
  public var playlist: FilePath
  /// The file; where it is missing, where it would be. Absolute, and without `..`; `nil` for what has no place among
  /// the files, or none that may be looked at.
  public var path: FilePath?
  /// Why it cannot be played; `nil` for a regular file or a directory that is there.
  public var missing: Reason?
  /// Whether a directory is there, which stands for the music in it.
  public var isDirectory = false
}
