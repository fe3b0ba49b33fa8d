import AudioCore
import Platform
import Synchronization

/// The deciding thread: hands commands and reports to the transport one by one, and performs the effects.
final class ControlLoop {
  private let share: EngineShare
  private let decodeCommands: Mailbox<DecodeCommand>
  private var transport = Transport()
  /// The source of the last command to play.
  private var commanded: PlaybackSource.ID?

  init(share: EngineShare, decodeCommands: Mailbox<DecodeCommand>) {
    self.share = share
    self.decodeCommands = decodeCommands
  }

  /// Works until it is told to quit.
  func run() {
    while true {
      while let report = share.reports.pop() {
        guard let input = report.kind == .news ? share.news.take() : .rendering(report) else { continue }
        perform(transport.handle(input))
      }
      guard let input = share.inputs.take() else {
        share.controlSignal.wait()
        continue
      }
      if case .play(let source, _) = input { commanded = source.id }
      perform(transport.handle(input, heard: share.board.shown))
      if case .quit = input { return }
    }
  }

  private func perform(_ effects: [Transport.Effect]) {
    for effect in effects {
      switch effect {
      case .drop(let generation):
        share.oldestGeneration.store(generation, ordering: .releasing)
        share.renderSignal.wake()
      case .decode(let command):
        decodeCommands.post(command)
      case .render(let target):
        share.target.store(target, ordering: .sequentiallyConsistent)
        share.renderSignal.wake()
      case .report(let event):
        let receiver = share.receiver.withLock { $0 }
        receiver.receive(event, commanded)
      }
    }
  }
}
