// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import MusicModel
import Platform
import PlaybackEngine

extension PlayerReducer {
  mutating func reduce(_ event: EngineEvent, after executed: ExecutedCommands) {
    switch event {
    case .needsNext(let source):
      guard state.plan.chain.nextRequested(after: source) else { return }
      updateNext()
      markPresent(source)
    case .started(let source, let format, let stream, let duration, let encoding):
      state.plan.listedFailureCount = 0
      guard let link = started(source) else { return }
      let item = state.queue.position(of: link.item).map { state.queue.items[$0] }
      let crossfade = if case .crossfade(let length) = link.transition { length } else { Duration.zero }
      let part = link.frames.map { PlayedPart($0, in: format, lasting: duration) } ?? PlayedPart()
      report(
        .started(
          link.item, format: format, stream: stream, gain: link.gain, duration: duration ?? item?.track.duration,
          crossfade: crossfade, encoding: encoding, part: encoding.isSeekable ? part : PlayedPart(),
          speed: link.speed))
      if !state.plan.chain.isUpToDate(executed) { report(.seekPending) }
      effects.append(.checkFiles(.nearby))
    case .text(let source, let text):
      if let item = state.plan.chain[source]?.item { report(.text(item, text)) }
    case .position: break
    case .failed(let source, let error): failed(source, error)
    case .endedEarly(let source, let error):
      if let item = state.plan.chain.item(of: source) { report(.endedEarly(item, error)) }
    case .changed(.stopped):
      guard ended(executed) != nil else { return }
      report(.changed(.stopped))
      restoreVolume()
    case .changed(let phase): report(.confirmed(PlaybackState.Phase(phase)))
    case .finished:
      // If an item has been added after the last one meanwhile, playback continues with it.
      guard let chain = ended(executed), !continuePlayback(after: chain) else { return }
      report(.finished)
      restoreVolume()
    case .outputOpened(let name, let format, let latency, let warning):
      let output = PlaybackState.Output(name: name, format: format, latency: latency)
      report(.outputOpened(output, warning: warning))
    case .outputLost(let error):
      // If playback is stopping anyway, there is nothing to pause.
      if state.pausesOnLoss, state.playback.phase != .stopped { report(.changed(.paused)) }
      report(.outputLost(error))
    case .outputStalled(let isStalled): report(.outputStalled(isStalled))
    case .inputStalled(let isStalled): report(.inputStalled(isStalled))
    case .outputFailed(let error):
      storeElapsed()
      report(.outputFailed(error, isLast: ended(executed) != nil))
      restoreVolume()
    }
  }

  /// Ends the chain of sources, since playback has ended. Returns the chain, or `nil` if something other than
  /// the source that the engine was playing has been requested since.
  private mutating func ended(_ executed: ExecutedCommands) -> SourceChain? {
    guard state.plan.chain.isLatest(executed.source) else { return nil }
    defer { state.plan.chain.clear() }
    return state.plan.chain
  }

  /// Makes the item of `source`, which has started, the current one. Returns the link of the source, or `nil` if the
  /// source is obsolete.
  private mutating func started(_ source: PlaybackSource.ID) -> SourceChain.Link? {
    let before = state.plan.chain.item
    switch state.plan.chain.started(source) {
    case .same(let link): return link
    case .advanced(let link):
      // A repeated item starts again, and the position of a request does not apply to a later item.
      if link.item == before || state.playback.hasRequest { report(.repeated(link.item)) }
      state.queue.reduce(.advanced(to: link.item))
      state.plan.positions[link.item] = nil
      // It may be measured meanwhile, and is looked up again before it is played again.
      if let before { state.plan.measurements[before] = nil }
      syncWithQueue()
      return link
    case .tooLate:
      let chain = state.plan.chain
      state.plan.chain.clear()
      if !continuePlayback(after: chain) { stop(rewinds: false) }
      return nil
    case .stale:
      return nil
    }
  }

  /// Plays the item after the first link of `chain`, or pauses before it, although the engine has started something
  /// else or ended. Returns `false` if there is no next item.
  private mutating func continuePlayback(after chain: SourceChain) -> Bool {
    if let last = chain.links.first {
      if let next = nextItem(after: last, chain, in: state.queue) {
        state.queue.reduce(.advanced(to: next.id))
        // The user may have paused when the engine had already reached the end.
        if let current = state.queue.current { play(current, isPaused: state.playback.phase == .paused) }
        return true
      }
      // Playback ends after an item that could not be played, instead of waiting.
      if state.queue.pausesAfterItems, !last.isFailed,
        let next = nextItem(after: last, chain, in: state.queue.withSingleOff)
      {
        report(.changed(.paused))
        state.queue.reduce(.paused(before: next.id))
        if let current = state.queue.current { play(current, isPaused: true) }
        report(.waiting)
        return true
      }
    }
    state.queue.reduce(.finished)
    return false
  }

  /// Clears the missing mark of the item of `source`, whose file has been opened.
  private mutating func markPresent(_ source: PlaybackSource.ID) {
    guard let link = state.plan.chain[source], !link.isFailed, let position = state.queue.position(of: link.item),
      state.queue.items[position].isMissing
    else { return }
    state.queue.reduce(.availability(missing: [], found: [link.item]))
    syncWithQueue()
  }

  /// Handles a source that could not be played: reports it once and, if its file is missing, marks the item.
  private mutating func failed(_ source: PlaybackSource.ID, _ error: DecodingError) {
    guard let (item, isNew) = state.plan.chain.failed(source) else { return }
    if case .list(let parts) = error.kind, replace(item, with: parts) { return }
    if state.plan.listedItems.contains(item) { state.plan.listedFailureCount += 1 }
    if isNew { report(.failed(item, error)) }
    guard error.kind == .unreadable, let position = state.queue.position(of: item),
      !state.queue.items[position].isMissing
    else { return }
    state.queue.reduce(.availability(missing: [item], found: []))
    effects.append(.checkFiles(.untilPresent))
  }
}

extension PlayerReducer {
  /// Replaces an item, whose address leads to a list of streams, with these. Returns `false` if the item itself comes
  /// from such a list, which may lead to itself.
  private mutating func replace(_ item: PlayQueue.Item.ID, with parts: [StreamPart]) -> Bool {
    guard !parts.isEmpty, let position = state.queue.position(of: item), !state.plan.listedItems.contains(item) else {
      return false
    }
    let title = state.queue.items[position].track.title
    let tracks = parts.map { part in
      Track(path: part.address.path, title: part.address.description).described(by: part.text)
    }
    let before = state.queue.items.count
    state.queue.reduce(.add(TrackCollection(title: title, tracks: tracks), at: .position(position + 1)))
    let added = (position + 1)..<(position + 1 + state.queue.items.count - before)
    state.plan.listedItems = state.plan.listedItems.filter { state.queue.position(of: $0) != nil }
    state.plan.listedItems.formUnion(added.map { state.queue.items[$0].id })
    state.queue.reduce(.remove(.items([item])))
    syncWithQueue()
    return true
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
