import AudioCore
import Platform
import Synchronization
import SystemPackage

/// Watches the decode and the render thread for the deciding thread, and replaces one that a file or a device blocks.
final class ThreadSupervisor {
  /// How soon to look again at a decode thread that has not obeyed yet, in milliseconds.
  private static let inspectionPause: UInt64 = 100
  /// How many threads may be stuck in outputs at once.
  private static let stuckLimit = 4

  private let share: EngineContext
  private let threads: EngineThreads
  /// What the decode thread was told since the command to start that it may not have obeyed yet.
  private var unobeyed: [DecodeCommand] = []
  private var startedGeneration: UInt64 = 0

  /// When ``inspectDecoding(at:)`` is of use next.
  private(set) var nextInspection: MonotonicInstant?

  init(share: EngineContext, threads: EngineThreads) {
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
  private func replace(_ line: DecoderPipeline) -> Bool {
    let fresh = DecoderPipeline(number: line.number + 1, clock: share.clock)
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

/// Starts the decode and the render thread of an engine, and waits for them.
final class EngineThreads: Sendable {
  /// Which render loop works at present.
  let renderer: RendererSlot
  private let share: EngineContext
  private let open: DecoderFactory
  private let resamplers: ResamplerFactory
  private let openOutput: OutputFactory
  private let threads = Mutex<[WorkerThread]>([])
  /// How many threads were started and have not ended.
  let liveCount = Atomic(0)

  /// The threads of an engine; none is started yet.
  init(
    share: EngineContext, open: @escaping DecoderFactory, resamplers: @escaping ResamplerFactory,
    openOutput: @escaping OutputFactory
  ) {
    self.share = share
    self.open = open
    self.resamplers = resamplers
    self.openOutput = openOutput
    renderer = RendererSlot(RenderLoop(share: share, openOutput: openOutput))
  }

  /// Starts a thread that decodes for `line`.
  ///
  /// - Throws: `Errno` where the system grants none; so do the others.
  func startDecoder(for line: DecoderPipeline) throws(Errno) {
    let (share, open, resamplers, renderer) = (share, open, resamplers, renderer)
    try start("segue-decode") {
      let stream = StreamBuilder(line: line, share: share, open: open, resamplers: resamplers)
      DecodeLoop(line: line, share: share, stream: stream, renderer: renderer).run()
    }
  }

  /// Starts a thread for the render loop.
  func startRenderer() throws(Errno) {
    let loop = renderer.loop
    try start("segue-render", priority: .urgent) { loop.run() }
  }

  /// Starts a thread for another render loop, which takes the place of the one that is stuck.
  func replaceRenderer() throws(Errno) {
    renderer.replace(RenderLoop(share: share, openOutput: openOutput, expectsDevice: true))
    try startRenderer()
  }

  /// Starts a thread for the deciding loop.
  func startControl() throws(Errno) {
    let share = share
    try start("segue-control") { [weak self] in
      guard let self else { return }
      ControlLoop(share: share, crew: ThreadSupervisor(share: share, threads: self)).run()
    }
  }

  /// Waits until all have ended, at most until `deadline`; says whether they have.
  func join(until deadline: MonotonicInstant) -> Bool {
    threads.withLock { $0 }.reduce(true) { $1.join(until: deadline) && $0 }
  }

  private func start(
    _ name: String, priority: ThreadPriority = .normal, _ body: @escaping @Sendable () -> Void
  ) throws(Errno) {
    liveCount.add(1, ordering: .sequentiallyConsistent)
    let thread = try WorkerThread(name: name, priority: priority) { [weak self] in
      body()
      self?.liveCount.subtract(1, ordering: .sequentiallyConsistent)
    }
    threads.withLock { $0.append(thread) }
  }
}

/// Shows others since when a thread has been inside a call that can block, and lets them give the thread up.
///
/// A thread that was given up learns it when the call returns; then it touches nothing that it shared, and ends.
final class BlockingWatch: Sendable {
  private static let free: UInt64 = 0
  private static let givenUp: UInt64 = 1

  /// The moment at which the call began, in nanoseconds, or one of the two above.
  private let state = Atomic(BlockingWatch.free)
  private let clock: any MonotonicClock

  /// A watch of a thread that is in no call; `clock` says how long one takes.
  init(clock: any MonotonicClock) { self.clock = clock }

  /// Whether the thread was given up; then it is for good. From any thread.
  var isGivenUp: Bool { state.load(ordering: .acquiring) == Self.givenUp }

  /// The call begins. Watched thread only.
  func begin() { begin(at: clock.now) }

  /// The call begins at this moment, which is the present one, or not reached yet. Watched thread only.
  func begin(at now: MonotonicInstant) {
    guard !isGivenUp else { return }
    state.store(max(2, now.nanoseconds), ordering: .releasing)
  }

  /// A call begins that may well take so many milliseconds, which do not count. Watched thread only.
  func begin(allowing milliseconds: UInt64) { begin(at: clock.now.advanced(byMilliseconds: milliseconds)) }

  /// The call has returned, or none was watched; `false` where the thread was given up. Watched thread only.
  func end() -> Bool {
    let since = state.load(ordering: .relaxed)
    guard since != Self.givenUp else { return false }
    return state.compareExchange(expected: since, desired: Self.free, ordering: .acquiringAndReleasing)
      .exchanged
  }

  /// Whether the call has not returned for so many milliseconds. From any thread.
  func isBlocked(forMilliseconds milliseconds: UInt64) -> Bool {
    isLong(state.load(ordering: .acquiring), milliseconds)
  }

  /// Gives the thread up if the call has not returned for so many milliseconds; says whether it has. From any thread.
  func giveUp(afterMilliseconds milliseconds: UInt64) -> Bool {
    let since = state.load(ordering: .acquiring)
    return isLong(since, milliseconds)
      && state.compareExchange(expected: since, desired: Self.givenUp, ordering: .acquiringAndReleasing)
        .exchanged
  }

  private func isLong(_ since: UInt64, _ milliseconds: UInt64) -> Bool {
    since > Self.givenUp
      && MonotonicInstant(nanoseconds: since).advanced(byMilliseconds: milliseconds) <= clock.now
  }
}
