public import LibraryIndex
public import MusicModel
import Playlists
public import SystemPackage
public import Tagging

/// A library whose files and directories can be gone through, as clients of the MPD protocol and playlists do.
///
/// What is asked of a ``TrackBrowser`` is asked in its own words, the index's: a protocol of them would be a copy.
public protocol BrowsableLibrary: MusicLibrary {
  /// The directories.
  var roots: LibraryRoots { get }

  /// Gives `body` a browser of this library; `nil` where nothing is known of it. Blocks as all that asks the library
  /// does; where `isQuick`, which is for a few rows, not behind others that look at many.
  func browse<Value>(isQuick: Bool, _ body: (TrackBrowser) throws -> Value) throws(LibraryError) -> Value?

  /// The tracks that are known at these places, of which the paths are absolute, one for one: that of the part where it
  /// is known, else another of the same file; `nil` where none is, or it cannot be told.
  func tracks(at places: [(path: FilePath?, part: TrackSegment?)]) -> [Track?]

  /// The tracks that the cue sheet at `path` names, in its order. Blocks while its files are read.
  ///
  /// - Throws: why there are none.
  func tracks(ofSheet path: FilePath) throws(LibraryScannerError) -> [Track]

  /// The track in a file that need not be in the library.
  func unindexedTrack(at path: FilePath) throws(LibraryProblem) -> Track
}

extension BrowsableLibrary {
  /// The tracks that are known below `directory`, which is absolute: those of the directory itself, then those of
  /// each in it; none where that cannot be told.
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

  /// Whether a track is known at this path.
  func hasTrack(at path: FilePath) -> Bool { tracks(at: [(path, nil)]).contains { $0 != nil } }
}
