import Platform
public import SystemPackage

/// Why a playlist could not be read, written, found or named.
public enum PlaylistError: Error, Sendable, Hashable, CustomStringConvertible {
  /// No file is there.
  case notFound(FilePath)
  /// A directory, a FIFO or a device is there.
  case notAFile(FilePath)
  /// The operating system refused to read it.
  case unreadable(FilePath, Errno)
  /// The operating system refused to write it; what was there before is as it was.
  case unwritable(FilePath, Errno)
  /// The file has more than ``Playlist/sizeLimit`` bytes.
  case tooLarge(FilePath)
  /// It has more than ``Playlist/entryLimit`` entries, with those of the playlists in it.
  case tooManyEntries(FilePath)
  /// It is no text, or of no known format.
  case notAPlaylist(FilePath)
  /// Its XML is wrong, in this line.
  case malformed(FilePath, line: Int, reason: String)
  /// A name that no saved list can have, and why.
  case unusableName(String, reason: String)
  /// No saved list has this name; in this directory, where one that is like it may be meant.
  case noList(String, FilePath, suggestion: String? = nil)
  /// Several saved lists have this name: their files' names.
  case ambiguous(String, [String])
  /// A list has this name already, and was not to be replaced.
  case exists(String, FilePath)

  /// One line: what, where, and what to do. Not yet safe for a terminal.
  public var description: String {
    switch self {
    case .notFound(let path): "no such playlist: \(path.shown)"
    case .notAFile(let path): "not a file: \(path.shown); give a playlist (\(Self.suffixes))"
    case .unreadable(let path, let code): "cannot read the playlist \(path.shown): \(code)"
    case .unwritable(let path, let code): "cannot write the playlist \(path.shown): \(code)"
    case .tooLarge(let path):
      "the playlist \(path.shown) is larger than \(Playlist.sizeLimit >> 20) MiB; it was not read"
    case .tooManyEntries(let path):
      "the playlist \(path.shown) has more than \(Playlist.entryLimit) entries; it was not read"
    case .notAPlaylist(let path): "not a playlist: \(path.shown); known are \(Self.suffixes)"
    case .malformed(let path, let line, let reason):
      "the playlist \(path.shown) is damaged in line \(line): \(reason)"
    case .unusableName(let name, let reason): "\"\(name)\" cannot be the name of a list: \(reason)"
    case .noList(let name, let directory, _): "no list is called \"\(name)\" in \(directory.shown)"
    case .ambiguous(let name, let files):
      "several lists are called \"\(name)\": \(files.joined(separator: ", ")); give one with its suffix"
    case .exists(let name, let path): "a list \"\(name)\" is there already: \(path.shown)"
    }
  }

  private static var suffixes: String {
    PlaylistFormat.allCases.map { $0.rawValue.uppercased() }.joined(separator: ", ")
  }
}
