import AudioCore
import Synchronization

/// What the render thread is to do from now on.
enum RenderTarget: Int, Sendable, AtomicRepresentable {
  /// Put out what the ring holds.
  case run
  /// Fade out and wait.
  case hold
  /// Fade out and close the output.
  case close
  /// Fade out, close the output and end the thread.
  case quit
}

/// The gain that the render thread goes to, and over how long: one word, so that both change at once.
struct GainTarget: Sendable, Hashable, BitwiseCopyable, AtomicRepresentable {
  /// How long the fades of pause, stop, seek and volume last.
  static let fadeMilliseconds: UInt32 = 8

  /// The factor, from 0.
  let gain: Float
  /// Over how many milliseconds it is reached.
  let milliseconds: UInt32

  typealias AtomicRepresentation = UInt64.AtomicRepresentation

  static func encodeAtomicRepresentation(_ value: consuming GainTarget) -> AtomicRepresentation {
    UInt64.encodeAtomicRepresentation(UInt64(value.milliseconds) << 32 | UInt64(value.gain.bitPattern))
  }

  static func decodeAtomicRepresentation(_ representation: consuming AtomicRepresentation) -> GainTarget {
    let word = UInt64.decodeAtomicRepresentation(representation)
    return GainTarget(
      gain: Float(bitPattern: UInt32(truncatingIfNeeded: word)),
      milliseconds: UInt32(truncatingIfNeeded: word >> 32))
  }
}

/// Keeps the render thread from going on behind a source, whatever was decoded already, from the moment at which
/// something else is to follow until the decode thread has taken back what was to.
///
/// What is said of what follows has a number, and only the last word lifts it: an earlier one that is still on its way
/// does not. Without locks.
struct NextTrackGate: ~Copyable, Sendable {
  /// What is held at one moment.
  struct State {
    /// A number that no source has: nothing is put out behind any source.
    fileprivate static let every = UInt64.max

    fileprivate let isHolding: Bool
    fileprivate let source: UInt64

    /// Whether nothing may be put out behind `source`. Hot path.
    func holds(behind source: PlaybackSource.ID) -> Bool {
      isHolding && (self.source == source.rawValue || self.source == Self.every)
    }

    /// Whether a generation may not begin with `source`, or its end where that is `nil`. Hot path.
    func holdsBack(_ source: PlaybackSource.ID?) -> Bool { isHolding && self.source != source?.rawValue }
  }

  private let lastWord = Atomic<UInt64>(0)
  /// The word that lifts it; 0 where nothing is held.
  private let word = Atomic<UInt64>(0)
  private let source = Atomic<UInt64>(0)

  /// The number of the next word, from 1.
  func nextWord() -> UInt64 { lastWord.add(1, ordering: .relaxed).newValue }

  /// Nothing is put out behind `source` until this word is obeyed; nor behind any other, where another word was about
  /// another one and is still on its way. One thread at a time.
  func hold(behind source: PlaybackSource.ID, until word: UInt64) {
    let isOnlyOne =
      self.word.load(ordering: .acquiring) == 0 || self.source.load(ordering: .relaxed) == source.rawValue
    self.source.store(isOnlyOne ? source.rawValue : State.every, ordering: .releasing)
    self.word.store(word, ordering: .releasing)
  }

  /// This word is obeyed; gives whether that lifts it.
  func lift(_ word: UInt64) -> Bool {
    self.word.compareExchange(expected: word, desired: 0, ordering: .releasing).exchanged
  }

  /// What was held back no longer counts; gives whether there was anything.
  func lift() -> Bool { word.exchange(0, ordering: .releasing) != 0 }

  /// What is held now.
  ///
  /// It is read before a block is looked at: who lifts it has revoked by then what is not to come. Hot path.
  var state: State {
    let isHolding = word.load(ordering: .acquiring) != 0
    return State(isHolding: isHolding, source: source.load(ordering: .acquiring))
  }
}

/// What the render thread reports, without allocation.
struct RenderReport: Sendable, Hashable, BitwiseCopyable {
  enum Kind: Sendable, Hashable, BitwiseCopyable {
    /// The frame is the first of its source, or the first after a seek, that goes to the output, as part of such a
    /// stream.
    case started(stream: AudioFormat)
    /// Everything before this frame has gone to the output, and nothing more does for now.
    case held
    /// Everything has gone to the output, which is closed.
    case drained
    /// Something that no report can hold: it waits in `EngineContext.news`.
    case news
  }

  var kind: Kind
  var generation: UInt64
  /// The source, and the frame in it.
  var origin: FrameOrigin?
  /// When it will be heard, on the monotonic clock, in nanoseconds.
  var due: UInt64
}
