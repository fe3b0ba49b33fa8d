// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Platform
import Synchronization
import TestSupport
import Testing

@testable import PlaybackEngine

/// What the render thread does with reports while the control thread is blocked by the receiver of the events.
@Suite struct ReportOverflowTests {
  private func context() -> EngineContext {
    let signal = ThreadSignal()
    return EngineContext(
      settings: EngineSettings(), clock: SystemClock(), controlSignal: signal, inputs: Mailbox(waking: signal))
  }

  private func report(_ kind: RenderReport.Kind, _ number: Int64, generation: UInt64 = 1) -> RenderReport {
    RenderReport(kind: kind, generation: generation, origin: nil, due: 0, number: number)
  }

  @Test func `The render thread does not wait for the control thread, and no message is lost`() throws {
    let context = context()
    let loop = RenderLoop(context: context) { _ throws(OutputError) in
      throw OutputError(kind: .cannotOpen, description: "none")
    }
    // No control thread reads the reports.
    let renderer = try WorkerThread(name: "render") {
      for generation in 1...300 {
        loop.postMessage(.outputFailed(OutputError(kind: .lost, description: "gone"), generation: UInt64(generation)))
      }
    }
    #expect(renderer.join(until: .now.advanced(byMilliseconds: 60_000)))
    let hasMore = context.hasMoreReports.load(ordering: .sequentiallyConsistent)
    #expect(hasMore)
    var generations: [UInt64] = []
    func read() {
      while let report = context.reports.pop() {
        #expect(report.kind == .message)
        if case .outputFailed(_, let generation)? = context.outputMessages.popFirst() { generations.append(generation) }
      }
    }
    read()
    #expect(generations == Array(1...256))
    // What had no room precedes the next report.
    loop.postMessage(.outputFailed(OutputError(kind: .lost, description: "gone"), generation: 301))
    read()
    #expect(generations == Array(1...301))
  }

  @Test func `Frames that are taken back again and again need one report`() {
    var overflow = ReportOverflow()
    for _ in 0..<1_000 {
      overflow.add(report(.takenBack, 500))
      overflow.add(report(.started(stream: .cd), 600))
      overflow.add(report(.started(stream: .cd), 700))
    }
    #expect(
      overflow.reports == [
        report(.takenBack, 500), report(.started(stream: .cd), 600), report(.started(stream: .cd), 700),
      ])
    // Fewer frames are covered by the first report, more frames are not, and those of another generation are different.
    overflow.add(report(.takenBack, 650))
    overflow.add(report(.takenBack, 400))
    overflow.add(report(.takenBack, 900, generation: 2))
    #expect(
      overflow.reports == [report(.takenBack, 500), report(.takenBack, 400), report(.takenBack, 900, generation: 2)])
  }

  @Test func `If there are too many, the oldest starts are dropped, but no end and no message`() {
    var overflow = ReportOverflow()
    overflow.add(report(.drained, 0))
    overflow.add(report(.message, 1))
    for number in 2...1_000 { overflow.add(report(.started(stream: .cd), Int64(number))) }
    #expect(overflow.reports.count == ReportOverflow.capacity)
    #expect(overflow.reports.prefix(2).map(\.kind) == [.drained, .message])
    #expect(overflow.reports[2].number == Int64(1_000 - ReportOverflow.capacity + 3))
    let ring = ReportRing<RenderReport>(capacity: 10)
    let isFlushed = overflow.flush(to: ring)
    #expect(!isFlushed && overflow.reports.count == ReportOverflow.capacity - 10 && ring.pop()?.kind == .drained)
  }
}
