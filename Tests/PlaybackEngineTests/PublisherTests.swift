// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Platform
import Synchronization
import TestSupport
import Testing

@testable import PlaybackEngine

struct LevelMeterTests {
  private static let start = MonotonicInstant(nanoseconds: 1_000_000_000)

  private static func publish(
    _ samples: [Float], on meter: LevelMeter, channels: Int = 2, gain: Float = 1, rate: Int = 300
  ) {
    unsafe samples.withUnsafeBufferPointer {
      unsafe meter.publish($0, channels: channels, gain: gain, sampleRate: rate, due: start)
    }
  }

  private static func levels(_ meter: LevelMeter, milliseconds: UInt64) -> SoundLevels? {
    meter.levels(at: start.advanced(byMilliseconds: milliseconds))
  }

  @Test func `Levels of audio that was taken back are not shown`() {
    let meter = LevelMeter()
    // Three entries, of a thirtieth of a second each.
    Self.publish([0.25, 0.5, 0.75].flatMap { [Float](repeating: $0, count: 20) }, on: meter)
    #expect(Self.levels(meter, milliseconds: 80)?.peak.left == 0.75)
    meter.withdraw(from: Self.start.advanced(byMilliseconds: 50))
    #expect(Self.levels(meter, milliseconds: 80)?.peak.left == 0.5)
    #expect(Self.levels(meter, milliseconds: 20)?.peak.left == 0.25)
    #expect(Self.levels(meter, milliseconds: 300) == nil)
  }

  @Test func `Peak and RMS of each channel are those of the audible samples`() throws {
    let meter = LevelMeter()
    // Ten frames are a thirtieth of a second.
    var loud: [Float] = []
    for frame in 0..<10 { loud += [frame.isMultiple(of: 2) ? 0.5 : -0.5, frame == 3 ? -1 : 0] }
    Self.publish(loud + [Float](repeating: 0.25, count: 20), on: meter)
    #expect(Self.levels(meter, milliseconds: 0)?.peak == .init(left: 0.5, right: 1))
    let first = try #require(Self.levels(meter, milliseconds: 20))
    #expect(first.rms.left == 0.5)
    #expect(abs(first.rms.right - 0.316_227_8) < 1e-6)
    #expect(Self.levels(meter, milliseconds: 34)?.peak == .init(left: 0.25, right: 0.25))
    #expect(meter.levels(at: MonotonicInstant(nanoseconds: 999_999_999)) == nil)
    #expect(Self.levels(meter, milliseconds: 400) == nil)
  }

  @Test func `Levels include the volume, use mono for both channels, and the first two of more channels`() {
    let meter = LevelMeter()
    Self.publish([0.5, 0.5], on: meter, channels: 1, gain: 0.5)
    #expect(Self.levels(meter, milliseconds: 1)?.peak == .init(left: 0.25, right: 0.25))
    Self.publish([0.1, 0.2, 0.9, 0.1, 0.2, 0.9], on: meter, channels: 3)
    #expect(Self.levels(meter, milliseconds: 1)?.peak == .init(left: 0.1, right: 0.2))
  }

  @Test func `Levels beyond the capacity are overwritten, and there are none without samples`() {
    let meter = LevelMeter()
    #expect(Self.levels(meter, milliseconds: 1) == nil)
    Self.publish([], on: meter)
    #expect(Self.levels(meter, milliseconds: 1) == nil)
    for _ in 0..<2_000 { Self.publish([1, 1], on: meter) }
    #expect(Self.levels(meter, milliseconds: 1)?.peak == .init(left: 1, right: 1))
  }
}

/// Publishers to which one thread writes while others read.
struct PublisherThreadTests {
  private static let start = MonotonicInstant(nanoseconds: 1_000_000_000)

  /// The shared state of the threads of a test.
  private final class Progress: Sendable {
    let readCount = Atomic(0)
    let tornCount = Atomic(0)
    var isOver: Bool { readCount.load(ordering: .relaxed) >= 10_000 }
  }

  /// Calls `write` with 1, 2, 3, ... on one thread, and `isWhole` on two others, until those have read often enough;
  /// returns how often a reader got a torn value. `isWhole` returns `nil` if there was nothing to read.
  private func countTorn(
    write: @escaping @Sendable (Int) -> Void, isWhole: @escaping @Sendable () -> Bool?
  ) throws -> Int {
    let progress = Progress()
    var threads = try (0..<2).map { _ in
      try WorkerThread(name: "reader") {
        while !progress.isOver {
          guard let isWhole = isWhole() else { continue }
          progress.readCount.add(1, ordering: .relaxed)
          if !isWhole { progress.tornCount.add(1, ordering: .relaxed) }
        }
      }
    }
    threads.append(
      try WorkerThread(name: "writer") {
        var number = 1
        while !progress.isOver {
          write(number)
          number += 1
        }
      })
    let deadline = MonotonicInstant.now.advanced(byMilliseconds: 60_000)
    #expect(threads.allSatisfy { $0.join(until: deadline) })
    return progress.tornCount.load(ordering: .relaxed)
  }

  @Test func `a position is read as a whole`() throws {
    let publisher = PositionPublisher()
    let format = AudioFormat.cd
    let count = try countTorn {
      publisher.publish(
        generation: UInt64($0), source: .init(rawValue: UInt64($0)), firstFrame: 0, frame: Int64($0),
        sampleRate: format.sampleRate, lag: 0, now: Self.start)
    } isWhole: {
      publisher.position(at: Self.start).map {
        $0.generation == $0.source.rawValue
          && $0.position == format.duration(ofFrames: Int64(clamping: $0.generation))
      }
    }
    #expect(count == 0)
  }

  @Test func `levels are read as a whole`() throws {
    let meter = LevelMeter()
    let count = try countTorn { number in
      // With a power of two, the root of its square is exact.
      let samples = [Float](repeating: 1 / Float(1 << (number % 8)), count: 2)
      unsafe samples.withUnsafeBufferPointer {
        unsafe meter.publish($0, channels: 2, gain: 1, sampleRate: 44_100, due: Self.start)
      }
    } isWhole: {
      meter.levels(at: Self.start).map { $0.peak == $0.rms }
    }
    #expect(count == 0)
  }
}
