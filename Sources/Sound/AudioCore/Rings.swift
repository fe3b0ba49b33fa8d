import Synchronization

/// Carries blocks of frames from one producing thread to one consuming thread, without locks.
///
/// The memory is allocated once. The producer fills the block that ``nextBlock()`` gives and hands it over with
/// ``commit(_:)``; the consumer reads the ``firstBlock()`` and gives its place back with ``release()``. Nobody is woken
/// by the ring: whoever finds it full or empty arranges that with the other side.
@safe
public final class FrameRing: @unchecked Sendable {  // The two indices decide which thread owns which block.
  /// A block that waits for the consumer.
  @unsafe
  public struct Block {
    /// What the block is.
    public let header: BlockHeader
    /// The interleaved samples of its frames. The consumer may change them.
    public let samples: UnsafeMutableBufferPointer<Float>
    /// Whether the producer has revoked it: nobody wants it any more.
    public let isRevoked: Bool
  }

  /// How many blocks the ring has room for.
  public let blockCount: Int
  /// How many samples a block has room for.
  public let samplesPerBlock: Int

  private let samples: UnsafeMutablePointer<Float>
  private let headers: UnsafeMutablePointer<BlockHeader?>
  private let revocations: UnsafeMutablePointer<Atomic<Bool>>
  private let committed = Atomic(0)
  private let released = Atomic(0)

  /// An empty ring for `blockCount` blocks of `samplesPerBlock` samples; both at least 1.
  public init(blockCount: Int, samplesPerBlock: Int) {
    self.blockCount = max(1, blockCount)
    self.samplesPerBlock = max(AudioFormat.channelCounts.upperBound, samplesPerBlock)
    // Not filled: the consumer reads only what the producer wrote, and pages that are never used cost nothing.
    unsafe samples = .allocate(capacity: self.blockCount * self.samplesPerBlock)
    unsafe headers = .allocate(capacity: self.blockCount)
    unsafe headers.initialize(repeating: nil, count: self.blockCount)
    unsafe revocations = .allocate(capacity: self.blockCount)
    for index in 0..<self.blockCount { unsafe (revocations + index).initialize(to: Atomic(false)) }
  }

  deinit {
    unsafe samples.deallocate()
    unsafe headers.deallocate()
    unsafe revocations.deinitialize(count: blockCount)
    unsafe revocations.deallocate()
  }

  /// The number of blocks that wait for the consumer. From either thread; the other may change it meanwhile.
  public var waitingCount: Int {
    committed.load(ordering: .acquiring) - released.load(ordering: .acquiring)
  }

  /// Room for the samples of the next block, or `nil` where the ring is full. Producer only.
  public func nextBlock() -> UnsafeMutableBufferPointer<Float>? {
    let index = committed.load(ordering: .relaxed)
    guard index - released.load(ordering: .acquiring) < blockCount else { return nil }
    return unsafe room(at: index)
  }

  /// Hands the block that ``nextBlock()`` gave to the consumer. Producer only.
  public func commit(_ header: BlockHeader) {
    let index = committed.load(ordering: .relaxed)
    unsafe headers[index % blockCount] = header
    unsafe revocations[index % blockCount].store(false, ordering: .relaxed)
    committed.store(index + 1, ordering: .releasing)
  }

  /// How many blocks have been handed over since the ring was made: the number of the next one. Producer only.
  public var committedCount: Int { committed.load(ordering: .relaxed) }

  /// Revokes the blocks from this number on that wait for the consumer; what it has begun is its own. Producer only.
  public func revoke(from number: Int) {
    let end = committed.load(ordering: .relaxed)
    var index = max(number, released.load(ordering: .acquiring))
    while index < end {
      unsafe revocations[index % blockCount].store(true, ordering: .releasing)
      index += 1
    }
  }

  /// The block that waits longest, or `nil` where the ring is empty. Consumer only.
  public func firstBlock() -> Block? {
    let index = released.load(ordering: .relaxed)
    guard index < committed.load(ordering: .acquiring), let header = unsafe headers[index % blockCount] else {
      return nil
    }
    let frames = header.frames
    let count = min((frames?.count ?? 0) * (frames?.format.channels ?? 0), samplesPerBlock)
    return unsafe Block(
      header: header, samples: UnsafeMutableBufferPointer(rebasing: room(at: index)[..<count]),
      isRevoked: revocations[index % blockCount].load(ordering: .acquiring))
  }

  /// Gives the place of the ``firstBlock()`` back to the producer. Consumer only.
  public func release() {
    released.add(1, ordering: .releasing)
  }

  private func room(at index: Int) -> UnsafeMutableBufferPointer<Float> {
    unsafe UnsafeMutableBufferPointer(
      start: samples + (index % blockCount) * samplesPerBlock, count: samplesPerBlock)
  }
}

/// What stands beside a block of frames in the ring.
public struct BlockHeader: Sendable, Hashable, BitwiseCopyable {
  /// Which command made it; a block of an older generation than the ring's reader wants is dropped.
  public var generation: UInt64
  /// What the block holds; `nil` where it marks the end: nothing follows what was played last.
  public var frames: StreamFrames?

  /// A block with these properties.
  public init(generation: UInt64, frames: StreamFrames?) {
    self.generation = generation
    self.frames = frames
  }
}

/// Carries small values from one producing thread to one consuming thread, without locks or allocation.
@safe
public final class ReportRing<Report: BitwiseCopyable & Sendable>: @unchecked Sendable {
  // The two indices decide which thread owns which place.
  private let capacity: Int
  private let places: UnsafeMutablePointer<Report?>
  private let written = Atomic(0)
  private let read = Atomic(0)

  /// An empty ring with room for `capacity` reports; at least 1.
  public init(capacity: Int) {
    self.capacity = max(1, capacity)
    unsafe places = .allocate(capacity: self.capacity)
    unsafe places.initialize(repeating: nil, count: self.capacity)
  }

  deinit { unsafe places.deallocate() }

  /// Adds `report`, or gives `false` where the ring is full. Producer only.
  public func push(_ report: Report) -> Bool {
    let index = written.load(ordering: .relaxed)
    guard index - read.load(ordering: .acquiring) < capacity else { return false }
    unsafe places[index % capacity] = report
    written.store(index + 1, ordering: .releasing)
    return true
  }

  /// Takes the oldest report, or gives `nil` where there is none. Consumer only.
  public func pop() -> Report? {
    let index = read.load(ordering: .relaxed)
    guard index < written.load(ordering: .acquiring) else { return nil }
    let report = unsafe places[index % capacity]
    read.store(index + 1, ordering: .releasing)
    return report
  }
}
