// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Platform
import Synchronization

/// Publishes the playback position from the render thread to other threads, without locks: how far the sources that the
/// output has not played yet were written, and when the end of each is audible.
final class PositionPublisher: Sendable {
  // Only the render thread writes the entries; a counter that is odd during a change makes readers retry.

  /// The maximum number of sources of a generation that are remembered; if there are more, the oldest ones are dropped.
  private static let capacity = 64

  /// A source, and the position up to which it was written to the output.
  private struct Entry: ~Copyable {
    let source = Atomic<UInt64>(0)
    /// The first frame of the source that was played in this generation.
    let firstFrame = Atomic<Int64>(0)
    /// The frame after the last one that was written.
    let frame = Atomic<Int64>(0)
    let sampleRate = Atomic<Int>(0)
    /// The speed at which it is played, as the bits of its factor.
    let speed = Atomic<UInt64>(0)
    /// The instant at which everything written of the source has been played, in nanoseconds.
    let end = Atomic<UInt64>(0)

    func store(source: UInt64, firstFrame: Int64, frame: Int64, sampleRate: Int, speed: UInt64) {
      self.source.store(source, ordering: .sequentiallyConsistent)
      self.firstFrame.store(firstFrame, ordering: .sequentiallyConsistent)
      self.frame.store(frame, ordering: .sequentiallyConsistent)
      self.sampleRate.store(sampleRate, ordering: .sequentiallyConsistent)
      self.speed.store(speed, ordering: .sequentiallyConsistent)
    }

    /// Returns the audible position if the last `unplayed` nanoseconds of the written audio have not been played yet;
    /// `nil` if nothing was written.
    func position(unplayed: UInt64) -> Duration? {
      let frame = frame.load(ordering: .sequentiallyConsistent)
      let firstFrame = firstFrame.load(ordering: .sequentiallyConsistent)
      let sampleRate = sampleRate.load(ordering: .sequentiallyConsistent)
      let speed = Double(bitPattern: speed.load(ordering: .sequentiallyConsistent))
      // Exact at the normal speed.
      let unplayed = speed == 1 ? unplayed : UInt64(min(Double(unplayed) * speed, 1e18))
      return AudioFormat(sampleRate: sampleRate, channels: 1, coding: .lossy).map { format in
        max(
          format.duration(ofFrames: firstFrame),
          format.duration(ofFrames: frame) - .nanoseconds(Int64(clamping: unplayed)))
      }
    }
  }

  private let changes = Atomic<UInt64>(0)
  private let generation = Atomic<UInt64>(0)
  private let entries = SharedArray(count: PositionPublisher.capacity) { Entry() }
  /// The numbers of the oldest entry of the generation and of the present one, which is being written.
  private let first = Atomic<Int>(0)
  private let last = Atomic<Int>(0)
  /// The sum of all corrections, in nanoseconds, modulo 2^64.
  let correction = Atomic<UInt64>(0)
  /// How long before it is audible a frame can be taken back at the latest, in nanoseconds; the maximum if frames
  /// cannot be taken back. Set by the render thread.
  let commitment = Atomic<UInt64>(.max)

  /// Publishes that the source was written up to `frame`, which is audible `lag` nanoseconds after `now`. `firstFrame`
  /// is the first frame of the source that was played in this generation. At `speed`, one second of the output is that
  /// many of the source. Only the render thread may call it.
  func publish(
    generation: UInt64, source: PlaybackSource.ID, firstFrame: Int64, frame: Int64, sampleRate: Int,
    speed: Double = 1, lag: UInt64, now: MonotonicInstant
  ) {
    let last = last.load(ordering: .relaxed)
    changes.add(1, ordering: .sequentiallyConsistent)
    if generation != self.generation.load(ordering: .relaxed) { first.store(last, ordering: .sequentiallyConsistent) }
    self.generation.store(generation, ordering: .sequentiallyConsistent)
    entries[last].store(
      source: source.rawValue, firstFrame: firstFrame, frame: frame, sampleRate: sampleRate, speed: speed.bitPattern)
    entries[last].end.store(now.nanoseconds &+ lag, ordering: .sequentiallyConsistent)
    changes.add(1, ordering: .sequentiallyConsistent)
  }

  /// Publishes that everything written has been played `lag` nanoseconds after `now`, not at the instant that was
  /// published before. Only the render thread may call it.
  func publishCorrection(lag: UInt64, now: MonotonicInstant) {
    let (first, last) = (first.load(ordering: .relaxed), last.load(ordering: .relaxed))
    let end = entries[last].end.load(ordering: .relaxed)
    let delay = now.nanoseconds &+ lag &- end
    changes.add(1, ordering: .sequentiallyConsistent)
    var number = last
    repeat {
      let end = entries[number].end.load(ordering: .relaxed)
      entries[number].end.store(end &+ delay, ordering: .sequentiallyConsistent)
      number -= 1
    } while number >= first && entries[number].end.load(ordering: .relaxed) > now.nanoseconds
    correction.wrappingAdd(delay, ordering: .sequentiallyConsistent)
    changes.add(1, ordering: .sequentiallyConsistent)
  }

