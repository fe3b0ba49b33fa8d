import AudioCore
import Flux
import MusicModel
import PlaybackEngine

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
      let next = queue.queue.item(after: item)
      engine.follow(source, with: next.map { sources.source(for: $0, isFresh: false) })
    case .started(let source, let format, let stream, let duration):
      guard let item = sources.item(of: source) else { return }
      sources.forgetSources(before: source)
      if queue.queue.current?.id != item { queueDispatcher.dispatch(.advanced(to: item)) }
      dispatch(.started(item, format: format, stream: stream, duration: duration))
    case .position(let source, let position):
      guard let item = sources.item(of: source) else { return }
      dispatch(.position(item, position))
    case .failed(let source, let error):
      guard let item = sources.item(of: source) else { return }
      dispatch(.failed(item, error))
    case .endedEarly(let source, let error):
      guard let item = sources.item(of: source) else { return }
      dispatch(.endedEarly(item, error))
    case .changed(let phase):
      dispatch(.changed(PlaybackState.Phase(phase)))
    case .finished:
      queueDispatcher.dispatch(.finished)
      dispatch(.finished)
    case .outputOpened(let name, let format, let isDevice, let latency, let warning):
      let output = PlaybackState.Output(name: name, format: format, isDevice: isDevice, latency: latency)
      dispatch(.outputOpened(output, warning: warning))
    case .outputLost(let error):
      dispatch(.outputLost(error))
    case .outputStalled(let isStalled):
      dispatch(.outputStalled(isStalled))
    case .outputFailed(let error):
      dispatch(.outputFailed(error))
    }
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
