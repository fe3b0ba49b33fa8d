// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import MusicModel

/// Repeating a passage of the current item.
extension PlayerReducer {
  mutating func loop(_ request: LoopRequest) {
    let playback = state.playback
    guard playback.phase != .stopped, state.plan.request == nil, playback.isSeekable else { return }
    let elapsed = elapsedOfCurrent ?? targetPosition
    switch request {
    case .off: setLoop(nil)
    case .passage(let start, let end): setLoop(Loop(start: start, end: end), elapsed: elapsed)
    case .mark:
      guard let loop = state.playback.loop else { return setLoop(Loop(start: elapsed, end: nil)) }
      guard loop.end == nil else { return setLoop(nil) }
      let marked = Loop(start: loop.start, end: elapsed)
      // Before the beginning, or very near it, another beginning is meant.
      setLoop(marked.passage == nil ? Loop(start: elapsed, end: nil) : marked, elapsed: elapsed)
    }
  }

  /// Sets the passage that is repeated. If `elapsed` is outside of it, goes to its beginning.
  mutating func setLoop(_ loop: Loop?, elapsed: Duration? = nil) {
    guard let source = state.plan.chain.links.first?.source else { return }
    let before = state.playback.loop?.passage
    report(.looped(loop))
    if loop?.passage != before { effects.append(.setPassage(loop?.passage, of: source)) }
    if let passage = loop?.passage, let elapsed, !passage.contains(elapsed) { seek(.to(passage.start)) }
  }
}
