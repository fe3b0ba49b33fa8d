// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import DequeModule
import Platform
import Synchronization

/// The control thread's loop: it passes commands and reports to the transport one at a time, and performs the effects.
///
/// It sleeps until a message arrives or the earliest timer is due; during playback, it also ticks twice a second.
final class ControlLoop {
  private static let tickMilliseconds: UInt64 = 500

  private let share: EngineContext
  private let crew: ThreadSupervisor
  private var transport: Transport
  /// The source of the last `play` command.
  private var commanded: PlaybackSource.ID?
  /// Reports of frames that were written to the output but are not audible yet.
  private var unheard: Deque<RenderReport> = []
  private var waits: [Transport.Wait: MonotonicInstant] = [:]
  private var nextTick: MonotonicInstant?

  init(share: EngineContext, crew: ThreadSupervisor) {
    self.share = share
    self.crew = crew
    transport = Transport(settings: share.settings)
  }

  /// Runs until a `quit` command arrives.
  func run() {
    while true {
      takeReports()
      tellWhatIsHeard()
      if let input = share.inputs.take() {
        if case .play(let source, _, _) = input { commanded = source.id }
        decide(input)
        if case .quit = input { return }
      } else {
        keepTime()
      }
    }
  }

  private func decide(_ input: Transport.Input) {
    perform(transport.handle(input, heard: share.board.heard(at: share.clock.now)))
  }

  // MARK: Reports

  private func takeReports() {
    while let report = share.reports.pop() {
      switch report.kind {
      case .news:
        tellWhatIsHeard()
        if let news = share.news.take() { decide(news) }
      case .started, .held, .drained:
        unheard.append(report)
      }
    }
  }

  /// Handles the reports whose frames are audible by now.
  private func tellWhatIsHeard() {
    while let report = unheard.first {
      let isOld = report.generation != transport.presentGeneration
      guard isOld || report.due <= share.clock.now.nanoseconds else { return }
      // Errors of a source are reported before the next source, or the end, comes through.
      if report.kind == .drained, !share.inputs.isEmpty { return }
      if share.inputs.contains(where: \.isTrouble) { return }
      unheard.removeFirst()
      decide(.rendering(report))
    }
  }

  // MARK: Time

  /// Sleeps until a message arrives or a timer is due, and runs the timers that are due.
  private func keepTime() {
    let now = share.clock.now
    if transport.isTicking {
      if nextTick == nil { nextTick = now.advanced(byMilliseconds: Self.tickMilliseconds) }
    } else {
      nextTick = nil
    }
    let report = unheard.first.map { MonotonicInstant(nanoseconds: $0.due) }
    let dues = [report, nextTick, waits.values.min(), crew.nextInspection].compactMap(\.self)
    share.clock.wait(for: share.controlSignal, until: dues.min())
    doWhatIsDue(at: share.clock.now)
  }

  private func doWhatIsDue(at now: MonotonicInstant) {
    if let nextTick, nextTick <= now {
      self.nextTick = nil
      decide(.tick)
      let state = crew.inspectOutput()
      decide(state)
      if case .outputGivenUp = state { crew.replaceRenderer() }
    }
    for (wait, instant) in waits where instant <= now {
      waits[wait] = nil
      decide(.timeOut(wait))
    }
    crew.inspectDecoding(at: now)
  }

  // MARK: Effects

  private func perform(_ effects: [Transport.Effect]) {
    for effect in effects {
      switch effect {
      case .drop(let generation):
        share.oldestGeneration.store(generation, ordering: .releasing)
        share.renderSignal.wake()
      case .decode(let command):
        crew.tellDecoder(command)
      case .render(let target):
        share.target.store(target, ordering: .sequentiallyConsistent)
        share.renderSignal.wake()
      case .report(let event):
        let receiver = share.receiver.withLock { $0 }
        receiver.receive(event, commanded)
      case .wait(let wait, let duration):
        waits[wait] = share.clock.now.advanced(byMilliseconds: duration.wholeMilliseconds)
      }
    }
  }
}
