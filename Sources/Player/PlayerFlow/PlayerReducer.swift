// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import MusicModel
import PlaybackEngine

/// The reduction of one action: a state under construction, and the effects that have been decided so far.
struct PlayerReducer {
  /// The elapsed time beyond which ``PlaybackAction/previous`` restarts the current item.
  static let previousThreshold = Duration.seconds(3)

  var state: PlayerState
  /// The position that was audible when the action got its place; `nil` if nothing was.
  let audible: SourcePosition?
  /// The effects, in the order in which they are to be performed.
  var effects: [PlayerEffect] = []

  /// Applies `action` to ``state``, and appends its effects to ``effects``.
  mutating func reduce(_ action: PlayerAction) {
    switch action {
    case .queue(let action): reduce(action)
    case .playback(let action): reduce(action)
    case .engine(let event, let executed): reduce(event, after: executed)
    case .connection(let path, let failure):
      if state.queue.current?.track.path == path { report(.connectionFailed(failure)) }
    case .measurements(let found): reduce(found)
    case .storedPosition(let item, let position): receive(position: position, of: item)
    case .storeElapsed: storeElapsed()
    case .begin(let pausesOnLoss, let resumeRule, let silenceSkipping):
      (state.pausesOnLoss, state.resumeRule) = (pausesOnLoss, resumeRule)
      state.silenceSkipping = silenceSkipping
    }
  }

  /// The elapsed time of the current item; `nil` if it is not playing.
  var elapsedOfCurrent: Duration? { state.queue.current.flatMap { state.elapsed(of: $0.id, audible) } }

  /// Stores the elapsed time of the current item in the queue, if it is playing.
  mutating func storeElapsed() {
    if let elapsed = elapsedOfCurrent { state.queue.reduce(.elapsed(elapsed)) }
  }

  /// Stores the position at which the current item would resume in the queue, even if it has not started yet.
  private mutating func storePosition() {
    if state.playback.hasRequest {
      state.queue.reduce(.elapsed(state.playback.requestedPosition))
    } else {
      storeElapsed()
    }
  }

  /// Sets the published position, which is up to a second old, to the exact one.
  mutating func updatePosition() {
    guard let item = state.playback.item, let elapsed = state.elapsed(of: item, audible) else { return }
    report(.position(item, elapsed))
  }

  // MARK: The queue

  private mutating func reduce(_ action: QueueAction) {
    if action.isEdit { storeElapsed() }
    if case .use = action { storePosition() }
    state.queue.reduce(action)
    switch action {
    case .enqueue:
      if let current = state.queue.current { play(current) } else { stopByEdit() }
    case .play(let id, _), .skipped(let id):
      if let current = state.queue.current, current.id == id { play(current) }
    case .availability(let missing, let found):
      // Items that were not given to the engine make no difference, and those that failed are already skipped.
      if !found.isEmpty || state.plan.chain.hasUpcoming(missing) { syncWithQueue() }
    case .use:
      syncWithQueue()
      effects.append(.checkFiles(.far))
    case .elapsed, .started, .forget: break
    case .moved:
      if let item = state.plan.request.flatMap({ state.queue.item($0.item.id) }) { state.plan.request?.item = item }
      updateNext()
    case .add, .refill, .remove, .move, .swap, .clear, .crop, .dedupe, .shuffle, .sort, .prioritise, .setRange, .undo,
      .redo, .setRepeat, .setRandom, .setSingle, .setConsume, .stopAfter, .setKeepPlaying, .restored, .advanced,
      .paused, .finished:
      syncWithQueue()
    }
  }

  /// Synchronises the engine with the queue after an edit. An item that is still current continues to play undisturbed.
  mutating func syncWithQueue() {
    let item = state.plan.chain.item
    guard item != state.queue.current?.id else { return updateNext() }
    if item == nil {
      if state.plan.wasStoppedByEdit, let current = state.queue.current { play(current) }
    } else if let current = state.queue.current {
      play(current, isPaused: state.playback.phase == .paused)
    } else {
      stopByEdit()
    }
  }

  // MARK: Playing

  /// Plays `item`, which must be the current one, from the position that the queue has stored for it, or from its end
  /// if that is earlier. If the queue has stored none, plays it from where it was left, unless `startsOver`. What is
  /// playing fades out over `crossfade`.
  mutating func play(
    _ item: PlayQueue.Item, isPaused: Bool = false, startsOver: Bool = false, crossfade: Duration = .zero
  ) {
    let position = min(state.queue.elapsed, item.track.duration ?? state.queue.elapsed)
    let startsPaused = isPaused || !state.playback.isOutputEnabled
    state.plan.wasStoppedByEdit = false
    state.plan.needsGain = false
    state.plan.chain.request(item.id)
    // It may have been played since that was looked up.
    state.plan.positions[item.id] = nil
    state.plan.request = EnginePlan.Request(
      item: item, position: position, isPaused: startsPaused,
      awaitsPosition: position == .zero && !startsOver && mayResume(item), crossfade: crossfade)
    report(.requested(item.id, isPaused: startsPaused, at: position, lasting: item.track.duration))
    playRequest()
  }

