// SPDX-License-Identifier: GPL-3.0-or-later

public import LibraryIndex
public import MusicModel
package import Playlists
public import SystemPackage
public import Tagging

/// A library that can also be browsed by files and directories, for MPD clients and playlists.
///
/// Queries use the index's own ``TrackBrowser``, because a protocol for it would only repeat its interface.
public protocol BrowsableLibrary: MusicLibrary {
  /// The library's directories.
  var roots: LibraryRoots { get }

  /// Calls `body` with a browser of this library. Returns `nil` if none of the library's directories is in the index.
  /// Blocks until the disk has been read.
  ///
  /// - Parameter isQuick: Whether `body` reads only a few rows. It then does not wait for queries that read many.
  func browse<Value>(isQuick: Bool, _ body: (TrackBrowser) throws -> Value) throws(LibraryError) -> Value?

  /// Returns `query` with the tracks of playlists in place of their names, as a ``TrackBrowser`` needs it.
  ///
  /// - Throws: `LibraryError` if there is no such playlist, if it cannot be read, or if playlists contain each other.
  func resolved(_ query: LibraryQuery) throws(LibraryError) -> LibraryQuery

  /// Returns the IDs of the tracks of the smart playlist `name`, in order. Throws like ``resolved(_:)``.
  func trackIDs(ofSmartPlaylist name: String) throws(LibraryError) -> [Int64]

  /// Returns the number of items that match `query` in a listing. Blocks until the disk has been read, which takes up
  /// to a few tenths of a second in a library of a million tracks.
  func count(of listing: LibraryListing, matching query: LibraryQuery) throws(LibraryError) -> Int

  /// Returns the tracks in the index for these absolute paths and segments, in the same order.
  ///
  /// If a file has no track with the given segment, another track of the file is returned. The result is `nil` for a
  /// file that has no track or cannot be looked up.
  func tracks(at locations: [(path: FilePath?, part: TrackSegment?)]) -> [Track?]

  /// Returns the tracks that the cue sheet at `path` names, in the order of the sheet. Blocks while their files are
  /// read. Opens only files within `reach`.
  ///
  /// - Throws: If the sheet yields no tracks.
  func tracks(ofSheet path: FilePath, reach: FileReach) throws(LibraryScannerError) -> [Track]

  /// Returns the track of a file, which need not be in the library.
  func unindexedTrack(at path: FilePath) throws(LibraryProblem) -> Track
}

extension BrowsableLibrary {
  /// Returns the tracks of the smart playlist `name`, in order. Throws like ``resolved(_:)``.
  public func tracks(ofSmartPlaylist name: String) throws(LibraryError) -> TrackList {
    try tracks(withIDs: try trackIDs(ofSmartPlaylist: name))
  }

  /// Returns the tracks with these IDs that exist, in the given order.
  public func tracks(withIDs ids: [Int64]) throws(LibraryError) -> TrackList {
    try browse(isQuick: false) { browser in
      // Unpacked, a million tracks would take a gigabyte.
      let step = 1_024
      return TrackList(
        joining: try stride(from: 0, to: ids.count, by: step).map { start in
          TrackList(try browser.tracks(ids[start..<min(start + step, ids.count)]).lazy.map(\.track))
        })
    } ?? TrackList([])
  }

  /// Returns the indexed tracks below the absolute path `directory`: those in the directory itself, then those in each
  /// subdirectory. Returns an empty array if the index cannot be read.
  package func tracks(below directory: FilePath) -> [Track] {
    guard let relativePath = roots.relative(directory) else { return [] }
    let found = try? browse(isQuick: false) { browser in
      var tracks: [Track] = []
      var pending = [relativePath]
      while tracks.count <= Playlist.entryLimit, let directory = pending.popLast() {
        tracks += try browser.tracks(browser.trackIDs(in: directory)).map(\.track)
        pending += try browser.directories(in: directory).reversed().map(\.path)
      }
      return tracks
    }
    return (found ?? nil) ?? []
  }

  /// The names of the indexed files; none if the index cannot be read.
  package var fileNames: LibraryFileNames {
    LibraryFileNames { ((try? browse(isQuick: false) { try $0.files() }) ?? nil) ?? [] }
  }

  /// The files of this library that may be opened for a network client.
  public var reach: FileReach {
    .library(roots) { path in
      guard let relative = roots.relative(path) else { return false }
      let target = try? browse(isQuick: true) { try $0.target(at: relative) }
      return ((target ?? nil) ?? nil) != nil
    }
  }
}
