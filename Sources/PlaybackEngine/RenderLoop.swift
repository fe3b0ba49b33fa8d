import AudioCore
import Platform
import Synchronization

/// The render thread: takes blocks from the ring, applies gain, and puts them out.
///
/// Between opening and closing an output it neither locks, nor allocates, nor touches a file of its own accord: it
/// blocks in the output only. Where the output is a file, the decode thread does the same work between two blocks.
@safe
final class RenderLoop: @unchecked Sendable {
  // Only the thread that holds `isWorking` touches anything but `share`.

  /// How long the fades of pause, stop and seek last.
  private static let fade = Duration.milliseconds(8)
  /// How often the position is reported while playing.
  private static let reportInterval: UInt64 = 250
  /// How many writes a second go to an output that keeps time; commands act between writes.
  private static let writesPerSecond = 50

  private let share: EngineShare
  private let isWorking = Atomic(false)
  private let openOutput: OutputFactory
  private let bytes: UnsafeMutableRawBufferPointer

  private var output: (any AudioOutput)?
  /// What the output was asked for; it may have been opened in another format.
  private var requested: DeviceFormat?
  private var ramp = GainRamp(1)
  /// Whether nothing was put out yet, or the last frame had been faded to silence.
  private var isSilent = true
  /// The frames of the ring's first block that have been put out.
  private var offset = 0
  private var announcedGeneration: UInt64?
  private var announcedSource: PlaybackSource.ID?
  /// The generation in which the output failed last; what is left of it is dropped.
  private var failedGeneration: UInt64?
  private var nextReport = MonotonicInstant(nanoseconds: 0)

  init(share: EngineShare, openOutput: @escaping OutputFactory) {
    self.share = share
    self.openOutput = openOutput
    unsafe bytes = .allocate(
      byteCount: share.ring.samplesPerBlock * SampleDepth.bits32.byteCount, alignment: 64)
  }

  deinit { unsafe bytes.deallocate() }

