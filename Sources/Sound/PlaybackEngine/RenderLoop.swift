// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Platform
import Synchronization

/// The render thread's loop: it takes blocks from the ring, applies the gain, and writes them to the output.
///
/// While an output is open, it neither locks nor allocates, counts no references, and accesses no file itself: it
/// blocks only in the output. If the output is a file, the decode thread does the same work between two blocks.
@safe
final class RenderLoop: @unchecked Sendable {
  // Only the thread that holds `isWorking` touches anything other than `context` and `watch`.

  /// Detects whether the output blocks.
  let watch: BlockingWatch

  let context: EngineContext
  // Copies of the context's: accessing them through it would count references.
  let positionPublisher: PositionPublisher
  let history: SampleHistory
  let clock: any MonotonicClock
  private let reports: ReportRing<RenderReport>
  private var overflow = ReportOverflow()
  /// Whether ``overflow`` is not empty. For the hot path.
  private var hasOverflow = false
  private let controlSignal: ThreadSignal
  private let isWorking = Atomic(false)
  let openOutput: OutputFactory
  let bytes: UnsafeMutableRawBufferPointer
  /// Room for samples to which the gain ramp is applied.
  let rampedSamples: UnsafeMutableBufferPointer<Float>

  var pipeline: DecoderPipeline
  var output: (any AudioOutput)?
  /// The output, if frames can be taken back from it.
  var rewindable: (any RewindableOutput)?
  /// Whether the output plays DSD.
  var playsDSD = false
  var isDevicePaused = false
  /// What was written to ``rewindable`` and can be taken back.
  var rewinding = RewindState()
  /// The format that was requested of the output, which may have been opened in another.
  var requested: DeviceFormat?
  /// The number of frames that had ever been written when the output was opened.
  var totalAtOpening: Int64 = 0
  var deviceClock = DeviceClock(sampleRate: 1, bufferFrames: 0)
  let equaliser: RenderEqualiser
  var ramp = GainRamp(1)
  var dither = Dither(seed: 1)
  /// Whether nothing was written yet, or the last frame was faded to silence.
  var isSilent = true
  /// The gain when the last fade-out began.
  var gainBeforeFade: Float = 1
  var isFadingIn = false
  /// The number of frames of the ring's first block that have been written.
  var offset = 0
  /// The frames that were reported last as the first ones of a source.
  var announced: Announcement?
  /// The last generation that ended, or whose output failed; its remaining blocks are dropped.
  var endedGeneration: UInt64?
  /// Whether the output is probably a device, whose opening may block.
  var expectsDevice: Bool
  /// Whether the thread has requested real-time priority, rather than raised priority only. A sound server's threads
  /// are not real-time, and waiting for their locks at real-time priority costs more than it saves.
  var needsRealTime = false
  /// Whether the next block has to wait until the decode thread has handled a changed next track.
  private var isHeldBack = false
  /// When to look for work again, although nothing has changed: the output has room, or has played everything.
  var wakeUp: MonotonicInstant?
  /// When to synchronize ``rewindable`` at the latest.
  var synchronizationDeadline: MonotonicInstant?
  /// Whether playback waits until enough of the source has been decoded.
  private var isRefilling = false
  /// The number of times that the output has run out in the announced source, each soon after the time before.
  private var refillCount = 0
  /// The number of frames that had ever been written when it ran out last.
  private var totalAtRefill: Int64 = 0
  /// After how much audio an output that runs out counts as running out for the first time, in seconds.
  private static let stableSeconds = 30
  /// Whether this loop was abandoned because its output blocked it.
  var isAbandoned = false

  init(context: EngineContext, openOutput: @escaping OutputFactory, expectsDevice: Bool = false) {
    self.expectsDevice = expectsDevice
    self.context = context
    positionPublisher = context.positionPublisher
    history = context.history
    clock = context.clock
    watch = BlockingWatch(clock: context.clock)
    reports = context.reports
    controlSignal = context.controlSignal
    self.openOutput = openOutput
    pipeline = context.pipeline.withLock { $0 }
    unsafe bytes = .allocate(
      byteCount: pipeline.ring.samplesPerBlock * SampleDepth.bits32.byteCount, alignment: 64)
    unsafe rampedSamples = .allocate(capacity: pipeline.ring.samplesPerBlock)
    equaliser = RenderEqualiser(samplesPerBlock: pipeline.ring.samplesPerBlock)
  }

  deinit {
    unsafe bytes.deallocate()
    unsafe rampedSamples.deallocate()
  }

