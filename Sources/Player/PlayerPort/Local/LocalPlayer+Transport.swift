// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import MusicModel
import PlayerFlow

/// The requests that control playback.
extension LocalPlayer {
  func perform(_ request: TransportRequest) throws(PlayerError) -> PlayerReply {
    let actions = parts.actions
    switch request {
    case .pause:
      try checkThatSomethingPlays()
      actions.pause()
    case .toggle:
      try checkThatThereIsACurrentTrack()
      if parts.playback.state.phase == .stopped {
        resume()
      } else {
        rewindAfterPause()
        actions.toggle()
      }
    case .stop: actions.stop()
    case .rewind: actions.stop(rewinds: true)
    case .next:
      try checkThatThereIsACurrentTrack()
      actions.next()
    case .previous, .back:
      if parts.queue.queue.items.isEmpty { throw .emptyQueue }
      request == .back ? actions.goBack() : actions.previous()
    case .seekTo(let position): try seek(.to(position.bounded))
    case .seekBy(let step): try seek(.by(step.bounded))
    case .chapter(let target): try goToChapter(target)
    case .loop(let request): try loop(request)
    case .seekToFraction(let fraction):
      guard (0...1).contains(fraction),
        let duration = parts.playback.state.duration ?? parts.queue.queue.current?.track.duration
      else { return PlayerReply() }
      actions.seek(.to(duration * fraction))
    case .seekItem(let id, let position):
      let id = PlayQueue.Item.ID(rawValue: id)
      let (queue, phase) = (parts.queue.queue, parts.playback.state.phase)
      if queue.position(of: id) == nil { throw .missing }
      if phase != .stopped, queue.current?.id == id {
        try seek(.to(position.bounded))
      } else {
        actions.play(id, from: position.bounded)
        // It may resume elsewhere.
        if position <= .zero { actions.seek(.to(.zero)) }
        if phase == .paused { actions.pause() }
      }
    }
    actions.awaitDelivery()
    return done()
  }

  private func seek(_ target: SeekTarget) throws(PlayerError) {
    try checkThatSomethingPlays()
    try checkThatItIsSeekable()
    parts.actions.seek(target)
  }

  private func checkThatItIsSeekable() throws(PlayerError) {
    guard parts.playback.state.isSeekable else { throw PlayerError(.failure, "this stream does not allow seeking") }
  }

  private func loop(_ request: LoopRequest) throws(PlayerError) {
    try checkThatSomethingPlays()
    try checkThatItIsSeekable()
    if request != .off, outputFile != nil {
      throw PlayerError(.failure, Self.endlessFile("a passage that is repeated"))
    }
    guard case .passage(let start, var end) = request else { return parts.actions.loop(request) }
    let (state, current) = (parts.playback.state, parts.queue.queue.current)
    if let duration = state.openItem == current?.id ? state.duration : current?.track.duration {
      if start >= duration {
        throw PlayerError(.usage, "the track ends at \(AudioFormat.clockTime(duration)): name a passage before that")
      }
      end = min(end, duration)
    }
    guard start >= .zero, SourcePassage(start: start.bounded, end: end.bounded) != nil else {
      throw PlayerError(.usage, "invalid passage: its end must follow its beginning by a tenth of a second at least")
    }
    parts.actions.loop(.passage(from: start.bounded, to: end.bounded))
  }

  private func goToChapter(_ target: ChapterTarget) throws(PlayerError) {
    try checkThatSomethingPlays()
    let count = parts.playback.state.chapters.count
    if count == 0 {
      throw PlayerError(
        .notFound,
        parts.playback.state.hasRequest
          ? "the track has not begun, so that its chapters are not known yet: try again"
          : "this track has no chapters: `next` and `previous` go to other tracks")
    }
    if case .number(let number) = target, !(1...count).contains(number) {
      throw PlayerError(.notFound, "there is no chapter \(number): use 1 to \(count)")
    }
    parts.actions.goToChapter(target)
  }

  /// Returns the reply to a request that may have started playback.
  func done(_ result: PlayerReply.Result = .done, warnings: [String] = []) -> PlayerReply {
    let needsOutput = isRunning && parts.playback.state.isOutputNeeded
    return PlayerReply(result, warnings: warnings + (needsOutput ? [PlayerStatus.disabledOutput] : []))
  }

  func checkThatSomethingPlays() throws(PlayerError) {
    guard parts.playback.state.phase == .stopped else { return }
    let hint = parts.queue.queue.items.isEmpty ? "play an album first" : "`resume` plays the queue"
    throw PlayerError(.nothingPlayable, "nothing is playing: \(hint)")
  }

  private func checkThatThereIsACurrentTrack() throws(PlayerError) {
    let queue = parts.queue.queue
    if queue.items.isEmpty { throw .emptyQueue }
    if queue.current == nil {
      throw PlayerError(
        .nothingPlayable, "nothing is playing: `resume` plays the queue from its beginning, `previous` its last track")
    }
  }
}
