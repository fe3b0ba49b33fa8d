// SPDX-License-Identifier: GPL-3.0-or-later

import MusicModel
import Platform
import PlayerPort
import SystemPackage
import Terminal
import UnicodeText

/// The details that `--verbose` prints: the files that are used, and what was found.
extension Session {
  /// The path of the settings file, as a line to print.
  var settingsLocation: String {
    let file = Environment.settingsFile
    let exists = (try? FileStatus(of: file)) != nil
    return "settings: \(file)\(exists ? "" : " (not found)")"
  }

  /// Prints the path of the index and the library of `request` as a detail.
  func printLocation(of request: LibraryRequest) {
    detail("index: \(request.dataDirectory), library \(request.roots)")
  }

  /// Prints the directory of the queue as a detail.
  func printLocation(ofQueue directory: FilePath) { detail("queue: \(directory)") }

  /// Prints the tracks that `text` has matched, as details.
  func printMatches(of text: String, _ collection: TrackCollection) {
    guard outputStyle.isVerbose else { return }
    detail("\"\(text)\" matches \(collection.title), \(ItemCount.text(collection.tracks.count, "track"))")
    var last: FilePath?
    for track in collection.tracks where track.path != last {
      detail("matched \(track.path.shown)")
      last = track.path
    }
  }
}
