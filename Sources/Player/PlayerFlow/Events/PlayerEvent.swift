// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import MusicModel

/// An event of a player, for display and for other processes.
public struct PlayerEvent: Sendable, Equatable, Codable {
  /// The kind of an event. The raw value is the name that scripts use.
  public enum Kind: String, Sendable, Codable, CaseIterable {
    /// The complete current state: the first event that a client receives.
    case status
    case track
    /// The stream that is playing names another title.
    case title
    /// Another chapter of the track has begun, or was gone to.
    case chapter
    /// Playback started, paused or stopped.
    case state
    /// The end of the queue was reached.
    case end
    /// Tracks or albums were rated, or tracks liked.
    case rating
    /// The position in the track was changed by seeking.
    case seek
    case queue
    case volume
    case speed
    case modes
    /// A library scan is running or has ended.
    case scan
    /// There is a problem that the user should know about.
    case problem
    case crossfade
    case replayGain = "replaygain"
    /// A saved playlist was created, changed or removed.
    case playlists
    /// The output was opened, closed, enabled or disabled.
    case outputs
    /// The client was too slow, so that some events are missing here.
    case missed
    /// No player is running; the client is waiting for one.
    case waiting
  }

  /// The progress or result of a library scan.
  public struct Scan: Sendable, Equatable, Codable {
    /// The phase of the scan: `running`, `ended`, `cancelled` or `failed`.
    public var phase: String
    /// The number of files found so far.
    public var seen: Int?
    /// The expected number of files; `nil` if it is not known.
    public var total: Int?
    /// The number of tracks that were added.
    public var added: Int?
    /// The number of tracks that were changed.
    public var changed: Int?
    /// The number of tracks that were moved.
    public var moved: Int?
    /// The number of tracks whose files no longer exist.
    public var removed: Int?
    /// The number of files that could not be added to the library.
    public var problems: Int?
    /// The number of files and directories that the scan left out.
    public var leftOut: Int?

    /// The names in JSON.
    private enum CodingKeys: String, CodingKey {
      case phase, seen, total, added, changed, moved
      case removed = "gone"
      case problems, leftOut
    }
  }

  public var event: Kind
  /// The complete state; only with ``Kind/status``.
  public var status: PlayerStatus?
  /// The track that has started, what its stream plays now, or the first rated track; only with ``Kind/track``,
  /// ``Kind/title`` and ``Kind/rating``.
  public var song: PlayerStatus.Song?
  /// The track to be played next; only with ``Kind/track``, ``Kind/queue`` and ``Kind/modes``, if there is one.
  public var next: PlayerStatus.Song?
  /// The position of the current track in the queue, starting at 0; only with ``Kind/track`` and ``Kind/queue``.
  public var queuePosition: Int?
  /// The number of items in the queue; only with ``Kind/track`` and ``Kind/queue``.
  public var queueCount: Int?
  /// The name of the edit; only with ``Kind/queue``, if there was one.
  public var edit: String?
  /// The title of the chapter, if there is one, its number, counted from 1, and that of all; only with
  /// ``Kind/chapter``.
  public var chapter: String?
  public var chapterNumber: Int?
  public var chapterCount: Int?
  /// The phase of playback; only with ``Kind/state``.
  public var phase: PlayerStatus.Phase?
  /// The elapsed time of the track, in seconds; only with ``Kind/seek`` and ``Kind/state``.
  public var elapsed: Double?
  /// The volume in percent; only with ``Kind/volume``.
  public var volume: Int?
  /// The speed at which files are played, 1 for the normal one; only with ``Kind/speed``.
  public var speed: Double?
  /// The length of the crossfade, in seconds; only with ``Kind/crossfade``.
  public var crossfade: Double?
  /// Whether to crossfade even between consecutive tracks of one album; only with ``Kind/crossfade``.
  public var crossfadeAlbums: Bool?
  /// The length of the crossfade when the user goes to the next track, in seconds; only with ``Kind/crossfade``.
  public var crossfadeOnNext: Double?
  /// The ReplayGain mode; only with ``Kind/replayGain``.
  public var replayGain: String?
  /// The open output, if any. It is set only for ``Kind/outputs``.
  public var output: PlayerStatus.Output?
  /// Whether the output is enabled; only with ``Kind/outputs``.
  public var isOutputEnabled: Bool?
  /// The modes of the queue; only with ``Kind/modes``.
  public var modes: PlayerStatus.Modes?
  /// The progress or result of a library scan; only with ``Kind/scan``.
  public var scan: Scan?
  /// The problem as one line, not yet escaped for a terminal; only with ``Kind/problem``.
  public var problem: String?
  /// The number of missing events, or of rated tracks or albums; only with ``Kind/missed`` and ``Kind/rating``.
  public var count: Int?
  /// The rating from 0 to 10; only with ``Kind/rating``, if tracks were rated.
  public var rating: Int?
  /// The rating from 0 to 10; only with ``Kind/rating``, if albums were rated.
  public var albumRating: Int?
  /// Whether tracks are liked; only with ``Kind/rating``.
  public var liked: Bool?

