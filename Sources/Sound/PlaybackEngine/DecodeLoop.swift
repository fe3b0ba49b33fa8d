// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Platform
import Synchronization

/// The decode thread's loop: it builds the stream and puts it into the ring, as commanded.
///
/// It fills the ring, sleeps until half of it is free, and fills it again. Only this thread uses decoders, so a file
/// that blocks delays nothing else.
final class DecodeLoop {
  /// The maximum number of blocks ahead of the output before the next track is known, since a crossfade changes the end
  /// of a source.
  private static let unknownNextLimit = 4

  private let pipeline: DecoderPipeline
  private let context: EngineContext
  private let stream: StreamBuilder
  /// The render loop. If the output is a file, this thread also does its work: passing every block to another core
  /// costs more than converting it.
  private let renderer: RendererSlot
  /// The number of committed blocks of the current generation.
  private var committedCount = 0
  /// The numbers of the blocks with which the last sources of the stream begin; `nil` stands for the end mark.
  private var sourceStarts: [(source: PlaybackSource.ID?, number: Int)] = []
  /// Whether everything has to be decoded again, because it was mixed with a track that is no longer next, or is to be
  /// mixed with the next one.
  private var awaitsRestart = false

  init(pipeline: DecoderPipeline, context: EngineContext, stream: StreamBuilder, renderer: RendererSlot) {
    self.pipeline = pipeline
    self.context = context
    self.stream = stream
    self.renderer = renderer
  }

  /// Runs until a `quit` command arrives, or until the thread is abandoned.
  func run() {
    while true {
      while let command = pipeline.commands.popFirst() {
        if command == .quit { return }
        perform(command)
        if stream.isAbandoned { return }
      }
      let hasWorked = step()
      if stream.isAbandoned { return }
      if !hasWorked { context.clock.wait(for: pipeline.signal) }
    }
  }

  private func perform(_ command: DecodeCommand) {
    switch command {
    case .start(let source, let position, let outgoing, let generation):
      pipeline.receivedGeneration.store(generation, ordering: .releasing)
      committedCount = 0
      sourceStarts = []
      awaitsRestart = false
      // Any held block is of an older generation. This must precede the next call, which may block: afterwards another
      // thread may have replaced this one.
      wakeRenderer(if: context.nextTrackGate.open())
      stream.start(source, at: position, after: outgoing, generation: generation)
    case .setNext(let id, let source, let transition, let sequenceNumber):
      setNext(after: id, source, transition)
      if !awaitsRestart { wakeRenderer(if: context.nextTrackGate.open(sequenceNumber)) }
    case .checkGrowth(let id):
      stream.checkGrowth(of: id)
    case .stop, .quit:
      awaitsRestart = false
      stream.stop()
      wakeRenderer(if: context.nextTrackGate.open())
    }
  }

  /// Sets the next track after the source `id`. If another track was already decoded, its blocks are revoked.
  private func setNext(after id: PlaybackSource.ID, _ source: PlaybackSource?, _ transition: Transition) {
    switch stream.setNext(after: id, source, transition) {
    case .accepted: break
    case .replaced(let dropped):
      let isDropped = { (source: PlaybackSource.ID?) in source.map { dropped.contains($0) } ?? true }
      if let first = sourceStarts.first(where: { isDropped($0.source) }) {
        pipeline.ring.revoke(from: first.number)
      }
      sourceStarts.removeAll { isDropped($0.source) }
    case .mustRestart:
      // The control thread will restart the decoding; until then nothing after this source is written to the output.
      awaitsRestart = true
      context.inputs.post(.mustRestart(generation: stream.generation))
    }
  }

  /// Wakes the render thread if `isOpened` says that it may continue.
  private func wakeRenderer(if isOpened: Bool) {
    if isOpened { context.renderSignal.wake() }
  }

