// SPDX-License-Identifier: GPL-3.0-or-later

import ArgumentParser
import MusicModel
import Platform
import PlayerPort
import SystemPackage
import Tagging

/// The options for the library: its music directories, and the directory of its index.
struct LibraryOptions: ParsableArguments {
  @Option(name: .long, help: .library)
  var library: [String] = []

  @OptionGroup var data: DataOptions

  /// The library that the options name; `nil` if they name none.
  var choice: LibraryChoice? {
    LibraryChoice(
      roots: LibraryRoots(library.map { FilePath(typed: $0) }), dataDirectory: data.dataDir.map { FilePath(typed: $0) })
  }

  /// Returns the request for the library that the options name, or otherwise for that of the session.
  func request(in session: Session) -> LibraryRequest { session.libraryRequest(library, dataDir: data.dataDir) }
}

/// The options for the state directory and the socket, and for the output style.
struct StateOptions: ParsableArguments {
  @Option(name: .long, help: .stateDirectory)
  var stateDir: String?

  @Option(name: .long, help: .socket)
  var socket: String?

  @OptionGroup var outputStyle: OutputStyleOptions

  /// Returns the state directory given by the option, or otherwise that of the session.
  func directory(in session: Session) -> FilePath {
    stateDir.map { FilePath(typed: $0) } ?? session.stateDirectory
  }
}

extension ArgumentHelp {
  static let library: ArgumentHelp =
    "Music directory; can be repeated. Default: $SEGUE_LIBRARY, $XDG_MUSIC_DIR, or ~/Music."
  static let dataDirectory: ArgumentHelp =
    "Directory for the library index. Default: $SEGUE_DATA_DIR, or segue in $XDG_DATA_HOME."
  static let stateDirectory: ArgumentHelp =
    "Directory for the queue. Default: $SEGUE_STATE_DIR, or segue in $XDG_STATE_HOME."
}

/// The option for the index directory.
struct DataOptions: ParsableArguments {
  @Option(name: .long, help: .dataDirectory)
  var dataDir: String?

  /// Returns the directory given by the option, or otherwise that of the session.
  func directory(in session: Session) -> FilePath {
    dataDir.map { FilePath(typed: $0) } ?? session.dataDirectory
  }
}

/// The options of a listing: the library, the amount of output, and its format.
struct ListingOptions: ParsableArguments {
  @OptionGroup var window: WindowOptions
  @OptionGroup var library: LibraryOptions
}

/// The options for the order of a listing.
struct OrderOptions: ParsableArguments {
  @Option(name: .long, help: "Sort key: album, title, artist, year, added, duration, rating, plays, skips or played.")
  var sort: String?

  @Flag(name: .long, help: "Reverse the order.")
  var reverse = false

  /// The order that the options request.
  var order: LibraryOrder {
    LibraryOrder(sort.flatMap(LibraryOrder.Key.init(rawValue:)) ?? .album, isDescending: reverse)
  }

  func validate() throws {
    if let sort, LibraryOrder.Key(rawValue: sort) == nil {
      let keys = LibraryOrder.Key.allCases.map(\.rawValue).joined(separator: ", ")
      throw ValidationError("unknown sort key \"\(sort)\": use one of \(keys)")
    }
  }
}

/// The options for the number of entries in a listing, and for the format of the output.
struct WindowOptions: ParsableArguments {
  @Option(name: .long, help: "Maximum number of entries to print.")
  var limit: Int?

  @Option(name: .long, help: "Number of entries to skip.")
  var offset: Int?

  @Flag(name: .long, help: "Print one JSON object per line.")
  var json = false

  @Flag(name: .long, help: "Do not use a pager for long output.")
  var noPager = false

  func validate() throws {
    for (name, value) in [("--limit", limit), ("--offset", offset)] {
      if let value, value < 0 { throw ValidationError("invalid \(name) \"\(value)\": use 0 or more") }
    }
  }
}
