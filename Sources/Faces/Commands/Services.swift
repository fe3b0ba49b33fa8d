public import LibraryScanning
public import LoudnessMeasuring
public import MusicModel
import Platform
public import PlayerFlow
public import RemoteControl
public import Screens
import Synchronization
public import SystemPackage
public import Tagging

/// What the composition root hands to the commands.
public struct Services: Sendable {
  /// Publishes the queue.
  public var queue: QueueListener
  /// Publishes what plays.
  public var playback: PlaybackStore
  /// Says what the user wants.
  public var actions: PlayerActionCreator
  /// Opens libraries, and what belongs to them.
  public var library: LibraryServices
  /// Makes the player of this process.
  public var player: PlayerServices
  /// Has it be reached by others.
  public var reach: ReachServices
  /// Keeps the queue.
  public var storage: StorageServices
  /// Has the player of this process end.
  let endRequest = EndRequest()
  /// Reports saved lists that commands change.
  let listChanges = ListChanges()

  /// These services.
  public init(
    queue: QueueListener, playback: PlaybackStore, actions: PlayerActionCreator, library: LibraryServices,
    player: PlayerServices, reach: ReachServices, storage: StorageServices
  ) {
    self.queue = queue
    self.playback = playback
    self.actions = actions
    self.library = library
    self.player = player
    self.reach = reach
    self.storage = storage
  }
}

/// Opens libraries, and what belongs to them.
public struct LibraryServices: Sendable {
  /// Reads directories and files that a path names.
  public var scanner: LibraryScanner
  /// Opens the index of a library. From any thread.
  public var open: @Sendable (LibraryRequest) throws(CommandError) -> any BrowsableLibrary
  /// Opens it where it is there and nothing is wrong with it, and changes nothing. From any thread.
  public var openPresent: @Sendable (LibraryRequest) -> (any BrowsableLibrary)?
  /// Whether there is an index in this data directory.
  public var isPresent: @Sendable (FilePath) -> Bool
  /// Makes the flow around a library. Throws an `Errno`.
  public var makeFlow: @Sendable (any MusicLibrary) throws -> LibraryFlow
  /// How texts become queries.
  public var language: QueryLanguage
  /// The pictures of tracks, as files.
  public var covers: CoverCache
  /// Measures files.
  public var measurer: LoudnessMeasurer
  /// Opens what is known of loudness in this data directory. From any thread.
  public var openLoudness: @Sendable (FilePath) throws(CommandError) -> any LoudnessRepository

  /// These services.
  public init(
    scanner: LibraryScanner, open: @escaping @Sendable (LibraryRequest) throws(CommandError) -> any BrowsableLibrary,
    openPresent: @escaping @Sendable (LibraryRequest) -> (any BrowsableLibrary)?,
    isPresent: @escaping @Sendable (FilePath) -> Bool,
    makeFlow: @escaping @Sendable (any MusicLibrary) throws -> LibraryFlow, language: QueryLanguage, covers: CoverCache,
    measurer: LoudnessMeasurer,
    openLoudness: @escaping @Sendable (FilePath) throws(CommandError) -> any LoudnessRepository
  ) {
    self.scanner = scanner
    self.open = open
    self.openPresent = openPresent
    self.isPresent = isPresent
    self.makeFlow = makeFlow
    self.language = language
    self.covers = covers
    self.measurer = measurer
    self.openLoudness = openLoudness
  }
}

/// Makes the player of this process, and knows its outputs.
public struct PlayerServices: Sendable {
  /// Makes the player that was asked for. Throws a ``CommandError``.
  public var make: @Sendable (PlayerRequest) throws -> MadePlayer
  /// The outputs that the user can name.
  public var listOutputs: @Sendable () -> [OutputListing]
  /// Whether what goes to this output, in the user's words, is written to a file, or to standard output, instead of
  /// being played.
  public var rendersFile: @Sendable (String) -> Bool

  /// These services.
  public init(
    make: @escaping @Sendable (PlayerRequest) throws -> MadePlayer,
    listOutputs: @escaping @Sendable () -> [OutputListing], rendersFile: @escaping @Sendable (String) -> Bool
  ) {
    self.make = make
    self.listOutputs = listOutputs
    self.rendersFile = rendersFile
  }
}

/// Has the player of this process be reached by other programs.
public struct ReachServices: Sendable {
  /// Starts a server of the MPD protocol.
  public var startServer: @Sendable (ServerRequest) throws(RemoteServerError) -> RemoteServer
  /// Shows the player to the desktop.
  public var showOnDesktop: @Sendable (DesktopRequest) -> ShownPlayer

  /// These services.
  public init(
    startServer: @escaping @Sendable (ServerRequest) throws(RemoteServerError) -> RemoteServer,
    showOnDesktop: @escaping @Sendable (DesktopRequest) -> ShownPlayer
  ) {
    self.startServer = startServer
    self.showOnDesktop = showOnDesktop
  }
}

/// Keeps the queue.
public struct StorageServices: Sendable {
  /// Makes what keeps the queue. Throws an `Errno`.
  public var makeKeeper: @Sendable (KeeperRequest) throws -> QueuePersister
  /// Where the queue of a state directory is kept.
  public var repository: @Sendable (FilePath) -> any QueueRepository

  /// These services.
  public init(
    makeKeeper: @escaping @Sendable (KeeperRequest) throws -> QueuePersister,
    repository: @escaping @Sendable (FilePath) -> any QueueRepository
  ) {
    self.makeKeeper = makeKeeper
    self.repository = repository
  }
}

/// An output that the user can name, for `segue outputs`.
public struct OutputListing: Sendable, Equatable {
  /// What to write after `--output`.
  public let usage: String
  /// What it is.
  public let title: String
  /// Whether it is the first that an automatic choice tries.
  public let isDefault: Bool

  /// An output of this usage and title.
  public init(usage: String, title: String, isDefault: Bool) {
    self.usage = usage
    self.title = title
    self.isDefault = isDefault
  }
}

/// Has the program end because somebody has asked the player for it. Any thread.
public final class EndRequest: Sendable {
  private let isNoted = Atomic(false)

  /// Nobody has asked yet.
  public init() {}

  /// Whether somebody has.
  var isMade: Bool { isNoted.load(ordering: .acquiring) }

  /// Asks for it: whoever waits for the end of the program learns it as from the system.
  func make() {
    isNoted.store(true, ordering: .releasing)
    ProcessSignal.terminate.sendToThisProcess()
  }
}