  /// Publishes that another source comes next, and is audible from `instant` on. Only the render thread may call it.
  func publishTransition(at instant: MonotonicInstant, generation: UInt64) {
    // Another generation begins with its first source.
    guard generation == self.generation.load(ordering: .relaxed) else { return }
    let (first, last) = (first.load(ordering: .relaxed), last.load(ordering: .relaxed))
    changes.add(1, ordering: .sequentiallyConsistent)
    entries[last].end.store(instant.nanoseconds, ordering: .sequentiallyConsistent)
    if last + 1 - first == Self.capacity { self.first.store(first + 1, ordering: .sequentiallyConsistent) }
    self.last.store(last + 1, ordering: .sequentiallyConsistent)
    // Until it is written, the next source begins at the end of the present one.
    entries[last + 1].store(
      source: entries[last].source.load(ordering: .relaxed),
      firstFrame: entries[last].firstFrame.load(ordering: .relaxed),
      frame: entries[last].frame.load(ordering: .relaxed),
      sampleRate: entries[last].sampleRate.load(ordering: .relaxed),
      speed: entries[last].speed.load(ordering: .relaxed))
    entries[last + 1].end.store(instant.nanoseconds, ordering: .sequentiallyConsistent)
    changes.add(1, ordering: .sequentiallyConsistent)
  }

  /// Publishes that the last `count` sources were taken back as a whole, before they were audible. Only the render
  /// thread may call it.
  func publishTakeBack(ofSources count: Int) {
    let (first, last) = (first.load(ordering: .relaxed), last.load(ordering: .relaxed))
    // The first source of a generation has no previous one. A single store, so that readers need not retry.
    self.last.store(max(first, last - count), ordering: .sequentiallyConsistent)
  }

  /// Returns the position that is audible at `now`; `nil` if there was none yet. Can be called from any thread.
  func position(at now: MonotonicInstant) -> AudiblePosition? {
    while true {
      let before = changes.load(ordering: .sequentiallyConsistent)
      let generation = self.generation.load(ordering: .sequentiallyConsistent)
      let first = self.first.load(ordering: .sequentiallyConsistent)
      var number = last.load(ordering: .sequentiallyConsistent)
      var end = entries[number].end.load(ordering: .sequentiallyConsistent)
      while number > first {
        let earlier = entries[number - 1].end.load(ordering: .sequentiallyConsistent)
        guard earlier > now.nanoseconds else { break }
        (number, end) = (number - 1, earlier)
      }
      let lag = end > now.nanoseconds ? end - now.nanoseconds : 0
      let commitment = self.commitment.load(ordering: .relaxed)
      let source = entries[number].source.load(ordering: .sequentiallyConsistent)
      let position = entries[number].position(unplayed: lag)
      let written = entries[number].position(unplayed: lag > commitment ? lag - commitment : 0)
      guard before.isMultiple(of: 2), before == changes.load(ordering: .sequentiallyConsistent) else {
        continue
      }
      return position.map {
        AudiblePosition(
          generation: generation, source: PlaybackSource.ID(rawValue: source), position: $0, written: written)
      }
    }
  }
}

struct AudiblePosition: Sendable, Equatable {
  var generation: UInt64
  var source: PlaybackSource.ID
  var position: Duration
  /// The position up to which the source was written to the output, and cannot be taken back.
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

/// A fixed number of elements, such as groups of atomics, that several threads use together.
///
/// An element is never moved, and can be used from any thread without reference counting.
@safe
struct SharedArray<Element: ~Copyable & Sendable>: ~Copyable, @unchecked Sendable {
  // The pointer never changes, and the elements may be shared by themselves.

  private let elements: UnsafeMutablePointer<Element>
  private let count: Int

  /// Creates an array of `count` elements, at least 1, that `makeElement` returns.
  init(count: Int, _ makeElement: () -> Element) {
    self.count = max(1, count)
    unsafe elements = .allocate(capacity: self.count)
    for index in 0..<self.count { unsafe (elements + index).initialize(to: makeElement()) }
  }

  deinit {
    unsafe elements.deinitialize(count: count)
    unsafe elements.deallocate()
  }

  /// The element for `number`, which is not negative. Numbers beyond the end begin again with the first element.
  subscript(number: Int) -> Element {
    _read { yield unsafe elements[number % count] }
  }
}
