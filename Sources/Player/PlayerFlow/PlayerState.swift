// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
public import MusicModel
import PlaybackEngine

/// A source of the engine, and the audible position in it at one moment.
struct SourcePosition: Sendable, Equatable {
  let source: PlaybackSource.ID
  let position: Duration
}

/// The state of the player: the queue, playback, and the plan for the engine. It is a pure value, and its reducer makes
/// every decision.
public struct PlayerState: Sendable {
  /// The elapsed time beyond which ``PlaybackAction/previous`` restarts the current item.
  static let previousThreshold = Duration.seconds(3)

  /// The queue.
  public internal(set) var queue: PlayQueue
  /// The state of playback.
  public internal(set) var playback = PlaybackState()
  /// The sources that were given to the engine, and those that are still to be given to it.
  var plan = EnginePlan()
  /// Whether playback is paused by an interruption, and resumes after it.
  var isPausedByInterruption = false
  /// Whether playback pauses when the device is lost.
  private(set) var pausesOnLoss = false
  /// The effects of the last action, in the order in which they are to be performed.
  var effects: [PlayerEffect] = []
  /// The source and position that are audible at the moment of the action; `nil` if nothing is.
  private var audiblePosition: SourcePosition?

  /// Creates the state before anything has played.
  public init(_ queue: PlayQueue = PlayQueue()) { self.queue = queue }

  /// Applies `action`, and sets ``effects``. `audible` is the audible position at this moment.
  ///
  /// - Returns: Whether the queue or the playback state changed.
  mutating func reduce(_ action: PlayerAction, audible: SourcePosition?) -> Bool {
    effects = []
    audiblePosition = audible
    defer { audiblePosition = nil }
    // Positions are frequent, and comparing the whole state would dominate their cost.
    if case .engine(.position(let source, let position), let executed) = action {
      guard plan.chain.isUpToDate(executed), let item = plan.chain[source]?.item else { return false }
      return playback.reduce(.report(.position(item, position)))
    }
    let before = (version: queue.version, elapsed: queue.elapsed, playback: playback)
    switch action {
    case .queue(let action): reduce(action)
    case .playback(let action): reduce(action)
    case .engine(let event, let executed): reduce(event, after: executed)
    case .connection(let path, let failure):
      if queue.current?.track.path == path { report(.connectionFailed(failure)) }
    case .replayGain(let found): reduce(found)
    case .storeElapsed: storeElapsed()
    case .begin(let pausesOnLoss): self.pausesOnLoss = pausesOnLoss
    }
    return before.version != queue.version || before.elapsed != queue.elapsed || before.playback != playback
  }

  /// Returns the elapsed time of `item`; `nil` if it is not playing or has not started. `audible` is the engine's
  /// position at this moment.
  func elapsed(of item: PlayQueue.Item.ID, _ audible: SourcePosition?) -> Duration? {
    guard playback.enginePhase != .stopped, playback.item == item, !playback.hasRequest else { return nil }
    guard playback.isAdvancing, let audible, plan.chain[audible.source]?.item == item else { return playback.position }
    return playback.limited(audible.position)
  }

  /// The elapsed time of the current item; `nil` if it is not playing.
  var elapsedOfCurrent: Duration? { queue.current.flatMap { elapsed(of: $0.id, audiblePosition) } }

  /// Stores the elapsed time of the current item in the queue, if it is playing.
  mutating func storeElapsed() {
    if let elapsed = elapsedOfCurrent { queue.reduce(.elapsed(elapsed)) }
  }

  /// Sets the published position, which is up to a second old, to the exact one.
  mutating func updatePosition() {
    guard let item = playback.item, let elapsed = elapsed(of: item, audiblePosition) else { return }
    report(.position(item, elapsed))
  }

  // MARK: The queue

  private mutating func reduce(_ action: QueueAction) {
    if action.isEdit { storeElapsed() }
    queue.reduce(action)
    switch action {
    case .enqueue:
      if let current = queue.current { play(current) } else { stopByEdit() }
    case .play(let id, _), .skipped(let id):
      if let current = queue.current, current.id == id { play(current) }
    case .availability(let missing, let found):
      // Items that were not given to the engine make no difference, and those that failed are already skipped.
      if !found.isEmpty || plan.chain.hasUpcoming(missing) { syncWithQueue() }
    case .elapsed, .started: break
    case .add, .remove, .move, .swap, .clear, .crop, .dedupe, .shuffle, .sort, .prioritise, .setRange, .undo, .redo,
      .setRepeat, .setRandom, .setSingle, .setConsume, .stopAfter, .restored, .advanced, .paused, .finished:
      syncWithQueue()
    }
  }

  /// Synchronises the engine with the queue after an edit. An item that is still current continues to play undisturbed.
  mutating func syncWithQueue() {
    let item = plan.chain.item
    guard item != queue.current?.id else { return updateNext() }
    if item == nil {
      if plan.wasStoppedByEdit, let current = queue.current { play(current) }
    } else if let current = queue.current {
      play(current, isPaused: playback.phase == .paused)
    } else {
      stopByEdit()
    }
  }

  // MARK: Playing

