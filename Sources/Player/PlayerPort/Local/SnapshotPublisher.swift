// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Flux
import MusicModel
import Platform
import PlayerFlow
import Synchronization

/// Makes snapshots of the player of this process. Safe to use from any thread.
final class SnapshotPublisher: Sendable {
  /// What the rows of a snapshot depend on. Finding them takes time in a long queue.
  fileprivate struct RowsKey: Equatable {
    let version: UInt64
    let currentPosition: Int?
    let playing: PlayQueue.Item.ID?
    let sourceText: SourceText?
  }

  fileprivate struct Cache {
    var key: RowsKey?
    /// What is published of the rows, the problems and the tracks that have started.
    var snapshot = PlayerSnapshot.unknown
    /// The number of times that a stream has named another title.
    var titleCount: UInt64 = 0
    var notices = PlaybackNotices()
  }

  private let queue: QueueListener
  private let playback: PlaybackStore
  private let openLibrary = Mutex<LibraryStore?>(nil)
  private let playlists: ChangeCounter
  private let otherScans: ChangeCounter
  private let isRunning: Bool
  private let log = EventLog()
  /// What records events; empty for a queue without a player.
  private let sources = Mutex<[PlayerEventSource]>([])
  private let playlistEvents: Subscription
  private let cache = Mutex(Cache())

  /// Creates the publisher of a player. The counters are of changes of saved playlists, and of libraries that are not
  /// the player's.
  init(_ parts: LocalPlayer.Parts, playlists: ChangeCounter, otherScans: ChangeCounter) {
    queue = parts.queue
    playback = parts.playback
    self.playlists = playlists
    self.otherScans = otherScans
    isRunning = parts.options != nil
    playlistEvents = playlists.observe { [log] in log.append(PlayerEvent(.playlists)) }
    guard isRunning else { return }
    let source = PlayerEventSource(queue: queue, playback: playback) { [log] in log.append($0) }
    sources.withLock { $0 = [source] }
  }

  private var library: LibraryStore? { openLibrary.withLock(\.self) }

  /// Observes this library, too, from now on.
  func use(_ library: LibraryStore) {
    openLibrary.withLock { $0 = library }
    guard isRunning else { return }
    let source = PlayerEventSource(library: library) { [log] in log.append($0) }
    sources.withLock { $0 = [$0.first, source].compactMap(\.self) }
  }

  /// Adds an event to the next snapshots.
  func add(_ event: PlayerEvent) { log.append(event) }

  /// Passes each event to `receive`, too, which must return quickly.
  func forwardEvents(to receive: @escaping @Sendable (PlayerEvent) -> Void) { log.forward(to: receive) }

  /// Adds a problem to the next snapshots.
  func report(_ problem: String) {
    cache.withLock { $0.add([problem]) }
    log.append(PlayerEvent(problem: problem))
  }

  var status: PlayerStatus {
    let queue = queue.queue
    let elapsed = isRunning ? queue.current.flatMap { playback.elapsed(of: $0.id) } : queue.elapsed
    var status = PlayerStatus(playback.state, queue: queue, elapsed: elapsed)
    if !isRunning { status.process = PlayerStatus.noProcess }
    return status
  }

  var snapshot: PlayerSnapshot {
    // What happens meanwhile is rather reported twice than never.
    let events = log.events
    let (queue, state) = (queue.queue, playback.state)
    let libraryState = library?.state
    let status = status
    return cache.withLock { cache in
      cache.update(queue, state, libraryState)
      var snapshot = cache.snapshot
      snapshot.status = status
      snapshot.isSeekable = state.isSeekable
      snapshot.queueVersion = queue.version &+ cache.titleCount
      snapshot.events = events
      snapshot.libraryVersion = (libraryState?.version ?? 0) &+ otherScans.count
      snapshot.playlistVersion = playlists.count
      snapshot.chapters = ChapterWindow(state.chapters, at: .seconds(status.elapsed))
      snapshot.isOver = state.isOver
      snapshot.isInterrupted = state.isInterrupted
      snapshot.isWaiting = state.isWaiting
      snapshot.hasFailed = state.outputError != nil
      snapshot.streamTitle = state.sourceText.flatMap { text in
        text.title.map { (text.artists + [$0]).joined(separator: " - ") } ?? text.chapter
      }
      return snapshot
    }
  }

  func observe(everyPosition: Bool, _ onChange: @escaping @Sendable () -> Void) -> Subscription {
    let throttle = Mutex(RefreshThrottle(takesEveryPosition: everyPosition))
    let subscriptions =
      [
        playback.observe { state in if throttle.withLock({ $0.isDue(state) }) { onChange() } },
        queue.observe { _ in onChange() },
        library?.observe { _ in onChange() },
        log.observe(onChange),
        otherScans.observe(onChange),
      ].compactMap(\.self)
    return Subscription { for subscription in subscriptions { subscription.cancel() } }
  }
}

extension SnapshotPublisher.Cache {
  fileprivate mutating func update(_ queue: PlayQueue, _ state: PlaybackState, _ library: LibraryState?) {
    let key = SnapshotPublisher.RowsKey(
      version: queue.version, currentPosition: queue.currentPosition, playing: state.openItem,
      sourceText: state.sourceText)
    if key != self.key {
      if key.sourceText != self.key?.sourceText { titleCount &+= 1 }
      self.key = key
      snapshot.nowPlaying = NowPlaying(queue, state)
      snapshot.current = queue.current.map {
        CurrentItem(id: $0.id.rawValue, track: TrackRow($0.track.described(by: state.sourceText(of: $0))))
      }
      snapshot.hasNext = queue.current.map { queue.item(after: $0.id) != nil } ?? false
    }
    add(notices.notices(for: state) + (library.map { notices.notices(for: $0) } ?? []))
    for item in state.startedItems.suffix(max(0, state.startedCount - snapshot.startedCount)) {
      guard let position = queue.position(of: item) else { continue }
      snapshot.startedTracks.append(
        QueueTrack(
          track: TrackRow(queue.items[position].track.described(by: state.sourceText(of: queue.items[position]))),
          position: position, count: queue.items.count, title: queue.title))
    }
    snapshot.startedTracks = snapshot.startedTracks.suffix(PlayerSnapshot.noticeLimit)
    snapshot.startedCount = state.startedCount
  }

  fileprivate mutating func add(_ lines: [String]) {
    snapshot.problems = (snapshot.problems + lines).suffix(PlayerSnapshot.noticeLimit)
    snapshot.problemCount += lines.count
  }
}

/// Decides when a view refreshes: at each change or, if the view does not show the position, only when something else
/// has changed.
struct RefreshThrottle {
  /// The number of successive changes of the position after which the view refreshes anyway, to fetch other notices.
  static let skipLimit = 5

  private let takesEveryPosition: Bool
  private var last: PlaybackState?
  private var skippedCount = 0

  init(takesEveryPosition: Bool) { self.takesEveryPosition = takesEveryPosition }

  /// Records the new state, and returns whether the view should refresh.
  mutating func isDue(_ state: PlaybackState) -> Bool {
    guard !takesEveryPosition else { return true }
    defer { last = state }
    guard let last, state.differsOnlyInPosition(from: last), skippedCount + 1 < Self.skipLimit else {
      skippedCount = 0
      return true
    }
    skippedCount += 1
    return false
  }
}
