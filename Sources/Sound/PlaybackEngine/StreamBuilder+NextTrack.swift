// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Platform

/// Setting the next track, which may replace what was already decoded.
extension StreamBuilder {
  enum SetNextResult {
    /// The next track was set; nothing of an earlier one was decoded, or the source is no longer known.
    case accepted
    /// The next track replaces these sources, which were already decoded.
    case replaced([PlaybackSource.ID])
    /// The source itself must be decoded again: it was mixed with its earlier next track, or is to be mixed with the
    /// new one.
    case mustRestart
  }

  /// Sets the next track after the source with this ID, or none.
  func setNext(
    after id: PlaybackSource.ID, _ source: PlaybackSource?, _ transition: Transition
  ) -> SetNextResult {
    if id != self.source?.id {
      guard let index = playedSources.lastIndex(where: { $0.source.id == id }) else { return .accepted }
      let last = playedSources[index]
      let earlier = playedSources[..<index].map(\.source.id)
      let openPart = upcoming == nil && part?.reader.source.id == id ? part : nil
      if let end = last.end, last.transition != transition,
        startsFade(transition, after: id, earlier, decoded: end - (openPart.map(heldDuration(of:)) ?? .zero), end: end)
      {
        playedSources.removeSubrange(index...)
        reset()
        return .mustRestart
      }
      if openPart != nil {
        // Nothing was joined to the source: its next track could not be opened.
        playedSources.removeSubrange(index...)
        (self.source, end) = (last.source, last.end)
        next = source.map { .source($0, transition) } ?? .nothing
        return .accepted
      }
      let dropped = playedSources[(index + 1)...].map(\.source.id) + (self.source.map { [$0.id] } ?? [])
      playedSources.removeSubrange(index...)
      readers.removeAll { dropped.contains($0.source.id) }
      reset()
      guard last.endIsFinal else {
        redecoded = nil
        return .mustRestart
      }
      (self.source, end) = (last.source, last.end)
      replacedGain = last.source.gain.factor
      next = source.map { .source($0, transition) } ?? .nothing
      return .replaced(dropped)
    }
    if !isNextUnknown, self.transition != transition, let (decoded, end) = decodedPosition,
      startsFade(transition, after: id, playedSources.map(\.source.id), decoded: decoded, end: end)
    {
      reset()
      return .mustRestart
    }
    next = source.map { .source($0, transition) } ?? .nothing
    return .accepted
  }

  /// How ``source`` is to be joined to the next one.
  var transition: Transition { if case .source(_, let transition) = next { transition } else { .gapless } }

  /// Whether `transition` begins before `decoded`, up to where the source `id` was decoded without it, but after what
  /// was written to the output. `earlier` are the sources before this one, whose end is `end`.
  private func startsFade(
    _ transition: Transition, after id: PlaybackSource.ID, _ earlier: [PlaybackSource.ID], decoded: Duration,
    end: Duration
  ) -> Bool {
    guard case .crossfade(let length) = transition, decoded > end - length else { return false }
    // Otherwise, a source would come back to this again and again if what follows it is empty.
    guard redecoded?.source != id || redecoded?.transition != transition else { return false }
    if let audible = context.positionPublisher.position(at: context.clock.now), audible.generation == generation {
      guard audible.source == id ? audible.written < end - length : earlier.contains(audible.source) else {
        return false
      }
    }
    redecoded = (id, transition)
    return true
  }

  /// The position up to which ``source`` was decoded and is not held back, and where it probably ends; `nil` if that is
  /// not known.
  private var decodedPosition: (decoded: Duration, end: Duration)? {
    guard let part else { return end.map { ($0, $0) } }
    guard part.reader.source.id == source?.id, !part.format.isDSD, let rest = part.reader.rest else { return nil }
    let position = part.reader.position
    return (position - heldDuration(of: part), end ?? position + rest)
  }

  /// How much of `part` is held back.
  private func heldDuration(of part: StreamPart) -> Duration {
    part.format.duration(ofFrames: Int64(ready.frameCount))
  }
}
