// SPDX-License-Identifier: GPL-3.0-or-later

import Synchronization

/// A ring buffer that carries blocks of frames from one producer thread to one consumer thread, without locks.
///
/// The memory is allocated once. The producer fills the block that ``nextBlock()`` returns and passes it on with
/// ``commit(_:)``. The consumer reads the ``firstBlock()``, and either passes it with ``advance(usedFrames:)`` or drops
/// it. It frees the slots of blocks that it has passed with ``release()``; until then it can return to them. The ring
/// wakes no thread: a side that finds it full or empty must arrange to be woken by the other.
@safe
public final class FrameRing: @unchecked Sendable {
  // The indices decide which thread owns which block: from `released` to `committed`, the consumer.
  /// A block that the producer has committed.
  @unsafe
  public struct Block {
    /// The description of the block's frames.
    public let header: BlockHeader
    /// The interleaved samples of the block's frames. The consumer may change them.
    public let samples: UnsafeMutableBufferPointer<Float>
    /// Whether the producer has revoked the block, because it is no longer needed.
    public let isRevoked: Bool
  }

  /// The number of blocks that the ring has room for.
  public let blockCount: Int
  /// The number of samples that a block has room for.
  public let samplesPerBlock: Int

  /// The slot of each block, by the block's index modulo ``blockCount``.
  private let slots: UnsafeMutablePointer<Int>
  // The contents of the slots:
  private let samples: UnsafeMutablePointer<Float>
  private let headers: UnsafeMutablePointer<BlockHeader?>
  private let revocations: UnsafeMutablePointer<Atomic<Bool>>
  /// The numbers of the blocks, for the producer.
  private let numbers: UnsafeMutablePointer<Int>
  /// The numbers of frames that the consumer has used of the blocks that it has passed.
  private let usedCounts: UnsafeMutablePointer<Int>
  private let committed = Atomic(0)
  /// The number of blocks that the consumer has passed.
  private let passed = Atomic(0)
  private let released = Atomic(0)

  /// Creates an empty ring buffer for `blockCount` blocks of `samplesPerBlock` samples; both at least 1.
  public init(blockCount: Int, samplesPerBlock: Int) {
    self.blockCount = max(1, blockCount)
    self.samplesPerBlock = max(AudioFormat.channelCounts.upperBound, samplesPerBlock)
    // Not initialised: the consumer reads only what the producer wrote, and untouched pages use no memory.
    unsafe samples = .allocate(capacity: self.blockCount * self.samplesPerBlock)
    unsafe headers = .allocate(capacity: self.blockCount)
    unsafe headers.initialize(repeating: nil, count: self.blockCount)
    unsafe usedCounts = .allocate(capacity: self.blockCount)
    unsafe usedCounts.initialize(repeating: 0, count: self.blockCount)
    unsafe numbers = .allocate(capacity: self.blockCount)
    unsafe numbers.initialize(repeating: 0, count: self.blockCount)
    unsafe slots = .allocate(capacity: self.blockCount)
    for slot in 0..<self.blockCount { unsafe (slots + slot).initialize(to: slot) }
    unsafe revocations = .allocate(capacity: self.blockCount)
    for index in 0..<self.blockCount { unsafe (revocations + index).initialize(to: Atomic(false)) }
  }

  deinit {
    unsafe samples.deallocate()
    unsafe headers.deallocate()
    unsafe usedCounts.deallocate()
    unsafe numbers.deallocate()
    unsafe slots.deallocate()
    unsafe revocations.deinitialize(count: blockCount)
    unsafe revocations.deallocate()
  }

  /// The number of committed blocks that the consumer has not passed yet. Can be read from either thread; the other may
  /// change it meanwhile.
  public var waitingCount: Int {
    committed.load(ordering: .acquiring) - passed.load(ordering: .acquiring)
  }

  /// The number of blocks that the consumer has passed but not released: it can return to them. Only the consumer may
  /// read it.
  public var passedCount: Int { passed.load(ordering: .relaxed) - released.load(ordering: .relaxed) }

  /// Returns the buffer for the next block, or `nil` if the ring is full. Only the producer may call it.
  public func nextBlock() -> UnsafeMutableBufferPointer<Float>? {
    let index = committed.load(ordering: .relaxed)
    guard index - released.load(ordering: .acquiring) < blockCount else { return nil }
    return unsafe room(in: slot(at: index))
  }

  /// Passes the block returned by ``nextBlock()`` on to the consumer. Only the producer may call this.
  public func commit(_ header: BlockHeader) {
    let index = committed.load(ordering: .relaxed)
    let slot = slot(at: index)
    unsafe headers[slot] = header
    unsafe numbers[slot] = index
    unsafe revocations[slot].store(false, ordering: .relaxed)
    committed.store(index + 1, ordering: .releasing)
  }

  /// The number of blocks committed so far, which is also the number of the next one. Only the producer may read it.
  public var committedCount: Int { committed.load(ordering: .relaxed) }

  /// Revokes the blocks from this number on that are not released. It is up to the consumer to respect this for a block
  /// that it has already begun. Only the producer may call it.
  public func revoke(from number: Int) {
    // What is stored for a slot that is free is replaced when a block is committed in it.
    for slot in 0..<blockCount where unsafe numbers[slot] >= number {
      unsafe revocations[slot].store(true, ordering: .releasing)
    }
  }

