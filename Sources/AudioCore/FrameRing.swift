import Synchronization

/// Carries blocks of frames from one producing thread to one consuming thread, without locks.
///
/// The memory is allocated once. The producer fills the block that ``nextBlock()`` gives and hands it over with
/// ``commit(_:)``; the consumer reads the ``firstBlock()`` and gives its place back with ``release()``. Nobody is woken by the
/// ring: whoever finds it full or empty arranges that with the other side.
@safe
public final class FrameRing: @unchecked Sendable {  // The two indices decide which thread owns which block.
  /// A block that waits for the consumer.
  @unsafe
  public struct Block {
    /// What the block is.
    public let header: BlockHeader
    /// The interleaved samples of its frames. The consumer may change them.
    public let samples: UnsafeMutableBufferPointer<Float>
  }

  /// How many blocks the ring has room for.
  public let blockCount: Int
  /// How many samples a block has room for.
  public let samplesPerBlock: Int

  private let samples: UnsafeMutablePointer<Float>
  private let headers: UnsafeMutablePointer<BlockHeader?>
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
  }

  deinit {
    unsafe samples.deallocate()
    unsafe headers.deallocate()
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
    committed.store(index + 1, ordering: .releasing)
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
      header: header, samples: UnsafeMutableBufferPointer(rebasing: room(at: index)[..<count]))
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
