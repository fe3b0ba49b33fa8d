// SPDX-License-Identifier: GPL-3.0-or-later

import Platform
import Testing

@testable import PulsePlayback

@Suite struct PulseVolumeTests {
  private var volume = PulseVolume()
  private let start = MonotonicInstant(nanoseconds: 1_000_000_000)

  private func percent(_ value: Int) -> UInt32 { PulseVolume.full / 100 * UInt32(value) }

  /// Returns what is sent from `now` on until nothing is left to send, and the time that takes.
  private mutating func sent(from now: MonotonicInstant) -> (levels: [UInt32], milliseconds: Int) {
    var (now, levels) = (now, [UInt32]())
    let first = now
    while let rest = volume.timeToNext(at: now), levels.count < 100 {
      now = now.advanced(byMilliseconds: UInt64(rest / .milliseconds(1)))
      if let level = volume.next(at: now, isAudible: true) { levels.append(level) }
    }
    return (levels, Int((now.nanoseconds - first.nanoseconds) / 1_000_000))
  }

  @Test func `Levels are cube roots of the gain, as mixers show them`() {
    #expect(PulseVolume.level(gain: 1) == PulseVolume.full)
    #expect(PulseVolume.level(gain: 0) == 0)
    #expect(PulseVolume.level(gain: 0.125) == PulseVolume.full / 2)
    #expect(PulseVolume.level(gain: 7) == PulseVolume.full)
    #expect(PulseVolume.level(gain: -.infinity) == 0)
  }

  @Test mutating func `The first level is sent at once`() {
    volume.request(percent(30), at: start)
    #expect(volume.next(at: start, isAudible: true) == percent(30))
    #expect(volume.timeToNext(at: start) == nil)
  }

  @Test mutating func `A change is sent in at most twelve steps, 10 ms apart, that end at the target`() {
    volume.request(PulseVolume.full, at: start)
    _ = volume.next(at: start, isAudible: true)
    _ = volume.recordConfirmation()
    volume.request(0, at: start)
    let (levels, milliseconds) = sent(from: start)
    #expect(levels.last == 0)
    #expect((10...13).contains(levels.count))
    #expect(levels == levels.sorted(by: >))
    #expect(milliseconds <= 120)
    volume.request(percent(5), at: start)
    #expect(sent(from: start.advanced(byMilliseconds: 500)).levels.count == 3)
  }

  @Test(arguments: [0, 10, 40, 47, 65, 79], [1, 30, 55, 80, 93, 100])
  mutating func `No step is too small to be seen, and the number of steps is limited`(low: Int, high: Int) {
    guard low < high else { return }
    volume.request(percent(high), at: start)
    _ = volume.next(at: start, isAudible: false)
    _ = volume.recordConfirmation()
    volume.request(percent(low), at: start)
    let levels = [percent(high)] + sent(from: start).levels
    #expect(levels.last == percent(low) && levels.count <= 13)
    for (level, next) in zip(levels, levels.dropFirst()) { #expect(level - next > PulseVolume.full / 200) }
  }

  @Test mutating func `While nothing is audible, a change is sent as a whole`() {
    volume.request(PulseVolume.full, at: start)
    _ = volume.next(at: start, isAudible: false)
    _ = volume.recordConfirmation()
    volume.request(0, at: start)
    #expect(volume.next(at: start, isAudible: false) == 0)
    #expect(volume.timeToNext(at: start) == nil)
  }

  @Test mutating func `What the player has sent is not mistaken for a change in the mixer`() {
    volume.request(percent(30), at: start)
    _ = volume.next(at: start, isAudible: false)
    _ = volume.recordConfirmation()
    volume.recordQuestion()
    #expect(volume.recordAnswer(percent(30) + 9, at: start) == nil)
    volume.recordQuestion()
    volume.request(percent(60), at: start)
    _ = volume.next(at: start, isAudible: false)
    #expect(volume.recordAnswer(percent(30), at: start) == nil)
    // A server may answer from what it has stored, until it has confirmed what was sent.
    volume.recordQuestion()
    #expect(volume.recordAnswer(percent(30), at: start) == nil)
    let isConfirmed = volume.recordConfirmation()
    #expect(isConfirmed)
    volume.recordQuestion()
    #expect(volume.recordAnswer(percent(30), at: start) == percent(30))
  }

  @Test mutating func `A level of the mixer is reported, and the player's request for it ignored`() {
    volume.request(percent(30), at: start)
    _ = volume.next(at: start, isAudible: false)
    _ = volume.recordConfirmation()
    for level in [40, 50, 60] {
      volume.recordQuestion()
      #expect(volume.recordAnswer(percent(level), at: start) == percent(level))
    }
    // The player adopts an earlier level while the slider is at a later one.
    volume.request(percent(50), at: start)
    #expect(volume.timeToNext(at: start) == nil)
    #expect(volume.level == percent(60))
    // Much later, the same level is a command.
    volume.request(percent(50), at: start.advanced(byMilliseconds: 2_000))
    #expect(volume.timeToNext(at: start) != nil)
  }

  @Test mutating func `An amplification by the mixer stays when the player adopts full volume`() {
    volume.request(percent(30), at: start)
    _ = volume.next(at: start, isAudible: false)
    _ = volume.recordConfirmation()
    volume.recordQuestion()
    #expect(volume.recordAnswer(percent(150), at: start) == percent(150))
    volume.request(PulseVolume.full, at: start.advanced(byMilliseconds: 5_000))
    #expect(volume.timeToNext(at: start) == nil)
  }
}
