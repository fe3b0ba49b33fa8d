// SPDX-License-Identifier: GPL-3.0-or-later

import Platform
public import SystemPackage
public import Tagging

/// Reads playlists of all formats. It does not look up their entries; ``PlaylistResolver`` does.
public enum PlaylistReader {
  /// Reads the playlist in the file at `path`. Blocks until the disk has been read. Safe to call from any thread.
  ///
  /// Opens only regular files within `reach`, and reads at most ``Playlist/sizeLimit`` bytes.
  ///
  /// - Throws: If the playlist cannot be read; `notFound` if it must not be.
  public static func read(_ path: FilePath, reach: FileReach) throws(PlaylistError) -> Playlist {
    try playlist(in: try contents(of: path, reach: reach), of: path)
  }

  /// Parses `bytes`, the contents of the file at `path`. The path is only used for errors, and its suffix for the
  /// format if the contents do not indicate it.
  ///
  /// - Throws: `notAPlaylist`, `malformed`, `tooLarge` or `tooManyEntries`.
  public static func playlist(in bytes: [UInt8], of path: FilePath) throws(PlaylistError) -> Playlist {
    try playlist(in: bytes, of: path, limit: Playlist.entryLimit)
  }

  /// Parses the contents of the file at `path`, which may have at most `limit` entries.
  static func playlist(in bytes: [UInt8], of path: FilePath, limit: Int) throws(PlaylistError) -> Playlist {
    guard bytes.count <= Playlist.sizeLimit else { throw .tooLarge(path) }
    guard let format = PlaylistFormat(contents: bytes) ?? PlaylistFormat(path), !LegacyText.isBinary(bytes) else {
      throw .notAPlaylist(path)
    }
    let playlist: Playlist?
    switch format {
    case .m3u, .m3u8: playlist = M3UParser.playlist(bytes, limit: limit)
    case .pls: playlist = PLSParser.playlist(bytes, limit: limit)
    case .xspf: playlist = try xspf(bytes, path, limit)
    }
    guard let playlist else { throw .tooManyEntries(path) }
    return playlist
  }

  /// Reads the file at `path` as ``read(_:reach:)`` does, without parsing it.
  static func contents(
    of path: FilePath, reach: FileReach, limit: Int = Playlist.sizeLimit
  ) throws(PlaylistError) -> [UInt8] {
    guard let file = reach.resolve(path, isBesideMusic: true) else { throw .notFound(path) }
    do throws(Errno) {
      guard let bytes = try AtomicFile.read(file, limit: limit) else {
        throw Errno.noSuchFileOrDirectory
      }
      return bytes
    } catch {
      switch error {
      case .noSuchFileOrDirectory, .notDirectory: throw .notFound(path)
      case .invalidArgument: throw .notAFile(path)
      case .fileTooLarge: throw .tooLarge(path)
      default: throw .unreadable(path, error)
      }
    }
  }

  private static func xspf(_ bytes: [UInt8], _ path: FilePath, _ limit: Int) throws(PlaylistError)
    -> Playlist?
  {
    do throws(XMLError) {
      return try XSPFParser.parse(bytes, limit: limit).parser.playlist
    } catch {
      if error.reason == XSPFParser.tooManyEntries { return nil }
      throw .malformed(path, line: error.line, reason: error.reason)
    }
  }
}
