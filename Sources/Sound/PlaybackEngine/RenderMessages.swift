// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Synchronization

/// The target state of the render thread.
enum RenderTarget: Int, Sendable, AtomicRepresentable {
  /// Write the blocks in the ring.
  case run
  /// Fade out and pause.
  case hold
  /// Fade out and close the output.
  case close
  /// Fade out, close the output and end the thread.
  case quit
}

/// The target gain of the render thread and the time in which to reach it, in one atomic word so that both change
/// together.
struct GainTarget: Sendable, Hashable, BitwiseCopyable, AtomicRepresentable {
  /// The length of the fades at pause, stop, seek and volume change, in milliseconds.
  static let fadeMilliseconds: UInt32 = 8

  /// The gain factor; at least 0.
  let gain: Float
  /// The duration of the change, in milliseconds.
  let milliseconds: UInt32
  /// Whether this is a fade, rather than a volume that the user has set.
  var isFade = false

  private static let fadeBit: UInt32 = 1 << 31

  typealias AtomicRepresentation = UInt64.AtomicRepresentation

  static func encodeAtomicRepresentation(_ value: consuming GainTarget) -> AtomicRepresentation {
    let duration = min(value.milliseconds, fadeBit - 1) | (value.isFade ? fadeBit : 0)
    return UInt64.encodeAtomicRepresentation(UInt64(duration) << 32 | UInt64(value.gain.bitPattern))
  }

  static func decodeAtomicRepresentation(_ representation: consuming AtomicRepresentation) -> GainTarget {
    let word = UInt64.decodeAtomicRepresentation(representation)
    let duration = UInt32(truncatingIfNeeded: word >> 32)
    return GainTarget(
      gain: Float(bitPattern: UInt32(truncatingIfNeeded: word)), milliseconds: duration & ~fadeBit,
      isFade: duration & fadeBit != 0)
  }
}

/// A gate that holds the render thread back after a source whose next track was changed, even if more has been decoded,
/// until the decode thread has revoked the earlier next track.
///
/// Each change has a sequence number, and only the latest one opens the gate: an earlier one that is still under way
/// does not. Lock-free.
struct NextTrackGate: ~Copyable, Sendable {
  /// The state of the gate at one instant.
  struct State {
    /// A number that no source has. It means that nothing may be written after any source.
    fileprivate static let every = UInt64.max

    fileprivate let isHolding: Bool
    fileprivate let source: UInt64

    /// Whether nothing may be written after `source`. For the hot path.
    func isClosed(after source: PlaybackSource.ID) -> Bool {
      isHolding && (self.source == source.rawValue || self.source == Self.every)
    }

    /// Whether a generation may not begin with `source`, or with the end of the stream if `source` is `nil`. For the
    /// hot path.
    func preventsStart(with source: PlaybackSource.ID?) -> Bool { isHolding && self.source != source?.rawValue }
  }

  private let lastSequenceNumber = Atomic<UInt64>(0)
  /// The sequence number of the change that opens the gate; 0 if the gate is open.
  private let sequenceNumber = Atomic<UInt64>(0)
  private let source = Atomic<UInt64>(0)
  private let closings = Atomic<UInt64>(0)

  /// Returns the next sequence number, starting at 1.
  func nextSequenceNumber() -> UInt64 { lastSequenceNumber.add(1, ordering: .relaxed).newValue }

  /// Closes the gate after `source` until the change with this number has been handled. If the gate is already closed
  /// after another source, it closes after every source. Only one thread at a time may call it.
  func close(after source: PlaybackSource.ID, until sequenceNumber: UInt64) {
    let isOnlyOne =
      self.sequenceNumber.load(ordering: .acquiring) == 0 || self.source.load(ordering: .relaxed) == source.rawValue
    self.source.store(isOnlyOne ? source.rawValue : State.every, ordering: .releasing)
    self.sequenceNumber.store(sequenceNumber, ordering: .releasing)
    closings.add(1, ordering: .releasing)
  }

  /// Opens the gate if this is the number of the latest change; returns whether it was opened.
  func open(_ sequenceNumber: UInt64) -> Bool {
    self.sequenceNumber.compareExchange(expected: sequenceNumber, desired: 0, ordering: .releasing).exchanged
  }

