import AudioCore
import Flux
import MusicModel
import PlaybackEngine
import Synchronization

extension EnQueueController {
  /// Answers the engine's question, or dispatches what `event` means in the queue's words; nothing where it is of a source
  /// that no longer counts.
  func bringBack(_ event: EngineEvent, commanded: PlaybackSource.ID?) {
    switch event {
    case .changed(.stopped), .finished:
      // Something else was asked for since.
      guard let commanded, sources.isLatestRequest(commanded) else { return }
    default: break
    }
    switch event {
    case .needsNext(let source):
      guard let item = sources.item(of: source) else { return }
      follow(source, item)
    case .started(let source, let format, let stream, let duration):
      guard let entry = sources[source] else { return }
      sources.forgetSources(before: source)
      if let last = queue.queue.current?.id, last != entry.item {
        let isTooLate = playback.state.stops(after: last, in: queue.queue)
        sleepEnds.withLock { _ = $0.remove(last) }
        queueDispatcher.dispatch(.advanced(to: entry.item))
        // The timer was set when this item was on its way already.
        if isTooLate { playbackDispatcher.dispatch(.stop) }
      }
      dispatch(
        .started(entry.item, format: format, stream: stream, gain: entry.gain, duration: duration))
    case .position(let source, let position):
      guard let item = sources.item(of: source) else { return }
      dispatch(.position(item, position))
      let underruns = engine.underrunCount
      if underruns != playback.state.underrunCount { dispatch(.underruns(underruns)) }
    case .failed(let source, let error):
      guard let item = sources.item(of: source) else { return }
      dispatch(.failed(item, error))
    case .endedEarly(let source, let error):
      guard let item = sources.item(of: source) else { return }
      dispatch(.endedEarly(item, error))
    case .changed(let phase):
      dispatch(.changed(PlaybackState.Phase(phase)))
    case .finished:
      if finish() { dispatch(.finished) }
    case .outputOpened(let name, let format, let isDevice, let latency, let warning):
      let output = PlaybackState.Output(name: name, format: format, isDevice: isDevice, latency: latency)
      dispatch(.outputOpened(output, warning: warning))
    case .outputLost(let error):
      // Whoever tells of the loss can say that it pauses.
      if pausesOnLoss { dispatch(.changed(.paused)) }
      dispatch(.outputLost(error))
    case .outputStalled(let isStalled):
      dispatch(.outputStalled(isStalled))
    case .outputFailed(let error):
      dispatch(.outputFailed(error))
    }
  }

  /// The engine has played what it was told to: the queue to its end, unless a sleep timer ended it earlier. Where the timer was
  /// taken back too late, playing goes on.
  private func finish() -> Bool {
    let queue = queue.queue
    let endsBySleep = sleepEnds.withLock { ends in
      defer { ends = [] }
      return !ends.isEmpty
    }
    guard endsBySleep, let current = queue.current?.id, let next = queue.item(after: current)?.id else {
      queueDispatcher.dispatch(.finished)
      return true
    }
    let isAsleep = playback.state.sleep != nil
    queueDispatcher.dispatch(isAsleep ? .advanced(to: next) : .play(next, from: .zero))
    return isAsleep
  }

  private func dispatch(_ report: PlaybackReport) {
    playbackDispatcher.dispatch(.report(report))
  }
}

extension PlaybackState.Phase {
  fileprivate init(_ phase: EngineEvent.Phase) {
    self =
      switch phase {
      case .stopped: .stopped
      case .playing: .playing
      case .paused: .paused
      }
  }
}
