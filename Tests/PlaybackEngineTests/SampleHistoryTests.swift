// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Platform
import Synchronization
import TestSupport
import Testing

@testable import PlaybackEngine

@Suite struct SampleHistoryTests {
  private static let start = MonotonicInstant(nanoseconds: 1_000_000_000)
  /// A rate at which a frame lasts a millisecond, and a piece of sound has 64 frames.
  private static let rate = 1_000

  private static func history() -> SampleHistory {
    let history = SampleHistory()
    history.record(true)
    return history
  }

  /// Records frames from number `first` on, which is audible that many milliseconds after ``start``.
  private static func write(
    _ samples: [Float], to history: SampleHistory, from first: Int64 = 0, channels: Int = 1, gain: Float = 1
  ) {
    unsafe samples.withUnsafeBufferPointer {
      unsafe history.record(
        $0, channels: channels, gain: gain, sampleRate: rate, frame: first,
        due: start.advanced(byMilliseconds: UInt64(max(0, first))))
    }
  }

  private static func sound(_ history: SampleHistory, at milliseconds: UInt64) -> AudibleSound? {
    history.sound(at: start.advanced(byMilliseconds: milliseconds))
  }

  @Test func `The sound at an instant is what is audible then, with what comes before and after`() throws {
    let history = Self.history()
    Self.write((0..<1_000).map { Float($0) }, to: history)
    let sound = try #require(Self.sound(history, at: 500))
    #expect(sound.left == (468..<532).map { Float($0) } && sound.right == sound.left)
    #expect(sound.position == 32 && sound.sampleRate == Self.rate)
    // At the beginning, silence comes before; at the end, what has been written is all that there is.
    #expect(Self.sound(history, at: 10)?.left == [Float](repeating: 0, count: 22) + (0..<42).map { Float($0) })
    #expect(Self.sound(history, at: 1_000)?.left == (936..<1_000).map { Float($0) })
    #expect(Self.sound(history, at: 1_100)?.position == 64)
    #expect(Self.sound(history, at: 1_200) == nil)
    #expect(history.sound(at: MonotonicInstant(nanoseconds: 900_000_000)) == nil)
  }

  @Test func `Sound includes the volume, uses mono for both channels, and the first two of more channels`() throws {
    let history = Self.history()
    Self.write([Float](repeating: 0.5, count: 100), to: history, gain: 0.5)
    #expect(Self.sound(history, at: 50)?.right.last == 0.25)
    Self.write([Float]((0..<100).flatMap { _ in [Float](arrayLiteral: 0.1, 0.2, 0.9) }), to: history, channels: 3)
    let sound = try #require(Self.sound(history, at: 50))
    #expect(sound.left.last == 0.1 && sound.right.last == 0.2)
  }

  @Test func `What was taken back is not shown, and what replaces it is`() throws {
    let history = Self.history()
    Self.write([Float](repeating: 1, count: 500), to: history)
    history.withdraw(from: 200)
    #expect(Self.sound(history, at: 400) == nil)
    #expect(Self.sound(history, at: 190)?.left == [Float](repeating: 1, count: 64))
    Self.write([Float](repeating: 2, count: 100), to: history, from: 200)
    let sound = try #require(Self.sound(history, at: 200))
    #expect(sound.left == [Float](repeating: 1, count: 32) + [Float](repeating: 2, count: 32))
  }

  @Test func `When the output turns out to be late, the sound is, too`() throws {
    let history = Self.history()
    Self.write((0..<1_000).map { Float($0) }, to: history)
    history.align(frame: 1_000, due: Self.start.advanced(byMilliseconds: 1_040))
    #expect(Self.sound(history, at: 540)?.left.first == 468)
  }

  @Test func `Nothing is recorded while it is off, and what came before is not mistaken for what comes after`() throws {
    let history = Self.history()
    Self.write([Float](repeating: 1, count: 100), to: history)
    history.record(false)
    Self.write([Float](repeating: 2, count: 100), to: history, from: 100)
    #expect(Self.sound(history, at: 150)?.left == [Float](repeating: 1, count: 64))
    history.record(true)
    Self.write([Float](repeating: 3, count: 100), to: history, from: 200)
    #expect(Self.sound(history, at: 210)?.left == [Float](repeating: 0, count: 22) + [Float](repeating: 3, count: 42))
  }

  @Test func `Only what was overwritten is missing`() throws {
    let history = Self.history()
    let block = [Float](repeating: 0.5, count: 10_000)
    for number in 0..<100 { Self.write(block, to: history, from: Int64(number * block.count)) }
    #expect(Self.sound(history, at: 999_000)?.left == [Float](repeating: 0.5, count: 64))
    #expect(Self.sound(history, at: 600_000) != nil)
    #expect(Self.sound(history, at: 100_000) == nil)
  }

  @Test func `Hostile formats and frames are harmless`() {
    let history = Self.history()
    for channels in [0, -1, 8] { Self.write([1, 2, 3], to: history, channels: channels) }
    Self.write([1], to: history, from: -5)
    Self.write([.nan, .infinity], to: history)
    #expect(Self.sound(history, at: 1)?.levels.peak.left != nil)
    #expect(SampleHistory().sound(at: Self.start) == nil)
  }

  @Test func `A piece that is read while it is written is of one moment`() throws {
    let history = Self.history()
    let isDone = Atomic(false)
    // The value of a frame is its number, so that a piece that was overwritten has gaps.
    let writer = try WorkerThread(name: "writer") {
      for block in 0..<2_000 {
        Self.write((0..<1_000).map { Float((block * 1_000 + $0) % 1_000_003) }, to: history, from: Int64(block * 1_000))
      }
      isDone.store(true, ordering: .releasing)
    }
    var instant: UInt64 = 0
    while !isDone.load(ordering: .acquiring) {
      instant = (instant + 7_919) % 2_000_000
      guard let sound = Self.sound(history, at: instant) else { continue }
      let numbers = sound.left.drop { $0 == 0 }
      let isWhole = zip(numbers, numbers.dropFirst()).allSatisfy { $1 == $0 + 1 || $1 == 0 || $0 == 0 }
      #expect(isWhole, "\(sound.left)")
    }
    #expect(writer.join(until: .now.advanced(byMilliseconds: 60_000)))
  }
}
