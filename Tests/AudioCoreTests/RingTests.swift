// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Platform
import TestSupport
import Testing

@Suite struct FrameRingTests {
  private func header(_ number: Int, frames: Int, format: AudioFormat? = .cd) -> BlockHeader {
    let origin = FrameOrigin(
      source: .init(rawValue: 1), format: .cd, frame: Int64(number), frameCount: nil, isProcessed: false)
    return BlockHeader(
      generation: 1, frames: format.map { StreamFrames(origin: origin, format: $0, count: frames) })
  }

  @Test func `blocks come out in the order in which they were committed, with their samples`() {
    let ring = FrameRing(blockCount: 3, samplesPerBlock: 8)
    #expect(ring.firstBlock() == nil)
    for round in 0..<10 {
      for number in 0..<3 {
        let buffer = ring.nextBlock()
        #expect(buffer?.count == 8)
        buffer?.update(repeating: Float(round * 3 + number))
        ring.commit(header(round * 3 + number, frames: 4))
      }
      #expect(ring.nextBlock() == nil)
      #expect(ring.waitingCount == 3)
      for number in 0..<3 {
        let block = ring.firstBlock()
        #expect(block?.header == header(round * 3 + number, frames: 4))
        #expect(block.map { Array($0.samples) } == [Float](repeating: Float(round * 3 + number), count: 8))
        ring.advance(usedFrames: 4)
        ring.release()
      }
      #expect(ring.waitingCount == 0)
      #expect(ring.firstBlock() == nil)
    }
  }

  @Test func `a block has only the committed frames, and an end mark has none`() {
    let ring = FrameRing(blockCount: 2, samplesPerBlock: 16)
    _ = ring.nextBlock()
    ring.commit(header(0, frames: 3))
    _ = ring.nextBlock()
    ring.commit(header(0, frames: 0, format: nil))
    #expect(ring.firstBlock()?.samples.count == 6)
    ring.advance(usedFrames: 3)
    ring.release()
    #expect(ring.firstBlock()?.header.frames == nil)
    #expect(ring.firstBlock()?.samples.isEmpty == true)
  }

  @Test func `the consumer returns to the blocks that it has passed, until it releases them`() {
    let ring = FrameRing(blockCount: 3, samplesPerBlock: 8)
    for number in 0..<3 {
      _ = ring.nextBlock()
      ring.commit(header(number, frames: 4))
    }
    #expect(ring.stepBack() == nil && ring.oldestUsedFrames == nil)
    ring.advance(usedFrames: 4)
    ring.advance(usedFrames: 0)
    #expect(ring.passedCount == 2 && ring.waitingCount == 1 && ring.oldestUsedFrames == 4)
    #expect(ring.nextBlock() == nil)
    #expect(ring.stepBack() == 0 && ring.stepBack() == 4 && ring.stepBack() == nil)
    #expect(ring.firstBlock()?.header == header(0, frames: 4) && ring.waitingCount == 3)
    ring.advance(usedFrames: 4)
    ring.release()
    ring.release()
    #expect(ring.passedCount == 0 && ring.stepBack() == nil && ring.nextBlock() != nil)
  }

  @Test func `a block that is dropped frees its slot, while the blocks passed before are kept`() {
    let ring = FrameRing(blockCount: 3, samplesPerBlock: 8)
    for number in 0..<3 {
      ring.nextBlock()?[0] = Float(number)
      ring.commit(header(number, frames: 4))
    }
    ring.advance(usedFrames: 4)
    ring.drop()
    #expect(ring.passedCount == 1 && ring.waitingCount == 1 && ring.oldestUsedFrames == 4)
    #expect(ring.firstBlock()?.header == header(2, frames: 4))
    ring.nextBlock()?[0] = 3
    ring.commit(header(3, frames: 4))
    #expect(ring.nextBlock() == nil)
    #expect(ring.stepBack() == 4 && ring.stepBack() == nil)
    for number in [0, 2, 3] {
      #expect(ring.firstBlock()?.header == header(number, frames: 4) && ring.firstBlock()?.samples[0] == Float(number))
      ring.advance(usedFrames: 4)
    }
  }

