import ArgumentParser
import Platform
import SystemPackage

/// Where the music is.
struct LibraryOptions: ParsableArguments {
  @Option(name: .long, help: "The directory of music. Default: $SEGUE_LIBRARY, or ~/Music.")
  var library: String?

  /// The directory that is named here, or else the session's.
  func directory(in session: Session) -> FilePath {
    library.map { FilePath(typed: $0) } ?? session.library
  }
}

/// Where the queue is kept.
struct StateOptions: ParsableArguments {
  @Option(
    name: .long,
    help: "The directory that keeps the queue. Default: $SEGUE_STATE_DIR, or segue in $XDG_STATE_HOME.")
  var stateDir: String?

  /// The directory that is named here, or else the session's.
  func directory(in session: Session) -> FilePath {
    stateDir.map { FilePath(typed: $0) } ?? session.stateDirectory
  }
}

/// Where the sound goes.
struct OutputOptions: ParsableArguments {
  @Option(
    name: .long,
    help:
      "Where the sound goes: DRIVER[:DEVICE], wav:FILE, au:FILE, raw:FILE or silent. Default: the first that opens."
  )
  var output: String?
}

/// Where the index is kept.
struct DataOptions: ParsableArguments {
  @Option(
    name: .long,
    help: "The directory that keeps the index. Default: $SEGUE_DATA_DIR, or segue in $XDG_DATA_HOME.")
  var dataDir: String?

  /// The directory that is named here, or else the environment's.
  func directory() -> FilePath {
    dataDir.map { FilePath(typed: $0) } ?? Environment.dataDirectory
  }
}
