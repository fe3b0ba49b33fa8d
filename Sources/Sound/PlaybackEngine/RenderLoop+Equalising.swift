// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Platform
import Synchronization

/// The equaliser, between the ring and the gain.
extension RenderLoop {
  /// How long to wait for the end of a fade before another change, in milliseconds.
  private static let fadeCheckMilliseconds: UInt64 = 10

  /// Whether the equaliser has to change now. While the fade of the last change is not audible yet, it has not: what is
  /// taken back never reaches two changes back.
  var isEqualiserOutdated: Bool {
    guard hasEqualiserChanged else { return false }
    return equaliser.hasFaded(by: rewinding.total - Int64(rewindable?.unplayedFrames ?? 0))
  }

  private var hasEqualiserChanged: Bool {
    context.equaliserNumber.load(ordering: .acquiring) != equaliser.number && output != nil && !playsDSD
  }

  /// Wakes the loop up if the equaliser has to change once the fade of its last change is audible.
  func awaitFadeOfEqualiser() {
    guard !isAbandoned, rewindable != nil, hasEqualiserChanged else { return }
    let instant = clock.now.advanced(byMilliseconds: Self.fadeCheckMilliseconds)
    synchronizationDeadline = synchronizationDeadline.map { min($0, instant) } ?? instant
  }

  /// Changes the equaliser from the next frame on.
  func changeEqualiser() {
    let block = unsafe pipeline.ring.firstBlock()
    let continues = unsafe block.map { unsafe $0.header.generation } == announced?.generation
    let isSuitable = unsafe block?.header.frames.map { output?.format.shape == $0.format.shape } ?? false
    let samples = unsafe continues && isSuitable ? block.map { unsafe UnsafeBufferPointer($0.samples) } : nil
    unsafe equaliser.change(
      to: context.equaliser, at: rewinding.total, fades: !isSilent, samples, offset: samples == nil ? 0 : offset)
  }

  /// Returns the next `count` frames of `block`, the first block of `pipeline`, as the equaliser changes them. For the
  /// hot path.
  func equalised(
    _ block: FrameRing.Block, _ frames: StreamFrames, _ count: Int, _ pipeline: DecoderPipeline
  ) -> UnsafeMutableBufferPointer<Float> {
    if offset == 0, rewindable != nil { equaliser.record(at: rewinding.total) }
    var following = unsafe UnsafeBufferPointer<Float>(start: nil, count: 0)
    if let next = unsafe pipeline.ring.secondBlock(), let nextFrames = unsafe next.header.frames,
      unsafe next.header.generation == block.header.generation, nextFrames.format.shape == frames.format.shape,
      unsafe !next.isRevoked
    {
      unsafe following = UnsafeBufferPointer(next.samples)
    }
    return unsafe equaliser.process(
      UnsafeBufferPointer(block.samples), offset..<offset + count, following: following, at: rewinding.total)
  }
}
