// SPDX-License-Identifier: GPL-3.0-or-later

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

/// The services that the composition root provides to the commands.
public struct Services: Sendable {
  /// Publishes the queue.
  public var queue: QueueListener
  /// Publishes the playback state.
  public var playback: PlaybackStore
  /// Dispatches the user's intents.
  public var actions: PlayerActionCreator
  /// Opens libraries, indexes and related data.
  public var library: LibraryServices
  /// Creates the player of this process.
  public var player: PlayerServices
  /// Makes the player reachable for other programs.
  public var reach: ReachServices
  /// Stores the queue.
  public var storage: StorageServices
  /// The request to end the player of this process.
  let endRequest = EndRequest()
  /// Notifies of saved playlists that commands change.
  let listChanges = ListChanges()

  /// Creates a set of services.
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

/// The services for libraries, indexes and related data.
public struct LibraryServices: Sendable {
  /// Reads the directories and files of a path.
  public var scanner: LibraryScanner
  /// Opens the index of a library. Any thread.
  public var open: @Sendable (LibraryRequest) throws(CommandError) -> any BrowsableLibrary
  /// Opens the index if it exists and is sound, and changes nothing. Any thread.
  public var openPresent: @Sendable (LibraryRequest) -> (any BrowsableLibrary)?
  /// Returns whether a data directory has an index.
  public var isPresent: @Sendable (FilePath) -> Bool
  /// Creates the flow of a library. Throws an `Errno`.
  public var makeFlow: @Sendable (any MusicLibrary) throws -> LibraryFlow
  /// Parses queries.
  public var language: QueryLanguage
  /// The covers of tracks, as files.
  public var covers: CoverCache
  /// Measures the loudness of files.
  public var measurer: LoudnessMeasurer
  /// Opens the stored loudness of a data directory. Any thread.
  public var openLoudness: @Sendable (FilePath) throws(CommandError) -> any LoudnessRepository

  /// Creates a set of services.
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

/// The services for the player of this process and its outputs.
public struct PlayerServices: Sendable {
  /// Creates the requested player. Throws a ``CommandError``.
  public var make: @Sendable (PlayerRequest) throws -> MadePlayer
  /// Returns the outputs that the user can name.
  public var listOutputs: @Sendable () -> [OutputListing]
  /// Returns whether an output, given in the user's words, writes a file or standard output instead of playing.
  public var rendersFile: @Sendable (String) -> Bool

  /// Creates a set of services.
  public init(
    make: @escaping @Sendable (PlayerRequest) throws -> MadePlayer,
    listOutputs: @escaping @Sendable () -> [OutputListing], rendersFile: @escaping @Sendable (String) -> Bool
  ) {
    self.make = make
    self.listOutputs = listOutputs
    self.rendersFile = rendersFile
  }
}

/// The services that make the player of this process reachable for other programs.
public struct ReachServices: Sendable {
  /// Starts an MPD server.
  public var startServer: @Sendable (ServerRequest) throws(RemoteServerError) -> RemoteServer
  /// Shows the player on the desktop.
  public var showOnDesktop: @Sendable (DesktopRequest) -> ShownPlayer

  /// Creates a set of services.
  public init(
    startServer: @escaping @Sendable (ServerRequest) throws(RemoteServerError) -> RemoteServer,
    showOnDesktop: @escaping @Sendable (DesktopRequest) -> ShownPlayer
  ) {
    self.startServer = startServer
    self.showOnDesktop = showOnDesktop
  }
}

/// The services that store the queue.
public struct StorageServices: Sendable {
  /// Creates the persister of a queue. Throws an `Errno`.
  public var makeKeeper: @Sendable (KeeperRequest) throws -> QueuePersister
  /// Returns the repository of the queue in a state directory.
  public var repository: @Sendable (FilePath) -> any QueueRepository

  /// Creates a set of services.
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
  /// The value for `--output`.
  public let usage: String
  /// The description.
  public let title: String
  /// Whether the automatic choice tries it first.
  public let isDefault: Bool

  /// Creates an output listing.
  public init(usage: String, title: String, isDefault: Bool) {
    self.usage = usage
    self.title = title
    self.isDefault = isDefault
  }
}

/// The request of a client to end the program. Any thread.
public final class EndRequest: Sendable {
  private let isNoted = Atomic(false)

  /// Creates a request that has not been made.
  public init() {}

  /// Whether it has been made.
  var isMade: Bool { isNoted.load(ordering: .acquiring) }

  /// Makes the request, by sending the process a termination signal.
  func make() {
    isNoted.store(true, ordering: .releasing)
    ProcessSignal.terminate.sendToThisProcess()
  }
}
