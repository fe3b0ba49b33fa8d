import Platform
public import SystemPackage

/// Writes playlists of all formats, such that ``PlaylistReader`` reads the same back.
///
/// M3U and PLS are written in UTF-8. A path stands as it is, unless it would not be read back as itself: where it
/// begins like a remark or an address, `./` comes before it; where it has control characters (line ends among them), a
/// space at an end, or is no UTF-8, it is a `file:` URI with escapes. Paths in XSPF are URIs throughout. Texts are
/// written in one line. What is lost: in M3U and PLS fractions of seconds, the number and the remark, further
/// locations, and where an artist with " - " in the name ends; in PLS album, genre and group; in XSPF the album's
/// artist, genre and group; in PLS and XSPF, which part of a file it is.
public enum PlaylistWriter {
  /// How paths are written.
  public enum Paths: Sendable, Hashable {
    /// Relative to the playlist, where the file and the playlist have a directory in common other than the root; such a
    /// playlist can be moved with its music.
    case relative
    /// As they are in the entries.
    case unchanged
  }

  /// Writes the file at `path`, in one piece: whatever happens, the old file is there or the new one. Makes its
  /// directory where that is missing. Blocks while the file system does; any thread.
  ///
  /// - Parameter format: by the suffix of `path` where it is `nil`, else M3U8.
  /// - Throws: `unwritable`.
  public static func write(
    _ playlist: Playlist, to path: FilePath, as format: PlaylistFormat? = nil, paths: Paths = .relative
  ) throws(PlaylistError) {
    let path = (try? path.absolute()) ?? path
    do throws(Errno) {
      let directory = path.removingLastComponent()
      try AtomicFile.makeDirectories(
        directory, permissions: [.ownerReadWriteExecute, .groupReadWriteExecute, .otherReadWriteExecute])
      let text = bytes(
        of: playlist, as: format ?? PlaylistFormat(path) ?? .m3u8, below: paths == .relative ? directory : nil
      )
      try AtomicFile.write(text, to: path, permissions: [.ownerReadWrite, .groupReadWrite, .otherReadWrite])
    } catch {
      throw .unwritable(path, error)
    }
  }

  /// The contents of a file of this format.
  ///
  /// - Parameter directory: the directory of the file, absolute and present, to which paths are made relative; `nil`
  ///   leaves them.
  public static func bytes(
    of playlist: Playlist, as format: PlaylistFormat, below directory: FilePath? = nil
  ) -> [UInt8] {
    let places = directory.map { RelativePlaces(below: $0) }
    func place(_ location: PlaylistLocation) -> PlaylistLocation {
      guard case .path(let path) = location else { return location }
      return .path(places?.place(of: path) ?? path)
    }
    switch format {
    case .m3u: return M3UWriter.bytes(of: playlist, saysEncoding: true, place)
    case .m3u8: return M3UWriter.bytes(of: playlist, saysEncoding: false, place)
    case .pls: return PLSWriter.bytes(of: playlist, place)
    case .xspf: return XSPFWriter.bytes(of: playlist, place)
    }
  }
}
