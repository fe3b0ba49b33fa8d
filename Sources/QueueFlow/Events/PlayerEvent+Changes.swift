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
      events.append(event)
    }
    let isEdited =
      before.undoable.count != after.undoable.count || before.undoable.last != after.undoable.last
    if isEdited || before.items.count != after.items.count {
      var event = PlayerEvent(.queue)
      event.queueCount = after.items.count
      event.queuePosition = after.currentPosition
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
    var events: [PlayerEvent] = []
    if before.phase != after.phase {
      var event = PlayerEvent(.state)
      event.phase = PlayerStatus.Phase(after.phase)
      events.append(event)
    }
    if after.startedCount != before.startedCount || (after.item != before.item && after.phase != .stopped),
      let id = after.item, let position = queue.position(of: id)
    {
      var event = PlayerEvent(.track)
      event.song = PlayerStatus.Song(queue.items[position].track, duration: after.duration)
      event.queuePosition = position
      event.queueCount = queue.items.count
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

  static func events(from before: LibraryState, to after: LibraryState) -> [PlayerEvent] {
    guard before.phase != after.phase || before.readingCount != after.readingCount else { return [] }
    var scan = Scan(phase: "running")
    switch after.phase {
    case .scanning(let progress):
      scan.seen = progress.seenCount
      scan.total = progress.totalCount
    case .failed: scan.phase = "failed"
    case .idle:
      scan.phase = after.isCancelled ? "cancelled" : "ended"
      if let summary = after.summary {
        scan.added = summary.addedCount
        scan.changed = summary.changedCount
        scan.moved = summary.movedCount
        scan.gone = summary.goneCount
        scan.problems = summary.problemCount
      }
    }
    var event = PlayerEvent(.scan)
    event.scan = scan
    return [event]
  }
}
