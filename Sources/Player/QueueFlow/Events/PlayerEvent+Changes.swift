import MusicModel

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