  /// Creates an event of this kind, with all other properties empty.
  public init(_ event: Kind) { self.event = event }
}

/// The events that describe a change from one state of a store to the next.
extension PlayerEvent {
  package init(problem: String) {
    self.init(.problem)
    self.problem = problem
  }

  static func events(from before: PlayQueue, to after: PlayQueue) -> [PlayerEvent] {
    var events: [PlayerEvent] = []
    if before.modes != after.modes {
      var event = PlayerEvent(.modes)
      event.modes = PlayerStatus.Modes(after.modes)
      event.next = PlayerStatus.Song(nextIn: after)
      events.append(event)
    }
    let isEdited =
      before.undoable.count != after.undoable.count || before.undoable.last != after.undoable.last
    let isOther = before.name != after.name
    if isEdited || isOther || before.items.count != after.items.count {
      var event = PlayerEvent(.queue)
      event.queueCount = after.items.count
      event.queuePosition = after.currentPosition
      event.next = PlayerStatus.Song(nextIn: after)
      if isOther {
        event.edit = "use \(after.name)"
      } else if after.redoable.count > before.redoable.count {
        event.edit = after.redoable.last.map { "undo \($0)" }
      } else if isEdited {
        event.edit = after.undoable.last
      }
      events.append(event)
    }
    return events
  }

  static func events(from before: PlaybackState, to after: PlaybackState, _ queue: PlayQueue) -> [PlayerEvent] {
    var events = settingEvents(from: before, to: after)
    if before.phase != after.phase {
      var event = PlayerEvent(.state)
      event.phase = after.phase
      // After the end, the position has been reset.
      let elapsed = after.isOver ? before.position : after.hasRequest ? after.requestedPosition : after.position
      event.elapsed = elapsed / .seconds(1)
      events.append(event)
    }
    if after.finishedCount != before.finishedCount { events.append(PlayerEvent(.end)) }
    if after.startedCount != before.startedCount || (after.item != before.item && after.phase != .stopped),
      let id = after.item, let position = queue.position(of: id)
    {
      var event = PlayerEvent(.track)
      let item = queue.items[position]
      event.song = PlayerStatus.Song(item.track.described(by: after.sourceText(of: item)), duration: after.duration)
      event.queuePosition = position
      event.queueCount = queue.items.count
      event.next = queue.successor(of: id).map { PlayerStatus.Song($0.track, duration: nil) }
      events.append(event)
    } else if after.phase != .stopped, before.phase != .stopped, after.item == before.item, !after.hasRequest {
      // A requested item is reported as a track when it starts.
      let jump = after.position - before.position
      // The position advances by itself about once a second.
      let isSeek = before.seekCount != after.seekCount
      if isSeek || jump < .milliseconds(-500) || jump > .seconds(3) {
        var event = PlayerEvent(.seek)
        event.elapsed = after.position / .seconds(1)
        events.append(event)
      }
    }
    if let title = titleEvent(from: before, to: after, queue) { events.append(title) }
    if let chapter = chapterEvent(from: before, to: after) { events.append(chapter) }
    if before.volume != after.volume {
      var event = PlayerEvent(.volume)
      event.volume = after.volume.percent
      events.append(event)
    }
    return events
  }

