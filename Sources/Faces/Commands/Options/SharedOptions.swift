import ArgumentParser
import MusicModel
import Platform
import SystemPackage
import Tagging
import UserSettings

/// The option for the music directories.
struct LibraryOptions: ParsableArguments {
  @Option(name: .long, help: .library)
  var library: [String] = []

  /// Returns the directories given here, or those of the session.
  func roots(in session: Session) -> LibraryRoots {
    LibraryRoots(library.map { FilePath(typed: $0) }) ?? session.library
  }
}

/// The options for the state directory and the socket.
struct StateOptions: ParsableArguments {
  @Option(name: .long, help: .stateDirectory)
  var stateDir: String?

  @Option(name: .long, help: .socket)
  var socket: String?

  /// Returns the state directory given here, or that of the session.
  func directory(in session: Session) -> FilePath {
    stateDir.map { FilePath(typed: $0) } ?? session.stateDirectory
  }
}

extension ArgumentHelp {
  static let library: ArgumentHelp =
    "The directory of music; several times for several. Default: $SEGUE_LIBRARY, or $XDG_MUSIC_DIR, or ~/Music."
  static let dataDirectory: ArgumentHelp =
    "The directory that keeps the index. Default: $SEGUE_DATA_DIR, or segue in $XDG_DATA_HOME."
  static let stateDirectory: ArgumentHelp =
    "The directory that keeps the queue. Default: $SEGUE_STATE_DIR, or segue in $XDG_STATE_HOME."
}

/// The option for the index directory.
struct DataOptions: ParsableArguments {
  @Option(name: .long, help: .dataDirectory)
  var dataDir: String?

  /// Returns the directory given here, or that of the session.
  func directory(in session: Session) -> FilePath {
    dataDir.map { FilePath(typed: $0) } ?? session.dataDirectory
  }
}

/// The options of a listing: its library, and how much is printed in which form.
struct ListingOptions: ParsableArguments {
  @OptionGroup var window: WindowOptions
  @OptionGroup var library: LibraryOptions
  @OptionGroup var data: DataOptions
}

/// The options for the order of a listing.
struct OrderOptions: ParsableArguments {
  @Option(name: .long, help: "Sort by album, title, artist, year, added or duration.")
  var sort: String?

  @Flag(name: .long, help: "Sort the other way round.")
  var reverse = false

  /// The requested order.
  var order: LibraryOrder {
    LibraryOrder(sort.flatMap(LibraryOrder.Key.init(rawValue:)) ?? .album, isDescending: reverse)
  }

  func validate() throws {
    if let sort, LibraryOrder.Key(rawValue: sort) == nil {
      let keys = LibraryOrder.Key.allCases.map(\.rawValue).joined(separator: ", ")
      throw ValidationError("--sort \(sort) is not known: it is one of \(keys)")
    }
  }
}

/// The options for how much of a listing is printed, and in which form.
struct WindowOptions: ParsableArguments {
  @Option(name: .long, help: "Print no more than this many.")
  var limit: Int?

  @Option(name: .long, help: "Leave out this many at the beginning.")
  var offset: Int?

  @Flag(name: .long, help: "Print one JSON object a line.")
  var json = false

  @Flag(name: .long, help: "Print all at once, also where it is longer than the screen.")
  var noPager = false

  func validate() throws {
    for (name, value) in [("--limit", limit), ("--offset", offset)] {
      if let value, value < 0 { throw ValidationError("\(name) takes a number from 0: \(value)") }
    }
  }
}
