// SPDX-License-Identifier: GPL-3.0-or-later

public import AudioCore
import LibraryScanning
public import LoudnessMeasuring
public import MusicModel
import Platform
public import PlayerFlow
public import PlayerPort
public import RemoteControl
public import Screens
public import Scrobbling
import Synchronization
public import SystemPackage
public import Tagging

/// The services that the composition root provides to commands.
public struct Services: Sendable {
  /// The store of the queue.
  public var queue: QueueListener
  /// The store of the playback state.
  public var playback: PlaybackStore
  /// Dispatches the user's intents to the player.
  public var actions: PlayerActionCreator
  /// The services for libraries, indexes and related data.
  public var library: LibraryServices
  /// The services for the player of this process and its outputs.
  public var player: PlayerServices
  /// The services through which other programs reach the player.
  public var remote: RemoteServices
  /// The services that store the queue.
  public var storage: StorageServices
  /// The services that check the installation.
  public var diagnosis: DiagnosisServices
  /// Creates access to the scrobbling of a data directory.
  public var makeScrobbling: @Sendable (FilePath, ScrobbleSettings) -> ScrobbleContext
  /// The request of a client to end the player of this process.
  let endRequest = EndRequest()

  public init(
    queue: QueueListener, playback: PlaybackStore, actions: PlayerActionCreator, library: LibraryServices,
    player: PlayerServices, remote: RemoteServices, storage: StorageServices,
    diagnosis: DiagnosisServices,
    makeScrobbling: @escaping @Sendable (FilePath, ScrobbleSettings) -> ScrobbleContext
  ) {
    self.queue = queue
    self.playback = playback
    self.actions = actions
    self.library = library
    self.player = player
    self.remote = remote
    self.storage = storage
    self.diagnosis = diagnosis
    self.makeScrobbling = makeScrobbling
  }
}

/// The services for libraries, indexes and related data.
public struct LibraryServices: Sendable {
  /// How to open libraries, and to find music in them.
  public var access: LibraryAccess
  /// Returns whether a data directory contains an index.
  public var isPresent: @Sendable (FilePath) -> Bool
  /// Creates the flow of a library. Throws `Errno`.
  public var makeFlow: @Sendable (any MusicLibrary) throws -> LibraryFlow
  /// Finds and stores the covers of tracks as files.
  public var covers: CoverCache
  /// Measures the loudness of files.
  public var measurer: LoudnessMeasurer
  /// Opens the loudness measurements that are stored in a data directory. Called on any thread.
  public var openLoudness: @Sendable (FilePath) throws(PlayerError) -> any LoudnessRepository

  public init(
    access: LibraryAccess, isPresent: @escaping @Sendable (FilePath) -> Bool,
    makeFlow: @escaping @Sendable (any MusicLibrary) throws -> LibraryFlow, covers: CoverCache,
    measurer: LoudnessMeasurer,
    openLoudness: @escaping @Sendable (FilePath) throws(PlayerError) -> any LoudnessRepository
  ) {
    self.access = access
    self.isPresent = isPresent
    self.makeFlow = makeFlow
    self.covers = covers
    self.measurer = measurer
    self.openLoudness = openLoudness
  }
}

/// The services for the player of this process and its outputs.
public struct PlayerServices: Sendable {
  /// Creates a player. Throws ``PlayerError``.
  public var make: @Sendable (PlayerConfiguration) throws -> CreatedPlayer
  /// Returns the outputs that the user can name. A sound card is also among them by each of `names` that means it.
  package var listOutputs: @Sendable (_ names: [String]) -> [AvailableOutput]
  /// Returns whether an output, named as the user gave it, writes a file or standard output instead of playing on a
  /// device.
  public var rendersFile: @Sendable (String) -> Bool

  /// Makes the transforms of spectra; returns `nil` if their library is missing.
  public var makeTransform: SpectrumTransformFactory = { _ in nil }

  package init(
    make: @escaping @Sendable (PlayerConfiguration) throws -> CreatedPlayer,
    listOutputs: @escaping @Sendable (_ names: [String]) -> [AvailableOutput],
    rendersFile: @escaping @Sendable (String) -> Bool
  ) {
    self.make = make
    self.listOutputs = listOutputs
    self.rendersFile = rendersFile
  }
}

/// The services through which other programs reach the player of this process.
public struct RemoteServices: Sendable {
  /// Starts an MPD server.
  public var startServer: @Sendable (ServerRequest) throws(RemoteServerError) -> RemoteServer
  /// Publishes a player on the session bus of the desktop, and returns the function that removes it. That waits only
  /// briefly.
  package var showOnDesktop: @Sendable (any PlayerPort) -> () -> Void

  package init(
    startServer: @escaping @Sendable (ServerRequest) throws(RemoteServerError) -> RemoteServer,
    showOnDesktop: @escaping @Sendable (any PlayerPort) -> () -> Void
  ) {
    self.startServer = startServer
    self.showOnDesktop = showOnDesktop
  }
}

/// The services that store the queue.
public struct StorageServices: Sendable {
  /// Creates the persister of a queue. Throws `Errno`.
  public var makePersister: @Sendable (PersisterRequest) throws -> QueuePersister
  /// Returns the queues in a state directory, which follow the moves of files in the library whose index is in a data
  /// directory.
  public var queues: @Sendable (_ state: FilePath, _ data: FilePath) -> any QueueCollection

  public init(
    makePersister: @escaping @Sendable (PersisterRequest) throws -> QueuePersister,
    queues: @escaping @Sendable (_ state: FilePath, _ data: FilePath) -> any QueueCollection
  ) {
    self.makePersister = makePersister
    self.queues = queues
  }
}

/// The services that check the installation, for a report about a problem.
public struct DiagnosisServices: Sendable {
  /// Returns the libraries and programs on which Segue relies, with their versions; `nil` for one that is not
  /// installed.
  public var libraries: @Sendable () -> [(name: String, version: String?)]
  /// Checks the index in a data directory: returns its path, and what was found; `nil` if there is none.
  public var checkIndex: @Sendable (FilePath) -> (path: FilePath, report: StoredFileReport?)
  /// Checks the stored queues in a state directory, in the same way.
  public var checkState: @Sendable (FilePath) -> [(path: FilePath, report: StoredFileReport?)]

  public init(
    libraries: @escaping @Sendable () -> [(name: String, version: String?)],
    checkIndex: @escaping @Sendable (FilePath) -> (path: FilePath, report: StoredFileReport?),
    checkState: @escaping @Sendable (FilePath) -> [(path: FilePath, report: StoredFileReport?)]
  ) {
    self.libraries = libraries
    self.checkIndex = checkIndex
    self.checkState = checkState
  }
}

/// What was found in a file that Segue has stored.
public struct StoredFileReport: Sendable, Equatable {
  /// The size of the file in bytes.
  public let byteCount: Int64
  /// The version of its schema; `nil` if it cannot be read.
  public let version: Int64?
  /// What is wrong with the file, in one line; `nil` if nothing is.
  public let problem: String?

  public init(byteCount: Int64, version: Int64?, problem: String?) {
    self.byteCount = byteCount
    self.version = version
    self.problem = problem
  }
}

/// A client's request to end the program. Safe to use from any thread.
public final class EndRequest: Sendable {
  private let isSet = Atomic(false)

  /// Creates a request that has not been made yet.
  public init() {}

  /// Whether the request has been made.
  var isMade: Bool { isSet.load(ordering: .acquiring) }

  /// Makes the request, and sends the process a termination signal.
  func make() {
    isSet.store(true, ordering: .releasing)
    ProcessSignal.terminate.sendToThisProcess()
  }
}
