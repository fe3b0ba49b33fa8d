// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Platform
import Synchronization

/// The samples that the render thread has written last, and when they are audible, for meters in other threads. It
/// neither locks nor allocates in the render thread, and records only while it is switched on.
///
/// Frames are numbered by the number of frames that were written before. What is taken back is overwritten.
@safe
final class SampleHistory: @unchecked Sendable {
  // The pointer is stored once, and its elements may be shared by themselves. Only the render thread writes them; a
  // reader checks afterwards that they were not overwritten meanwhile.

  /// The number of frames that are kept: more than the deepest output buffers, and a piece of sound.
  private static let capacity = 1 << 19
  /// How long the last frames count as audible after they have been, in seconds: an output may be late.
  private static let validity = 0.15

  private let slots = unsafe Atomic<UnsafeMutablePointer<Atomic<UInt64>>?>(nil)
  private let recording = Atomic(false)
  private let allocation = Mutex(())
  /// The first frame that was recorded without a gap, and the frame after the last one.
  private let begin = Atomic<Int64>(0)
  private let end = Atomic<Int64>(0)
  /// The frame after the last one that is being recorded, or ever was: it overwrites earlier ones.
  private let newest = Atomic<Int64>(0)
  private let sampleRate = Atomic<Int>(1)
  /// The instant at which frame 0 would have been audible, in nanoseconds, modulo 2^64.
  private let origin = Atomic<UInt64>(0)

  deinit {
    guard let slots = unsafe slots.load(ordering: .relaxed) else { return }
    unsafe slots.deinitialize(count: Self.capacity)
    unsafe slots.deallocate()
  }

  /// Whether samples are recorded. Can be read from any thread.
  var isOn: Bool { recording.load(ordering: .relaxed) }

  /// Switches the recording on or off. Must not be called by the render thread.
  func record(_ isOn: Bool) {
    allocation.withLock { _ in
      if isOn, unsafe slots.load(ordering: .relaxed) == nil {
        let new = UnsafeMutablePointer<Atomic<UInt64>>.allocate(capacity: Self.capacity)
        for index in 0..<Self.capacity { unsafe (new + index).initialize(to: Atomic(0)) }
        unsafe slots.store(new, ordering: .releasing)
      }
      recording.store(isOn, ordering: .releasing)
    }
  }

  // MARK: The render thread

  /// Records interleaved `samples`, multiplied by `gain`, the first frame of which has this number and is audible at
  /// `due`. Only the render thread may call it.
  func record(
    _ samples: UnsafeBufferPointer<Float>, channels: Int, gain: Float, sampleRate: Int, frame: Int64,
    due: MonotonicInstant
  ) {
    guard isOn, let slots = unsafe slots.load(ordering: .acquiring), channels > 0, frame >= 0 else { return }
    if frame != end.load(ordering: .relaxed) || sampleRate != self.sampleRate.load(ordering: .relaxed) {
      begin.store(frame, ordering: .relaxed)
      self.sampleRate.store(max(1, sampleRate), ordering: .relaxed)
    }
    let count = samples.count / channels
    let right = channels > 1 ? 1 : 0
    newest.max(frame + Int64(count), ordering: .sequentiallyConsistent)
    for index in 0..<count {
      let (left, right) = unsafe (samples[index * channels] * gain, samples[index * channels + right] * gain)
      let bits = UInt64(left.bitPattern) << 32 | UInt64(right.bitPattern)
      unsafe slots[Self.slot(frame + Int64(index))].store(bits, ordering: .releasing)
    }
    end.store(frame + Int64(count), ordering: .sequentiallyConsistent)
    align(frame: frame, due: due)
  }

  /// Notes that the frame with this number is audible at `due`. Only the render thread may call it.
  func align(frame: Int64, due: MonotonicInstant) {
    guard isOn else { return }
    let rate = UInt64(max(1, sampleRate.load(ordering: .relaxed)))
    let (seconds, rest) = UInt64(max(0, frame)).quotientAndRemainder(dividingBy: rate)
    origin.store(
      due.nanoseconds &- seconds &* 1_000_000_000 &- rest * 1_000_000_000 / rate, ordering: .relaxed)
  }

  /// Notes that frames from this number on were taken back. Only the render thread may call it.
  func withdraw(from frame: Int64) {
    if frame < end.load(ordering: .relaxed) { end.store(frame, ordering: .sequentiallyConsistent) }
    if frame < begin.load(ordering: .relaxed) { begin.store(frame, ordering: .relaxed) }
  }

  // MARK: Readers

  /// Returns what is audible at `now`, with what is audible just before and after; `nil` if nothing is. Can be called
  /// from any thread.
  func sound(at now: MonotonicInstant) -> AudibleSound? {
    guard let slots = unsafe slots.load(ordering: .acquiring) else { return nil }
    let rate = sampleRate.load(ordering: .relaxed)
    let (begin, end) = (begin.load(ordering: .relaxed), end.load(ordering: .sequentiallyConsistent))
    let passed = Double(now.nanoseconds &- origin.load(ordering: .relaxed)) / 1e9
    guard let audible = Int64(exactly: (passed * Double(rate)).rounded()), audible >= begin,
      Double(audible) <= Double(end) + Self.validity * Double(rate)
    else { return nil }
    let length = Int64(AudibleSound.length(sampleRate: rate))
    // Half of it is still to come, unless it is not written yet.
    let last = min(audible + length / 2, end)
    let first = last - length
    var (left, right): ([Float], [Float]) = ([], [])
    left.reserveCapacity(Int(length))
    right.reserveCapacity(Int(length))
    for frame in first..<last {
      let bits = frame < begin ? 0 : unsafe slots[Self.slot(frame)].load(ordering: .acquiring)
      left.append(Float(bitPattern: UInt32(bits >> 32)))
      right.append(Float(bitPattern: UInt32(truncatingIfNeeded: bits)))
    }
    // The newest frames may have replaced the first ones meanwhile.
    guard newest.load(ordering: .sequentiallyConsistent) - max(first, begin) <= Self.capacity else { return nil }
    return AudibleSound(left: left, right: right, sampleRate: rate, position: Int(min(audible, last) - first))
  }

  private static func slot(_ frame: Int64) -> Int { Int(truncatingIfNeeded: frame) & (capacity - 1) }
}
