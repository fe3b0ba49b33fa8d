// SPDX-License-Identifier: GPL-3.0-or-later

import Flux
public import LibraryScanning
import MusicModel
import Platform
public import PlayerFlow
import Synchronization
public import SystemPackage

/// The player that client commands act on. Commands dispatch through ``actions`` and read what the stores publish.
public struct RemotePlayer: Sendable {
  /// The publisher of the queue.
  public let queue: QueueListener
  /// The publisher of the playback state.
  public let playback: PlaybackStore
  /// Dispatches the requests of clients.
  public let actions: PlayerActionCreator
  /// The library of this player; `nil` if it cannot be opened.
  public let library: RemoteLibrary?
  /// The total playing time.
  let playedTime: PlayedTime
  /// The time at which this value was created.
  let started = MonotonicInstant.now
  /// The largest number of items that clients may have in the queue.
  let queueLimit: Int
  /// Blocks until everything dispatched so far is stored. Returns the reason in one line if that failed.
  let keep: @Sendable () -> String?
  /// Executes a command of the command line, for a client that is the player's owner.
  let obey: @Sendable (ForwardedCommand) -> ForwardedOutcome
  /// Ends the program.
  let quit: @Sendable () -> Void

  /// Creates a player from its parts.
  ///
  /// - Parameters:
  ///   - queueLimit: The largest number of items that clients may have in the queue.
  ///   - keep: Blocks until everything dispatched so far is stored. Returns the reason if that failed. On any thread.
  ///   - obey: Executes a command of the command line. On any thread.
  ///   - quit: Ends the program, returning before it does. On any thread.
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

  /// A snapshot of the player.
  var status: PlayerStatus {
    let queue = queue.queue
    return PlayerStatus(
      playback.state, queue: queue, elapsed: queue.current.flatMap { playback.heard(of: $0.id) })
  }
}

/// The library that clients browse and search.
public struct RemoteLibrary: Sendable {
  /// The index, for queries.
  let index: any BrowsableLibrary
  /// The publisher of the state of scans.
  let store: LibraryStore
  /// Dispatches the requests of clients to scan the library.
  let actions: LibraryActionCreator
  /// The pictures that clients are fetching.
  let pictures = PictureShelf()

  /// The directory of the stored playlists; `nil` for the default one.
  let playlists: FilePath?

  /// Creates a library from `index` and its flow.
  public init(
    _ index: any BrowsableLibrary, store: LibraryStore, actions: LibraryActionCreator, playlists: FilePath? = nil
  ) {
    self.index = index
    self.store = store
    self.actions = actions
    self.playlists = playlists
  }

  /// The job number of the running scan or, if there is none, of the next one, as clients see it; starts at 1.
  var jobNumber: UInt64 {
    let state = store.state
    return Self.number(state.readingCount + (state.running == nil ? 1 : 0))
  }

  /// The job number of the scan that was requested last.
  var requestedJobNumber: UInt64 {
    let state = store.state
    return Self.number(state.readingCount + (state.waiting == nil ? 0 : 1))
  }

  private static func number(_ count: UInt64) -> UInt64 { max(1, count % 0x8000_0000) }
}

/// The total time during which audio was audible since this was created. Pauses, and the time that opening and seeking
/// take, do not count.
final class PlayedTime: Sendable {
  private struct Sum {
    var past = Duration.zero
    /// The instant since which audio has been audible; `nil` while it is not.
    var start: MonotonicInstant?

    func total(_ now: MonotonicInstant) -> Duration {
      guard let start, now > start else { return past }
      return past + .nanoseconds(Int64(clamping: now.nanoseconds - start.nanoseconds))
    }
  }

  private let clock: any MonotonicClock
  private let sum: Shared<Sum>
  private let subscription: Subscription

  /// Creates a counter that follows `playback` from now on.
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
