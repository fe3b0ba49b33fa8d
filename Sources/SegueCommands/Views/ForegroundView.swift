import AudioCore
import Flux
import MusicLibrary
import MusicModel
import Platform
import QueueFlow
import SystemPackage
import UnicodeText

/// Shows what plays until it is over, and hands keys on as actions: the view of `segue play`.
///
/// On a terminal it is redrawn in place, as long as the program is in the foreground; anywhere else it is one plain line a track.
/// For the main thread.
final class ForegroundView {
  /// What the view waits for.
  enum Event: Sendable {
    /// The queue or the playback state changed.
    case changed(PlaybackState)
    /// The system sent a signal.
    case signal(ProcessSignal)
    /// These files will not be played.
    case leftOut([LibraryProblem])
    /// There is nothing to play.
    case failed(CommandError)
    /// What has to wait for the first sound has waited long enough.
    case isLate
  }

  private let events: EventQueue<Event>
  /// Called once, when the first sound is heard, or should have been.
  var whenSettled: (() -> Void)?
  private let session: Session
  /// Where the view is drawn, where standard output is a terminal that can.
  private let canvas: TerminalCanvas?
  private var mode: TerminalMode?
  /// Whether the terminal shows the view now.
  private var isShown = false
  private var keyParser = KeyParser()
  private var state = PlaybackState()
  private var announcedCount = 0
  private var news = News()
  /// What was told while the view hid the terminal's own screen.
  private var notices: [String] = []

  /// A view of what `session` plays, which is told by `events` what happens.
  init(_ session: Session, events: EventQueue<Event>) {
    self.session = session
    self.events = events
    let canDraw =
      StandardStream.output.isTerminal && Environment.value("TERM") != "dumb"
      && !session.soundGoesToStandardOutput
    canvas = canDraw ? TerminalCanvas(.output) : nil
  }

  /// Shows what plays until it is over; gives the status to end with.
  ///
  /// - Throws: `CommandError` where nothing could be played, or the output failed.
  func run() throws(CommandError) -> ExitStatus {
    reveal()
    let subscription = session.services.playback.observe { [events] in events.post(.changed($0)) }
    defer {
      subscription.cancel()
      hide()
      for notice in notices { session.complain(notice) }
    }
    while true {
      switch events.next(orInputFrom: mode == nil ? nil : StandardStream.input.descriptor) {
      case .event(.changed(let state)):
        self.state = state
        show()
        if state.isOver { return try status() }
        if state.startedCount > 0 { settle() }
      case .event(.leftOut(let problems)):
        for problem in problems { tell("segue: skipped \(problem)") }
      case .event(.failed(let error)):
        throw error
      case .event(.isLate): settle()
      case .event(.signal(let signal)):
        if let status = handle(signal) { return status }
      case .input(let bytes):
        for key in keyParser.keys(bytes) {
          if let status = handle(key) { return status }
        }
      case .inputEnded:
        // The terminal went; its signal follows.
        mode = nil
      case .interrupted: break
      }
    }
  }

  private func settle() {
    guard let act = whenSettled.take() else { return }
    act()
    show()
  }

  private func status() throws(CommandError) -> ExitStatus {
    if let error = state.outputError { throw CommandError(.noOutput, error.description) }
    if state.startedCount == 0, !state.problems.isEmpty {
      throw CommandError(.nothingPlayable, "nothing of \(session.services.queue.queue.title) could be played")
    }
    return .success
  }

  // MARK: Showing

  private func show() {
    // A failure of the output is the error that the command ends with.
    if state.outputError == nil {
      for notice in news.take(from: state) { tell("segue: \(notice)") }
    }
    for notice in session.takeWarnings() { tell("segue: \(notice)") }
    if let library = session.openFlow?.flow.library.state {
      for notice in news.take(from: library) { tell("segue: \(notice)") }
    }
    let queue = session.services.queue.queue
    if let canvas {
      reveal()
      guard isShown else { return }
      let size = StandardStream.output.terminalSize ?? TerminalSize(columns: 80, rows: 24)
      canvas.draw(
        NowPlayingScreen(queue: queue, playback: state, notice: notices.last, size: size).lines)
    } else {
      for item in state.startedItems.suffix(max(0, state.startedCount - announcedCount)) {
        guard let position = queue.position(of: item) else { continue }
        session.say(TrackLine.text(position: position, in: queue))
      }
      announcedCount = state.startedCount
    }
  }

  /// Takes the terminal, unless another program uses it.
  private func reveal() {
    guard let canvas, !isShown, StandardStream.output.isInForeground else { return }
    isShown = true
    if StandardStream.input.isTerminal { mode = TerminalMode() }
    canvas.enter()
  }

  /// Gives the terminal back as it was.
  private func hide() {
    guard isShown else { return }
    isShown = false
    mode = nil
    canvas?.leave()
  }

  /// Says something on standard error: at once, or when the terminal's own screen is back.
  private func tell(_ line: String) {
    if canvas == nil { session.complain(line) } else { notices.append(line) }
  }

  // MARK: Keys and signals

  /// Answers `key`; gives the status to end with where it ends the program.
  private func handle(_ key: Key) -> ExitStatus? {
    let actions = session.services.actions
    switch key {
    case .character(" "): actions.toggle()
    case .left: actions.seek(.by(.seconds(-10)))
    case .right: actions.seek(.by(.seconds(10)))
    case .down: actions.seek(.by(.seconds(-60)))
    case .up: actions.seek(.by(.seconds(60)))
    case .character("n"), .character("N"): actions.next()
    case .character("p"), .character("P"): actions.previous()
    case .character("+"), .character("="): actions.changeVolume(by: 5)
    case .character("-"), .character("_"): actions.changeVolume(by: -5)
    case .character("q"), .character("Q"):
      // What is still being looked up cannot be stopped.
      if state.phase == .stopped { return .success }
      actions.stop()
    case .character, .enter, .tab, .backspace, .escape: break
    }
    return nil
  }

  /// Answers `signal`; gives the status to end with where it ends the program.
  private func handle(_ signal: ProcessSignal) -> ExitStatus? {
    switch signal {
    case .interrupt: return .interrupted
    case .quit: return .quit
    case .terminate: return .terminated
    case .hangUp: return .hungUp
    case .windowChange, .resume: show()
    case .suspend: suspend()
    }
    return nil
  }

  /// Gives the terminal back and stops the program, and with it the sound; brought back, it goes on where it was, unseen where
  /// in the background.
  private func suspend() {
    hide()
    ProcessSignal.stopProcess()
    show()
  }
}
