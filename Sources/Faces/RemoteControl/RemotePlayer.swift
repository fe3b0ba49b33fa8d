import Flux
public import LibraryScanning
import MusicModel
import Platform
public import PlayerFlow
import Synchronization
public import SystemPackage

/// What the commands of clients act on: they dispatch by `actions`, and read what the stores publish.
public struct RemotePlayer: Sendable {
  /// Publishes the queue.
  public let queue: QueueListener
  /// Publishes what plays.
  public let playback: PlaybackStore
  /// Says what a client wants.
  public let actions: PlayerActionCreator
  /// The library of this player; `nil` where it cannot be opened.
  public let library: RemoteLibrary?
  /// For how long it has played.
  let playedTime: PlayedTime
  /// When it was made.
  let started = MonotonicInstant.now
  /// How many items clients may have in the queue.
  let queueLimit: Int
  /// Blocks until all that was dispatched is kept; gives why it could not be, in one line, if it could not.
  let keep: @Sendable () -> String?
  /// Obeys a command of the command line for a client that is the player's owner.
  let obey: @Sendable (ForwardedCommand) -> ForwardedOutcome
  /// Has the program end.
  let quit: @Sendable () -> Void

  /// A player of these parts.
  ///
  /// - Parameters:
  ///   - queueLimit: how many items clients may have in the queue.
  ///   - keep: blocks until all that was dispatched is kept; gives why it could not be, if it could not. On any thread.
  ///   - obey: obeys a command of the command line. On any thread.
  ///   - quit: has the program end, and comes back before it does. On any thread.
  public init(
    queue: QueueListener, playback: PlaybackStore, actions: PlayerActionCreator, library: RemoteLibrary?,
    queueLimit: Int = 1_000_000,
    keep: @escaping @Sendable () -> String?,
    obey: @escaping @Sendable (ForwardedCommand) -> ForwardedOutcome, quit: @escaping @Sendable () -> Void
  ) {
    self.queue = queue
    self.playback = playback
    playedTime = PlayedTime(playback)
    self.actions = actions
    self.library = library
    self.queueLimit = queueLimit
    self.keep = keep
    self.obey = obey
    self.quit = quit
  }

  /// What it does now.
  var status: PlayerStatus {
    let queue = queue.queue
    return PlayerStatus(
      playback.state, queue: queue, elapsed: queue.current.flatMap { playback.heard(of: $0.id) })
  }
}

/// The library that clients browse and search.
public struct RemoteLibrary: Sendable {
  /// The library itself, to be asked.
  let index: any BrowsableLibrary
  /// Publishes how it is read.
  let store: LibraryStore
  /// Says what a client wants of its reading.
  let actions: LibraryActionCreator
  /// The pictures that clients are fetching.
  let pictures = PictureShelf()

  /// Where its stored playlists are; `nil` for where they are by themselves.
  let playlists: FilePath?

  /// The library `index`, with the flow around it.
  public init(
    _ index: any BrowsableLibrary, store: LibraryStore, actions: LibraryActionCreator, playlists: FilePath? = nil
  ) {
    self.index = index
    self.store = store
    self.actions = actions
    self.playlists = playlists
  }

  /// The number of the reading that goes on, or is about to, as clients are told it: from 1.
  var jobNumber: UInt64 {
    let state = store.state
    return Self.number(state.readingCount + (state.running == nil ? 1 : 0))
  }

  /// The number of the reading that was asked for last.
  var requestedJobNumber: UInt64 {
    let state = store.state
    return Self.number(state.readingCount + (state.waiting == nil ? 0 : 1))
  }

  private static func number(_ count: UInt64) -> UInt64 { max(1, count % 0x8000_0000) }
}

/// For how long something was heard since this was made: pauses, and the time that opening and seeking take, do not
/// count.
final class PlayedTime: Sendable {
  private struct Sum {
    var past = Duration.zero
    /// Since when something is heard; `nil` while nothing is.
    var start: MonotonicInstant?

    func total(_ now: MonotonicInstant) -> Duration {
      guard let start, now > start else { return past }
      return past + .nanoseconds(Int64(clamping: now.nanoseconds - start.nanoseconds))
    }
  }

  private let clock: any MonotonicClock
  private let sum: Shared<Sum>
  private let subscription: Subscription

  /// The time in which `playback` says from now on that something is heard.
  init(_ playback: PlaybackStore, clock: any MonotonicClock = SystemClock()) {
    let sum = Shared(Sum())
    self.clock = clock
    self.sum = sum
    subscription = playback.observe { state in
      let now = clock.now
      sum.value.withLock { sum in
        sum.past = sum.total(now)
        sum.start = state.isHeard ? now : nil
      }
    }
  }

  /// The time until now. From any thread.
  var total: Duration { sum.value.withLock { $0.total(clock.now) } }
}

/// A value that closures share.
private final class Shared<Value: Sendable>: Sendable {
  let value: Mutex<Value>

  init(_ value: Value) { self.value = Mutex(value) }
}
