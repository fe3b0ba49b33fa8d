import AudioCore
import Platform
import Synchronization

/// Watches the decode and the render thread for the deciding thread, and replaces one that a file or a device blocks.
final class EngineCrew {
  /// How soon to look again at a decode thread that has not obeyed yet, in milliseconds.
  private static let inspectionPause: UInt64 = 100
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
      if nextInspection == nil {
        nextInspection = share.clock.now.advanced(byMilliseconds: share.settings.patience.file)
      }
    }
    if nextInspection != nil { unobeyed.append(command) }
    line.commands.post(command)
  }

  /// Replaces the decode thread where a file keeps it from what it was told to begin.
  func inspectDecoding(at now: MonotonicInstant) {
    guard let due = nextInspection, due <= now else { return }
    let line = share.line.withLock { $0 }
    if line.obeyedGeneration.load(ordering: .acquiring) < startedGeneration {
      // It may be between two calls that block, or only just have begun one.
      let isBlocked =
        line.watch.isGivenUp || line.watch.giveUp(afterMilliseconds: share.settings.patience.file)
      guard isBlocked, replace(line) else {
        nextInspection = now.advanced(byMilliseconds: Self.inspectionPause)
        return
      }
    }
    nextInspection = nil
    unobeyed = []
  }

  /// Puts another decode thread in the place of the one that works on `line`; `false` where the system grants none.
  private func replace(_ line: DecodeLine) -> Bool {
    let fresh = DecodeLine(number: line.number + 1, clock: share.clock)
    for command in unobeyed { fresh.commands.post(command) }
    guard (try? threads.startDecoder(for: fresh)) != nil else { return false }
    share.line.withLock { $0 = fresh }
    share.lineNumber.store(fresh.number, ordering: .releasing)
    share.renderSignal.wake()
    return true
  }

  /// Says whether the output takes sound, or its thread was given up, which is to be replaced.
  func inspectOutput() -> Transport.Input {
    let watch = threads.renderer.loop.watch
    let patience = share.settings.patience
    guard watch.isBlocked(forMilliseconds: patience.block) else { return .outputStalled(false) }
    guard watch.isBlocked(forMilliseconds: patience.stall) else { return .outputBlocks }
    let stuck = share.stuckOutputs.load(ordering: .relaxed)
    guard stuck < Self.stuckLimit, watch.giveUp(afterMilliseconds: patience.output << UInt64(stuck)) else {
      return .outputStalled(true)
    }
    share.stuckOutputs.add(1, ordering: .relaxed)
    return .outputGivenUp
  }

  /// Puts another render thread in the place of the one that was given up. Only once what it was playing counts as old.
  func replaceRenderer() {
    // Where the system grants no thread, nothing is heard until it is asked for another.
    try? threads.replaceRenderer()
  }
}
