public import AudioCore
public import LibraryScanning
public import MusicModel
public import PlayerFlow
public import RemoteControl
public import Screens
public import SystemPackage
public import Tagging
import UserSettings

/// What the user wants of the player that a command starts.
public struct PlayerRequest {
  /// Where the sound goes, in the user's words; `nil` for an automatic choice.
  public var output: String?
  /// How much sound the device is asked to hold; `nil` for the driver's default.
  public var buffer: Duration?
  /// How formats and a device that goes are treated.
  public var engine: EngineSettings
  /// Where the index is kept.
  public var dataDirectory: FilePath
  /// Whether the player stays when all is played, and waits for clients.
  public var isServing = false
}

/// A player that the composition root has made.
public struct MadePlayer {
  /// What drives the engine.
  public var controller: EnQueueController
  /// What ends playing when the sleep timer says so.
  public var sleep: SleepController
  /// The file that the sound goes to, if it goes to one: "-" for standard output.
  public var file: FilePath?
  /// Begins to load what the output needs.
  public var prepareOutput: () -> Void

  /// A player of these parts.
  public init(
    controller: EnQueueController, sleep: SleepController, file: FilePath?,
    prepareOutput: @escaping () -> Void
  ) {
    self.controller = controller
    self.sleep = sleep
    self.file = file
    self.prepareOutput = prepareOutput
  }
}

/// How other programs are to reach the player of this process through the MPD protocol.
public struct ServerRequest {
  /// The socket; `nil` for none.
  public var socket: FilePath?
  /// Whether its directory is for the socket alone.
  public var ownsDirectory: Bool
  /// Where it listens in the network.
  public var addresses: [ListenAddress]
  /// What clients from the network may do.
  public var access: NetworkAccess
  /// The library that clients browse, and the flow around it, where it is open.
  public var library: (index: any BrowsableLibrary, flow: LibraryFlow)?
  /// Where the stored playlists of that are; `nil` for where they are by themselves.
  public var playlists: FilePath?
  /// Blocks until all that was dispatched is kept; gives why it could not be, in one line, if it could not. On any
  /// thread.
  public var keep: @Sendable () -> String?
  /// Obeys a command of the command line for a client that is the player's owner. On any thread.
  public var obey: @Sendable (ForwardedCommand) -> ForwardedOutcome
  /// Has the program end, and comes back before it does. On any thread.
  public var quit: @Sendable () -> Void
}

/// What the player of this process does for the desktop.
public struct DesktopRequest {
  /// Loads the file or directory at a path. Does not block; on any thread.
  public var load: @Sendable (FilePath, LoadPlace) -> Void
}

/// A player that the desktop shows.
public struct ShownPlayer {
  /// Has it be shown no longer; waits for that a moment at most.
  public var shutDown: () -> Void

  /// One that `shutDown` ends.
  public init(shutDown: @escaping () -> Void) { self.shutDown = shutDown }
}

/// What a command wants of the queue that is kept.
public struct KeeperRequest {
  /// What a command does with the queue.
  public enum Use {
    /// It changes it.
    case edit
    /// It plays it to this output, in the user's words; `nil` for an automatic choice.
    case play(output: String?)
  }

  /// The state directory.
  public var directory: FilePath
  /// Whether the kept volume counts.
  public var takesVolume: Bool
  /// The modes of a queue that begins, where none is kept.
  public var newModes: QueueModes
  /// What it does with it.
  public var use: Use
}

/// Which library a command works with.
public struct LibraryRequest: Sendable, Hashable {
  /// The directories of music.
  public let roots: LibraryRoots
  /// Where the index is kept.
  public let dataDirectory: FilePath
  /// Patterns of the names that are left out of it.
  public var ignoredPatterns: [String] = []
}

extension LibraryRequest {
  /// The library in `roots`, as the settings of `session` have it.
  init(roots: LibraryRoots, dataDirectory: FilePath, in session: Session) {
    self.init(
      roots: roots, dataDirectory: dataDirectory, ignoredPatterns: session.settings.ignoredPatterns)
  }
}
