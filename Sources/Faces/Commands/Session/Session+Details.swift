// SPDX-License-Identifier: GPL-3.0-or-later

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

  func printLocation(ofQueue directory: FilePath) { detail("queue: \(directory)") }

  /// Prints what the names of a request have matched, as details.
  func printMatches(_ matches: [MusicMatch]) {
    guard outputStyle.isVerbose else { return }
    for match in matches {
      detail("\"\(match.name)\" matches \(match.title), \(ItemCount.text(match.count, "track"))")
      for file in match.files { detail("matched \(file.path.shown)") }
    }
  }
}
