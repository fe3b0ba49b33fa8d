// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Platform
import Synchronization

/// Publishes the levels of the audio that the render thread writes, without locks: one entry for each thirtieth of a
/// second, with the instant at which it becomes audible. It measures only while ``isOn`` is set.
final class LevelMeter: Sendable {
  // Only the render thread writes the entries; a number in each shows readers whether it changed meanwhile.

  /// The number of entries per second.
  static let rate = 30
  /// The number of entries in the ring: more than an output buffers.
  private static let capacity = 512
  /// How long an entry is valid after it has become audible, in nanoseconds.
  private static let validity: UInt64 = 150_000_000

  private struct Entry: ~Copyable {
    /// The sequence number of the entry, starting at 1; 0 while it is being written.
    let number = Atomic<Int>(0)
    let instant = Atomic<UInt64>(0)
    let peak = Atomic<UInt64>(0)
    let rms = Atomic<UInt64>(0)
  }

  let isOn = Atomic(false)
  private let entries = SharedArray(count: LevelMeter.capacity) { Entry() }
  private let count = Atomic<Int>(0)

  /// Publishes the levels of interleaved `samples`, multiplied by `gain`, which are audible from `due` on. Only the
  /// render thread may call it.
  func publish(
    _ samples: UnsafeBufferPointer<Float>, channels: Int, gain: Float, sampleRate: Int, due: MonotonicInstant
  ) {
    let slice = max(1, sampleRate / Self.rate)
    let frames = samples.count / channels
    let right = channels > 1 ? 1 : 0
    var start = 0
    while start < frames {
      let end = min(start + slice, frames)
      var peak = SIMD2<Float>.zero
      var power = SIMD2<Float>.zero
      for frame in start..<end {
        let pair = unsafe SIMD2(samples[frame * channels], samples[frame * channels + right])
        peak = pointwiseMax(peak, pointwiseMax(pair, -pair))
        power += pair * pair
      }
      let rms = (power / Float(end - start)).squareRoot() * gain
      let lag = UInt64(start) * 1_000_000_000 / UInt64(max(1, sampleRate))
      publish(peak: peak * gain, rms: rms, instant: due.nanoseconds &+ lag)
      start = end
    }
  }

  private func publish(peak: SIMD2<Float>, rms: SIMD2<Float>, instant: UInt64) {
    let index = count.load(ordering: .relaxed)
    entries[index].number.store(0, ordering: .sequentiallyConsistent)
    entries[index].instant.store(instant, ordering: .sequentiallyConsistent)
    entries[index].peak.store(Self.bits(peak), ordering: .sequentiallyConsistent)
    entries[index].rms.store(Self.bits(rms), ordering: .sequentiallyConsistent)
    entries[index].number.store(index + 1, ordering: .sequentiallyConsistent)
    count.store(index + 1, ordering: .sequentiallyConsistent)
  }

  /// Withdraws the levels of audio that would have been audible from `due` on. Only the render thread may call it.
  func withdraw(from due: MonotonicInstant) {
    let last = count.load(ordering: .relaxed)
    for number in stride(from: last, to: max(0, last - Self.capacity), by: -1) {
      guard entries[number - 1].instant.load(ordering: .relaxed) >= due.nanoseconds else { return }
      // Never audible: readers skip the entry.
      entries[number - 1].instant.store(.max, ordering: .sequentiallyConsistent)
    }
  }

  /// Returns the levels that are audible at `now`; `nil` if there are none. Can be called from any thread.
  func levels(at now: MonotonicInstant) -> SoundLevels? {
    let last = count.load(ordering: .sequentiallyConsistent)
    for number in stride(from: last, to: max(0, last - Self.capacity), by: -1) {
      guard entries[number - 1].number.load(ordering: .sequentiallyConsistent) == number else { return nil }
      let instant = entries[number - 1].instant.load(ordering: .sequentiallyConsistent)
      let peak = entries[number - 1].peak.load(ordering: .sequentiallyConsistent)
      let rms = entries[number - 1].rms.load(ordering: .sequentiallyConsistent)
      guard entries[number - 1].number.load(ordering: .sequentiallyConsistent) == number else { return nil }
      guard instant <= now.nanoseconds else { continue }
      if now.nanoseconds - instant > Self.validity { return nil }
      return SoundLevels(peak: Self.pair(peak), rms: Self.pair(rms))
    }
    return nil
  }

  private static func bits(_ pair: SIMD2<Float>) -> UInt64 {
    UInt64(pair.x.bitPattern) << 32 | UInt64(pair.y.bitPattern)
  }

  private static func pair(_ bits: UInt64) -> SoundLevels.Pair {
    SoundLevels.Pair(
      left: Float(bitPattern: UInt32(bits >> 32)), right: Float(bitPattern: UInt32(truncatingIfNeeded: bits)))
  }
}
