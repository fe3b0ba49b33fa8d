import Flux
import Platform
import QueueFlow
import SystemPackage

/// Shows how a library is read, until that is over: on a terminal, by a line on standard error that is drawn in place.
///
/// For the main thread.
struct ScanView {
  /// What came of it.
  enum Outcome: Equatable {
    /// It is over, or failed.
    case ended(LibraryState)
    /// A signal ended it early; what was read is kept.
    case cancelled(ExitStatus, LibraryState)
  }

  private enum Event: Sendable {
    case changed(LibraryState)
    case signal(ProcessSignal)
  }

  private let model: ScanViewModel
  private let store: LibraryStore
  private let face: Session.Face
  private let isDrawn: Bool

  /// A view of what `flow` reads.
  init(_ flow: LibraryFlow, face: Session.Face) {
    self.face = face
    model = ScanViewModel(store: flow.library, actions: flow.libraryActions)
    store = flow.library
    isDrawn =
      StandardStream.output.isTerminal && StandardStream.output.isInForeground
      && Environment.value("TERM") != "dumb"
  }

  /// Has the library read, and shows it until the end.
  ///
  /// - Throws: `Errno` where the system grants no thread or no descriptors.
  func run() throws(Errno) -> Outcome {
    let events = try EventQueue<Event>()
    // The REPL catches signals itself, which interrupts the wait.
    var watch: SignalWatch?
    if !face.isPlayer {
      watch = try SignalWatch([.interrupt, .quit, .terminate, .hangUp]) { events.post(.signal($0)) }
    }
    model.accept(.scan)
    let subscription = store.observe { events.post(.changed($0)) }
    defer {
      subscription.cancel()
      draw("")
    }
    var status: ExitStatus?
    return withExtendedLifetime(watch) {
      while true {
        switch events.next() {
        case .event(.changed(let state)):
          if !state.isBusy { return status.map { .cancelled($0, state) } ?? .ended(state) }
          let columns = StandardStream.output.terminalSize?.columns ?? 80
          draw(ScanProgressLine.text(ScanOutput(state), columns: columns))
        case .event(.signal(let signal)):
          status = signal.endingStatus ?? .interrupted
          model.accept(.cancel)
        case .interrupted:
          status = .interrupted
          model.accept(.cancel)
        case .input, .inputEnded: break
        }
      }
    }
  }

  private func draw(_ line: String) {
    if isDrawn { try? StandardStream.output.write("\r\(line)\u{1B}[K") }
  }
}