  /// Runs until the target is `quit`, or until the loop is abandoned.
  func run() {
    // An abandoned loop may have kept some.
    releasePassed()
    while true {
      let target = context.target.load(ordering: .sequentiallyConsistent)
      guard beginWork() || beginWorkAfterWaiting() else { continue }
      switch target {
      case .run:
        if isDevicePaused { setDevicePaused(false) }
        while context.target.load(ordering: .acquiring) == .run, step() {}
        synchronize()
        awaitFadeOfEqualiser()
      case .hold, .close, .quit:
        fadeOut()
        let mustReopen = context.mustReopen.exchange(false, ordering: .acquiring)
        if !isAbandoned, target != .hold || mustReopen { close(generation: announced?.generation ?? 0) }
        if !isAbandoned { dropStale() }
        synchronize()
        if !isAbandoned, target == .hold { pauseOnceSilent() }
      }
      if isAbandoned { return finishAbandoned() }
      if hasOverflow { flushOverflow() }
      let (isHeldBack, roomInstant, deadline) = (isHeldBack, wakeUp.take(), synchronizationDeadline.take())
      endWork()
      if target == .quit { return }
      waitForWork(isHeldBack: isHeldBack, forRoomUntil: roomInstant, until: deadline)
    }
  }

  /// Does the render thread's work on the decode thread: writes the blocks in the ring. Returns `false` if only the
  /// render thread can do the work.
  func runForDecoder() -> Bool {
    guard context.target.load(ordering: .acquiring) == .run, beginWork() else { return false }
    while context.target.load(ordering: .acquiring) == .run, step() {}
    endWork()
    // The render thread may have come meanwhile for another target, found the loop busy, and left.
    return context.target.load(ordering: .sequentiallyConsistent) == .run
  }

  private func beginWork() -> Bool { !isWorking.exchange(true, ordering: .sequentiallyConsistent) }

  /// Begins the work, unless the decode thread is doing it. Otherwise waits to be woken by that thread, which wakes it
  /// only if it sees this thread waiting.
  private func beginWorkAfterWaiting() -> Bool {
    // An exchange, so that on every processor the ring is checked only afterwards.
    _ = context.isStarving.exchange(true, ordering: .sequentiallyConsistent)
    defer { context.isStarving.store(false, ordering: .sequentiallyConsistent) }
    // If the decode thread has just ended its work, it has woken nobody.
    if beginWork() { return true }
    clock.wait(for: context.renderSignal)
    return false
  }

  private func endWork() { isWorking.store(false, ordering: .sequentiallyConsistent) }

  /// Sleeps until there is something to do. The decode thread wakes this thread only if `isStarving` is set.
  private func waitForWork(
    isHeldBack: Bool, forRoomUntil roomInstant: MonotonicInstant?, until deadline: MonotonicInstant?
  ) {
    context.isStarving.store(roomInstant == nil, ordering: .sequentiallyConsistent)
    // A block that was committed just before has woken nobody.
    let isIdle =
      isHeldBack || roomInstant != nil || context.target.load(ordering: .sequentiallyConsistent) != .run
      || pipeline.ring.waitingCount == 0
    if isIdle {
      clock.wait(for: context.renderSignal, until: roomInstant.map { min($0, deadline ?? $0) } ?? deadline)
    }
    context.isStarving.store(false, ordering: .sequentiallyConsistent)
  }

  /// Ends an abandoned loop: closes the output that blocked it, and accesses nothing else.
  private func finishAbandoned() {
    try? output.take()?.close()
    context.stuckOutputs.subtract(1, ordering: .relaxed)
  }

  /// Handles the first blocks of the ring; returns `false` if there is nothing to do now.
  private func step() -> Bool {
    isHeldBack = false
    guard !isAbandoned else { return false }
    if hasOverflow { flushOverflow() }
    if rewindable != nil { takeBackWhatHasChanged() }
    if !isAbandoned, isEqualiserOutdated { changeEqualiser() }
    if !isAbandoned { endDSDWithVolume() }
    if !isAbandoned, context.mustReopen.load(ordering: .relaxed) { closeToReopen() }
    guard !isAbandoned else { return false }
    if context.pipelineNumber.load(ordering: .acquiring) != pipeline.number {
      fadeOut()
      guard !isAbandoned else { return false }
      rewinding.end()
      pipeline = context.pipeline.withLock { $0 }
      offset = 0
    }
    if unsafe isAnnouncedStale || pipeline.ring.firstBlock().map({ unsafe isStale($0.header) }) == true {
      fadeOut()
      if !isAbandoned { dropStale() }
    }
    let gate = context.nextTrackGate.state
    guard !isAbandoned, let block = unsafe pipeline.ring.firstBlock() else { return false }
    let header = unsafe block.header
    if unsafe mustDrop(block) {
      drop(pipeline)
      return true
    }
    isHeldBack = mustWait(header, at: gate) || mustRefill(header)
    if isHeldBack { return false }
    guard let frames = header.frames else {
      guard isPlayedOut() else { return false }
      let isStored = close(generation: header.generation)
      guard !isAbandoned else { return false }
      endedGeneration = header.generation
      if isStored { post(.drained, generation: header.generation, due: clock.now) }
      drop(pipeline)
      return true
    }
    if let output, accepts(frames.format, output) {
      play(pipeline, to: output)
    } else if !isPlayedOut() {
      return false
    } else if !openOutput(for: frames, generation: header.generation) {
      // Opening takes time: commands that arrived meanwhile come first.
      if !isAbandoned { drop(pipeline) }
    }
    return !isAbandoned && wakeUp == nil
  }

