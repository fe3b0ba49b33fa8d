// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Platform
import TestSupport
import Testing

@testable import ALSAPlayback

@Suite struct ALSAOutputTests {
  private let clock = ManualClock()
  private let card: SimulatedCard
  private let output: ALSAOutput

  init() {
    card = SimulatedCard(clock: clock)
    output = ALSAOutput(card, SimulatedCard.format, name: "card", clock: AdvancingClock(clock: clock))
  }

  private func write(_ frames: some Sequence<Int>) throws {
    let frames = frames.map { Int16($0) }
    let result = frames.withUnsafeBytes { bytes in
      Result { () throws(OutputError) in try output.write(bytes) }
    }
    try result.get()
  }

  @Test func `What the card has not read can be replaced, up to a margin of 20 ms`() throws {
    try write(0..<1_000)
    _ = try output.synchronize(isComplete: false)
    clock.advance(byMilliseconds: 300)
    #expect(output.unplayedFrames == 700)
    #expect(try output.takeBack(atMost: 1_000) == 680)
    #expect(output.unplayedFrames == 20)
    try write(5_000..<5_100)
    clock.advance(byMilliseconds: 120)
    #expect(output.unplayedFrames == 0)
    #expect(card.played == Array(0..<320) + Array(5_000..<5_100))
  }

  @Test func `No more is taken back than was asked for`() throws {
    try write(0..<500)
    #expect(try output.takeBack(atMost: 100) == 100)
    #expect(output.unplayedFrames == 400)
  }

  @Test func `A card that reads ahead gets a larger margin`() throws {
    card.readAheadFrames = 50
    let output = ALSAOutput(card, SimulatedCard.format, name: "card", clock: clock)
    try write(0..<500)
    #expect(try output.takeBack(atMost: 500) == 430)
  }

  @Test func `After an underrun, playing starts again with the next frame`() throws {
    try write(0..<100)
    _ = try output.synchronize(isComplete: false)
    clock.advance(byMilliseconds: 200)
    try write(100..<300)
    _ = try output.synchronize(isComplete: false)
    clock.advance(byMilliseconds: 200)
    #expect(output.unplayedFrames == 0)
    #expect(card.played == Array(0..<300))
  }

  @Test func `A card that is lost is an error with its reason`() throws {
    try write(0..<100)
    card.failure = .lost("No such device")
    #expect(throws: OutputError(kind: .lost, description: "card: No such device")) {
      _ = try output.synchronize(isComplete: false)
    }
    #expect(throws: OutputError(kind: .lost, description: "card: No such device")) { try write(0..<1) }
    #expect(throws: OutputError(kind: .lost, description: "card: No such device")) {
      _ = try output.takeBack(atMost: 9)
    }
    #expect(output.unplayedFrames == 0)
  }

  @Test func `A pause drops what is left, and the next frame is played first afterwards`() throws {
    try write(0..<500)
    _ = try output.synchronize(isComplete: false)
    clock.advance(byMilliseconds: 100)
    #expect(output.unplayedFrames == 400)
    try output.setPaused(true)
    #expect(output.unplayedFrames == 0)
    clock.advance(byMilliseconds: 1_000)
    try output.setPaused(false)
    try write(7_000..<7_010)
    _ = try output.synchronize(isComplete: false)
    clock.advance(byMilliseconds: 10)
    #expect(output.unplayedFrames == 0)
    #expect(card.played == Array(0..<100) + Array(7_000..<7_010))
  }

  @Test func `Behind the end is silence, so that the card stops only once the end is audible`() throws {
    card.delayFrames = 15
    try write(1..<101)
    _ = try output.synchronize(isComplete: true)
    clock.advance(byMilliseconds: 114)
    #expect(output.unplayedFrames == 1)
    clock.advance(byMilliseconds: 1)
    #expect(output.unplayedFrames == 0)
    try output.setPaused(true)
    #expect(card.played.prefix(100) == Array(1..<101)[...])
  }

  @Test func `What continues after the end takes the place of the silence`() throws {
    try write(1..<101)
    _ = try output.synchronize(isComplete: true)
    clock.advance(byMilliseconds: 50)
    try write(101..<201)
    #expect(output.unplayedFrames == 150)
    clock.advance(byMilliseconds: 150)
    #expect(output.unplayedFrames == 0)
    #expect(card.played == Array(1..<201))
  }

  @Test func `If a driver refuses to take back, the buffer is used only in part`() throws {
    card.refusesRewinding = true
    try write(0..<1_000)
    #expect(try output.takeBack(atMost: 1_000) == 0)
    #expect(output.bufferFrames == 100)
  }

  @Test func `Closing waits until everything has been played`() throws {
    try write(0..<500)
    try output.close()
    #expect(card.isClosed)
    #expect(card.played.prefix(500) == Array(0..<500)[...])
    #expect(card.played.dropFirst(500).allSatisfy { $0 == 0 })
  }
}
