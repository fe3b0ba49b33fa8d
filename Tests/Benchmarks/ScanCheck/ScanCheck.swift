// SPDX-License-Identifier: GPL-3.0-or-later

import LibraryIndex
import LibraryScanning
import MusicModel
import Platform
import SystemPackage
import Tagging

/// Scans a directory into an index in the same way as `segue`. Used for measurements, and for tests that kill the
/// process at any time.
///
/// Usage: `ScanCheck DATA-DIRECTORY MUSIC-DIRECTORY [RUNS]`.
@main
struct ScanCheck {
  static func main() throws {
    let arguments = CommandLine.arguments
    guard arguments.count >= 3 else { throw LibraryError(.directory, "usage: ScanCheck DATA MUSIC [RUNS]") }
    for _ in 0..<(arguments.count > 3 ? Int(arguments[3]) ?? 1 : 1) {
      let start = MonotonicInstant.now
      let index = try LibraryIndex(directory: FilePath(arguments[1]))
      let opened = MonotonicInstant.now
      let library = IndexedLibrary(index: index, roots: LibraryRoots(FilePath(arguments[2])))
      let summary = try library.scan(progress: { _ in }, isCancelled: { false })
      let end = MonotonicInstant.now
      print(
        "open \((opened.nanoseconds - start.nanoseconds) / 1_000) us, "
          + "scan \((end.nanoseconds - opened.nanoseconds) / 1_000_000) ms, \(summary)")
    }
  }
}
