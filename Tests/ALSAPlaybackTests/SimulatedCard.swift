// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Platform
import TestSupport

@testable import ALSAPlayback

/// A clock that is advanced by whoever sleeps on it.
struct AdvancingClock: MonotonicClock {
  let clock: ManualClock

  var now: MonotonicInstant { clock.now }
  func wait(for signal: ThreadSignal, until deadline: MonotonicInstant?) { clock.wait(for: signal, until: deadline) }
  func sleep(until deadline: MonotonicInstant) {
    if deadline > now { clock.advance(byMilliseconds: (deadline.nanoseconds - now.nanoseconds) / 1_000_000) }
  }
}

/// A sound card in simulated time, with 16-bit mono frames. It plays what its memory contains.
final class SimulatedCard: PCMDevice {
  static let format = DeviceFormat(sampleRate: 1_000, channels: 1, depth: .bits16)

  let bufferFrames = 1_000
  let periodFrames = 10
  /// The number of frames behind the buffer, which are lost when the card stops.
  var delayFrames = 0
  var refusesRewinding = false
  var readAheadFrames = 0
  /// The frames that were audible, with silence after the last one that was written.
  private(set) var played: [Int16] = []
  private(set) var isClosed = false
  /// The error of every call from now on.
  var failure: PCMError?
  private let clock: ManualClock
  private var pending: [Int16] = []
  private var onTheirWay: [Int16] = []
  /// The instant until which the card has played; `nil` while it stands still.
  private var instant: MonotonicInstant?

  init(clock: ManualClock) { self.clock = clock }

  private func advance() throws(PCMError) {
    if let failure { throw failure }
    guard let last = instant else { return }
    let count = Int((clock.now.nanoseconds - last.nanoseconds) / 1_000_000)
    instant = clock.now
    let isUnderrun = count > pending.count
    onTheirWay += pending.prefix(count)
    pending.removeFirst(min(count, pending.count))
    let audibleCount = max(0, onTheirWay.count - delayFrames)
    played += onTheirWay.prefix(audibleCount)
    onTheirWay.removeFirst(audibleCount)
    if isUnderrun {
      (instant, onTheirWay) = (nil, [])
      throw .underrun
    }
  }

  func state() throws(PCMError) -> PCMState {
    try advance()
    return PCMState(
      room: bufferFrames - pending.count, replaceable: pending.count, unplayed: pending.count + onTheirWay.count)
  }

  func write(_ bytes: UnsafeRawBufferPointer) throws(PCMError) {
    try advance()
    pending += unsafe bytes.bindMemory(to: Int16.self)
  }

  func rewind(_ frames: Int) throws(PCMError) -> Int {
    try advance()
    guard !refusesRewinding else { return 0 }
    pending.removeLast(frames)
    return frames
  }

  func start() throws(PCMError) {
    try advance()
    if instant == nil { instant = clock.now }
  }

  func reset() throws(PCMError) {
    if let failure, failure != .underrun { throw failure }
    failure = nil
    instant = nil
    (pending, onTheirWay) = ([], [])
  }

  func close() { isClosed = true }
}