  /// Opens the gate unconditionally; returns whether it was closed.
  func open() -> Bool { sequenceNumber.exchange(0, ordering: .releasing) != 0 }

  /// How often the gate has been closed. For the hot path.
  var closingCount: UInt64 { closings.load(ordering: .acquiring) }

  /// The current state of the gate.
  ///
  /// Read it before a block is examined: the decode thread revokes blocks before it opens the gate. For the hot
  /// path.
  var state: State {
    let isHolding = sequenceNumber.load(ordering: .acquiring) != 0
    return State(isHolding: isHolding, source: source.load(ordering: .acquiring))
  }
}

/// A report from the render thread that needs no allocation.
struct RenderReport: Sendable, Hashable, BitwiseCopyable {
  enum Kind: Sendable, Hashable, BitwiseCopyable {
    /// The frame is the first one written of its source, the first after a seek, or the first after the file has grown,
    /// in a stream of this format.
    case started(stream: AudioFormat)
    /// The frame is the first one after a pause.
    case resumed
    /// Everything before this frame was written; nothing more is written for now.
    case held
    /// Everything was written, and the output is closed.
    case drained
    /// The frames with this number and higher ones were taken back: earlier reports that a source starts with them are
    /// void.
    case takenBack
    /// There is a message in `EngineContext.outputMessages`, which does not fit into a report.
    case message
  }

  var kind: Kind
  var generation: UInt64
  /// The source, and the frame in it; `nil` for reports that are not about a frame.
  var origin: FrameOrigin?
  /// The instant at which the reported frame becomes audible, on the monotonic clock, in nanoseconds, without the
  /// corrections that ``PositionPublisher`` has published.
  var due: UInt64
  /// The number of the frame among all that the render loop has written, without those that were taken back.
  var number: Int64 = 0
}

/// The reports for which the ring to the control thread has no room, because the receiver of the engine's events blocks
/// that thread.
///
/// While it is blocked, it starts no generation and sets no next track. So there are at most a few ends and messages of
/// outputs, none of which is dropped, and a start for each source that was decoded before. Frames that are taken back
/// again and again, as by changes of the volume, are merged: the starts that they void are removed, and one report
/// covers later ones of the same frames. Should there still be too many, the oldest report of a start, a pause or a
/// resumption is dropped: the next one says what is audible by then.
struct ReportOverflow {
  /// The number of reports from which on some are dropped.
  static let capacity = 64

  private(set) var reports: [RenderReport] = []

  init() { reports.reserveCapacity(Self.capacity) }

  /// Adds `report` behind all others.
  mutating func add(_ report: RenderReport) {
    if report.kind == .takenBack {
      reports.removeAll { $0.isVoided(by: report) }
      if reports.contains(where: { $0.covers(report) }) { return }
    }
    if reports.count >= Self.capacity, let oldest = reports.firstIndex(where: \.isAboutAudibleFrame) {
      reports.remove(at: oldest)
    }
    reports.append(report)
  }

  /// Moves reports to `ring`, in order, as far as it has room. Returns whether all were moved.
  mutating func flush(to ring: ReportRing<RenderReport>) -> Bool {
    let count = reports.firstIndex { !ring.push($0) } ?? reports.count
    reports.removeFirst(count)
    return reports.isEmpty
  }
}

extension RenderReport {
  /// Whether the report says that a source starts, or resumes.
  var isStart: Bool {
    switch kind {
    case .started, .resumed: true
    case .held, .drained, .takenBack, .message: false
    }
  }

  /// Whether the frame with which a source starts or resumes was taken back, as `report` says.
  func isVoided(by report: RenderReport) -> Bool {
    isStart && generation == report.generation && number >= report.number
  }

  /// Whether this report, which was made before `later`, says that the same frames were taken back.
  fileprivate func covers(_ later: RenderReport) -> Bool {
    kind == .takenBack && generation == later.generation && number <= later.number
  }

  /// Whether a later report of the same kind says more.
  fileprivate var isAboutAudibleFrame: Bool { isStart || kind == .held }
}
