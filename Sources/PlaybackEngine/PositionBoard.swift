import AudioCore
import Synchronization

/// Shows the render thread's position to other threads, without locks: a counter that is odd during a change tells a reader to
/// read again.
final class PositionBoard: Sendable {
  private let changes = Atomic<UInt64>(0)
  private let generation = Atomic<UInt64>(0)
  private let source = Atomic<UInt64>(0)
  private let frame = Atomic<Int64>(0)
  private let sampleRate = Atomic<Int>(0)

  /// Shows this position. Render thread only.
  func show(generation: UInt64, source: PlaybackSource.ID, frame: Int64, sampleRate: Int) {
    changes.add(1, ordering: .sequentiallyConsistent)
    self.generation.store(generation, ordering: .sequentiallyConsistent)
    self.source.store(source.rawValue, ordering: .sequentiallyConsistent)
    self.frame.store(frame, ordering: .sequentiallyConsistent)
    self.sampleRate.store(sampleRate, ordering: .sequentiallyConsistent)
    changes.add(1, ordering: .sequentiallyConsistent)
  }

  /// The position shown last, or `nil` where none has been. From any thread.
  var shown: HeardPosition? {
    while true {
      let before = changes.load(ordering: .sequentiallyConsistent)
      let generation = self.generation.load(ordering: .sequentiallyConsistent)
      let source = PlaybackSource.ID(rawValue: self.source.load(ordering: .sequentiallyConsistent))
      let frame = self.frame.load(ordering: .sequentiallyConsistent)
      let sampleRate = self.sampleRate.load(ordering: .sequentiallyConsistent)
      guard before.isMultiple(of: 2), before == changes.load(ordering: .sequentiallyConsistent) else {
        continue
      }
      guard let format = AudioFormat(sampleRate: sampleRate, channels: 1, sourceDepth: nil) else {
        return nil
      }
      return HeardPosition(
        generation: generation, source: source, position: format.duration(ofFrames: frame))
    }
  }
}
