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

  /// The instant at which ``inspectDecoding(at:)`` is due next; `nil` if it is not needed.
  private(set) var nextInspection: MonotonicInstant?

  init(context: EngineContext, threads: EngineThreads) {
    self.context = context
    self.threads = threads
  }

  /// Sends a command to the decode thread.
  func sendToDecoder(_ command: DecodeCommand) {
    let pipeline = context.pipeline.withLock { $0 }
    if case .start(_, _, let generation) = command {
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
    // If the system cannot create a thread, nothing is played until the next attempt.
    try? threads.replaceRenderer()
  }
}

/// Starts the threads of an engine, and waits until they end.
final class EngineThreads: Sendable {
  /// The slot of the current render loop.
  let renderer: RendererSlot
  private let context: EngineContext
  private let open: DecoderFactory
  private let resamplers: ResamplerFactory
  private let openOutput: OutputFactory
  private let threads = Mutex<[(thread: WorkerThread, renders: Bool)]>([])
  /// The number of threads that were started and have not ended.
  let liveCount = Atomic(0)

  /// Creates the set of an engine's threads, without starting them.
  init(
    context: EngineContext, open: @escaping DecoderFactory, resamplers: @escaping ResamplerFactory,
    openOutput: @escaping OutputFactory
  ) {
    self.context = context
    self.open = open
    self.resamplers = resamplers
    self.openOutput = openOutput
    renderer = RendererSlot(RenderLoop(context: context, openOutput: openOutput))
  }

  /// Starts a decode thread for `pipeline`.
  ///
  /// - Throws: `Errno` if the system cannot create the thread; so do the other functions.
  func startDecoder(for pipeline: DecoderPipeline) throws(Errno) {
    let (context, open, resamplers, renderer) = (context, open, resamplers, renderer)
    try start("segue-decode") {
      let stream = StreamBuilder(pipeline: pipeline, context: context, open: open, resamplers: resamplers)
      DecodeLoop(pipeline: pipeline, context: context, stream: stream, renderer: renderer).run()
    }
  }

  /// Starts the render thread.
  func startRenderer() throws(Errno) {
    let loop = renderer.loop
    try start("segue-render", priority: .urgent) { loop.run() }
  }

  /// Starts a render thread with a new render loop, in place of the stuck one.
  func replaceRenderer() throws(Errno) {
    renderer.replace(RenderLoop(context: context, openOutput: openOutput, expectsDevice: true))
    try startRenderer()
  }

  /// Starts the control thread.
  func startControl() throws(Errno) {
    let context = context
    try start("segue-control") { [weak self] in
      guard let self else { return }
      ControlLoop(context: context, supervisor: ThreadSupervisor(context: context, threads: self)).run()
    }
  }

  /// Waits until all threads have ended, at most until `deadline`, and for those that render, at most until
  /// `renderDeadline`; returns whether they have.
  func join(until deadline: MonotonicInstant, renderingUntil renderDeadline: MonotonicInstant) -> Bool {
    threads.withLock { $0 }.reduce(true) { $1.thread.join(until: $1.renders ? renderDeadline : deadline) && $0 }
  }

  private func start(
    _ name: String, priority: ThreadPriority = .normal, _ body: @escaping @Sendable () -> Void
  ) throws(Errno) {
    liveCount.add(1, ordering: .sequentiallyConsistent)
    let thread = try WorkerThread(name: name, priority: priority) { [weak self] in
      body()
      self?.liveCount.subtract(1, ordering: .sequentiallyConsistent)
    }
    threads.withLock { $0.append((thread, renders: priority == .urgent)) }
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
