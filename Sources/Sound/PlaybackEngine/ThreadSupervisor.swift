// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Platform
import Synchronization
import SystemPackage

/// Watches the decode thread and the render thread, and replaces a thread that a file or a device blocks. Used only on
/// the control thread.
final class ThreadSupervisor {
  /// The delay until a decode thread that has not responded is checked again, in milliseconds.
  private static let inspectionPause: UInt64 = 100
  /// The maximum number of threads that may be stuck in outputs at once.
  private static let stuckLimit = 4

  private let context: EngineContext
  private let threads: EngineThreads
  /// The commands since the last start command, which the decode thread may not have received yet.
  private var pendingCommands: [DecodeCommand] = []
  private var startedGeneration: UInt64 = 0
  /// Whether the system could not create a thread in place of an abandoned render thread.
  private var lacksRenderer = false

  /// The instant at which ``inspectDecoding(at:)`` is due next; `nil` if it is not needed.
  private(set) var nextInspection: MonotonicInstant?

  init(context: EngineContext, threads: EngineThreads) {
    self.context = context
    self.threads = threads
  }

  /// Sends a command to the decode thread.
  func sendToDecoder(_ command: DecodeCommand) {
    let pipeline = context.pipeline.withLock { $0 }
    if case .start(_, _, _, let generation) = command {
      startedGeneration = generation
      pendingCommands = []
      if nextInspection == nil {
        nextInspection = context.clock.now.advanced(byMilliseconds: context.settings.timeouts.file)
      }
    }
    if nextInspection != nil { pendingCommands.append(command) }
    pipeline.commands.post(command)
  }

  /// Replaces the decode thread if a file prevents it from receiving the last start command.
  func inspectDecoding(at now: MonotonicInstant) {
    guard let due = nextInspection, due <= now else { return }
    let pipeline = context.pipeline.withLock { $0 }
    if pipeline.receivedGeneration.load(ordering: .acquiring) < startedGeneration {
      // The thread may be between two blocking calls, or may have just begun one.
      let isBlocked =
        pipeline.watch.isAbandoned || pipeline.watch.abandon(afterMilliseconds: context.settings.timeouts.file)
      guard isBlocked, replace(pipeline) else {
        nextInspection = now.advanced(byMilliseconds: Self.inspectionPause)
        return
      }
    }
    nextInspection = nil
    pendingCommands = []
  }

  /// Replaces the decode thread of `pipeline`; returns `false` if the system cannot create a thread.
  private func replace(_ pipeline: DecoderPipeline) -> Bool {
    let replacement = DecoderPipeline(number: pipeline.number + 1, clock: context.clock)
    for command in pendingCommands { replacement.commands.post(command) }
    guard (try? threads.startDecoder(for: replacement)) != nil else { return false }
    context.pipeline.withLock { $0 = replacement }
    context.pipelineNumber.store(replacement.number, ordering: .releasing)
    context.renderSignal.wake()
    return true
  }

  /// Checks the render thread. Returns whether the output accepts samples, is blocked or stalled, or its thread was
  /// abandoned and must be replaced.
  func inspectOutput() -> Transport.Input {
    if lacksRenderer { replaceRenderer() }
    let watch = threads.renderer.loop.watch
    let timeouts = context.settings.timeouts
    guard watch.isBlocked(forMilliseconds: timeouts.block) else {
      return .outputStalled(context.isOutputSuspended.load(ordering: .relaxed))
    }
    guard watch.isBlocked(forMilliseconds: timeouts.stall) else { return .outputBlocks }
    let stuck = context.stuckOutputs.load(ordering: .relaxed)
    guard stuck < Self.stuckLimit, watch.abandon(afterMilliseconds: timeouts.output << UInt64(stuck)) else {
      return .outputStalled(true)
    }
    context.stuckOutputs.add(1, ordering: .relaxed)
    return .outputAbandoned
  }

  /// Replaces the render thread that was abandoned. Call it only when the generation that it was playing is out of
  /// date.
  func replaceRenderer() {
    // If the system cannot create a thread, nothing is played until the next inspection.
    lacksRenderer = (try? threads.replaceRenderer()) == nil
  }
}

/// Records since when a thread has been in a call that can block, and lets other threads abandon it.
///
/// An abandoned thread learns this when the call returns. Then it must touch nothing that is shared, and end.
final class BlockingWatch: Sendable {
  private static let free: UInt64 = 0
  private static let abandoned: UInt64 = 1

  /// The instant at which the call began, in nanoseconds, or one of the constants `free` and `abandoned`.
  private let state = Atomic(BlockingWatch.free)
  private let clock: any MonotonicClock

  /// Creates a watch of a thread that is not in a call.
  init(clock: any MonotonicClock) { self.clock = clock }

  /// Whether the thread was abandoned, which is permanent. Can be read from any thread.
  var isAbandoned: Bool { state.load(ordering: .acquiring) == Self.abandoned }

  /// Marks the beginning of a call. Only the watched thread may call it.
  func begin() { begin(at: clock.now) }

  /// Marks the beginning of a call at this instant, which must not be in the past. Only the watched thread may call it.
  func begin(at now: MonotonicInstant) {
    guard !isAbandoned else { return }
    state.store(max(2, now.nanoseconds), ordering: .releasing)
  }

  /// Marks the beginning of a call that normally takes up to this long; that time does not count. Only the watched
  /// thread may call it.
  func begin(allowing milliseconds: UInt64) { begin(at: clock.now.advanced(byMilliseconds: milliseconds)) }

  /// Marks the end of a call, if any; returns `false` if the thread was abandoned. Only the watched thread may call it.
  func end() -> Bool {
    let since = state.load(ordering: .relaxed)
    guard since != Self.abandoned else { return false }
    return state.compareExchange(expected: since, desired: Self.free, ordering: .acquiringAndReleasing)
      .exchanged
  }

  /// Whether the current call has taken at least this long. Can be called from any thread.
  func isBlocked(forMilliseconds milliseconds: UInt64) -> Bool {
    isLong(state.load(ordering: .acquiring), milliseconds)
  }

  /// Abandons the thread if its current call has taken at least this long; returns whether it did. Can be called from
  /// any thread.
  func abandon(afterMilliseconds milliseconds: UInt64) -> Bool {
    let since = state.load(ordering: .acquiring)
    return isLong(since, milliseconds)
      && state.compareExchange(expected: since, desired: Self.abandoned, ordering: .acquiringAndReleasing)
        .exchanged
  }

  private func isLong(_ since: UInt64, _ milliseconds: UInt64) -> Bool {
    since > Self.abandoned
      && MonotonicInstant(nanoseconds: since).advanced(byMilliseconds: milliseconds) <= clock.now
  }
}
