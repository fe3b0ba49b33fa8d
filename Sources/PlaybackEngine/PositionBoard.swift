import AudioCore
import Platform
import Synchronization

/// Shows the render thread's position to other threads, without locks: a counter that is odd during a change tells a reader to
/// read again.
final class PositionBoard: Sendable {
  private let changes = Atomic<UInt64>(0)
  private let generation = Atomic<UInt64>(0)
  private let source = Atomic<UInt64>(0)
  private let firstFrame = Atomic<Int64>(0)
  private let frame = Atomic<Int64>(0)
  private let sampleRate = Atomic<Int>(0)
  private let lag = Atomic<UInt64>(0)
  private let instant = Atomic<UInt64>(0)

  /// Shows that the output has taken the source up to `frame`, and that it will be heard `lag` nanoseconds after `now`. Nothing
  /// before `firstFrame` was played of it in this generation. Render thread only.
  func show(
    generation: UInt64, source: PlaybackSource.ID, firstFrame: Int64, frame: Int64, sampleRate: Int,
    lag: UInt64,
    now: MonotonicInstant
  ) {
    changes.add(1, ordering: .sequentiallyConsistent)
    self.generation.store(generation, ordering: .sequentiallyConsistent)
    self.source.store(source.rawValue, ordering: .sequentiallyConsistent)
    self.firstFrame.store(firstFrame, ordering: .sequentiallyConsistent)
    self.frame.store(frame, ordering: .sequentiallyConsistent)
    self.sampleRate.store(sampleRate, ordering: .sequentiallyConsistent)
    self.lag.store(lag, ordering: .sequentiallyConsistent)
    instant.store(now.nanoseconds, ordering: .sequentiallyConsistent)
    changes.add(1, ordering: .sequentiallyConsistent)
  }

  /// What is heard at `now`, or `nil` where nothing has been. From any thread.
  func heard(at now: MonotonicInstant) -> HeardPosition? {
    while true {
      let before = changes.load(ordering: .sequentiallyConsistent)
      let generation = self.generation.load(ordering: .sequentiallyConsistent)
      let source = PlaybackSource.ID(rawValue: self.source.load(ordering: .sequentiallyConsistent))
      let firstFrame = self.firstFrame.load(ordering: .sequentiallyConsistent)
      let frame = self.frame.load(ordering: .sequentiallyConsistent)
      let sampleRate = self.sampleRate.load(ordering: .sequentiallyConsistent)
      let lag = self.lag.load(ordering: .sequentiallyConsistent)
      let instant = self.instant.load(ordering: .sequentiallyConsistent)
      guard before.isMultiple(of: 2), before == changes.load(ordering: .sequentiallyConsistent) else {
        continue
      }
      guard let format = AudioFormat(sampleRate: sampleRate, channels: 1, sourceDepth: nil) else {
        return nil
      }
      let elapsed = now.nanoseconds > instant ? now.nanoseconds - instant : 0
      let unheard = Duration.nanoseconds(Int64(clamping: lag > elapsed ? lag - elapsed : 0))
      let first = format.duration(ofFrames: firstFrame)
      return HeardPosition(
        generation: generation, source: source,
        position: max(first, format.duration(ofFrames: frame) - unheard))
    }
  }
}
