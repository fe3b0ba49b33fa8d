import AudioCore
import Platform
import Synchronization

/// Watches the decode and the render thread for the deciding thread, and replaces one that a file or a device blocks.
final class EngineCrew {
  /// How long a file may block before the thread that reads it is replaced, if something else is to be played.
  private static let filePatience: UInt64 = 300
  /// How long a write may block before the output counts as stalled.
  private static let stallMilliseconds: UInt64 = 400
  /// How long it may block before the render thread is given up; twice as long for each that is stuck already.
  private static let outputPatience: UInt64 = 10_000
  /// How many threads may be stuck in outputs at once.
  private static let stuckLimit = 4

  private let share: EngineShare
  private let threads: EngineThreads
  /// What the decode thread was told since the command to start that it may not have obeyed yet.
  private var unobeyed: [DecodeCommand] = []
  private var startedGeneration: UInt64 = 0

  /// When ``inspectDecoding(at:)`` is of use next.
  private(set) var nextInspection: MonotonicInstant?

  init(share: EngineShare, threads: EngineThreads) {
    self.share = share
    self.threads = threads
  }

  /// Tells the decode thread what to do.
  func tellDecoder(_ command: DecodeCommand) {
    let line = share.line.withLock { $0 }
    if case .start(_, _, let generation) = command {
      startedGeneration = generation
      unobeyed = []
      nextInspection = .now.advanced(byMilliseconds: Self.filePatience)
    }
    if nextInspection != nil { unobeyed.append(command) }
    line.commands.post(command)
  }

  /// Replaces the decode thread where a file keeps it from what it was told to begin.
  func inspectDecoding(at now: MonotonicInstant) {
    guard let due = nextInspection, due <= now else { return }
    nextInspection = nil
    defer { unobeyed = [] }
    let line = share.line.withLock { $0 }
    guard line.obeyedGeneration.load(ordering: .acquiring) < startedGeneration,
      line.watch.giveUp(afterMilliseconds: 0)
    else { return }
    let fresh = DecodeLine(number: line.number + 1)
    guard (try? threads.startDecoder(for: fresh)) != nil else { return }
    share.line.withLock { $0 = fresh }
    share.lineNumber.store(fresh.number, ordering: .releasing)
    share.renderSignal.wake()
    for command in unobeyed { fresh.commands.post(command) }
  }

  /// Says whether the output takes sound, or was given up.
  func inspectOutput() -> Transport.Input {
    let watch = threads.renderer.loop.watch
    guard watch.isBlocked(forMilliseconds: Self.stallMilliseconds) else { return .outputStalled(false) }
    let stuck = share.stuckOutputs.load(ordering: .relaxed)
    guard stuck < Self.stuckLimit, watch.giveUp(afterMilliseconds: Self.outputPatience << UInt64(stuck))
    else {
      return .outputStalled(true)
    }
    share.stuckOutputs.add(1, ordering: .relaxed)
    return (try? threads.replaceRenderer()) == nil ? .outputStalled(true) : .outputGivenUp
  }
}