  /// Plays `item`, which must be the current one, from the position that the queue has stored for it, or from its end
  /// if that is earlier.
  mutating func play(_ item: PlayQueue.Item, isPaused: Bool = false) {
    let position = min(queue.elapsed, item.track.duration ?? queue.elapsed)
    let startsPaused = isPaused || !playback.isOutputEnabled
    plan.wasStoppedByEdit = false
    plan.needsGain = false
    plan.chain.request(item.id)
    plan.request = EnginePlan.Request(item: item, position: position, isPaused: startsPaused)
    report(.requested(item.id, isPaused: startsPaused, at: position, lasting: item.track.duration))
    playRequest()
  }

  /// Plays the requested item if its gain is known; otherwise waits for its ReplayGain values.
  mutating func playRequest() {
    guard let request = plan.request else { return }
    if playback.replayGain.mode != .off, plan.replayGain[request.item.id] == nil { lookUp([request.item]) }
    guard let gain = gain(of: request.item) else { return }
    plan.request = nil
    let source = plan.source(for: request.item, gain: gain)
    plan.chain.begin(
      SourceChain.Link(source: source.id, item: request.item.id, segment: source.segment, gain: gain))
    effects.append(.play(source, at: request.position, isPaused: request.isPaused))
  }

  /// Stops playback because there is no current item any more.
  mutating func stopByEdit() {
    forgetPlan(byEdit: playback.phase != .paused)
    stopEngine(byEdit: true)
  }

  /// Stops playback as after the last item.
  mutating func stopEngine(byEdit: Bool) {
    report(.stopRequested(byEdit: byEdit))
    effects.append(.stop)
  }

  mutating func forgetPlan(byEdit: Bool) {
    plan.wasStoppedByEdit = byEdit && plan.chain.item != nil
    plan.chain.clear()
    plan.request = nil
  }

  mutating func report(_ report: PlaybackReport) { _ = playback.reduce(.report(report)) }

  // MARK: ReplayGain

  /// Returns the ReplayGain decision for `item`; `nil` if its values are not known yet.
  func gain(of item: PlayQueue.Item) -> ReplayGainDecision? {
    let settings = playback.replayGain
    guard settings.mode != .off else { return .off }
    return plan.replayGain[item.id].map {
      settings.decision(for: $0, albumPlaysInOrder: queue.playsAlbumInOrder(item.id))
    }
  }

  /// Looks up the ReplayGain values of these items, unless they are known, and forgets those of all others.
  mutating func lookUp(_ items: [PlayQueue.Item]) {
    let wanted = Set(items.map(\.id))
    plan.replayGain = plan.replayGain.filter { wanted.contains($0.key) }
    let missing = items.filter { plan.replayGain[$0.id] == nil }
    guard missing.map(\.id) != plan.awaitedReplayGain else { return }
    plan.awaitedReplayGain = missing.map(\.id)
    if !missing.isEmpty { effects.append(.lookUpReplayGain(missing)) }
  }

  private mutating func reduce(_ found: [PlayQueue.Item.ID: ReplayGainTags]) {
    plan.replayGain.merge(found) { $1 }
    plan.awaitedReplayGain.removeAll { found.keys.contains($0) }
    playRequest()
    if plan.needsGain { changeGain() } else { updateNext() }
  }

  /// Applies the current ReplayGain settings to the current source.
  mutating func changeGain() {
    if let link = plan.chain.links.first, let position = queue.position(of: link.item) {
      let item = queue.items[position]
      if playback.replayGain.mode != .off, plan.replayGain[item.id] == nil { lookUp([item]) }
      let gain = gain(of: item)
      plan.needsGain = gain == nil
      if let gain, gain != link.gain {
        plan.chain.setGain(gain)
        report(.gainChanged(item.id, gain))
        effects.append(.setGain(SourceGain(gain), of: link.source))
      }
    }
    updateNext()
  }
}

extension QueueAction {
  /// Whether the action is an edit, which can be undone. Before an edit, the elapsed time of the current item is stored
  /// in the queue.
  fileprivate var isEdit: Bool {
    switch self {
    case .enqueue, .add, .remove, .move, .swap, .clear, .crop, .dedupe, .shuffle, .sort, .prioritise, .setRange, .undo,
      .redo:
      true
    case .setRepeat, .setRandom, .setSingle, .setConsume, .stopAfter, .play, .skipped, .advanced, .paused, .finished,
      .elapsed, .started, .restored, .availability:
      false
    }
  }
}

/// A command for the engine or its helpers, decided by the reducer and performed by the ``EnQueueController``.
enum PlayerEffect: Sendable, Equatable {
  /// Play this source from a position, or pause there.
  case play(PlaybackSource, at: Duration, isPaused: Bool)
  /// Set the source to play after another; `nil` if there is none.
  case setNext(PlaybackSource?, after: PlaybackSource.ID, Transition)
  /// Fade out and pause.
  case pause
  /// Resume after a pause.
  case resume
  /// Fade out and close the output.
  case stop
  /// Pause, and close the device immediately.
  case release
  /// Seek within the current source.
  case seek(SeekTarget)
  /// Change the gain of a source that is playing.
  case setGain(SourceGain, of: PlaybackSource.ID)
  /// Change the volume to this gain, from 0 to 1, over this time.
  case setVolume(Float, over: Duration)
  /// Prepare for crossfades of up to this length.
  case setMaximumCrossfade(Duration)
  /// Look up the ReplayGain values of these items, in place of any lookup that is still waiting.
  case lookUpReplayGain([PlayQueue.Item])
  /// Check whether the files of some of the queue's items exist.
  case checkFiles(AvailabilityWatch.Checks)
}
