// SPDX-License-Identifier: GPL-3.0-or-later

import LibraryIndex
import LibraryScanning
import MusicModel
import SystemPackage
import Tagging

/// Measures queries of a large library in one process. `library/run` starts this program.
///
/// Usage:
/// - `LibraryBenchmark fill DATA-DIRECTORY ROOT [PLAYS]` fills an index with the output of `library/generate --list`,
///   read from standard input, and then with ratings, counts and this many plays.
/// - `LibraryBenchmark ask DATA-DIRECTORY ROOT [RUNS [PART-OF-A-NAME]]` runs queries and prints their times.
/// - `LibraryBenchmark lists DATA-DIRECTORY ROOT [RUNS [PART-OF-A-NAME]]` does the same for lists of a full screen.
/// - `LibraryBenchmark update DATA-DIRECTORY ROOT DIRECTORY` scans one directory.
///
/// ROOT may be several directories separated by colons; the first is filled, and all are queried.
@main
struct LibraryBenchmark {
  static func main() throws {
    let arguments = CommandLine.arguments
    guard arguments.count >= 4 else {
      throw LibraryError(.directory, "usage: fill|ask|lists DATA ROOT [RUNS [NAME]]")
    }
    guard let roots = LibraryRoots(arguments[3].split(separator: ":").map { FilePath(String($0)) }) else {
      throw LibraryError(.directory, "ROOT is not a list of directories")
    }
    let library = IndexedLibrary(index: try LibraryIndex(directory: FilePath(arguments[2])), roots: roots)
    switch arguments[1] {
    case "fill":
      var list = DirectoryList()
      let filler = LibraryFiller(library)
      try filler.run { list.next() }
      if arguments.count > 4, let playCount = Int(arguments[4]) { try filler.addMarks(playCount: playCount) }
    case "ask", "lists":
      let runs = arguments.count > 4 ? Int(arguments[4]) ?? 7 : 7
      let nameFilter = arguments.count > 5 ? arguments[5] : nil
      let benchmarks = QueryBenchmarks(library: library, runs: runs, nameFilter: nameFilter)
      if arguments[1] == "ask" { try benchmarks.run() } else { try benchmarks.runLists() }
    case "update": _ = try library.update(directories: [FilePath(arguments[4])])
    default: throw LibraryError(.directory, "unknown command; use fill, ask, lists or update")
    }
  }
}
