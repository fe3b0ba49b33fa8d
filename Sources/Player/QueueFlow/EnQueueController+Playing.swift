import AudioCore
import Flux
import MusicModel
import PlaybackEngine
import Synchronization

extension EnQueueController {
  /// How far an item may have played for ``PlaybackAction/previous`` to mean the item before it.
  private static let previousThreshold = Duration.seconds(3)

  /// Whether nothing is heard, nor was asked for.
  var isIdle: Bool { course.withLock { $0.chain.item == nil } }

  // MARK: Playing

  /// Plays `item`, which is current, from where the queue says it is to begin.
  func play(_ item: PlayQueue.Item, isPaused: Bool = false) {
    let place = queue.queue.heard
    let waits = isPaused || !playback.state.isOutputEnabled
    course.withLock { course in
      course.wasStoppedByEdit = false
      course.needsGain = false
      course.chain.ask(for: item.id)
      course.request = Course.Request(item: item, place: place, isPaused: waits)
    }
    playbackDispatcher.dispatch(.report(.requested(item.id, isPaused: waits, at: place, lasting: item.track.duration)))
  }

  /// Has the engine say when it has obeyed all that it was told, and what it is to be told still. It is called where
  /// the state has just been changed by what is commanded.
  func haveAnswered() {
    let command = playback.state.commandNumber
    course.withLock { course in
      if course.request != nil { course.request?.command = command } else { engine.answer(command) }
    }
  }

  /// Has the engine play what is to be played, as soon as it is known how loud.
  func playRequest() {
    course.withLock { course in
      guard let request = course.request else { return }
      let state = playback.state
      if state.replayGain.mode != .off, loudness.tags(of: request.item.id) == nil {
        loudness.want([request.item])
      }
      guard let gain = gain(of: request.item, queue.queue, state) else { return }
      course.request = nil
      let source = course.sources.source(for: request.item, gain: gain)
      course.chain.begin(
        SourceChain.Link(
          source: source.id, item: request.item.id, segment: source.segment, gain: gain))
      engine.play(source, at: request.place, isPaused: request.isPaused)
      engine.answer(request.command)
    }
  }

  /// Changes what is to be played by `action`; `false` where the engine was told already.
  func adjustRequest(by action: PlaybackAction) -> Bool {
    course.withLock { $0.adjustRequest(by: action) }
  }

  func resume() {
    guard isIdle else {
      // What waits for its output goes on waiting.
      guard playback.state.isOutputEnabled else { return }
      if !adjustRequest(by: .resume) { engine.resume() }
      return
    }
    let queue = queue.queue
    if let current = queue.current {
      queueDispatcher.dispatch(.play(current.id, from: queue.heard))
    } else if let first = queue.first {
      queueDispatcher.dispatch(.play(first.id, from: .zero))
    }
  }

  func toggle() {
    guard !isIdle, playback.state.isOutputEnabled else { return resume() }
    if !adjustRequest(by: .toggle) { engine.toggle() }
  }

  /// Stops, and has the queue keep the place, or begin what played anew.
  func stop(rewinds: Bool) {
    if !rewinds {
      noteHeard()
    } else if !isIdle {
      queueDispatcher.dispatch(.heard(.zero))
    }
    forgetCourse(byEdit: false)
    engine.stop()
  }

  /// Stops because nothing is current any more.
  func stopByEdit() {
    forgetCourse(byEdit: playback.state.phase != .paused)
    playbackDispatcher.dispatch(.report(.silenced(byEdit: true)))
  }

  private func forgetCourse(byEdit: Bool) {
    course.withLock { course in
      course.wasStoppedByEdit = byEdit && course.chain.item != nil
      course.chain.clear()
      course.request = nil
    }
  }

  func goToNext() {
    let queue = queue.queue
    guard let current = queue.current else { return }
    // What leaves the queue is not played again.
    if let next = queue.presentItem(after: current.id), !queue.modes.consume || next.id != current.id {
      queueDispatcher.dispatch(.skipped(to: next.id))
    } else {
      // As behind the last item that was heard to its end.
      forgetCourse(byEdit: false)
      playbackDispatcher.dispatch(.report(.silenced(byEdit: false)))
      queueDispatcher.dispatch(.finished)
    }
  }

  /// Plays the item before the current one or, where it `mayRestart` and has played on, the current one from its
  /// beginning.
  func goToPrevious(mayRestart: Bool) {
    let queue = queue.queue
    guard let current = queue.current else {
      // Behind the end, that is the last one.
      let last = queue.itemsInPlayingOrder(from: queue.items.count - 1, count: 1).first
      if let last { queueDispatcher.dispatch(.play(last.id, from: .zero)) }
      return
    }
    let hasPlayedOn =
      mayRestart && playback.heard(of: current.id).map { $0 >= Self.previousThreshold } ?? false
    let item = hasPlayedOn ? current : queue.presentItem(before: current.id) ?? current
    queueDispatcher.dispatch(.play(item.id, from: .zero))
  }

  // MARK: Edits

  /// Has the engine play what the queue says after an edit: what plays goes on untouched where it is still current.
  func settle() {
    let queue = queue.queue
    let (item, wasStopped, isAhead) = course.withLock {
      ($0.chain.item, $0.wasStoppedByEdit, $0.chain.isAheadOfQueue)
    }
    // The queue is about to hear what is played, and then this comes again.
    if isAhead { return }
    guard item != queue.current?.id else { return tellWhatFollows() }
    if item == nil {
      if wasStopped, let current = queue.current { play(current) }
    } else if let current = queue.current {
      play(current, isPaused: playback.state.phase == .paused)
    } else {
      stopByEdit()
    }
  }

  // MARK: Loudness

  /// By how much `item` is made louder or softer; `nil` where its loudness is not known yet.
  func gain(of item: PlayQueue.Item, _ queue: PlayQueue, _ state: PlaybackState) -> ReplayGainDecision? {
    let settings = state.replayGain
    guard settings.mode != .off else { return .off }
    return loudness.tags(of: item.id).map {
      settings.decision(for: $0, albumPlaysInOrder: queue.playsAlbumInOrder(item.id))
    }
  }

  /// Makes what is heard as loud as the rules say now.
  func changeGain() {
    course.withLock { course in
      let (queue, state) = (queue.queue, playback.state)
      guard let link = course.chain.links.first, let position = queue.position(of: link.item) else { return }
      let item = queue.items[position]
      if state.replayGain.mode != .off, loudness.tags(of: item.id) == nil { loudness.want([item]) }
      let gain = gain(of: item, queue, state)
      course.needsGain = gain == nil
      guard let gain, gain != link.gain else { return }
      course.chain.setGain(gain)
      engine.setGain(SourceGain(gain), of: link.source)
    }
    tellWhatFollows()
  }

  /// More loudness is known than before.
  func takeLoudness() {
    playRequest()
    if course.withLock({ $0.needsGain }) { changeGain() } else { tellWhatFollows() }
  }
}