  @Test func `revoking blocks spares earlier ones, although blocks between were dropped`() {
    let ring = FrameRing(blockCount: 4, samplesPerBlock: 8)
    for number in 0..<3 {
      _ = ring.nextBlock()
      ring.commit(header(number, frames: 4))
    }
    ring.advance(usedFrames: 4)
    ring.drop()
    ring.drop()
    _ = ring.nextBlock()
    ring.commit(header(3, frames: 4))
    ring.revoke(from: 1)
    #expect(ring.firstBlock()?.isRevoked == true)
    #expect(ring.stepBack() == 4 && ring.firstBlock()?.isRevoked == false)
  }

  @Test func `there is always room for a frame`() {
    let ring = FrameRing(blockCount: 0, samplesPerBlock: 0)
    #expect(ring.blockCount == 1)
    #expect(ring.nextBlock()?.count == AudioFormat.channelCounts.upperBound)
  }

  @Test func `between two threads no block is lost, repeated or torn`() throws {
    let ring = FrameRing(blockCount: 4, samplesPerBlock: 64)
    let signal = ThreadSignal()
    let roomSignal = ThreadSignal()
    let count = 20_000
    let problem = Watched<String?>(nil)
    let producer = try WorkerThread(name: "producer") { [self] in
      for number in 0..<count {
        while true {
          if let buffer = ring.nextBlock() {
            buffer.update(repeating: Float(number))
            break
          }
          roomSignal.wait()
        }
        ring.commit(header(number, frames: 1 + number % 32))
        signal.wake()
      }
    }
    let consumer = try WorkerThread(name: "consumer") {
      for number in 0..<count {
        while ring.firstBlock() == nil { signal.wait() }
        guard let block = ring.firstBlock() else { return problem.change { $0 = "no block" } }
        if block.header.frames?.origin.frame != Int64(number) || block.samples.count != 2 * (1 + number % 32)
          || !block.samples.allSatisfy({ $0 == Float(number) })
        {
          return problem.change { $0 = "block \(number) is \(block.header)" }
        }
        ring.advance(usedFrames: 1)
        ring.release()
        roomSignal.wake()
      }
    }
    let deadline = MonotonicInstant.now.advanced(byMilliseconds: 60_000)
    #expect(consumer.join(until: deadline))
    #expect(producer.join(until: deadline))
    #expect(problem.value == nil)
  }
}

@Suite struct ReportRingTests {
  @Test(arguments: [1, 2, 5])
  func `reports come out in order, and a full ring accepts none`(capacity: Int) {
    let ring = ReportRing<Int>(capacity: capacity)
    for round in 0..<7 {
      for number in 0..<capacity { #expect(ring.push(round * capacity + number)) }
      #expect(!ring.push(-1))
      for number in 0..<capacity { #expect(ring.pop() == round * capacity + number) }
      #expect(ring.pop() == nil)
    }
  }

  @Test func `between two threads no report is lost or repeated`() throws {
    let ring = ReportRing<Int>(capacity: 8)
    let count = 100_000
    let (pushed, popped) = (ThreadSignal(), ThreadSignal())
    let received = Watched<[Int]>([])
    let producer = try WorkerThread(name: "producer") {
      for number in 0..<count {
        while !ring.push(number) { popped.wait() }
        pushed.wake()
      }
    }
    let consumer = try WorkerThread(name: "consumer") {
      var numbers: [Int] = []
      while numbers.count < count {
        if let number = ring.pop() {
          numbers.append(number)
          popped.wake()
        } else {
          pushed.wait()
        }
      }
      received.change { $0 = numbers }
    }
    let deadline = MonotonicInstant.now.advanced(byMilliseconds: 60_000)
    #expect(producer.join(until: deadline) && consumer.join(until: deadline))
    #expect(received.value.elementsEqual(0..<count))
  }
}
