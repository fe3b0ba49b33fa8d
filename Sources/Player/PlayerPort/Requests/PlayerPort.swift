// SPDX-License-Identifier: GPL-3.0-or-later

package import Flux
import FoundationEssentials
package import MusicModel
package import Platform
package import PlayerFlow

/// The only way from a face to a player, in this process or in another one. Safe to use from any thread.
package protocol PlayerPort: AnyObject, Sendable {
  /// What is known of the player now. Never blocks.
  var snapshot: PlayerSnapshot { get }

  /// Makes the player perform a request, after those that were sent before, and returns its reply. Blocks, so call it
  /// on a thread outside of the cooperative pool.
  ///
  /// - Throws: ``PlayerError``: what is wrong with the request, or ``PlayerError/playerEnded``.
  func send(_ request: PlayerRequest) throws(PlayerError) -> PlayerReply

  /// Returns the rows of the queue in `range` that exist. Waits for no request of another thread.
  func queue(_ range: Range<Int>) throws(PlayerError) -> QueueRows

  /// Answers a question about lists. Waits for no request of another thread. Blocks while the disk is read.
  func answer(_ request: ListRequest) throws(PlayerError) -> ListAnswer

  /// Calls `onChange` at once, and then whenever ``snapshot`` may have changed, until the subscription is cancelled.
  /// The first call is on the calling thread, later ones are on other threads; they must return quickly.
  ///
  /// - Parameter everyPosition: Whether each change of the position is reported. If false, changes of the position
  ///   alone may be reported less often.
  func observe(everyPosition: Bool, _ onChange: @escaping @Sendable () -> Void) -> Subscription

  /// Calls `receive` soon with what is audible, and then about thirty times a second while something plays, until the
  /// subscription is cancelled. Calls come on another thread; one may still come after the cancellation.
  ///
  /// - Parameter bands: The number of bands of the spectrum; with 0, there are only levels. There are at most
  ///   `SpectrumAnalyser.bandLimit`.
  func observeSound(bands: Int, _ receive: @escaping @Sendable (SoundFrame) -> Void) -> Subscription
}

/// What a player publishes about itself.
package struct PlayerSnapshot: Codable, Sendable, Equatable {
  /// The maximum numbers of problems and of started tracks in a snapshot.
  static let noticeLimit = 32

  package var status: PlayerStatus
  package var nowPlaying: NowPlaying
  /// The current item of the queue; `nil` if there is none.
  package var current: CurrentItem?
  /// Whether there is an item to play after the current one.
  package var hasNext = false
  /// Whether the current track allows seeking.
  package var isSeekable = true
  /// A number that changes whenever the queue does, or the title of the stream that plays.
  package var queueVersion: UInt64 = 0
  /// The last tracks that have started, the newest last, and the number of all so far.
  package var startedTracks: [QueueTrack] = []
  package var startedCount = 0
  /// The last problems, one line each, the newest last, and the number of all so far.
  package var problems: [String] = []
  package var problemCount = 0
  /// The last events.
  package var events = RecentEvents()
  /// A number that changes whenever the library does.
  package var libraryVersion: UInt64 = 0
  /// A number that changes whenever a saved playlist does.
  package var playlistVersion: UInt64 = 0
  /// Whether the end of the queue was played.
  package var isOver = false
  /// Whether a client has stopped playback or emptied the queue, and may start playback again.
  package var isInterrupted = false
  /// Whether the player waits after a track until someone resumes playback.
  package var isWaiting = false
  /// Whether playback has ended because the output failed.
  package var hasFailed = false
  /// Some of the chapters of the track that plays, around the present one; empty if it has none.
  package var chapters = ChapterWindow()
  /// What the stream that plays says of what is audible now; `nil` if it says nothing.
  package var streamTitle: String?
  /// Whether the player has ended, so that this is the last snapshot.
  package var isEnded = false

  /// The snapshot of a player of which nothing is known.
  package static var unknown: PlayerSnapshot {
    PlayerSnapshot(
      status: PlayerStatus(PlaybackState(), queue: PlayQueue()),
      nowPlaying: NowPlaying(PlayQueue(), playing: nil))
  }

  /// Returns the elapsed time of the current track at the time `now`.
  package func position(at now: MonotonicInstant) -> Duration {
    let sinceStatus = now.nanoseconds.subtractingReportingOverflow(status.instant)
    let passed = status.isAdvancing && !sinceStatus.overflow ? Double(sinceStatus.partialValue) / 1e9 : 0
    let progress = passed * (status.speed ?? 1)
    let position = min(status.elapsed + progress, status.song?.seconds ?? .infinity)
    return position.isFinite ? .seconds(max(0, min(position, 1e9))) : .zero
  }
}

/// The current item of the queue.
package struct CurrentItem: Codable, Sendable, Equatable {
  package var id: UInt64
  package var track: TrackRow
}

/// A track of the queue, with its position.
package struct QueueTrack: Codable, Sendable, Equatable {
  package var track: TrackRow
  /// The position of the track in the queue, counted from 0.
  package var position: Int
  /// The number of items in the queue, and its title.
  package var count: Int
  package var title: String
}

