import AudioCore
import Platform
import Synchronization

/// The decode thread: makes the stream and puts it into the ring, as commanded.
///
/// It fills the ring, sleeps until half of it is free, and fills it again. Only this thread touches decoders, so that a file
/// that blocks delays nothing else.
final class DecodeLoop {
  private let line: DecodeLine
  private let share: EngineShare
  private let stream: StreamMaker
  /// Where the output is a file, the render loop's work is done here, too: handing every block to another core costs more than
  /// converting it.
  private let renderer: RendererSlot
  private var isEnded = false
  /// Whether the ring was full once: the program has started.
  private var hasStarted = false

  init(line: DecodeLine, share: EngineShare, stream: StreamMaker, renderer: RendererSlot) {
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
      if !hasWorked {
        if !hasStarted, line.ring.waitingCount > 0 {
          hasStarted = true
          ProgramMemory.releaseCode()
        }
        line.signal.wait()
      }
    }
  }

  private func obey(_ command: DecodeCommand) {
    switch command {
    case .start(let source, let place, let generation):
      line.obeyedGeneration.store(generation, ordering: .releasing)
      stream.start(source, at: place, generation: generation)
    case .follow(let id, let source, let transition):
      stream.follow(id, with: source, transition)
    case .stop, .quit:
      stream.stop()
    }
  }

  /// Fills a block of the ring; `false` where there is no room, or nothing to put there at present.
  private func step() -> Bool {
    guard let room = unsafe line.ring.nextBlock() else { return false }
    switch unsafe stream.produce(into: room) {
    case .frames(let frames): commit(frames)
    case .ended: commit(nil)
    case .nothing: return false
    }
    return true
  }

  private func commit(_ frames: StreamFrames?) {
    line.ring.commit(BlockHeader(generation: stream.generation, frames: frames))
    if !share.outputKeepsTime.load(ordering: .relaxed), renderer.loop.workForDecoder() { return }
    // An exchange, so that the render thread sees the block or is seen to wait.
    if share.isStarving.exchange(false, ordering: .sequentiallyConsistent) { share.renderSignal.wake() }
  }
}