  /// Returns the event if the stream that is playing describes itself in another way than before.
  private static func titleEvent(
    from before: PlaybackState, to after: PlaybackState, _ queue: PlayQueue
  ) -> PlayerEvent? {
    guard let text = after.sourceText, before.startedCount == after.startedCount, before.openItem == after.openItem,
      let item = after.openItem.flatMap({ queue.position(of: $0) }).map({ queue.items[$0] })
    else { return nil }
    let track = item.track.described(by: text)
    guard track != item.track.described(by: before.sourceText(of: item)) else { return nil }
    var event = PlayerEvent(.title)
    event.song = PlayerStatus.Song(track, duration: after.duration)
    return event
  }

  /// Returns the event if another chapter is playing than before.
  private static func chapterEvent(from before: PlaybackState, to after: PlaybackState) -> PlayerEvent? {
    let chapters = after.chapters
    guard let index = chapters.index(at: after.position) else { return nil }
    let isSame = before.startedCount == after.startedCount && before.chapters.index(at: before.position) == index
    if isSame { return nil }
    var event = PlayerEvent(.chapter)
    (event.chapter, event.chapterNumber, event.chapterCount) = (chapters[index].title, index + 1, chapters.count)
    return event
  }

  private static func settingEvents(from before: PlaybackState, to after: PlaybackState) -> [PlayerEvent] {
    var events: [PlayerEvent] = []
    if before.crossfade != after.crossfade {
      var event = PlayerEvent(.crossfade)
      event.crossfade = after.crossfade.duration / .seconds(1)
      event.crossfadeAlbums = after.crossfade.withinAlbums
      event.crossfadeOnNext = after.crossfade.onNext / .seconds(1)
      events.append(event)
    }
    if before.speed != after.speed {
      var event = PlayerEvent(.speed)
      event.speed = after.speed.factor
      events.append(event)
    }
    if before.replayGain != after.replayGain {
      var event = PlayerEvent(.replayGain)
      event.replayGain = after.replayGain.mode.rawValue
      events.append(event)
    }
    if before.output != after.output || before.isOutputEnabled != after.isOutputEnabled {
      var event = PlayerEvent(.outputs)
      event.output = after.output.map { PlayerStatus.Output($0) }
      event.isOutputEnabled = after.isOutputEnabled
      events.append(event)
    }
    return events
  }

  static func events(from before: LibraryState, to after: LibraryState) -> [PlayerEvent] {
    guard before.phase != after.phase || before.scanCount != after.scanCount else { return [] }
    var event = PlayerEvent(.scan)
    event.scan = Scan(after)
    return [event]
  }
}

extension PlayerEvent.Scan {
  /// Creates a description of the scan that is running in `state`, or of the result of the last one.
  public init(_ state: LibraryState) {
    self.init(phase: "running")
    switch state.phase {
    case .scanning(let progress):
      seen = progress.seenCount
      total = progress.totalCount
    case .failed: phase = "failed"
    case .idle:
      phase = state.isCancelled ? "cancelled" : "ended"
      if let summary = state.summary {
        added = summary.addedCount
        changed = summary.changedCount
        moved = summary.movedCount
        removed = summary.missingCount
        problems = summary.problemCount
        leftOut = summary.leftOutCount
      }
    }
  }
}

extension PlayerStatus.Song {
  /// Creates the description of the track to be played next in `queue`; returns `nil` if there is none.
  init?(nextIn queue: PlayQueue) {
    guard let next = queue.current.flatMap({ queue.successor(of: $0.id) }) else { return nil }
    self.init(next.track, duration: nil)
  }
}
