import AudioCore
import MusicModel

/// The commands to the transport.
extension PlayerState {
  /// Whether nothing plays, nor was requested.
  private var isIdle: Bool { plan.chain.item == nil }

  mutating func reduce(_ action: PlaybackAction) {
    switch action {
    case .pause: pause()
    case .resume: resume()
    case .toggle: playback.phase == .playing ? pause() : resume()
    case .stop(let rewinds): stop(rewinds: rewinds)
    case .next: goToNext()
    case .previous: goToPrevious(mayRestart: true)
    case .back: goToPrevious(mayRestart: false)
    case .seek(let target): seek(target)
    case .setVolume, .changeVolume:
      _ = playback.reduce(action)
      restoreVolume()
    case .setReplayGain:
      _ = playback.reduce(action)
      changeGain()
    case .setCrossfade(let crossfade):
      _ = playback.reduce(action)
      effects.append(.expectCrossfade(crossfade.duration))
      updateNext()
    case .enableOutput(let isOn):
      _ = playback.reduce(action)
      guard !isOn else { return }
      plan.request?.isPaused = true
      effects.append(.release)
    case .sleep(let timer):
      _ = playback.reduce(action)
      updateNext()
      // Another timer has another fade.
      if timer == nil || playback.phase == .playing { restoreVolume() }
    case .fadeOut(let duration): effects.append(.setVolume(0, over: duration))
    case .setMixRamp, .dismissError, .report: _ = playback.reduce(action)
    }
  }

  /// Sets the user's volume, after a fade.
  mutating func restoreVolume() { effects.append(.setVolume(playback.volume.gain, over: .zero)) }

  private mutating func pause() {
    _ = playback.reduce(.pause)
    if plan.request != nil { plan.request?.isPaused = true } else { effects.append(.pause) }
  }

  private mutating func resume() {
    guard isIdle else {
      _ = playback.reduce(.resume)
      // What waits for its output goes on waiting.
      guard playback.isOutputEnabled else { return }
      if plan.request != nil { plan.request?.isPaused = false } else { effects.append(.resume) }
      return
    }
    if let current = queue.current {
      play(current.id, from: queue.heard)
    } else if let first = queue.first {
      play(first.id, from: .zero)
    }
  }

  /// Stops; the queue keeps the position, or rewinds to the beginning of the item.
  mutating func stop(rewinds: Bool) {
    if !rewinds {
      noteHeard()
    } else if !isIdle {
      queue.reduce(.heard(.zero))
    }
    forgetPlan(byEdit: false)
    _ = playback.reduce(.stop(rewinds: rewinds))
    effects.append(.stop)
  }

  private mutating func play(_ id: PlayQueue.Item.ID, from place: Duration) {
    queue.reduce(.play(id, from: place))
    if let current = queue.current, current.id == id { play(current) }
  }

  private mutating func goToNext() {
    guard let current = queue.current else { return }
    // What leaves the queue is not played again.
    if let next = queue.presentItem(after: current.id), !queue.modes.consume || next.id != current.id {
      queue.reduce(.skipped(to: next.id))
      if let current = queue.current, current.id == next.id { play(current) }
    } else {
      // As behind the last item that was heard to its end.
      forgetPlan(byEdit: false)
      silence(byEdit: false)
      queue.reduce(.finished)
    }
  }

  /// Plays the item before the current one or, where it `mayRestart` and has played on, the current one from its
  /// beginning.
  private mutating func goToPrevious(mayRestart: Bool) {
    guard let current = queue.current else {
      // Behind the end, that is the last one.
      let last = queue.itemsInPlayingOrder(from: queue.items.count - 1, count: 1).first
      if let last { play(last.id, from: .zero) }
      return
    }
    let hasPlayedOn = mayRestart && heardOfCurrent.map { $0 >= Self.previousThreshold } ?? false
    let item = hasPlayedOn ? current : queue.presentItem(before: current.id) ?? current
    play(item.id, from: .zero)
  }

  private mutating func seek(_ target: SeekTarget) {
    var target = target
    // From where it is heard at this moment, which the state knows to the second.
    if case .by(let distance) = target, let heard = heardOfCurrent { target = .to(max(.zero, heard + distance)) }
    _ = playback.reduce(.seek(target))
    if let request = plan.request {
      plan.request?.place = target.place(from: request.place, within: request.item.track.duration)
    } else {
      effects.append(.seek(target))
    }
  }
}
