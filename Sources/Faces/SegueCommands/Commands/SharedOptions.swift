import ArgumentParser
import MusicLibrary
import Platform
import SystemPackage

/// Where the music is.
struct LibraryOptions: ParsableArguments {
  @Option(name: .long, help: .library)
  var library: [String] = []

  /// The directories that are named here, or else the session's.
  func roots(in session: Session) -> LibraryRoots {
    LibraryRoots(library.map { FilePath(typed: $0) }) ?? session.library
  }
}

/// Where the queue is kept.
struct StateOptions: ParsableArguments {
  @Option(name: .long, help: .stateDirectory)
  var stateDir: String?

  @Option(name: .long, help: .socket)
  var socket: String?

  /// The directory that is named here, or else the session's.
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

/// Where the index is kept.
struct DataOptions: ParsableArguments {
  @Option(name: .long, help: .dataDirectory)
  var dataDir: String?

  /// The directory that is named here, or else the session's.
  func directory(in session: Session) -> FilePath {
    dataDir.map { FilePath(typed: $0) } ?? session.dataDirectory
  }
}
