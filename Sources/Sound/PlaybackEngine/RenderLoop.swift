import AudioCore
import Platform
import Synchronization

/// The render thread: takes blocks from the ring, applies gain, and puts them out.
///
/// Between opening and closing an output it neither locks, nor allocates, nor counts references, nor touches a file of
/// its own accord: it blocks in the output only. Where the output is a file, the decode thread does the same work
/// between two blocks.
@safe
final class RenderLoop: @unchecked Sendable {
  // Only the thread that holds `isWorking` touches anything but `share` and `watch`.

  /// How long opening or closing a device may well take.
  private static let openingMilliseconds: UInt64 = 1500

  /// Shows whether the output blocks.
  let watch: BlockingWatch

  let share: EngineContext
  // The share's own: to reach them through it would count references.
  let board: PositionPublisher
  let levels: LevelMeter
  let clock: any MonotonicClock
  private let reports: ReportRing<RenderReport>
  private let controlSignal: ThreadSignal
  private let isWorking = Atomic(false)
  private let openOutput: OutputFactory
  let bytes: UnsafeMutableRawBufferPointer

  var line: DecoderPipeline
  var output: (any AudioOutput)?
  /// What the output was asked for; it may have been opened in another format.
  private var requested: DeviceFormat?
  var deviceClock = DeviceClock(sampleRate: 1, bufferFrames: 0)
  var ramp = GainRamp(1)
  var dither = Dither(seed: 1)
  /// Whether nothing was put out yet, or the last frame had been faded to silence.
  var isSilent = true
  /// The gain when the last fade to silence began.
  var levelBefore: Float = 1
  /// Whether what was faded to silence comes back.
  var isFadingIn = false
  /// The frames of the ring's first block that have been put out.
  var offset = 0
  var announcedGeneration: UInt64?
  var announcedSource: PlaybackSource.ID?
  /// The first frame of the announced source that was put out.
  var firstFrame: Int64 = 0
  /// The generation in which the output failed last, or that came to its end; what is left of it, or comes yet, is
  /// dropped.
  private var endedGeneration: UInt64?
  /// Whether the output is likely to be a device: one that does not open may be stuck.
  private var expectsDevice: Bool
  /// Whether the thread was asked to be in real time, and not only urgent: a sound server's threads are not, and
  /// waiting for their locks in real time costs more than it saves.
  private var needsRealTime = false
  /// Whether the next block waits until the decode thread knows what follows now.
  private var isHeldBack = false
  /// Whether others gave this loop up while the output blocked it.
  var isGivenUp = false

  init(share: EngineContext, openOutput: @escaping OutputFactory, expectsDevice: Bool = false) {
    self.expectsDevice = expectsDevice
    self.share = share
    board = share.board
    levels = share.levels
    clock = share.clock
    watch = BlockingWatch(clock: share.clock)
    reports = share.reports
    controlSignal = share.controlSignal
    self.openOutput = openOutput
    line = share.line.withLock { $0 }
    unsafe bytes = .allocate(
      byteCount: line.ring.samplesPerBlock * SampleDepth.bits32.byteCount, alignment: 64)
  }

  deinit { unsafe bytes.deallocate() }

  /// Works until the target is `quit`, or until it was given up.
  func run() {
    while true {
      let target = share.target.load(ordering: .sequentiallyConsistent)
      guard beginWork() || beginWorkAfterWaiting() else { continue }
      switch target {
      case .run:
        while share.target.load(ordering: .acquiring) == .run, step() {}
      case .hold, .close, .quit:
        fadeOut()
        if !isGivenUp, target != .hold { close(generation: announcedGeneration ?? 0) }
        if !isGivenUp { dropStale() }
      }
      if isGivenUp { return leave() }
      let isHeldBack = isHeldBack
      endWork()
      if target == .quit { return }
      waitForWork(isHeldBack: isHeldBack)
    }
  }

  /// Puts out what the ring holds, as the render thread would; `false` where that has to be done by the render thread
  /// itself. For the decode thread.
  func workForDecoder() -> Bool {
    guard share.target.load(ordering: .acquiring) == .run, beginWork() else { return false }
    while share.target.load(ordering: .acquiring) == .run, step() {}
    endWork()
    // The render thread may have come meanwhile for another target, and left.
    return share.target.load(ordering: .sequentiallyConsistent) == .run
  }

  private func beginWork() -> Bool { !isWorking.exchange(true, ordering: .sequentiallyConsistent) }

