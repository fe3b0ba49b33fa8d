import AudioCore
import Platform
import Synchronization

/// Shows the render thread's position to other threads, without locks: a counter that is odd during a change tells a
/// reader to read again.
final class PositionPublisher: Sendable {
  /// How far the output has taken a source.
  private struct Entry: Equatable {
    var source: UInt64 = 0
    /// Nothing before it was played in this generation.
    var firstFrame: Int64 = 0
    /// Everything before it was taken.
    var frame: Int64 = 0
    var sampleRate = 0

    /// Where it is when what is left of it is heard in `unheard`.
    func position(unheard: Duration) -> Duration? {
      AudioFormat(sampleRate: sampleRate, channels: 1, coding: .lossy).map { format in
        max(format.duration(ofFrames: firstFrame), format.duration(ofFrames: frame) - unheard)
      }
    }
  }

  private struct Place: ~Copyable {
    let source = Atomic<UInt64>(0)
    let firstFrame = Atomic<Int64>(0)
    let frame = Atomic<Int64>(0)
    let sampleRate = Atomic<Int>(0)

    func store(_ entry: Entry) {
      source.store(entry.source, ordering: .sequentiallyConsistent)
      firstFrame.store(entry.firstFrame, ordering: .sequentiallyConsistent)
      frame.store(entry.frame, ordering: .sequentiallyConsistent)
      sampleRate.store(entry.sampleRate, ordering: .sequentiallyConsistent)
    }

    func load() -> Entry {
      Entry(
        source: source.load(ordering: .sequentiallyConsistent),
        firstFrame: firstFrame.load(ordering: .sequentiallyConsistent),
        frame: frame.load(ordering: .sequentiallyConsistent),
        sampleRate: sampleRate.load(ordering: .sequentiallyConsistent))
    }
  }

  private let changes = Atomic<UInt64>(0)
  private let generation = Atomic<UInt64>(0)
  private let present = Place()
  /// When everything that the output has taken is heard, in nanoseconds.
  private let end = Atomic<UInt64>(0)
  /// The source before, in the same generation, which is heard until the turn.
  private let previous = Place()
  private let turn = Atomic<UInt64>(0)

  /// Shows that the output has taken the source up to `frame`, and that it will be heard `lag` nanoseconds after `now`.
  /// Nothing before `firstFrame` was played of it in this generation. Render thread only.
  func show(
    generation: UInt64, source: PlaybackSource.ID, firstFrame: Int64, frame: Int64, sampleRate: Int,
    lag: UInt64, now: MonotonicInstant
  ) {
    changes.add(1, ordering: .sequentiallyConsistent)
    self.generation.store(generation, ordering: .sequentiallyConsistent)
    present.store(
      Entry(source: source.rawValue, firstFrame: firstFrame, frame: frame, sampleRate: sampleRate))
    end.store(now.nanoseconds &+ lag, ordering: .sequentiallyConsistent)
    changes.add(1, ordering: .sequentiallyConsistent)
  }

  /// Another source comes next, and is heard from `instant` on. Render thread only.
  func turn(at instant: MonotonicInstant, generation: UInt64) {
    let isSameStream = generation == self.generation.load(ordering: .relaxed)
    changes.add(1, ordering: .sequentiallyConsistent)
    previous.store(present.load())
    turn.store(isSameStream ? instant.nanoseconds : 0, ordering: .sequentiallyConsistent)
    changes.add(1, ordering: .sequentiallyConsistent)
  }

  /// What is heard at `now`, or `nil` where nothing has been. From any thread.
  func heard(at now: MonotonicInstant) -> HeardPosition? {
    while true {
      let before = changes.load(ordering: .sequentiallyConsistent)
      let generation = self.generation.load(ordering: .sequentiallyConsistent)
      let (present, end) = (self.present.load(), self.end.load(ordering: .sequentiallyConsistent))
      let (previous, turn) = (self.previous.load(), self.turn.load(ordering: .sequentiallyConsistent))
      guard before.isMultiple(of: 2), before == changes.load(ordering: .sequentiallyConsistent) else {
        continue
      }
      let (entry, last) = turn > now.nanoseconds ? (previous, turn) : (present, end)
      let unheard = Duration.nanoseconds(Int64(clamping: last > now.nanoseconds ? last - now.nanoseconds : 0))
      return entry.position(unheard: unheard).map {
        HeardPosition(
          generation: generation, source: PlaybackSource.ID(rawValue: entry.source), position: $0,
          written: entry.position(unheard: .zero))
      }
    }
  }
}

/// How far a source has been heard.
struct HeardPosition: Sendable, Equatable {
  var generation: UInt64
  var source: PlaybackSource.ID
  var position: Duration
  /// How much of it the output has taken; nothing more than was heard where a later source is put out already.
  var written: Duration

  /// A position with these properties; what was heard is all that the output has taken, unless `written` says
  /// otherwise.
  init(
    generation: UInt64, source: PlaybackSource.ID, position: Duration, written: Duration? = nil
  ) {
    self.generation = generation
    self.source = source
    self.position = position
    self.written = written ?? position
  }
}