  /// Returns the first block that the consumer has not passed, or `nil` if there is none yet. Only the consumer may
  /// call it.
  public func firstBlock() -> Block? { unsafe waitingBlock(0) }

  /// Returns the block after the ``firstBlock()``, or `nil` if there is none yet. Only the consumer may call it.
  public func secondBlock() -> Block? { unsafe waitingBlock(1) }

  private func waitingBlock(_ number: Int) -> Block? {
    let index = passed.load(ordering: .relaxed) + number
    guard index < committed.load(ordering: .acquiring) else { return nil }
    let slot = slot(at: index)
    guard let header = unsafe headers[slot] else { return nil }
    let frames = header.frames
    let count = min((frames?.count ?? 0) * (frames?.format.channels ?? 0), samplesPerBlock)
    return unsafe Block(
      header: header, samples: UnsafeMutableBufferPointer(rebasing: room(in: slot)[..<count]),
      isRevoked: revocations[slot].load(ordering: .acquiring))
  }

  /// The description of the block that was committed last; `nil` before the first. Only the consumer may read it.
  public var newestHeader: BlockHeader? {
    let count = committed.load(ordering: .acquiring)
    return count > 0 ? unsafe headers[slot(at: count - 1)] : nil
  }

  /// Passes the ``firstBlock()``, of which `usedFrames` frames were used. Only the consumer may call it.
  public func advance(usedFrames: Int) {
    let index = passed.load(ordering: .relaxed)
    unsafe usedCounts[slot(at: index)] = usedFrames
    passed.store(index + 1, ordering: .releasing)
  }

  /// Passes the ``firstBlock()``, and frees its slot before those of the blocks that were passed earlier. Only the
  /// consumer may call it.
  public func drop() {
    let (first, last) = (released.load(ordering: .relaxed), passed.load(ordering: .relaxed))
    let dropped = slot(at: last)
    var index = last
    while index > first {
      unsafe slots[index % blockCount] = slot(at: index - 1)
      index -= 1
    }
    unsafe slots[first % blockCount] = dropped
    passed.store(last + 1, ordering: .releasing)
    released.store(first + 1, ordering: .releasing)
  }

  /// Returns to the block that was passed last, and returns the number of frames that were used of it; `nil` if all
  /// passed blocks are released. Only the consumer may call it.
  public func stepBack() -> Int? {
    guard passedCount > 0 else { return nil }
    let index = passed.load(ordering: .relaxed) - 1
    passed.store(index, ordering: .releasing)
    return unsafe usedCounts[slot(at: index)]
  }

  /// The number of frames that were used of the oldest block that is passed and not released; `nil` if there is none.
  /// Only the consumer may read it.
  public var oldestUsedFrames: Int? {
    passedCount > 0 ? unsafe usedCounts[slot(at: released.load(ordering: .relaxed))] : nil
  }

  /// Frees the slot of the oldest block that the consumer has passed. Only the consumer may call it.
  public func release() {
    if passedCount > 0 { released.add(1, ordering: .releasing) }
  }

  private func slot(at index: Int) -> Int { unsafe slots[index % blockCount] }

  private func room(in slot: Int) -> UnsafeMutableBufferPointer<Float> {
    unsafe UnsafeMutableBufferPointer(start: samples + slot * samplesPerBlock, count: samplesPerBlock)
  }
}

/// The description of a block of frames in the ring.
public struct BlockHeader: Sendable, Hashable, BitwiseCopyable {
  /// The generation of the command that produced the block; the consumer drops blocks of generations that are too old.
  public var generation: UInt64
  /// The frames in the block; `nil` if the block marks the end of the stream.
  public var frames: StreamFrames?

  /// Creates a header for a block.
  public init(generation: UInt64, frames: StreamFrames?) {
    self.generation = generation
    self.frames = frames
  }
}

/// A ring buffer that carries small values from one producer thread to one consumer thread, without locks or
/// allocation.
@safe
public final class ReportRing<Report: BitwiseCopyable & Sendable>: @unchecked Sendable {
  // The two indices decide which thread owns which slot.
  private let capacity: Int
  private let slots: UnsafeMutablePointer<Report?>
  private let written = Atomic(0)
  private let read = Atomic(0)

  /// Creates an empty ring buffer with room for `capacity` reports; at least 1.
  public init(capacity: Int) {
    self.capacity = max(1, capacity)
    unsafe slots = .allocate(capacity: self.capacity)
    unsafe slots.initialize(repeating: nil, count: self.capacity)
  }

  deinit { unsafe slots.deallocate() }

  /// Adds `report`; returns `false` if the ring is full. Only the producer may call it.
  public func push(_ report: Report) -> Bool {
    let index = written.load(ordering: .relaxed)
    guard index - read.load(ordering: .acquiring) < capacity else { return false }
    unsafe slots[index % capacity] = report
    written.store(index + 1, ordering: .releasing)
    return true
  }

  /// Removes and returns the oldest report; returns `nil` if there is none. Only the consumer may call it.
  public func pop() -> Report? {
    let index = read.load(ordering: .relaxed)
    guard index < written.load(ordering: .acquiring) else { return nil }
    let report = unsafe slots[index % capacity]
    read.store(index + 1, ordering: .releasing)
    return report
  }
}
