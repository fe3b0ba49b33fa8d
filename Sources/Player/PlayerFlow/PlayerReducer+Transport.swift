// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import MusicModel
import Platform

/// The handling of transport commands and settings.
extension PlayerReducer {
  private var isIdle: Bool { state.plan.chain.item == nil }

  mutating func reduce(_ action: PlaybackAction) {
    switch action {
    case .pause, .pauseWithoutOutput, .resume, .toggle, .stop, .enableOutput: state.isPausedByInterruption = false
    default: break
    }
    switch action {
    case .pause: pause(.pause)
    case .pauseWithoutOutput: if state.playback.phase == .playing { pause(.pauseWithoutOutput) }
    case .resume: resume()
    case .toggle: state.playback.phase == .playing ? pause(.pause) : resume()
    case .interrupt(let hasBegun): interrupt(hasBegun)
    case .stop(let rewinds): stop(rewinds: rewinds)
    case .next: goToNext()
    case .previous: goToPrevious(mayRestart: true)
    case .back: goToPrevious(mayRestart: false)
    case .seek(let target): seek(target)
    case .chapter(let target): goToChapter(target)
    case .loop(let request): loop(request)
    case .setVolume, .changeVolume:
      _ = state.playback.reduce(action)
      restoreVolume()
    case .setSpeed, .changeSpeed:
      // Views add to the position what passes at the new speed.
      updatePosition()
      _ = state.playback.reduce(action)
      changeSpeed()
    case .setReplayGain:
      _ = state.playback.reduce(action)
      changeGain()
    case .setCrossfade(let crossfade):
      _ = state.playback.reduce(action)
      effects.append(.setMaximumCrossfade(crossfade.duration))
      updateNext()
    case .nameOutput, .setEqualisers, .bypassEqualiser:
      let before = state.playback.equaliser
      _ = state.playback.reduce(action)
      let (profile, crossfeed) = (state.playback.equaliser.active?.profile, state.playback.equaliser.activeCrossfeed)
      if profile != before.active?.profile || crossfeed != before.activeCrossfeed {
        effects.append(.setEqualiser(profile, crossfeed))
      }
    case .enableOutput(let isOn):
      if !isOn { updatePosition() }
      _ = state.playback.reduce(action)
      guard !isOn else { return }
      state.plan.request?.isPaused = true
      effects.append(.release)
    case .reopenOutput: effects.append(.reopenOutput)
    case .sleep(let timer):
      _ = state.playback.reduce(action)
      updateNext()
      // A new timer may have a different fade.
      if timer == nil || state.playback.phase == .playing { restoreVolume() }
    case .fadeOut(let duration): effects.append(.setVolume(0, over: duration))
    case .setMixRamp, .openTap, .enableTap, .dismissError, .report: _ = state.playback.reduce(action)
    }
  }

  /// Restores the volume that the user has set, after a fade.
  mutating func restoreVolume() { effects.append(.setVolume(state.playback.volume.gain, over: .zero)) }

  private mutating func pause(_ action: PlaybackAction) {
    updatePosition()
    _ = state.playback.reduce(action)
    if state.plan.request != nil { state.plan.request?.isPaused = true } else { effects.append(.pause) }
  }

  private mutating func resume() {
    guard isIdle else {
      _ = state.playback.reduce(.resume)
      // While the output is disabled, playback stays paused.
      guard state.playback.isOutputEnabled else { return }
      if state.plan.request != nil { state.plan.request?.isPaused = false } else { effects.append(.resume) }
      return
    }
    if let current = state.queue.current {
      play(current.id, from: state.queue.elapsed)
    } else if let first = state.queue.first {
      play(first.id, from: .zero)
    }
  }

  private mutating func interrupt(_ hasBegun: Bool) {
    if hasBegun, state.playback.phase == .playing {
      state.isPausedByInterruption = true
      pause(.pause)
    } else if !hasBegun, state.isPausedByInterruption {
      state.isPausedByInterruption = false
      if state.playback.phase == .paused { resume() }
    }
  }