/// Some successive items of the queue.
package struct QueueRows: Sendable, Equatable {
  package struct Row: Sendable, Equatable {
    package var id: UInt64
    /// The track, without the tags that nobody is shown.
    package var track: Track
    package var isMissing: Bool
    /// Whether the item was added to keep playing.
    package var isRefill = false
  }

  /// The position of the first row, counted from 0.
  package var offset: Int
  package var rows: [Row]
  /// The position of the current item; `nil` if there is none.
  package var current: Int?
  package var summary: QueueSummary
  /// What the user should know besides the rows, in one line; `nil` if there is nothing.
  package var warning: String?
  /// The directory in which the queue is stored; `nil` if it is not stored.
  package var directory: PathText?

  /// Creates the rows at `positions` of `queue`, which must exist. `track` returns the track of an item as it is shown.
  package init(
    _ positions: Range<Int>, of queue: PlayQueue, track: (PlayQueue.Item) -> Track = { $0.track }
  ) {
    offset = positions.lowerBound
    rows = positions.map { position in
      let item = queue.items[position]
      var shown = track(item)
      shown.additionalTags = shown.additionalTags.shownForms
      return Row(id: item.id.rawValue, track: shown, isMissing: item.isMissing, isRefill: item.isRefill)
    }
    current = queue.currentPosition
    summary = QueueSummary(queue)
  }
}

/// The tracks are packed: as JSON objects, those of a long queue would take most of the time of a listing.
extension QueueRows: Codable {
  private enum CodingKeys: String, CodingKey {
    case offset, ids, missing, refills, tracks, current, summary, warning, directory
  }

  package init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    offset = try values.decode(Int.self, forKey: .offset)
    current = try values.decodeIfPresent(Int.self, forKey: .current)
    summary = try values.decode(QueueSummary.self, forKey: .summary)
    warning = try values.decodeIfPresent(String.self, forKey: .warning)
    directory = try values.decodeIfPresent(PathText.self, forKey: .directory)
    let ids = try values.decode([UInt64].self, forKey: .ids)
    let missing = Set(try values.decode([UInt64].self, forKey: .missing))
    let refills = Set(try values.decodeIfPresent([UInt64].self, forKey: .refills) ?? [])
    guard let tracks = TrackList(packedPages: try values.decode([Data].self, forKey: .tracks).map { Array($0) }),
      tracks.count == ids.count
    else { throw DecodingError.dataCorruptedError(forKey: .tracks, in: values, debugDescription: "damaged tracks") }
    rows = zip(ids, tracks).map {
      Row(id: $0, track: $1, isMissing: missing.contains($0), isRefill: refills.contains($0))
    }
  }

  package func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(offset, forKey: .offset)
    try values.encode(rows.map(\.id), forKey: .ids)
    try values.encode(rows.filter(\.isMissing).map(\.id), forKey: .missing)
    let refills = rows.filter(\.isRefill).map(\.id)
    if !refills.isEmpty { try values.encode(refills, forKey: .refills) }
    try values.encode(TrackList(rows.lazy.map(\.track)).packedPages.map { Data($0) }, forKey: .tracks)
    try values.encodeIfPresent(current, forKey: .current)
    try values.encode(summary, forKey: .summary)
    try values.encodeIfPresent(warning, forKey: .warning)
    try values.encodeIfPresent(directory, forKey: .directory)
  }
}

/// A summary of a queue.
package struct QueueSummary: Codable, Sendable, Equatable {
  /// The name of the queue; `nil` for the standard one.
  package var name: String?
  package var count: Int
  /// The total duration in seconds, as far as it is known.
  package var seconds: Double
  /// Whether the duration of some items is not known.
  package var isPartial: Bool
  /// The time in seconds from the current position to the end of the queue in playing order, not counting unknown
  /// durations; in rows of the queue that a player returns, at its speed. `nil` if there is no current item, or the
  /// order is too long to follow.
  package var secondsLeft: Double?
  package var modes: PlayerStatus.Modes

  /// The maximum number of items in a queue whose items are all examined. In a longer queue, this would take too long.
  private static let countLimit = 10_000

  package init(_ queue: PlayQueue) {
    name = queue.name == .standard ? nil : queue.name.description
    count = queue.items.count
    seconds = queue.duration / .seconds(1)
    isPartial = count <= Self.countLimit && queue.items.contains { $0.track.duration == nil }
    secondsLeft = Self.timeLeft(in: queue).map { $0 / .seconds(1) }
    modes = PlayerStatus.Modes(queue.modes)
  }

  private static func timeLeft(in queue: PlayQueue) -> Duration? {
    guard let position = queue.currentPosition, let current = queue.current else { return nil }
    let count = queue.items.count
    if queue.modes.random == .off {
      return max(.zero, queue.items.duration(of: position..<count) - queue.elapsed)
    }
    guard count <= countLimit else { return nil }
    var queueWithoutRepeat = queue
    queueWithoutRepeat.reduce(.setRepeat(.off))
    var left = Duration.zero
    var item: PlayQueue.Item? = current
    var visitedCount = 0
    while let visited = item, visitedCount < count {
      left += visited.track.duration ?? .zero
      item = queueWithoutRepeat.item(after: visited.id)
      visitedCount += 1
    }
    return max(.zero, left - queue.elapsed)
  }
}
