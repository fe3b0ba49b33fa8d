import AudioCore
import Platform
import Synchronization

/// The deciding thread: hands commands and reports to the transport one by one, and performs the effects.
final class ControlLoop {
  private let shared: RenderShare
  private let decodeCommands: Mailbox<DecodeCommand>
  private let report: @Sendable (EngineEvent) -> Void
  private var transport = Transport()

  init(
    shared: RenderShare, decodeCommands: Mailbox<DecodeCommand>,
    report: @escaping @Sendable (EngineEvent) -> Void
  ) {
    self.shared = shared
    self.decodeCommands = decodeCommands
    self.report = report
  }

  /// Works until it is told to quit.
  func run() {
    while true {
      while let report = shared.reports.pop() { perform(transport.handle(.rendering(report))) }
      guard let input = shared.inputs.take() else {
        shared.controlSignal.wait()
        continue
      }
      perform(transport.handle(input, heard: shared.board.shown))
      if case .quit = input { return }
    }
  }

  private func perform(_ effects: [Transport.Effect]) {
    for effect in effects {
      switch effect {
      case .drop(let generation):
        shared.oldestGeneration.store(generation, ordering: .releasing)
        shared.signal.wake()
      case .decode(let command):
        decodeCommands.post(command)
      case .render(let target):
        shared.target.store(target, ordering: .releasing)
        shared.signal.wake()
      case .report(let event):
        report(event)
      }
    }
  }
}
