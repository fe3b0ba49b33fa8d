public import LibraryScanning
public import LoudnessMeasuring
public import MusicModel
import Platform
public import PlayerFlow
public import Screens
import Synchronization
public import SystemPackage
public import Tagging

/// What the composition root hands to the commands.
public struct Services: Sendable {
  /// Reads directories and files that a path names.
  public var scanner: LibraryScanner
  /// Opens the index of a library. From any thread.
  public var openIndex: @Sendable (LibraryRequest) throws(CommandError) -> IndexedLibrary
  /// Opens it where it is there and nothing is wrong with it, and changes nothing. From any thread.
  public var openPresentIndex: @Sendable (LibraryRequest) -> IndexedLibrary?
  /// Makes the flow around a library. Throws an `Errno`.
  public var makeFlow: @Sendable (IndexedLibrary) throws -> LibraryFlow
  /// How texts become queries.
  public var language: QueryLanguage
  /// Measures files.
  public var measurer: LoudnessMeasurer
  /// Publishes the queue.
  public var queue: QueueListener
  /// Publishes what plays.
  public var playback: PlaybackStore
  /// Says what the user wants.
  public var actions: PlayerActionCreator
  /// Makes the player that was asked for. Throws a ``CommandError``.
  public var makePlayer: @Sendable (PlayerRequest) throws -> MadePlayer
  /// Makes what keeps the queue. Throws an `Errno`.
  public var makeKeeper: @Sendable (KeeperRequest) throws -> QueuePersister
  /// Whether what goes to this output, in the user's words, is written to a file, or to standard output, instead of
  /// being played.
  public var rendersFile: @Sendable (String) -> Bool
  /// Where the queue of a state directory is kept.
  public var repository: @Sendable (FilePath) -> any QueueRepository
  /// Has the player of this process end.
  let endRequest = EndRequest()
  /// Reports saved lists that commands change.
  let listChanges = ListChanges()
  /// The pictures of tracks, as files.
  public var covers: CoverCache
  /// The outputs that the user can name.
  public var listOutputs: @Sendable () -> [OutputListing]

  /// These services.
  public init(
    scanner: LibraryScanner,
    openIndex: @escaping @Sendable (LibraryRequest) throws(CommandError) -> IndexedLibrary,
    openPresentIndex: @escaping @Sendable (LibraryRequest) -> IndexedLibrary?,
    makeFlow: @escaping @Sendable (IndexedLibrary) throws -> LibraryFlow, language: QueryLanguage,
    measurer: LoudnessMeasurer, queue: QueueListener, playback: PlaybackStore,
    actions: PlayerActionCreator, makePlayer: @escaping @Sendable (PlayerRequest) throws -> MadePlayer,
    makeKeeper: @escaping @Sendable (KeeperRequest) throws -> QueuePersister,
    rendersFile: @escaping @Sendable (String) -> Bool,
    repository: @escaping @Sendable (FilePath) -> any QueueRepository, covers: CoverCache,
    listOutputs: @escaping @Sendable () -> [OutputListing]
  ) {
    self.scanner = scanner
    self.openIndex = openIndex
    self.openPresentIndex = openPresentIndex
    self.makeFlow = makeFlow
    self.language = language
    self.measurer = measurer
    self.queue = queue
    self.playback = playback
    self.actions = actions
    self.makePlayer = makePlayer
    self.makeKeeper = makeKeeper
    self.rendersFile = rendersFile
    self.repository = repository
    self.covers = covers
    self.listOutputs = listOutputs
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
