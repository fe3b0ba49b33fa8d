import ArgumentParser
import Platform
import SystemPackage

/// What a player works with: where the music is, where the sound goes, and where the queue is kept.
///
/// One group and not three: a program that starts searches all conformances of its types four times for each.
struct PlayerOptions: ParsableArguments {
  @Option(name: .long, help: .library)
  var library: String?

  @Option(name: .long, help: .output)
  var output: String?

  @Option(name: .long, help: .stateDirectory)
  var stateDir: String?

  /// The directory of music that is named here, or else the session's.
  func library(in session: Session) -> FilePath {
    library.map { FilePath(typed: $0) } ?? session.library
  }

  /// The directory of the queue that is named here, or else the session's.
  func stateDirectory(in session: Session) -> FilePath {
    stateDir.map { FilePath(typed: $0) } ?? session.stateDirectory
  }
}

/// Where the music is.
struct LibraryOptions: ParsableArguments {
  @Option(name: .long, help: .library)
  var library: String?

  /// The directory that is named here, or else the session's.
  func directory(in session: Session) -> FilePath {
    library.map { FilePath(typed: $0) } ?? session.library
  }
}

/// Where the queue is kept.
struct StateOptions: ParsableArguments {
  @Option(name: .long, help: .stateDirectory)
  var stateDir: String?

  /// The directory that is named here, or else the session's.
  func directory(in session: Session) -> FilePath {
    stateDir.map { FilePath(typed: $0) } ?? session.stateDirectory
  }
}

extension ArgumentHelp {
  fileprivate static let library: ArgumentHelp =
    "The directory of music. Default: $SEGUE_LIBRARY, or ~/Music."
  fileprivate static let output: ArgumentHelp =
    "Where the sound goes: DRIVER[:DEVICE], wav:FILE, au:FILE, raw:FILE or silent. Default: the first that opens."
  fileprivate static let stateDirectory: ArgumentHelp =
    "The directory that keeps the queue. Default: $SEGUE_STATE_DIR, or segue in $XDG_STATE_HOME."
}
