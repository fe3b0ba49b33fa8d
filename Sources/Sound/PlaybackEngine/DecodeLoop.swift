import AudioCore
import Platform
import Synchronization

/// The decode thread: makes the stream and puts it into the ring, as commanded.
///
/// It fills the ring, sleeps until half of it is free, and fills it again. Only this thread touches decoders, so that a
/// file that blocks delays nothing else.
final class DecodeLoop {
  /// How many blocks may lie ahead of the output before it is known what follows: a crossfade changes the end of a
  /// source.
  private static let unansweredLimit = 4

  private let line: DecoderPipeline
  private let share: EngineContext
  private let stream: StreamBuilder
  /// Where the output is a file, the render loop's work is done here, too: handing every block to another core costs
  /// more than converting it.
  private let renderer: RendererSlot
  /// The blocks of the present generation that were handed over.
  private var committedCount = 0
  /// The numbers of the blocks with which the last sources of the stream begin, and of the one that marks its end.
  private var beginnings: [(source: PlaybackSource.ID?, number: Int)] = []
  /// Whether what was decoded is to be decoded anew, because it was mixed with what was to follow.
  private var awaitsRestart = false

  init(line: DecoderPipeline, share: EngineContext, stream: StreamBuilder, renderer: RendererSlot) {
    self.line = line
    self.share = share
    self.stream = stream
    self.renderer = renderer
  }

  /// Works until it is told to quit, or until it was given up.
  func run() {
    while true {
      while let command = line.commands.take() {
        if command == .quit { return }
        obey(command)
        if stream.isGivenUp { return }
      }
      let hasWorked = step()
      if stream.isGivenUp { return }
      if !hasWorked { share.clock.wait(for: line.signal) }
    }
  }

  private func obey(_ command: DecodeCommand) {
    switch command {
    case .start(let source, let place, let generation):
      line.obeyedGeneration.store(generation, ordering: .releasing)
      committedCount = 0
      beginnings = []
      awaitsRestart = false
      // What was held is of an older generation. Behind the call, which may block, another thread may have taken the
      // place of this one.
      wakeRenderer(if: share.hold.lift())
      stream.start(source, at: place, generation: generation)
    case .follow(let id, let source, let transition, let word):
      follow(id, with: source, transition)
      if !awaitsRestart { wakeRenderer(if: share.hold.lift(word)) }
    case .stop, .quit:
      awaitsRestart = false
      stream.stop()
      wakeRenderer(if: share.hold.lift())
    }
  }

  /// What was decoded behind the source `id` is taken back where something else follows it now.
  private func follow(_ id: PlaybackSource.ID, with source: PlaybackSource?, _ transition: Transition) {
    switch stream.follow(id, with: source, transition) {
    case .taken: break
    case .replaced(let dropped):
      let isDropped = { (source: PlaybackSource.ID?) in source.map { dropped.contains($0) } ?? true }
      if let first = beginnings.first(where: { isDropped($0.source) }) {
        line.ring.revoke(from: first.number)
      }
      beginnings.removeAll { isDropped($0.source) }
    case .entangled:
      // The control thread has it decoded anew; until then nothing is put out behind it.
      awaitsRestart = true
      share.inputs.post(.mustRestart(generation: stream.generation))
    }
  }

  /// The render thread may go on where it was held back.
  private func wakeRenderer(if isLifted: Bool) {
    if isLifted { share.renderSignal.wake() }
  }

  /// Fills a block of the ring; `false` where there is no room, or nothing to put there at present.
  private func step() -> Bool {
    guard !isTooFarAhead, let room = unsafe line.ring.nextBlock() else { return false }
    let yield = unsafe stream.produce(into: room)
    guard !stream.isGivenUp else { return false }
    switch yield {
    case .frames(let frames): commit(frames)
    case .ended: commit(nil)
    case .held: break
    case .nothing: return false
    }
    return true
  }

  /// Whether to wait until it is known what follows.
  private var isTooFarAhead: Bool {
    guard stream.isNextUnknown else { return false }
    return share.outputKeepsTime.load(ordering: .relaxed)
      ? line.ring.waitingCount >= Self.unansweredLimit : committedCount >= Self.unansweredLimit
  }

  private func note(_ source: PlaybackSource.ID?) {
    if let last = beginnings.last, last.source == source { return }
    beginnings.append((source, line.ring.committedCount))
    if beginnings.count > EngineContext.followedLimit { beginnings.removeFirst() }
  }

  private func commit(_ frames: StreamFrames?) {
    committedCount += 1
    note(frames?.origin.source)
    line.ring.commit(BlockHeader(generation: stream.generation, frames: frames))
    if !share.outputKeepsTime.load(ordering: .relaxed), renderer.loop.workForDecoder() { return }
    // An exchange, so that the render thread sees the block or is seen to wait.
    if share.isStarving.exchange(false, ordering: .sequentiallyConsistent) { share.renderSignal.wake() }
  }
}

/// A decode thread's ring, its commands, and what shows where it is.
///
/// It is replaced as a whole where a file blocks its thread: the thread that is stuck keeps the ring into which it was
/// reading.
final class DecoderPipeline: Sendable {
  /// Room for three seconds of 44.1 kHz stereo: 1 MiB.
  private static let blockCount = 16
  private static let samplesPerBlock = 16_384

  /// The how manieth line of the engine it is, from 1.
  let number: UInt64
  /// What the thread has decoded.
  let ring = FrameRing(blockCount: DecoderPipeline.blockCount, samplesPerBlock: DecoderPipeline.samplesPerBlock)
  /// What the thread is told.
  let commands: Mailbox<DecodeCommand>
  /// Wakes the thread.
  let signal: ThreadSignal
  /// Shows whether a file blocks it.
  let watch: BlockingWatch
  /// The generation of the command to start that it obeyed last.
  let obeyedGeneration = Atomic<UInt64>(0)

  /// Line `number`, whose thread has to be started.
  init(number: UInt64, clock: any MonotonicClock) {
    self.number = number
    watch = BlockingWatch(clock: clock)
    signal = ThreadSignal()
    commands = Mailbox(waking: signal)
  }
}

/// What the decode thread is told.
enum DecodeCommand: Sendable, Equatable {
  /// Leave what you decode; decode this source from this place on.
  case start(PlaybackSource, at: Duration, generation: UInt64)
  /// After the source with this id comes this one, or nothing; `word` is its number, see ``NextTrackGate``.
  case follow(PlaybackSource.ID, with: PlaybackSource?, Transition, word: UInt64)
  /// Leave what you decode.
  case stop
  /// End the thread.
  case quit
}
