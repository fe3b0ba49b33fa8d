import MusicModel

/// Something that happened to a player, for people and for other processes.
public struct PlayerEvent: Sendable, Equatable, Codable {
  /// What it is about, by the word that scripts know it by.
  public enum Kind: String, Sendable, Codable, CaseIterable {
    /// All of the state, as it is now: what a listener is told first.
    case status
    /// A track began.
    case track
    /// Playing began, paused or stopped.
    case state
    /// Playing went on from another place of the track.
    case seek
    /// The queue was edited.
    case queue
    /// The volume was changed.
    case volume
    /// A mode of the queue was changed.
    case modes
    /// The library is being read, or was.
    case scan
    /// Something is wrong that the user should know.
    case problem
    /// How tracks fade into each other was changed.
    case crossfade
    /// Which gain of ReplayGain counts was changed.
    case replayGain = "replaygain"
    /// A saved list was made, changed or removed.
    case playlists
    /// The sound goes elsewhere, or nowhere, or it may or may not go there.
    case outputs
    /// The listener was too slow: events are missing here.
    case missed
    /// No player runs: the listener waits for one.
    case waiting
  }

  /// How the reading of a library goes.
  public struct Scan: Sendable, Equatable, Codable {
    /// `running`, `ended`, `cancelled` or `failed`.
    public var phase: String
    /// How many files were seen.
    public var seen: Int?
    /// How many there will be, where that is known.
    public var total: Int?
    /// How many tracks were added.
    public var added: Int?
    /// How many were changed.
    public var changed: Int?
    /// How many were moved.
    public var moved: Int?
    /// How many are gone.
    public var gone: Int?
    /// How many files cannot be in the library.
    public var problems: Int?
    /// How many files and directories are left out.
    public var leftOut: Int?
  }

  /// What it is about.
  public var event: Kind
  /// All of the state, with ``Kind/status``.
  public var status: PlayerStatus?
  /// The track, with ``Kind/track``.
  public var song: PlayerStatus.Song?
  /// The track that comes next by itself, with ``Kind/track``, ``Kind/queue`` and ``Kind/modes``, where one does.
  public var next: PlayerStatus.Song?
  /// The track's position in the queue, from 0.
  public var queuePosition: Int?
  /// How many items the queue has.
  public var queueCount: Int?
  /// The name of the edit, with ``Kind/queue``, where there was one.
  public var edit: String?
  /// Whether something plays, with ``Kind/state``.
  public var phase: PlayerStatus.Phase?
  /// The elapsed time of the track, in seconds, with ``Kind/seek`` and ``Kind/state``.
  public var elapsed: Double?
  /// How loud it is, in percent.
  public var volume: Int?
  /// How long tracks fade into each other, in seconds.
  public var crossfade: Double?
  /// Whether they do so on albums that play in order, too.
  public var crossfadeAlbums: Bool?
  /// Which gain of ReplayGain counts.
  public var replayGain: String?
  /// Where the sound goes, with ``Kind/outputs``, while it goes anywhere.
  public var output: PlayerStatus.Output?
  /// Whether it may go there.
  public var isOutputEnabled: Bool?
  /// How the queue is played.
  public var modes: PlayerStatus.Modes?
  /// How the reading goes.
  public var scan: Scan?
  /// What is wrong, with ``Kind/problem``: one line, not yet safe for a terminal.
  public var problem: String?
  /// How many events are missing, with ``Kind/missed``.
  public var count: Int?

  /// An event of this kind, with nothing else said.
  public init(_ event: Kind) { self.event = event }
}

/// What happened between two states of a store.
extension PlayerEvent {
  init(problem: String) {
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
    if isEdited || before.items.count != after.items.count {
      var event = PlayerEvent(.queue)
      event.queueCount = after.items.count
      event.queuePosition = after.currentPosition
      event.next = PlayerStatus.Song(nextIn: after)
      if after.redoable.count > before.redoable.count {
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
      event.phase = PlayerStatus.Phase(after.phase)
      // The state of the end has no position any more.
      let place = after.phase == .stopped ? before.position : after.isAwaited ? after.awaitedPlace : after.position
      event.elapsed = place / .seconds(1)
      events.append(event)
    }
    if after.startedCount != before.startedCount || (after.item != before.item && after.phase != .stopped),
      let id = after.item, let position = queue.position(of: id)
    {
      var event = PlayerEvent(.track)
      event.song = PlayerStatus.Song(queue.items[position].track, duration: after.duration)
      event.queuePosition = position
      event.queueCount = queue.items.count
      event.next = queue.successor(of: id).map { PlayerStatus.Song($0.track, duration: nil) }
      events.append(event)
    } else if after.phase != .stopped, before.phase != .stopped, after.item == before.item, !after.isAwaited {
      // What is awaited is told by the track that begins.
      let jump = after.position - before.position
      // A position moves on by itself, about once a second.
      let isSeek = before.seekCount != after.seekCount
      if isSeek || jump < .milliseconds(-500) || jump > .seconds(3) {
        var event = PlayerEvent(.seek)
        event.elapsed = after.position / .seconds(1)
        events.append(event)
      }
    }
    if before.volume != after.volume {
      var event = PlayerEvent(.volume)
      event.volume = after.volume.percent
      events.append(event)
    }
    return events
  }

  private static func settingEvents(from before: PlaybackState, to after: PlaybackState) -> [PlayerEvent] {
    var events: [PlayerEvent] = []
    if before.crossfade != after.crossfade {
      var event = PlayerEvent(.crossfade)
      event.crossfade = after.crossfade.duration / .seconds(1)
      event.crossfadeAlbums = after.crossfade.withinAlbums
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
    guard before.phase != after.phase || before.readingCount != after.readingCount else { return [] }
    var event = PlayerEvent(.scan)
    event.scan = Scan(after)
    return [event]
  }
}

extension PlayerEvent.Scan {
  /// How the reading goes in `state`, or what came of the last one.
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
        gone = summary.goneCount
        problems = summary.problemCount
        leftOut = summary.leftOutCount
      }
    }
  }
}

extension PlayerStatus.Song {
  /// What comes next by itself in `queue`; `nil` where nothing does.
  init?(nextIn queue: PlayQueue) {
    guard let next = queue.current.flatMap({ queue.successor(of: $0.id) }) else { return nil }
    self.init(next.track, duration: nil)
  }
}
