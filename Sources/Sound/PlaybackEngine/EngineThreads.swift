import AudioCore
import Platform
import Synchronization
import SystemPackage

/// Starts the decode and the render thread of an engine, and waits for them.
final class EngineThreads: Sendable {
  /// Which render loop works at present.
  let renderer: RendererSlot
  private let share: EngineShare
  private let open: DecoderFactory
  private let resamplers: ResamplerFactory
  private let openOutput: OutputFactory
  private let threads = Mutex<[WorkerThread]>([])
  /// How many threads were started and have not ended.
  let liveCount = Atomic(0)

  /// The threads of an engine; none is started yet.
  init(
    share: EngineShare, open: @escaping DecoderFactory, resamplers: @escaping ResamplerFactory,
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
  func startDecoder(for line: DecodeLine) throws(Errno) {
    let (share, open, resamplers, renderer) = (share, open, resamplers, renderer)
    try start("segue-decode") {
      let stream = StreamMaker(line: line, share: share, open: open, resamplers: resamplers)
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
      ControlLoop(share: share, crew: EngineCrew(share: share, threads: self)).run()
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
