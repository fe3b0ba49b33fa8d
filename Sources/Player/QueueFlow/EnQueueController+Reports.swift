import AudioCore
import Flux
import MusicModel
import PlaybackEngine
import Synchronization

extension EnQueueController {
  /// Answers the engine's question, or dispatches what `event` means in the queue's words; nothing where it is of a
  /// source that no longer counts.
  func bringBack(_ event: EngineEvent, commanded: PlaybackSource.ID?) {
    switch event {
    case .needsNext(let source):
      if answer(source) { welcome(source) }
    case .started(let source, let format, let stream, let duration, let bitRate):
      guard let link = started(source) else { return }
      let crossfade = if case .crossfade(let length) = link.transition { length } else { Duration.zero }
      dispatch(
        .started(
          link.item, format: format, stream: stream, gain: link.gain, duration: duration,
          crossfade: crossfade, bitRate: bitRate))
    case .position(let source, let position):
      guard let item = item(of: source) else { return }
      dispatch(.position(item, position))
      let underruns = engine.underrunCount
      if underruns != playback.state.underrunCount { dispatch(.underruns(underruns)) }
    case .failed(let source, let error):
      failed(source, error)
    case .endedEarly(let source, let error):
      guard let item = item(of: source) else { return }
      dispatch(.endedEarly(item, error))
    case .changed(.stopped):
      if end(commanded) != nil { dispatch(.changed(.stopped)) }
    case .changed(let phase):
      dispatch(.changed(PlaybackState.Phase(phase)))
    case .answered(let number, let phase):
      dispatch(.answered(number, PlaybackState.Phase(phase)))
    case .finished:
      // Where something follows since, playing goes on with that.
      if let chain = end(commanded), !goOn(behind: chain) { dispatch(.finished) }
    case .outputOpened(let name, let format, let isDevice, let latency, let warning):
      let output = PlaybackState.Output(name: name, format: format, isDevice: isDevice, latency: latency)
      dispatch(.outputOpened(output, warning: warning))
    case .outputLost(let error):
      // Whoever tells of the loss can say that it pauses.
      if pausesOnLoss { dispatch(.changed(.paused)) }
      dispatch(.outputLost(error))
    case .outputStalled(let isStalled):
      dispatch(.outputStalled(isStalled))
    case .inputStalled(let isStalled):
      dispatch(.inputStalled(isStalled))
    case .outputFailed(let error):
      noteHeard()
      _ = end(commanded)
      dispatch(.outputFailed(error))
    }
  }

  /// The item that the source is, or `nil` where it no longer counts.
  private func item(of source: PlaybackSource.ID) -> PlayQueue.Item.ID? {
    course.withLock { $0.chain[source]?.item }
  }

  /// Nothing is heard any more; gives what was told last, or `nil` where something else than `commanded` was asked for
  /// since.
  private func end(_ commanded: PlaybackSource.ID?) -> SourceChain? {
    course.withLock { course in
      guard course.chain.isLatestCommand(commanded) else { return nil }
      defer { course.chain.clear() }
      return course.chain
    }
  }

  /// What is heard becomes current; gives it, unless it no longer counts.
  private func started(_ source: PlaybackSource.ID) -> SourceChain.Link? {
    let before = course.withLock { $0.chain.item }
    switch course.withLock({ $0.chain.started(source) }) {
    case .same(var link):
      // At another place it begins by itself.
      link.transition = .gapless
      return link
    case .wentOn(let link):
      // Repeated, it is begun again.
      if link.item == before { dispatch(.repeated(link.item)) }
      queueDispatcher.dispatch(.advanced(to: link.item))
      return link
    case .tooLate:
      let chain = course.withLock { course in
        defer { course.chain.clear() }
        return course.chain
      }
      if !goOn(behind: chain) { playbackDispatcher.dispatch(.stop(rewinds: false)) }
      return nil
    case .old:
      return nil
    }
  }

  /// Plays what follows what was heard last of `chain`, or waits before it, though the engine went on to something
  /// else, or ended; `false` where nothing does.
  private func goOn(behind chain: SourceChain) -> Bool {
    let (queue, state) = (queue.queue, playback.state)
    if let last = chain.links.first {
      if let next = item(behind: last, chain, queue, state) {
        queueDispatcher.dispatch(.advanced(to: next.id))
        return true
      }
      // Behind what could not be played, playing ends.
      if queue.waitsBehindItems, !last.isFailed,
        let next = item(behind: last, chain, queue.withoutWaiting, state)
      {
        dispatch(.changed(.paused))
        queueDispatcher.dispatch(.waiting(before: next.id))
        dispatch(.waiting)
        return true
      }
    }
    queueDispatcher.dispatch(.finished)
    return false
  }

  /// A source was opened: its file is there.
  private func welcome(_ source: PlaybackSource.ID) {
    let queue = queue.queue
    guard let link = course.withLock({ $0.chain[source] }), !link.isFailed,
      let position = queue.position(of: link.item), queue.items[position].isGone
    else { return }
    queueDispatcher.dispatch(.availability(gone: [], back: [link.item]))
  }

  /// A source could not be played: it is said once, and where its file is gone, the item is marked.
  private func failed(_ source: PlaybackSource.ID, _ error: DecodingError) {
    guard let (item, isNews) = course.withLock({ $0.chain.failed(source) }) else { return }
    if isNews { dispatch(.failed(item, error)) }
    let queue = queue.queue
    guard error.kind == .unreadable, let position = queue.position(of: item), !queue.items[position].isGone
    else { return }
    queueDispatcher.dispatch(.availability(gone: [item], back: []))
    files.look(.untilPresent)
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