  /// Stops playback. The queue keeps the position or, if `rewinds` is set, goes back to the beginning of the item.
  mutating func stop(rewinds: Bool) {
    updatePosition()
    if !rewinds {
      storeElapsed()
    } else if !isIdle {
      state.queue.reduce(.elapsed(.zero))
    }
    forgetPlan(byEdit: false)
    _ = state.playback.reduce(.stop(rewinds: rewinds))
    effects.append(.stop)
  }

  private mutating func play(_ id: PlayQueue.Item.ID, from position: Duration, startsOver: Bool = false) {
    state.queue.reduce(.play(id, from: position))
    if let current = state.queue.current, current.id == id { play(current, startsOver: startsOver) }
  }

  private mutating func goToNext() {
    guard let current = state.queue.current else { return }
    // In consume mode, the removed item is not played again.
    if let next = state.queue.existingItem(after: current.id), !state.queue.modes.consume || next.id != current.id {
      // A stream has to be connected to first, and would leave silence.
      let isMixable =
        state.playback.phase == .playing && state.playback.isAdvancing
        && [current, next].allSatisfy { StreamAddress($0.track.path) == nil }
      state.queue.reduce(.skipped(to: next.id))
      if let current = state.queue.current, current.id == next.id {
        play(current, crossfade: isMixable ? state.playback.crossfade.onNext : .zero)
      }
    } else {
      // Do the same as after the last item has ended.
      forgetPlan(byEdit: false)
      stopEngine(byEdit: false)
      state.queue.reduce(.finished)
    }
  }

  /// Plays the previous item. If `mayRestart` is set and the current item has passed the threshold, restarts that
  /// instead.
  private mutating func goToPrevious(mayRestart: Bool) {
    guard let current = state.queue.current else {
      // After the end of the queue, the previous item is the last one.
      let last = state.queue.itemsInPlayingOrder(from: state.queue.items.count - 1, count: 1).first
      if let last { play(last.id, from: .zero) }
      return
    }
    // Before the item has started, the position at which it will start counts, with the silence that is skipped.
    let played = elapsedOfCurrent.map { $0 - state.playback.part.start } ?? state.playback.requestedPosition
    let restartsCurrent = mayRestart && played >= Self.previousThreshold
    let item = restartsCurrent ? current : state.queue.existingItem(before: current.id) ?? current
    play(item.id, from: .zero, startsOver: item.id == current.id)
  }

  private mutating func goToChapter(_ target: ChapterTarget) {
    let chapters = state.playback.chapters
    guard !chapters.isEmpty else { return }
    let elapsed = elapsedOfCurrent ?? state.playback.position
    let current = chapters.index(at: elapsed)
    let wanted: Int
    switch target {
    case .number(let number): wanted = (1...chapters.count).contains(number) ? number - 1 : chapters.count
    case .next:
      wanted = current.map { $0 + 1 } ?? 0
      guard wanted < chapters.count else { return goToNext() }
    case .previous:
      guard let current else { return goToPrevious(mayRestart: true) }
      let start = max(chapters[current].position, state.playback.part.start)
      let hasJustBegun = elapsed - start < Self.previousThreshold
      wanted = hasJustBegun ? current - 1 : current
      guard wanted >= 0 else { return goToPrevious(mayRestart: true) }
    }
    if chapters.indices.contains(wanted) { seek(.to(chapters[wanted].position)) }
  }

  /// The position of the current item, or that at which the requested one will start.
  var targetPosition: Duration {
    state.playback.hasRequest ? state.playback.requestedPosition : state.playback.position
  }

  mutating func seek(_ target: SeekTarget) {
    guard state.playback.isSeekable else { return }
    var target = target
    // Seek from the exact position; the one in the state is up to a second old.
    if case .by(let distance) = target, let elapsed = elapsedOfCurrent { target = .to(max(.zero, elapsed + distance)) }
    _ = state.playback.reduce(.seek(target))
    if let request = state.plan.request {
      state.plan.request?.position = target.position(from: request.position, within: request.item.track.duration)
      if request.awaitsPosition {
        state.plan.request?.awaitsPosition = false
        playRequest()
      }
    } else {
      // Whoever seeks out of a passage does not want it any more.
      if let passage = state.playback.loop?.passage, !passage.contains(targetPosition) { setLoop(nil) }
      state.plan.chain.seek()
      effects.append(.seek(target))
    }
  }
}
