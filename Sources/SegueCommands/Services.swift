public import MusicLibrary
public import QueueFlow
public import SystemPackage

/// What the composition root hands to the commands.
public struct Services {
  /// Reads directories and files.
  public var scanner: LibraryScanner
  /// Publishes the queue.
  public var queue: QueueListener
  /// Publishes what plays.
  public var playback: PlaybackStore
  /// Says what the user wants.
  public var actions: PlayerActionCreator
  /// Makes the controller that plays to the output of this name, `nil` for an automatic choice; gives the file, too, that the
  /// sound goes to, if it goes to one ("-" for standard output), and what begins to load the output beside all else, which
  /// holds up every thread that is started meanwhile. Throws a ``CommandError``.
  public var makeController:
    (_ output: String?) throws -> (controller: EnQueueController, file: FilePath?, prepareOutput: () -> Void)
  /// The outputs that the user can name.
  public var listOutputs: () -> [OutputListing]

  /// These services.
  public init(
    scanner: LibraryScanner, queue: QueueListener, playback: PlaybackStore, actions: PlayerActionCreator,
    makeController:
      @escaping (_ output: String?) throws -> (
        controller: EnQueueController, file: FilePath?, prepareOutput: () -> Void
      ),
    listOutputs: @escaping () -> [OutputListing]
  ) {
    self.scanner = scanner
    self.queue = queue
    self.playback = playback
    self.actions = actions
    self.makeController = makeController
    self.listOutputs = listOutputs
  }
}