  /// Begins, unless the decode thread is still at it: then waits until that wakes this thread, which it does only where
  /// it sees that somebody waits.
  private func beginWorkAfterWaiting() -> Bool {
    // An exchange, so that the ring is looked at afterwards, on every processor.
    _ = share.isStarving.exchange(true, ordering: .sequentiallyConsistent)
    defer { share.isStarving.store(false, ordering: .sequentiallyConsistent) }
    // Had it left just before that, it would have woken nobody.
    if beginWork() { return true }
    clock.wait(for: share.renderSignal)
    return false
  }

  private func endWork() { isWorking.store(false, ordering: .sequentiallyConsistent) }

  /// Sleeps until there is something to do; the decode thread wakes it only where it says that it starves.
  private func waitForWork(isHeldBack: Bool) {
    share.isStarving.store(true, ordering: .sequentiallyConsistent)
    // A block that came just before that has woken nobody.
    let isIdle =
      isHeldBack || share.target.load(ordering: .sequentiallyConsistent) != .run
      || line.ring.waitingCount == 0
    if isIdle { clock.wait(for: share.renderSignal) }
    share.isStarving.store(false, ordering: .sequentiallyConsistent)
  }

  /// Ends a loop that was given up: the output that blocked it is closed, and nothing else is touched.
  private func leave() {
    try? output.take()?.close()
    share.stuckOutputs.subtract(1, ordering: .relaxed)
  }

  /// Works off what the ring's first blocks hold; `false` where there is nothing to do at present.
  private func step() -> Bool {
    isHeldBack = false
    guard !isGivenUp else { return false }
    if share.lineNumber.load(ordering: .acquiring) != line.number {
      fadeOut()
      guard !isGivenUp else { return false }
      line = share.line.withLock { $0 }
      offset = 0
    }
    if let block = unsafe line.ring.firstBlock(), unsafe isStale(block.header) {
      fadeOut()
      if !isGivenUp { dropStale() }
    }
    let heldBack = share.hold.state
    guard !isGivenUp, let block = unsafe line.ring.firstBlock() else { return false }
    let header = unsafe block.header
    if unsafe isRevoked(block) {
      release(line)
      return true
    }
    isHeldBack = isHeld(header, by: heldBack)
    if isHeldBack { return false }
    guard let frames = header.frames else {
      let isStored = close(generation: header.generation)
      guard !isGivenUp else { return false }
      endedGeneration = header.generation
      if isStored { post(.drained, generation: header.generation, due: clock.now) }
      release(line)
      return true
    }
    if let output, takes(frames.format, output) {
      play(line, to: output)
    } else if !openOutput(for: frames, generation: header.generation) {
      // Opening takes its time: what was commanded meanwhile comes first.
      if !isGivenUp { release(line) }
    }
    return !isGivenUp
  }

  // MARK: Output

  /// Opens an output that takes `frames`, instead of the one that is open; `false` where none does.
  private func openOutput(for frames: StreamFrames, generation: UInt64) -> Bool {
    let format = frames.format
    let wanted = DeviceFormat(
      sampleRate: format.sampleRate, channels: format.channels,
      depth: share.settings.depth ?? format.sourceDepth ?? .bits16)
    guard close(generation: generation) else { return false }
    do throws(OutputError) {
      // A FIFO waits for its reader: that is no fault.
      if expectsDevice { watch.begin(allowing: Self.openingMilliseconds) }
      let opened = Result { () throws(OutputError) in try openOutput(wanted) }
      isGivenUp = !watch.end()
      if isGivenUp {
        output = try? opened.get()
        return false
      }
      let output = try opened.get()
      hold(output, for: wanted)
      guard output.format.shape == wanted.shape else {
        share.device.withLock { $0.refusals[wanted.shape] = output.format.shape }
        endedGeneration = generation
        tell(.outputTakesOther(frames.origin(at: offset), generation: generation))
        return false
      }
      return true
    } catch {
      fail(error, generation: generation)
      return false
    }
  }

  private func hold(_ output: any AudioOutput, for wanted: DeviceFormat) {
    self.output = output
    requested = wanted
    expectsDevice = output.bufferFrames > 0
    if needsRealTime != output.needsRealTime {
      needsRealTime = output.needsRealTime
      (needsRealTime ? ThreadPriority.realTime : .urgent).ask()
    }
    deviceClock = DeviceClock(sampleRate: output.format.sampleRate, bufferFrames: output.bufferFrames)
    share.outputKeepsTime.store(output.isRealTime, ordering: .relaxed)
    share.device.withLock {
      $0.failure = nil
      $0.open = output.format
    }
    tell(
      .outputOpened(
        OpenedOutput(
          name: output.name, format: output.format, bufferFrames: output.bufferFrames,
          isKeptInPause: output.isKeptInPause, warning: output.warning)))
  }

