// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Platform
import Synchronization

/// Publishes the playback position from the render thread to other threads, without locks. A counter that is odd during
/// a change makes readers retry.
final class PositionPublisher: Sendable {
  /// A source, and the position up to which it was written to the output.
  private struct Entry: Equatable {
    var source: UInt64 = 0
    /// The first frame of the source that was played in this generation.
    var firstFrame: Int64 = 0
    /// The frame after the last one that was written.
    var frame: Int64 = 0
    var sampleRate = 0

    /// Returns the audible position if the last `unplayed` of the written audio has not been played yet.
    func position(unplayed: Duration) -> Duration? {
      AudioFormat(sampleRate: sampleRate, channels: 1, coding: .lossy).map { format in
        max(format.duration(ofFrames: firstFrame), format.duration(ofFrames: frame) - unplayed)
      }
    }
  }

  private struct AtomicEntry: ~Copyable {
    let source = Atomic<UInt64>(0)
    let firstFrame = Atomic<Int64>(0)
    let frame = Atomic<Int64>(0)
    let sampleRate = Atomic<Int>(0)

    func store(_ entry: Entry) {
      source.store(entry.source, ordering: .sequentiallyConsistent)
      firstFrame.store(entry.firstFrame, ordering: .sequentiallyConsistent)
      frame.store(entry.frame, ordering: .sequentiallyConsistent)
      sampleRate.store(entry.sampleRate, ordering: .sequentiallyConsistent)
    }

    func load() -> Entry {
      Entry(
        source: source.load(ordering: .sequentiallyConsistent),
        firstFrame: firstFrame.load(ordering: .sequentiallyConsistent),
        frame: frame.load(ordering: .sequentiallyConsistent),
        sampleRate: sampleRate.load(ordering: .sequentiallyConsistent))
    }
  }

  private let changes = Atomic<UInt64>(0)
  private let generation = Atomic<UInt64>(0)
  private let present = AtomicEntry()
  /// The instant at which everything written has been played, in nanoseconds.
  private let end = Atomic<UInt64>(0)
  /// How long before it is audible a frame can be taken back at the latest, in nanoseconds; the maximum if frames
  /// cannot be taken back. Set by the render thread.
  let commitment = Atomic<UInt64>(.max)
  /// The previous source in the same generation, which is audible until `transitionInstant`.
  private let previous = AtomicEntry()
  private let transitionInstant = Atomic<UInt64>(0)

  /// Publishes that the source was written up to `frame`, which is audible `lag` nanoseconds after `now`. `firstFrame`
  /// is the first frame of the source that was played in this generation. Only the render thread may call it.
  func publish(
    generation: UInt64, source: PlaybackSource.ID, firstFrame: Int64, frame: Int64, sampleRate: Int,
    lag: UInt64, now: MonotonicInstant
  ) {
    changes.add(1, ordering: .sequentiallyConsistent)
    self.generation.store(generation, ordering: .sequentiallyConsistent)
    present.store(
      Entry(source: source.rawValue, firstFrame: firstFrame, frame: frame, sampleRate: sampleRate))
    end.store(now.nanoseconds &+ lag, ordering: .sequentiallyConsistent)
    changes.add(1, ordering: .sequentiallyConsistent)
  }

  /// Publishes that everything written has been played `lag` nanoseconds after `now`, not at the instant that was
  /// published before. Only the render thread may call it.
  func publishCorrection(lag: UInt64, now: MonotonicInstant) {
    let corrected = now.nanoseconds &+ lag
    let transition = transitionInstant.load(ordering: .relaxed)
    let delay = corrected &- end.load(ordering: .relaxed)
    changes.add(1, ordering: .sequentiallyConsistent)
    end.store(corrected, ordering: .sequentiallyConsistent)
    if transition > now.nanoseconds { transitionInstant.store(transition &+ delay, ordering: .sequentiallyConsistent) }
    changes.add(1, ordering: .sequentiallyConsistent)
  }

  /// Publishes that another source comes next, and is audible from `instant` on. Only the render thread may call it.
  func publishTransition(at instant: MonotonicInstant, generation: UInt64) {
    let isSameStream = generation == self.generation.load(ordering: .relaxed)
    changes.add(1, ordering: .sequentiallyConsistent)
    previous.store(present.load())
    transitionInstant.store(isSameStream ? instant.nanoseconds : 0, ordering: .sequentiallyConsistent)
    changes.add(1, ordering: .sequentiallyConsistent)
  }

  /// Publishes that the first frames of the present source were taken back before they were audible. Only the render
  /// thread may call it.
  func publishTakeBack() {
    // There is no previous source in this generation.
    guard transitionInstant.load(ordering: .relaxed) > 0 else { return }
    changes.add(1, ordering: .sequentiallyConsistent)
    present.store(previous.load())
    end.store(transitionInstant.load(ordering: .relaxed), ordering: .sequentiallyConsistent)
    transitionInstant.store(0, ordering: .sequentiallyConsistent)
    changes.add(1, ordering: .sequentiallyConsistent)
  }

  /// Returns the position that is audible at `now`; `nil` if there was none yet. Can be called from any thread.
  func position(at now: MonotonicInstant) -> AudiblePosition? {
    while true {
      let before = changes.load(ordering: .sequentiallyConsistent)
      let generation = self.generation.load(ordering: .sequentiallyConsistent)
      let (present, end) = (self.present.load(), self.end.load(ordering: .sequentiallyConsistent))
      let (previous, transitionInstant) = (
        self.previous.load(), self.transitionInstant.load(ordering: .sequentiallyConsistent)
      )
      guard before.isMultiple(of: 2), before == changes.load(ordering: .sequentiallyConsistent) else {
        continue
      }
      let (entry, last) = transitionInstant > now.nanoseconds ? (previous, transitionInstant) : (present, end)
      let lag = last > now.nanoseconds ? last - now.nanoseconds : 0
      let unplayed = Duration.nanoseconds(Int64(clamping: lag))
      let commitment = self.commitment.load(ordering: .relaxed)
      let revocable = Duration.nanoseconds(Int64(clamping: lag > commitment ? lag - commitment : 0))
      return entry.position(unplayed: unplayed).map {
        AudiblePosition(
          generation: generation, source: PlaybackSource.ID(rawValue: entry.source), position: $0,
          written: entry.position(unplayed: revocable))
      }
    }
  }
}

/// The audible position in a source.
struct AudiblePosition: Sendable, Equatable {
  var generation: UInt64
  var source: PlaybackSource.ID
  var position: Duration
  /// The position up to which the source was written to the output, and cannot be taken back; equal to `position` if a
  /// later source is already being written.
  var written: Duration

  /// Creates a position. If `written` is `nil`, everything written is audible.
  init(
    generation: UInt64, source: PlaybackSource.ID, position: Duration, written: Duration? = nil
  ) {
    self.generation = generation
    self.source = source
    self.position = position
    self.written = written ?? position
  }
}