  /// Fills a block of the ring; returns `false` if there is no room, or nothing to decode now.
  private func step() -> Bool {
    guard !isTooFarAhead, let room = unsafe pipeline.ring.nextBlock() else { return false }
    let result = unsafe stream.produce(into: room)
    guard !stream.isAbandoned else { return false }
    switch result {
    case .frames(let frames): commit(frames)
    case .ended: commit(nil)
    case .held: break
    case .nothing: return false
    }
    return true
  }

  /// Whether to wait for the next track to be known before decoding more.
  private var isTooFarAhead: Bool {
    guard stream.isNextUnknown else { return false }
    return context.isOutputRealTime.load(ordering: .relaxed)
      ? pipeline.ring.waitingCount >= Self.unknownNextLimit : committedCount >= Self.unknownNextLimit
  }

  private func recordStart(of source: PlaybackSource.ID?) {
    if let last = sourceStarts.last, last.source == source { return }
    sourceStarts.append((source, pipeline.ring.committedCount))
    if sourceStarts.count > EngineContext.earlierSourceLimit { sourceStarts.removeFirst() }
  }

  private func commit(_ frames: StreamFrames?) {
    committedCount += 1
    recordStart(of: frames?.origin.source)
    pipeline.ring.commit(BlockHeader(generation: stream.generation, frames: frames))
    if !context.isOutputRealTime.load(ordering: .relaxed), renderer.loop.runForDecoder() { return }
    // An exchange, so that either the render thread sees the block or this thread sees it waiting.
    if context.isStarving.exchange(false, ordering: .sequentiallyConsistent) { context.renderSignal.wake() }
  }
}

/// The ring, the commands and the state of one decode thread.
///
/// If a file blocks the thread, the pipeline is replaced as a whole: the blocked thread retains the ring into which it
/// was decoding.
final class DecoderPipeline: Sendable {
  /// The number of blocks in the ring: room for seven seconds of 44.1 kHz stereo, 2.5 MiB.
  private static let blockCount = 40
  private static let samplesPerBlock = 16_384

  /// The sequence number of this pipeline in its engine, starting at 1.
  let number: UInt64
  let ring = FrameRing(blockCount: DecoderPipeline.blockCount, samplesPerBlock: DecoderPipeline.samplesPerBlock)
  /// The commands for the decode thread.
  let commands: Mailbox<DecodeCommand>
  /// The signal that wakes the decode thread.
  let signal: ThreadSignal
  /// Detects whether a file blocks the decode thread.
  let watch: BlockingWatch
  /// The generation of the last start command that the decode thread has received.
  let receivedGeneration = Atomic<UInt64>(0)

  /// Whether what the decode thread is doing is not wanted any more.
  var isInterrupted: Bool { watch.isAbandoned || commands.contains(where: \.endsStream) }

  /// Creates pipeline `number`, without starting its thread.
  init(number: UInt64, clock: any MonotonicClock) {
    self.number = number
    watch = BlockingWatch(clock: clock)
    signal = ThreadSignal()
    commands = Mailbox(waking: signal)
  }
}

/// A command for the decode thread.
enum DecodeCommand: Sendable, Equatable {
  /// Abandons the current stream, and starts with this source at this position, while another one fades out.
  case start(PlaybackSource, at: Duration, after: OutgoingSource? = nil, generation: UInt64)
  /// Sets the source after the one with this ID, or none; `sequenceNumber` is the sequence number of the command (see
  /// ``NextTrackGate``).
  case setNext(after: PlaybackSource.ID, PlaybackSource?, Transition, sequenceNumber: UInt64)
  /// Reports if the file of this source, which has been played to its end, has grown since its end was decoded.
  case checkGrowth(of: PlaybackSource.ID)
  case stop
  /// Ends the thread.
  case quit

  /// Whether the command ends the current stream.
  var endsStream: Bool {
    switch self {
    case .start, .stop, .quit: true
    case .setNext, .checkGrowth: false
    }
  }
}