  /// Whether `output`, which is open, takes `format`.
  func takes(_ format: AudioFormat, _ output: any AudioOutput) -> Bool {
    guard output.format.shape == format.shape else { return false }
    return share.settings.formatChange == .resample || share.settings.depth != nil
      || output.format.carries(format)
      || requested == DeviceFormat(for: format)
  }

  /// Closes the output, if one is open; `false` where it lost something.
  @discardableResult
  private func close(generation: UInt64) -> Bool {
    let lag = deviceClock.lag(at: clock.now) / 1_000_000
    guard let output = takeOutput() else { return true }
    do throws(OutputError) {
      try close(output, lag: lag)
      return !isGivenUp
    } catch {
      if !isGivenUp { fail(error, generation: generation) }
      return false
    }
  }

  private func close(_ output: any AudioOutput, lag: UInt64 = 0) throws(OutputError) {
    defer { isGivenUp = !watch.end() }
    if expectsDevice { watch.begin(allowing: lag + Self.openingMilliseconds) }
    try output.close()
  }

  private func takeOutput() -> (any AudioOutput)? {
    requested = nil
    isSilent = true
    deviceClock = DeviceClock(sampleRate: 1, bufferFrames: 0)
    share.device.withLock {
      $0.open = nil
      $0.refusals = [:]
    }
    return output.take()
  }

  private func fail(_ error: OutputError, generation: UInt64) {
    endedGeneration = generation
    share.device.withLock { $0.failure = error }
    tell(.outputFailed(error, generation: generation))
  }

  /// The output took no more: it is closed.
  func lose(_ error: OutputError, generation: UInt64) {
    guard let output = takeOutput() else { return }
    // First told, since closing may take its time. That it fails as well says nothing new.
    fail(error, generation: generation)
    try? close(output)
  }

  // MARK: The ring

  func isStale(_ header: BlockHeader) -> Bool {
    header.generation < share.oldestGeneration.load(ordering: .acquiring)
      || header.generation == endedGeneration
  }

  /// Whether a block comes behind a source of which it is not known yet what follows it now.
  func isHeld(_ header: BlockHeader, by hold: NextTrackGate.State) -> Bool {
    if announcedGeneration == header.generation, let announcedSource {
      return hold.holds(behind: announcedSource) && !isGoingOn(header)
    }
    // At the beginning, what is not of the source itself comes behind it: that had no frames.
    return hold.holdsBack(header.frames?.origin.source)
  }

  /// Whether something else follows instead of `block`, and nothing of its source was put out before.
  func isRevoked(_ block: FrameRing.Block) -> Bool {
    unsafe block.isRevoked && !isGoingOn(block.header)
  }

  /// Whether a block holds more of the source that is put out.
  private func isGoingOn(_ header: BlockHeader) -> Bool {
    guard let frames = header.frames else { return false }
    return frames.origin.source == announcedSource && header.generation == announcedGeneration
  }

  private func dropStale() {
    while let block = unsafe line.ring.firstBlock(), unsafe isStale(block.header) { release(line) }
  }

  /// Gives the place of the first block of `line` back.
  func release(_ line: DecoderPipeline) {
    line.ring.release()
    offset = 0
    if line.ring.waitingCount <= line.ring.blockCount / 2 { line.signal.wake() }
  }

  // MARK: Reports

  func post(
    _ kind: RenderReport.Kind, _ origin: FrameOrigin? = nil, generation: UInt64, due: MonotonicInstant
  ) {
    push(RenderReport(kind: kind, generation: generation, origin: origin, due: due.nanoseconds))
  }

  /// Reports what no report can hold.
  private func tell(_ news: Transport.Input) {
    share.news.post(news)
    push(RenderReport(kind: .news, generation: 0, origin: nil, due: 0))
  }

  private func push(_ report: RenderReport) {
    while !reports.push(report) {
      // The control thread is behind by a whole ring of reports: it must see every one, unless it has quit.
      if share.target.load(ordering: .acquiring) == .quit { return }
      controlSignal.wake()
      MonotonicInstant.now.advanced(byMilliseconds: 1).sleep()
    }
    controlSignal.wake()
  }
}
