public import AudioCore
import Flux
import MusicModel
import PlaybackEngine
public import SystemPackage

/// Drives the playback engine by the queue: plays what is current, and tells the engine early what comes next.
///
/// It acts on queue actions after the `QueueListener` has reduced them, and brings back what the engine reports as
/// actions. Made once; every member may be called from any thread.
public final class EnQueueController: Sendable {
  /// How long an item must have played for ``PlaybackAction/previous`` to mean its own beginning.
  private static let restartThreshold = Duration.seconds(3)

  private let queue: QueueListener
  private let queueDispatcher: QueueDispatcher
  private let playback: PlaybackStore
  private let engine: PlaybackEngine
  private let sources: SourceBook
  private let subscriptions: [Subscription]
}
