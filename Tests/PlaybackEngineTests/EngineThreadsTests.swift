// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Platform
import Synchronization
import SystemPackage
import TestSupport
import Testing

@testable import PlaybackEngine

/// The threads of an engine, on a system that refuses some.
@Suite struct EngineThreadsTests {
  private let context: EngineContext
  /// The names of the threads that the system refuses.
  private let refused = Watched<Set<String>>([])
  private let threads: EngineThreads

  init() {
    let signal = ThreadSignal()
    context = EngineContext(
      settings: EngineSettings(), clock: SystemClock(), controlSignal: signal, inputs: Mailbox(waking: signal))
    threads = EngineThreads(
      context: context,
      open: { path throws(DecodingError) in throw DecodingError(path: path, kind: .unreadable, reason: "none") },
      resamplers: { _, _, _ in nil },
      openOutput: { _ throws(OutputError) in throw OutputError(kind: .cannotOpen, description: "none") },
      startThread: { [refused] name, priority, body throws(Errno) in
        if refused.value.contains(name) { throw .noMemory }
        return try WorkerThread(name: name, priority: priority, body)
      })
  }

  @Test(arguments: ["segue-decode", "segue-render", "segue-control"])
  func `If the system refuses a thread, it is not counted, and those before it end`(name: String) {
    refused.change { $0 = [name] }
    #expect(throws: Errno.noMemory) { try threads.start() }
    #expect(eventually { threads.liveCount == 0 })
    #expect(threads.join(until: .now, renderingUntil: .now))
  }

  @Test func `Threads that have ended are not listed any more`() throws {
    for number in 2...40 {
      let pipeline = DecoderPipeline(number: UInt64(number), clock: context.clock)
      try threads.startDecoder(for: pipeline)
      #expect(threads.liveCount == 1)
      pipeline.commands.post(.quit)
      #expect(eventually { threads.liveCount == 0 })
    }
  }

  @Test func `A render thread that the system refuses is started at the next inspection`() {
    let supervisor = ThreadSupervisor(context: context, threads: threads)
    refused.change { $0 = ["segue-render"] }
    supervisor.replaceRenderer()
    _ = supervisor.inspectOutput()
    #expect(threads.liveCount == 0)
    refused.change { $0 = [] }
    _ = supervisor.inspectOutput()
    _ = supervisor.inspectOutput()
    #expect(threads.liveCount == 1)
    context.target.store(.quit, ordering: .sequentiallyConsistent)
    context.renderSignal.wake()
    #expect(eventually { threads.liveCount == 0 })
  }
}
