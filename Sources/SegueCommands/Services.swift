public import LoudnessMeasuring
public import MusicLibrary
public import QueueFlow
public import SystemPackage

/// What the composition root hands to the commands.
public struct Services {
  /// Reads directories and files.
  public var scanner: LibraryScanner
  /// Measures files.
  public var measurer: LoudnessMeasurer
  /// Publishes the queue.
  public var queue: QueueListener
  /// Publishes what plays.
  public var playback: PlaybackStore
  /// Says what the user wants.
  public var actions: PlayerActionCreator
  /// Makes the controller that plays to the output of this name, `nil` for an automatic choice; gives the file, too, that the
  /// sound goes to, if it goes to one ("-" for standard output). Throws a ``CommandError``.
  public var makeController: (_ output: String?) throws -> (controller: EnQueueController, file: FilePath?)
  /// Begins to start the outputs, which the controller waits for.
  public var startOutputs: () -> Void
  /// The outputs that the user can name.
  public var listOutputs: () -> [OutputListing]

  /// These services.
  public init(
    scanner: LibraryScanner, measurer: LoudnessMeasurer, queue: QueueListener, playback: PlaybackStore,
    actions: PlayerActionCreator,
    makeController: @escaping (_ output: String?) throws -> (controller: EnQueueController, file: FilePath?),
    startOutputs: @escaping () -> Void, listOutputs: @escaping () -> [OutputListing]
  ) {
    self.scanner = scanner
    self.measurer = measurer
    self.queue = queue
    self.playback = playback
    self.actions = actions
    self.makeController = makeController
    self.startOutputs = startOutputs
    self.listOutputs = listOutputs
  }
}