  // MARK: The ring

  func isStale(_ header: BlockHeader) -> Bool {
    header.generation < context.oldestGeneration.load(ordering: .acquiring)
      || header.generation == endedGeneration
  }

  /// Whether a block follows a source whose next track has changed, and has not been decoded yet.
  func mustWait(_ header: BlockHeader, at gate: NextTrackGate.State) -> Bool {
    if let announced, announced.generation == header.generation {
      return gate.isClosed(after: announced.source) && !continuesSource(header)
    }
    // Before the first frame of a generation, every block that is not of the held source comes after it: that source
    // had no frames.
    return gate.preventsStart(with: header.frames?.origin.source)
  }

  /// Whether to wait until more of the source is in the ring: in the middle of it, the output has played everything,
  /// since a server or a disk is slower than the music. Otherwise it would run out again and again.
  private func mustRefill(_ header: BlockHeader) -> Bool {
    guard continuesSource(header), context.isOutputRealTime.load(ordering: .relaxed), let frames = header.frames else {
      (isRefilling, refillCount) = (false, 0)
      return false
    }
    let hasRunOut = rewindable == nil ? deviceClock.hasPlayedAll(at: clock.now) : hasRunOut
    guard isRefilling || hasRunOut, !isSilent else {
      isRefilling = false
      return false
    }
    if !isRefilling {
      let isSoon = rewinding.total - totalAtRefill < Int64(Self.stableSeconds * frames.format.sampleRate)
      (refillCount, totalAtRefill) = (isSoon ? refillCount + 1 : 1, rewinding.total)
    }
    if rewindable != nil { releasePlayed(pipeline) }
    let ring = pipeline.ring
    // A connection that was made again begins with a second; a server that is too slow needs more.
    let wanted = (refillCount > 1 ? 3 : 1) * frames.format.sampleRate / max(1, frames.count)
    isRefilling =
      ring.waitingCount < min(wanted, ring.blockCount - 1) && ring.newestHeader.map(continuesSource) ?? false
    return isRefilling
  }

  /// Whether `block` must be dropped: it was revoked, and does not continue the source that is being written.
  func mustDrop(_ block: FrameRing.Block) -> Bool {
    unsafe block.isRevoked && !continuesSource(block.header)
  }

  /// Whether a block continues the source that is being written.
  private func continuesSource(_ header: BlockHeader) -> Bool {
    guard let frames = header.frames else { return false }
    return frames.origin.source == announced?.source && header.generation == announced?.generation
  }

  private func dropStale() {
    while let block = unsafe pipeline.ring.firstBlock(), unsafe isStale(block.header) { drop(pipeline) }
  }

  // MARK: Reports

  func post(
    _ kind: RenderReport.Kind, _ origin: FrameOrigin? = nil, generation: UInt64, due: MonotonicInstant
  ) {
    push(
      RenderReport(
        kind: kind, generation: generation, origin: origin,
        due: due.nanoseconds &- positionPublisher.correction.load(ordering: .relaxed), number: rewinding.total))
  }

  /// Posts a message that does not fit into a report.
  func postMessage(_ message: Transport.Input) {
    context.outputMessages.post(message)
    push(RenderReport(kind: .message, generation: 0, origin: nil, due: 0))
  }

  private func push(_ report: RenderReport) {
    if hasOverflow || !reports.push(report) {
      overflow.add(report)
      flushOverflow()
    }
    controlSignal.wake()
  }

  /// Passes on reports for which the ring had no room, as far as it has room now. Never waits for the control thread,
  /// which wakes this thread once it has emptied the ring.
  private func flushOverflow() {
    // Set first, so that either this thread sees the room, or the control thread sees that there is more.
    _ = context.hasMoreReports.exchange(true, ordering: .sequentiallyConsistent)
    hasOverflow = !overflow.flush(to: reports)
    controlSignal.wake()
  }
}
