// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore

extension Transport {
  /// An input of the state machine: a command, a report or an event.
  enum Input: Sendable {
    case play(PlaybackSource, at: Duration, isPaused: Bool = false, crossfade: Duration = .zero)
    /// Sets the next track; `sequenceNumber` is the sequence number of the command (see ``NextTrackGate``).
    case setNext(after: PlaybackSource.ID, PlaybackSource?, Transition, sequenceNumber: UInt64)
    case pause
    /// Pauses, and closes the output if it is a device.
    case release
    /// Closes the output, and opens one again, where playback continues.
    case reopenOutput
    case resume
    case stop
    case seek(SeekTarget)
    /// Changes the gain of the source with this ID, if it is playing.
    case setGain(PlaybackSource.ID, SourceGain)
    /// Changes the speed of the source with this ID, if it is playing.
    case setSpeed(PlaybackSource.ID, PlaybackSpeed)
    /// Changes which frames of the source with this ID are played, if it is playing.
    case setFrames(PlaybackSource.ID, SourceFrames)
    /// Changes the passage of the source with this ID that is repeated, if it is playing.
    case setPassage(PlaybackSource.ID, SourcePassage?)
    case decoding(PlaybackSource.ID, generation: UInt64)
    case decodingFailed(PlaybackSource.ID, DecodingError, generation: UInt64)
    case endedEarly(PlaybackSource.ID, DecodingError, generation: UInt64)
    /// The file of a source that has been played to its end contains more by now.
    case grown(PlaybackSource.ID, DecodingError)
    /// This is what a stream says of the frames from this position on.
    case text(PlaybackSource.ID, SourceText, at: Duration, generation: UInt64)
    /// The next track has changed, but the end of the source before it was mixed with the earlier next track, or is to
    /// be mixed with the new one.
    case mustRestart(generation: UInt64)
    case rendering(RenderReport)
    case outputOpened(OpenedOutput)
    /// The device was opened in another shape than the stream's; this is the first frame to be converted.
    case outputFormatDiffers(FrameOrigin, generation: UInt64)
    case outputFailed(OutputError, generation: UInt64)
    /// The output has been in one call for a while. That is normal if it accepts audio in large blocks.
    case outputBlocks
    case outputStalled(Bool)
    /// The render thread was abandoned because it was stuck in the device.
    case outputAbandoned
    /// A tick of the clock during playback.
    case tick
    /// The timer that was set with `Effect.wait` is due.
    case timeOut(Timer)
    case quit

    var isSourceError: Bool {
      switch self {
      case .decodingFailed, .endedEarly: true
      default: false
      }
    }
  }

  /// A timer of the state machine.
  enum Timer: Sendable, Hashable {
    /// The back-off delay before the output is reopened.
    case reopen
    /// The delay during a pause until the device is closed.
    case closeInPause
  }

  /// An effect for the control loop to perform, in order.
  enum Effect: Equatable {
    case drop(olderThan: UInt64)
    case decode(DecodeCommand)
    case render(RenderTarget)
    /// Lets the render thread close the output; the next frames open one again.
    case reopenOutput
    case report(EngineEvent)
    /// Sets a timer: delivers the input `timeOut` after this duration. Replaces the same timer if it is set.
    case wait(Timer, Duration)
  }
}

/// What sources say of frames that are not audible yet.
struct PendingTexts {
  /// The maximum number of texts; a source that says more within a few seconds loses the oldest.
  private static let limit = 32

  private var texts: [(source: PlaybackSource.ID, start: Duration, text: SourceText)] = []

  var isEmpty: Bool { texts.isEmpty }

  /// Adds what `source` says of its frames from `start` on.
  mutating func add(_ text: SourceText, of source: PlaybackSource.ID, from start: Duration) {
    if texts.count == Self.limit { texts.removeFirst() }
    texts.append((source, start, text))
  }

  /// Removes and returns what `source` says last of its frames up to `position`, with everything before; returns `nil`
  /// if that is nothing new.
  mutating func take(of source: PlaybackSource.ID, at position: Duration) -> SourceText? {
    guard let index = texts.lastIndex(where: { $0.source == source && $0.start <= position }) else { return nil }
    defer { texts.removeSubrange(...index) }
    return texts[index].text
  }
}

/// The sources that were set as next tracks, in the order in which they were set.
///
/// A source that another one has replaced is kept, too: it starts all the same if it had been written by then. Of
/// these, only the latest are kept.
struct FollowingSources {
  /// The number of sources from which on replaced ones are forgotten: more than can be decoded ahead.
  static let limit = EngineContext.earlierSourceLimit

  private(set) var sources: [(source: PlaybackSource, previous: PlaybackSource.ID)] = []

  mutating func add(_ source: PlaybackSource, after previous: PlaybackSource.ID) {
    sources.append((source, previous))
    guard sources.count > Self.limit else { return }
    let replaced = sources.indices.first { index in
      sources[(index + 1)...].contains { $0.previous == sources[index].previous }
    }
    sources.remove(at: replaced ?? 0)
  }

  /// Removes the source with this ID, and all that were set before it; returns `nil` if it is not there.
  mutating func take(_ id: PlaybackSource.ID) -> PlaybackSource? {
    guard let index = sources.firstIndex(where: { $0.source.id == id }) else { return nil }
    defer { sources.removeSubrange(...index) }
    return sources[index].source
  }
}
