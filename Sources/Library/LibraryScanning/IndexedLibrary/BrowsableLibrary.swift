// SPDX-License-Identifier: GPL-3.0-or-later

public import LibraryIndex
public import MusicModel
import Playlists
public import SystemPackage
public import Tagging

/// A library that can be browsed by files and directories, as MPD clients and playlists do.
///
/// Queries use the index's own ``TrackBrowser``, because a protocol for it would only repeat its interface.
public protocol BrowsableLibrary: MusicLibrary {
  /// The library's directories.
  var roots: LibraryRoots { get }

  /// Calls `body` with a browser of this library; returns `nil` if none of its directories is in the index. Blocks for
  /// as long as the disk does.
  ///
  /// - Parameter isQuick: Whether `body` reads only a few rows; it then does not wait behind queries that read many.
  func browse<Value>(isQuick: Bool, _ body: (TrackBrowser) throws -> Value) throws(LibraryError) -> Value?

  /// Returns the tracks in the index for these absolute paths and segments, in the same order.
  ///
  /// The track of the given segment is preferred; otherwise it is another track of the same file. `nil` stands for a
  /// file without a track, or one that cannot be looked up.
  func tracks(at places: [(path: FilePath?, part: TrackSegment?)]) -> [Track?]

  /// Returns the tracks that the cue sheet at `path` names, in its order. Blocks while their files are read.
  ///
  /// - Throws: If the sheet gives no tracks.
  func tracks(ofSheet path: FilePath) throws(LibraryScannerError) -> [Track]

  /// Returns the track of a file, which need not be in the library.
  func unindexedTrack(at path: FilePath) throws(LibraryProblem) -> Track
}

extension BrowsableLibrary {
  /// Returns the known tracks below the absolute path `directory`: those in the directory itself, then those in each
  /// subdirectory. Returns none if the index cannot be read.
  func tracks(below directory: FilePath) -> [Track] {
    guard let seen = roots.relative(directory) else { return [] }
    let found = try? browse(isQuick: false) { browser in
      var tracks: [Track] = []
      var waiting = [seen]
      while tracks.count <= Playlist.entryLimit, let directory = waiting.popLast() {
        tracks += try browser.tracks(browser.trackIDs(in: directory)).map(\.track)
        waiting += try browser.directories(in: directory).reversed().map(\.path)
      }
      return tracks
    }
    return (found ?? nil) ?? []
  }

  /// Whether the index has a track at this path.
  func hasTrack(at path: FilePath) -> Bool { tracks(at: [(path, nil)]).contains { $0 != nil } }
}
