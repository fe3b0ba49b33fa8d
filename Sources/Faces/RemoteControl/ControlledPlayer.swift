// SPDX-License-Identifier: GPL-3.0-or-later

public import AcousticFingerprinting
import Flux
public import LibraryScanning
import MusicModel
import Platform
public import PlayerFlow
package import PlayerPort
import Synchronization
public import SystemPackage
public import Tagging

/// The player that clients control. Commands send requests to ``port``, and read the stores.
public struct ControlledPlayer: Sendable {
  /// The store of the queue.
  public let queue: QueueListener
  /// The store of the playback state.
  public let playback: PlaybackStore
  /// The library of the player; `nil` if it cannot be opened.
  public let library: RemoteLibrary?
  /// The total time for which this player has played audio.
  let playedTime: PlayedTime
  /// The time at which this value was created. The uptime is counted from it.
  let started = MonotonicInstant.now
  /// The maximum number of items to which clients may extend the queue.
  let queueLimit: Int
  let decoders: [RemoteDecoder]
  /// The name of the playlist that a client has loaded last, since the queue was cleared; empty if there is none.
  let lastLoaded = Shared("")
  /// Performs the requests of clients.
  let port: any PlayerPort

  /// Creates a player from its parts.
  ///
  /// - Parameters:
  ///   - queueLimit: The maximum number of items to which clients may extend the queue.
  ///   - decoders: The decoders, in the order in which they are tried.
  ///   - port: Performs requests. It must be the port of the player whose stores these are.
  package init(
    queue: QueueListener, playback: PlaybackStore, library: RemoteLibrary?, queueLimit: Int = 1_000_000,
    decoders: [RemoteDecoder] = [], port: any PlayerPort
  ) {
    self.queue = queue
    self.playback = playback
    playedTime = PlayedTime(playback)
    self.library = library
    self.queueLimit = queueLimit
    self.decoders = decoders
    self.port = port
  }

  /// The current status of the player.
  var status: PlayerStatus {
    let queue = queue.queue
    return PlayerStatus(
      playback.state, queue: queue, elapsed: queue.current.flatMap { playback.elapsed(of: $0.id) })
  }
}

/// The library that clients browse and search.
public struct RemoteLibrary: Sendable {
  /// The library, for queries.
  let index: any BrowsableLibrary
  /// The store with the state of scans.
  let store: LibraryStore
  /// Dispatches the requests of clients to scan the library.
  let actions: LibraryActionCreator
  /// Reads the covers of tracks.
  let covers: CoverSource
  /// Calculates the fingerprints of songs; `nil` if there are none.
  let fingerprinter: AcousticFingerprinter?
  /// The cache of pictures that clients are fetching.
  let pictures = PictureCache()

  /// The directory of the stored playlists; `nil` for the default one.
  let playlists: FilePath?

  public init(
    _ index: any BrowsableLibrary, store: LibraryStore, actions: LibraryActionCreator, playlists: FilePath? = nil,
    covers: CoverSource = CoverSource(), fingerprinter: AcousticFingerprinter? = nil
  ) {
    self.covers = covers
    self.fingerprinter = fingerprinter
    self.index = index
    self.store = store
    self.actions = actions
    self.playlists = playlists
  }

  /// The job number of the running scan or, if none is running, of the next one. The first is 1.
  var jobNumber: UInt64 {
    let state = store.state
    return Self.number(state.scanCount + (state.running == nil ? 1 : 0))
  }

  /// The job number of the scan that was requested last.
  var requestedJobNumber: UInt64 {
    let state = store.state
    return Self.number(state.scanCount + (state.waiting == nil ? 0 : 1))
  }

  private static func number(_ count: UInt64) -> UInt64 { max(1, count % 0x8000_0000) }
}

/// A counter of the time during which audio has been audible. Pauses, and the time for opening and seeking, are not
/// counted.
final class PlayedTime: Sendable {
  private struct Sum {
    var past = Duration.zero
    /// The time since which audio has been audible; `nil` while it is not.
    var start: MonotonicInstant?

    func total(_ now: MonotonicInstant) -> Duration {
      guard let start, now > start else { return past }
      return past + .nanoseconds(Int64(clamping: now.nanoseconds - start.nanoseconds))
    }
  }

  private let clock: any MonotonicClock
  private let sum: Shared<Sum>
  private let subscription: Subscription

  /// Creates a counter that starts at zero and follows `playback`.
  init(_ playback: PlaybackStore, clock: any MonotonicClock = SystemClock()) {
    let sum = Shared(Sum())
    self.clock = clock
    self.sum = sum
    subscription = playback.observe { state in
      let now = clock.now
      sum.value.withLock { sum in
        sum.past = sum.total(now)
        sum.start = state.isAdvancing ? now : nil
      }
    }
  }

  /// The total time until now. Safe to read from any thread.
  var total: Duration { sum.value.withLock { $0.total(clock.now) } }
}

/// A value that is shared by several closures.
final class Shared<Value: Sendable>: Sendable {
  let value: Mutex<Value>

  init(_ value: Value) { self.value = Mutex(value) }
}

/// A decoder of the player, as listed for clients.
public struct RemoteDecoder: Sendable {
  /// The name of the decoder, as other servers name it.
  public let name: String
  /// The suffixes of the files that it decodes.
  public let suffixes: [String]

  public init(name: String, suffixes: [String]) {
    self.name = name
    self.suffixes = suffixes
  }
}
