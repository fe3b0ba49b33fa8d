// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Platform
import Synchronization
import SystemPackage

/// Starts a thread of the engine.
///
/// - Throws: `Errno` if the system cannot create the thread.
typealias ThreadStarter =
  @Sendable (
    _ name: String, _ priority: ThreadPriority, _ body: @escaping @Sendable () -> Void
  ) throws(Errno) -> WorkerThread

/// Starts the threads of an engine, and waits until they end.
final class EngineThreads: Sendable {
  let renderer: RendererSlot
  private let context: EngineContext
  private let open: DecoderFactory
  private let resamplers: ResamplerFactory
  private let stretchers: StretcherFactory
  private let openOutput: OutputFactory
  private let startThread: ThreadStarter
  private let threads = Mutex(Threads())

  /// The threads that have not ended, with a number that each of them gets.
  private struct Threads {
    var live: [(number: Int, thread: WorkerThread, renders: Bool)] = []
    var lastNumber = 0
  }

  /// The number of threads that were started and have not ended.
  var liveCount: Int { threads.withLock { $0.live.count } }

  /// Creates the set of an engine's threads, without starting them.
  init(
    context: EngineContext, open: @escaping DecoderFactory, resamplers: @escaping ResamplerFactory,
    stretchers: @escaping StretcherFactory = { _, _, _ in nil }, openOutput: @escaping OutputFactory,
    startThread: @escaping ThreadStarter = { name, priority, body throws(Errno) in
      try WorkerThread(name: name, priority: priority, body)
    }
  ) {
    self.context = context
    self.open = open
    self.resamplers = resamplers
    self.stretchers = stretchers
    self.openOutput = openOutput
    self.startThread = startThread
    renderer = RendererSlot(RenderLoop(context: context, openOutput: openOutput))
  }

  /// Starts all threads, or none.
  ///
  /// - Throws: `Errno` if the system cannot create a thread; so do the other functions.
  func start() throws(Errno) {
    let pipeline = context.pipeline.withLock { $0 }
    do throws(Errno) {
      try startDecoder(for: pipeline)
      try startRenderer()
      try startControl()
    } catch {
      // There is no control thread that would end the others.
      pipeline.commands.post(.quit)
      context.target.store(.quit, ordering: .sequentiallyConsistent)
      context.renderSignal.wake()
      throw error
    }
  }

  /// Starts a decode thread for `pipeline`.
  func startDecoder(for pipeline: DecoderPipeline) throws(Errno) {
    let (context, open, renderer) = (context, open, renderer)
    let (resamplers, stretchers) = (resamplers, stretchers)
    try start("segue-decode") {
      let stream = StreamBuilder(
        pipeline: pipeline, context: context, open: open, resamplers: resamplers, stretchers: stretchers)
      DecodeLoop(pipeline: pipeline, context: context, stream: stream, renderer: renderer).run()
    }
  }

  private func startRenderer() throws(Errno) {
    let loop = renderer.loop
    try start("segue-render", priority: .urgent) { loop.run() }
  }

  /// Starts a render thread with a new render loop, in place of the stuck one.
  func replaceRenderer() throws(Errno) {
    renderer.replace(RenderLoop(context: context, openOutput: openOutput, expectsDevice: true))
    try startRenderer()
  }

  private func startControl() throws(Errno) {
    let context = context
    try start("segue-control") { [weak self] in
      guard let self else { return }
      ControlLoop(context: context, supervisor: ThreadSupervisor(context: context, threads: self)).run()
    }
  }

  /// Waits until all threads have ended, at most until `deadline`, and for those that render, at most until
  /// `renderDeadline`; returns whether they have.
  func join(until deadline: MonotonicInstant, renderingUntil renderDeadline: MonotonicInstant) -> Bool {
    threads.withLock { $0.live }.reduce(true) {
      $1.thread.join(until: $1.renders ? renderDeadline : deadline) && $0
    }
  }

  private func start(
    _ name: String, priority: ThreadPriority = .normal, _ body: @escaping @Sendable () -> Void
  ) throws(Errno) {
    try threads.withLock { threads throws(Errno) in
      let number = threads.lastNumber + 1
      let thread = try startThread(name, priority) { [weak self] in
        body()
        self?.threads.withLock { $0.live.removeAll { $0.number == number } }
      }
      threads.lastNumber = number
      threads.live.append((number, thread, renders: priority == .urgent))
    }
  }
}
