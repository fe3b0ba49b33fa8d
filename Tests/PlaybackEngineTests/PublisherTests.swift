// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Platform
import Synchronization
import TestSupport
import Testing

@testable import PlaybackEngine

struct PositionPublisherTests {
  private static let start = MonotonicInstant(nanoseconds: 1_000_000_000)

  /// Publishes that `milliseconds` of a source were written, which are audible until `end`, in milliseconds.
  private static func write(_ source: UInt64, _ milliseconds: Int64, until end: UInt64, on publisher: PositionPublisher)
  {
    publisher.publish(
      generation: 1, source: .init(rawValue: source), firstFrame: 0, frame: milliseconds * 8, sampleRate: 8_000,
      lag: end * 1_000_000, now: start)
  }

  /// Returns the number of the source that is audible after `milliseconds`, and its position in milliseconds.
  private static func audible(_ publisher: PositionPublisher, after milliseconds: UInt64) -> [UInt64] {
    publisher.position(at: start.advanced(byMilliseconds: milliseconds)).map {
      [$0.source.rawValue, $0.position.wholeMilliseconds]
    } ?? []
  }

  /// A publisher of 1,000 ms of source 1, 500 ms of source 2 and 300 ms of source 3, one after the other.
  private static var threeSources: PositionPublisher {
    let publisher = PositionPublisher()
    write(1, 1_000, until: 1_000, on: publisher)
    publisher.publishTransition(at: start.advanced(byMilliseconds: 1_000), generation: 1)
    write(2, 500, until: 1_500, on: publisher)
    publisher.publishTransition(at: start.advanced(byMilliseconds: 1_500), generation: 1)
    write(3, 300, until: 1_800, on: publisher)
    return publisher
  }

  @Test func `The position advances in each of the sources that are buffered together`() {
    let publisher = Self.threeSources
    let expected: [(UInt64, [UInt64])] = [
      (0, [1, 0]), (999, [1, 999]), (1_000, [2, 0]), (1_400, [2, 400]), (1_500, [3, 0]), (1_799, [3, 299]),
      (5_000, [3, 300]),
    ]
    for (time, position) in expected { #expect(Self.audible(publisher, after: time) == position, "\(time) ms") }
  }

  @Test func `A correction moves all that is not audible yet`() {
    let publisher = Self.threeSources
    publisher.publishCorrection(lag: 700_000_000, now: Self.start.advanced(byMilliseconds: 1_200))
    #expect(Self.audible(publisher, after: 1_550) == [2, 450])
    #expect(Self.audible(publisher, after: 1_700) == [3, 100])
  }

  @Test(arguments: [(0, [3, 300]), (1, [2, 500]), (2, [1, 1_000]), (3, [1, 1_000])])
  func `After sources were taken back, the position ends in the one before`(count: Int, end: [UInt64]) {
    let publisher = Self.threeSources
    publisher.publishTakeBack(ofSources: count)
    #expect(Self.audible(publisher, after: 5_000) == end)
    #expect(Self.audible(publisher, after: 400) == [1, 400])
  }

  @Test func `With more sources than there is room for, the newest ones have positions`() {
    let publisher = PositionPublisher()
    for source in 1...200 {
      Self.write(UInt64(source), 10, until: UInt64(source) * 10, on: publisher)
      publisher.publishTransition(at: Self.start.advanced(byMilliseconds: UInt64(source) * 10), generation: 1)
    }
    #expect(Self.audible(publisher, after: 1_995) == [200, 5])
    #expect(Self.audible(publisher, after: 1_505) == [151, 5])
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
}