  /// Plays the requested item if it is known what was measured of it, and where it was left; otherwise waits for that.
  mutating func playRequest() {
    guard let request = state.plan.request else { return }
    if !isMeasurementKnown(of: request.item) { lookUp([request.item]) }
    if request.awaitsPosition { return lookUpPosition(of: request.item) }
    guard isMeasurementKnown(of: request.item), let gain = gain(of: request.item) else { return }
    state.plan.request = nil
    let frames = playedFrames(of: request.item, after: nil)
    let source = state.plan.source(for: request.item, gain: gain, frames: frames, speed: speed(of: request.item))
    let crossfade = request.isPaused ? .zero : request.crossfade
    state.plan.chain.begin(
      SourceChain.Link(
        source: source.id, item: request.item.id, path: source.path, segment: source.segment, frames: frames,
        gain: gain, speed: source.speed, transition: crossfade > .zero ? .crossfade(crossfade) : .gapless))
    effects.append(.play(source, at: request.position, isPaused: request.isPaused, crossfade: crossfade))
  }

  /// Stops playback because there is no current item any more.
  mutating func stopByEdit() {
    forgetPlan(byEdit: state.playback.phase != .paused)
    stopEngine(byEdit: true)
  }

  /// Stops playback as after the last item.
  mutating func stopEngine(byEdit: Bool) {
    report(.stopRequested(byEdit: byEdit))
    effects.append(.stop)
  }

  mutating func forgetPlan(byEdit: Bool) {
    state.plan.wasStoppedByEdit = byEdit && state.plan.chain.item != nil
    state.plan.chain.clear()
    state.plan.request = nil
  }

  mutating func report(_ report: PlaybackReport) { _ = state.playback.reduce(.report(report)) }

  // MARK: Measurements

  /// Returns whether `item` can be played now, and need not wait for what was measured of it.
  func isMeasurementKnown(of item: PlayQueue.Item) -> Bool {
    state.plan.measurements[item.id] != nil
      || state.playback.replayGain.mode == .off && state.silenceSkipping == nil
  }

  /// Returns the ReplayGain decision for `item`; `nil` if its values are not known yet.
  func gain(of item: PlayQueue.Item) -> ReplayGainDecision? {
    let settings = state.playback.replayGain
    guard settings.mode != .off else { return .off }
    return state.plan.measurements[item.id].map {
      settings.decision(for: $0.replayGain, albumPlaysInOrder: state.queue.playsAlbumInOrder(item.id))
    }
  }

  /// Looks up what was measured of these items, unless that is known, and forgets it of all others.
  mutating func lookUp(_ items: [PlayQueue.Item]) {
    let wanted = Set(items.map(\.id))
    state.plan.measurements = state.plan.measurements.filter { wanted.contains($0.key) }
    let missing = items.filter { state.plan.measurements[$0.id] == nil }
    guard missing.map(\.id) != state.plan.awaitedMeasurements else { return }
    state.plan.awaitedMeasurements = missing.map(\.id)
    if !missing.isEmpty { effects.append(.lookUpMeasurements(missing)) }
  }

  private mutating func reduce(_ found: [PlayQueue.Item.ID: AudioMeasurement]) {
    state.plan.measurements.merge(found) { $1 }
    state.plan.awaitedMeasurements.removeAll { found.keys.contains($0) }
    playRequest()
    if state.plan.needsGain { changeGain() } else { updateNext() }
  }

  /// Applies the current ReplayGain settings to the current source.
  mutating func changeGain() {
    if let link = state.plan.chain.links.first, let position = state.queue.position(of: link.item) {
      let item = state.queue.items[position]
      if !isMeasurementKnown(of: item) { lookUp([item]) }
      let gain = gain(of: item)
      state.plan.needsGain = gain == nil
      if let gain, gain != link.gain {
        state.plan.chain.setGain(gain)
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
    case .enqueue, .add, .refill, .remove, .move, .swap, .clear, .crop, .dedupe, .shuffle, .sort, .prioritise,
      .setRange, .undo,
      .redo:
      true
    case .setRepeat, .setRandom, .setSingle, .setConsume, .stopAfter, .setKeepPlaying, .play, .skipped, .advanced,
      .paused, .finished, .elapsed, .started, .restored, .use, .forget, .availability, .moved:
      false
    }
  }
}
