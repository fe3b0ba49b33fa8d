// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import DequeModule
import Platform
import Synchronization

/// The control thread's loop: it passes commands and reports to the transport one at a time, and performs the effects.
///
/// It sleeps until a message arrives or the earliest timer is due; during playback, it also ticks once a second.
final class ControlLoop {
  /// The delay of a tick from which on the process is considered to have been suspended.
  private static let suspensionMilliseconds: UInt64 = 1_000

  private let context: EngineContext
  private let supervisor: ThreadSupervisor
  private var transport: Transport
  private var executed = ExecutedCommands()
  /// Reports of frames that were written to the output but are not audible yet.
  private var pendingReports: Deque<RenderReport> = []
  private var timers: [Transport.Timer: MonotonicInstant] = [:]
  private var nextTick: MonotonicInstant?

  init(context: EngineContext, supervisor: ThreadSupervisor) {
    self.context = context
    self.supervisor = supervisor
    transport = Transport(settings: context.settings)
  }

  /// Runs until a `quit` command arrives.
  func run() {
    while true {
      readReports()
      handleDueReports()
      if let input = context.inputs.popFirst() {
        switch input {
        case .play(let source, _, _, _): executed = ExecutedCommands(source: source.id)
        case .seek: executed.seekCount += 1
        default: break
        }
        handle(input)
        if case .quit = input { return }
      } else {
        waitForWork()
      }
    }
  }

  private func handle(_ input: Transport.Input) {
    perform(transport.handle(input, audible: context.positionPublisher.position(at: context.clock.now)))
  }

  // MARK: Reports

  private func readReports() {
    while let report = context.reports.pop() {
      switch report.kind {
      case .message:
        handleDueReports()
        if let message = context.outputMessages.popFirst() { handle(message) }
      case .takenBack:
        pendingReports.removeAll { $0.isVoided(by: report) }
      case .started, .resumed, .held, .drained:
        pendingReports.append(report)
      }
    }
    // The render thread has more, and the ring has room again.
    if context.hasMoreReports.exchange(false, ordering: .sequentiallyConsistent) { context.renderSignal.wake() }
  }

  /// Handles the reports whose frames are audible by now.
  private func handleDueReports() {
    while let report = pendingReports.first {
      let isOld = report.generation != transport.presentGeneration
      guard isOld || instant(of: report) <= context.clock.now else { return }
      // Errors of a source are reported before the start of the next source, or the end.
      if report.kind == .drained, !context.inputs.isEmpty { return }
      if context.inputs.contains(where: \.isSourceError) { return }
      pendingReports.removeFirst()
      handle(.rendering(report))
    }
  }

  /// Returns the instant at which the frame of `report` becomes audible, as far as the output knows now.
  private func instant(of report: RenderReport) -> MonotonicInstant {
    let correction = context.positionPublisher.correction.load(ordering: .sequentiallyConsistent)
    return MonotonicInstant(nanoseconds: report.due &+ correction)
  }

  // MARK: Time

  /// Sleeps until a message arrives or a timer is due, and runs the timers that are due.
  private func waitForWork() {
    let now = context.clock.now
    if transport.isTicking {
      if nextTick == nil { nextTick = now.advanced(byMilliseconds: transport.millisecondsToTick) }
    } else {
      nextTick = nil
    }
    let report = pendingReports.first.map(instant(of:))
    let instants = [report, nextTick, timers.values.min(), supervisor.nextInspection].compactMap(\.self)
    context.clock.wait(for: context.controlSignal, until: instants.min())
    runTimers(at: context.clock.now)
  }

  private func runTimers(at now: MonotonicInstant) {
    if let nextTick, nextTick <= now {
      self.nextTick = nil
      handle(.tick)
      // If the tick is so late, the process was suspended, as with Ctrl-Z; the output was not blocked.
      if now < nextTick.advanced(byMilliseconds: Self.suspensionMilliseconds) { inspectOutput() }
    }
    for (timer, instant) in timers where instant <= now {
      timers[timer] = nil
      handle(.timeOut(timer))
    }
    supervisor.inspectDecoding(at: now)
  }

  private func inspectOutput() {
    let state = supervisor.inspectOutput()
    handle(state)
    if case .outputAbandoned = state { supervisor.replaceRenderer() }
  }

  // MARK: Effects

  private func perform(_ effects: [Transport.Effect]) {
    for effect in effects {
      switch effect {
      case .drop(let generation):
        context.oldestGeneration.store(generation, ordering: .releasing)
        context.renderSignal.wake()
      case .decode(let command):
        supervisor.sendToDecoder(command)
      case .render(let target):
        context.target.store(target, ordering: .sequentiallyConsistent)
        context.renderSignal.wake()
      case .reopenOutput:
        context.mustReopen.store(true, ordering: .releasing)
        context.renderSignal.wake()
      case .report(let event):
        let receiver = context.eventReceiver.withLock { $0 }
        receiver.receive(event, executed)
      case .wait(let timer, let duration):
        timers[timer] = context.clock.now.advanced(byMilliseconds: duration.wholeMilliseconds)
      }
    }
  }
}
