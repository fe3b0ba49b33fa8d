public import LoudnessMeasuring
public import MusicLibrary
public import QueueFlow

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
  /// Makes the player that was asked for. Throws a ``CommandError``.
  public var makePlayer: (PlayerRequest) throws -> MadePlayer
  /// The outputs that the user can name.
  public var listOutputs: () -> [OutputListing]

  /// These services.
  public init(
    scanner: LibraryScanner, measurer: LoudnessMeasurer, queue: QueueListener, playback: PlaybackStore,
    actions: PlayerActionCreator, makePlayer: @escaping (PlayerRequest) throws -> MadePlayer,
    listOutputs: @escaping () -> [OutputListing]
  ) {
    self.scanner = scanner
    self.measurer = measurer
    self.queue = queue
    self.playback = playback
    self.actions = actions
    self.makePlayer = makePlayer
    self.listOutputs = listOutputs
  }
}
