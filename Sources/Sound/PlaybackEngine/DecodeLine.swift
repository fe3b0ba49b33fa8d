import AudioCore
import Platform
import Synchronization

/// A decode thread's ring, its commands, and what shows where it is.
///
/// It is replaced as a whole where a file blocks its thread: the thread that is stuck keeps the ring into which it was
/// reading.
final class DecodeLine: Sendable {
  /// Room for three seconds of 44.1 kHz stereo: 1 MiB.
  private static let blockCount = 16
  private static let samplesPerBlock = 16_384

  /// The how manieth line of the engine it is, from 1.
  let number: UInt64
  /// What the thread has decoded.
  let ring = FrameRing(blockCount: DecodeLine.blockCount, samplesPerBlock: DecodeLine.samplesPerBlock)
  /// What the thread is told.
  let commands: Mailbox<DecodeCommand>
  /// Wakes the thread.
  let signal: ThreadSignal
  /// Shows whether a file blocks it.
  let watch: BlockingWatch
  /// The generation of the command to start that it obeyed last.
  let obeyedGeneration = Atomic<UInt64>(0)

  /// Line `number`, whose thread has to be started.
  init(number: UInt64, clock: any MonotonicClock) {
    self.number = number
    watch = BlockingWatch(clock: clock)
    signal = ThreadSignal()
    commands = Mailbox(waking: signal)
  }
}