  /// Works until the target is `quit`.
  func run() {
    while true {
      let target = share.target.load(ordering: .sequentiallyConsistent)
      guard beginWork() else {
        share.renderSignal.wait()
        continue
      }
      switch target {
      case .run:
        while share.target.load(ordering: .acquiring) == .run, step() {}
      case .hold, .close, .quit:
        fadeOut()
        if target != .hold { close(generation: announcedGeneration ?? 0) }
        dropStale()
      }
      endWork()
      if target == .quit { return }
      share.renderSignal.wait()
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

  private func endWork() { isWorking.store(false, ordering: .sequentiallyConsistent) }

  /// Works off a piece of the ring's first block; `false` where there is none.
  private func step() -> Bool {
    if let block = unsafe share.ring.firstBlock(), unsafe isStale(block.header) {
      fadeOut()
      dropStale()
    }
    guard let block = unsafe share.ring.firstBlock() else { return false }
    let header = unsafe block.header
    switch header.kind {
    case .frames:
      guard let format = header.format else {
        release()
        return true
      }
      guard takes(format) else {
        // Opening takes its time: what was commanded meanwhile comes first.
        if !openOutput(for: format, generation: header.generation) { release() }
        return true
      }
      announce(header, format)
      let gain = Float(bitPattern: share.gain.load(ordering: .relaxed))
      if ramp.target != gain { ramp.move(to: gain, over: fadeFrames(format)) }
      unsafe put(block, format)
    case .end:
      if close(generation: header.generation) { post(.drained, header) }
      release()
    }
    return true
  }

  // MARK: Output

  /// Opens an output that takes `format`, instead of the one that is open; `false` where none could be opened.
  private func openOutput(for format: AudioFormat, generation: UInt64) -> Bool {
    let wanted = DeviceFormat(for: format)
    guard close(generation: generation) else { return false }
    do throws(OutputError) {
      let output = try openOutput(wanted)
      guard output.format.sampleRate == wanted.sampleRate, output.format.channels == wanted.channels else {
        try output.close()
        throw OutputError(
          kind: .unsupportedFormat,
          description: "\(output.name) does not take \(wanted.channels) channels at \(wanted.sampleRate) Hz")
      }
      self.output = output
      requested = wanted
      share.outputKeepsTime.store(output.keepsTime, ordering: .relaxed)
      share.outputFailure.withLock { $0 = nil }
      tell(.outputOpened(name: output.name, format: output.format, warning: output.warning))
      return true
    } catch {
      fail(error, generation: generation)
      return false
    }
  }

  /// Whether the output that is open takes `format`.
  private func takes(_ format: AudioFormat) -> Bool {
    guard let output else { return false }
    return output.format.carries(format) || requested == DeviceFormat(for: format)
  }

  /// Closes the output, if one is open; `false` where it lost something.
  @discardableResult
  private func close(generation: UInt64) -> Bool {
    guard let output = takeOutput() else { return true }
    do throws(OutputError) {
      try output.close()
      return true
    } catch {
      fail(error, generation: generation)
      return false
    }
  }

  private func takeOutput() -> (any AudioOutput)? {
    requested = nil
    isSilent = true
    return output.take()
  }

  private func fail(_ error: OutputError, generation: UInt64) {
    failedGeneration = generation
    share.outputFailure.withLock { $0 = error }
    tell(.outputFailed(error, generation: generation))
  }

  // MARK: Frames

  /// Puts out the next piece of `block` and gives its place back when nothing is left of it.
  private func put(_ block: FrameRing.Block, _ format: AudioFormat, atMost limit: Int = .max) {
    guard let output else { return }
    let header = unsafe block.header
    let most = output.keepsTime ? max(1, format.sampleRate / Self.writesPerSecond) : header.frameCount
    let count = min(header.frameCount - offset, most, limit)
    let piece = unsafe UnsafeMutableBufferPointer(
      rebasing: block.samples[(offset * format.channels)..<((offset + count) * format.channels)])
    if !ramp.isUnity { unsafe ramp.apply(to: piece, channels: format.channels) }
    let byteCount = unsafe output.format.depth.convert(UnsafeBufferPointer(piece), to: bytes)
    do throws(OutputError) {
      try unsafe output.write(UnsafeRawBufferPointer(rebasing: bytes[..<byteCount]))
    } catch {
      // That closing fails as well tells nothing new.
      try? takeOutput()?.close()
      return fail(error, generation: header.generation)
    }
    isSilent = false
    offset += count
    showPosition(header, format)
    if offset == header.frameCount { release() }
  }

  /// Brings what is heard to silence over the frames that come next, so that whatever follows begins without a click.
  private func fadeOut() {
    guard !isSilent else { return }
    var isBegun = false
    while let block = unsafe share.ring.firstBlock(), let format = unsafe block.header.format,
      takes(format), unsafe block.header.generation == announcedGeneration
    {
      if !isBegun { ramp.move(to: 0, over: fadeFrames(format)) }
      isBegun = true
      guard ramp.isMoving else { break }
      unsafe announce(block.header, format)
      unsafe put(block, format, atMost: ramp.framesLeft)
    }
    isSilent = true
    if let block = unsafe share.ring.firstBlock(), let format = unsafe block.header.format {
      unsafe post(.position(format), block.header)
    }
  }

  private func fadeFrames(_ format: AudioFormat) -> Int {
    Int(clamping: format.frame(at: Self.fade))
  }

  // MARK: The ring

  private func isStale(_ header: BlockHeader) -> Bool {
    header.generation < share.oldestGeneration.load(ordering: .acquiring)
      || header.generation == failedGeneration
  }

  private func dropStale() {
    while let block = unsafe share.ring.firstBlock(), unsafe isStale(block.header) { release() }
  }

  private func release() {
    share.ring.release()
    offset = 0
    if share.ring.waitingCount <= share.ring.blockCount / 2 { share.decodeSignal.wake() }
  }

  // MARK: Reports

  /// Reports the first frames of a source, and chooses the gain with which they begin.
  private func announce(_ header: BlockHeader, _ format: AudioFormat) {
    // Nothing of an older generation may have been left to fade out, where its sound had run out.
    if isSilent || announcedGeneration != header.generation {
      let gain = Float(bitPattern: share.gain.load(ordering: .relaxed))
      let isBeginning = header.startFrame == 0 && offset == 0
      ramp = GainRamp(isBeginning ? gain : 0)
      ramp.move(to: gain, over: fadeFrames(format))
    }
    guard announcedGeneration != header.generation || announcedSource != header.source else { return }
    announcedGeneration = header.generation
    announcedSource = header.source
    post(.started(format, frameCount: header.sourceFrameCount), header)
    nextReport = MonotonicInstant.now.advanced(byMilliseconds: Self.reportInterval)
  }

  private func showPosition(_ header: BlockHeader, _ format: AudioFormat) {
    share.board.show(
      generation: header.generation, source: header.source, frame: header.startFrame + Int64(offset),
      sampleRate: format.sampleRate)
    let now = MonotonicInstant.now
    guard now >= nextReport else { return }
    nextReport = now.advanced(byMilliseconds: Self.reportInterval)
    post(.position(format), header)
  }

  private func post(_ kind: RenderReport.Kind, _ header: BlockHeader) {
    push(
      RenderReport(
        kind: kind, generation: header.generation, source: header.source,
        frame: header.startFrame + Int64(offset)))
  }

  /// Reports what no report can hold.
  private func tell(_ news: Transport.Input) {
    share.news.post(news)
    push(RenderReport(kind: .news, generation: 0, source: .init(rawValue: 0), frame: 0))
  }

  private func push(_ report: RenderReport) {
    while !share.reports.push(report) {
      // The control thread is behind by a whole ring of reports: it must see every one, unless it has quit.
      if share.target.load(ordering: .acquiring) == .quit { return }
      share.controlSignal.wake()
      MonotonicInstant.now.advanced(byMilliseconds: 1).sleep()
    }
    share.controlSignal.wake()
  }
}
