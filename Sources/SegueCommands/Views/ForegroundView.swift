import AudioCore
import CoverDrawing
import Flux
import MusicLibrary
import MusicModel
import Platform
import QueueFlow
import SystemPackage
import UnicodeText

/// Shows what plays, and hands keys on as actions: the view of `segue play`, until that is over, and of the REPL's `now`, until it is left.
///
/// On a terminal it is redrawn in place, as long as the program is in the foreground; where nothing is drawn, and anywhere else, it is one line a
/// track, or none where the user wants quiet. Keys are obeyed on every terminal.
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
    /// The terminal has had its time to answer.
    case answersAreDue
    /// The next frame of the meter is due.
    case frameIsDue
    /// A cover was drawn, or there is none.
    case cover(CoverPainter.Wish, DrawnCover?)
  }

  private let events: EventQueue<Event>
  /// Called once, when the first sound is heard, or should have been.
  var whenSettled: (() -> Void)?
  let session: Session
  /// Where the view is drawn, where standard output is a terminal that can.
  let canvas: TerminalCanvas?
  var mode: TerminalMode?
  /// Whether the terminal shows the view now.
  var isShown = false
  private var keyParser = KeyParser()
  private var scene: NowPlayingScene?
  let bindings: KeyBindings
  private let palette: Palette
  /// Whether the terminal is gone, and the music goes on.
  var isAlone = false
  var state = PlaybackState()
  private var announcedCount = 0
  private var details = PlaybackDetails()
  private var changes = PlainChanges()
  private var news = News()
  /// What was told while the view hid the terminal's own screen.
  var notices: [String] = []
  private var lastNotice: String?
  var extras = NowPlayingScreen.Extras()
  /// The cover, where one can be drawn.
  private let pane: CoverPane?
  /// Says when the meter moves, while it is shown.
  private var frames: FrameClock?

  /// A view of what `session` plays, which is told by `events` what happens, and which is over or left by `ending`.
  init(_ session: Session, events: EventQueue<Event>, ending: NowPlayingKeys.Ending = .quit) {
    self.session = session
    self.events = events
    bindings = session.settings.keyBindings
    palette = session.palette
    let isWanted = ending == .leave || !session.manner.isQuiet
    let canvas = isWanted && TerminalCanvas.canDraw(session) ? TerminalCanvas(.output) : nil
    self.canvas = canvas
    // A cover is nothing but colours.
    let hasCover = canvas != nil && session.manner.hasColours
    pane = hasCover ? CoverPane(CoverPainter { [events] in events.post(.cover($0, $1)) }) : nil
    extras.ending = ending
    extras.isASCII = canvas != nil && session.manner.isASCII
    // What the REPL tells is no news here.
    if ending == .leave { _ = news.take(from: session.services.playback.state) }
  }

  /// Shows what plays until it is over; gives the status to end with.
  ///
  /// - Throws: `CommandError` where nothing could be played, or the output failed.
  func run() throws(CommandError) -> ExitStatus {
    reveal()
    if extras.ending == .leave { ask() }
    let subscription = session.services.playback.observe { [events] in events.post(.changed($0)) }
    defer {
      subscription.cancel()
      hide()
      showLevels(false)
      // The REPL tells by itself.
      if extras.ending == .quit {
        for notice in notices { session.complain(notice) }
      }
    }
    while true {
      switch events.next(orInputFrom: mode == nil ? nil : StandardStream.input.descriptor) {
      case .event(.changed(let state)):
        self.state = state
        show()
        if state.isOver, extras.ending == .quit { return try status() }
        if state.startedCount > 0 { settle() }
      case .event(.leftOut(let problems)):
        for problem in problems { tell("segue: skipped \(problem)") }
      case .event(.failed(let error)):
        throw error
      case .event(.isLate): settle()
      case .event(.answersAreDue):
        pane?.answersAreDue()
        show()
      case .event(.frameIsDue):
        frames?.taken()
        show()
      case .event(.cover(let wish, let drawn)):
        pane?.show(drawn, for: wish)
        show()
      case .event(.signal(let signal)):
        if let status = handle(signal) { return status }
      case .input(let bytes):
        let (typed, isChanged) = pane?.take(bytes) ?? (bytes, false)
        if isChanged { show() }
        for key in keyParser.keysAndEscape(typed) {
          if let status = handle(key) { return status }
        }
      case .inputEnded:
        // The terminal went; its signal follows.
        mode = nil
        if extras.ending == .leave { return .success }
      case .interrupted:
        // A signal for the REPL.
        if extras.ending == .leave, session.signals?.caughtSignal != nil { return .success }
      }
    }
  }

  private func settle() {
    guard let act = whenSettled.take() else { return }
    act()
    ask()
    show()
  }

  /// Shows the meter, or not, and has levels be measured only as long as it does.
  func showLevels(_ isOn: Bool) {
    guard extras.showsLevels != isOn, canvas != nil else { return }
    extras.showsLevels = isOn
    extras.levels = nil
    session.services.playback.measureLevels(isOn)
    frames = isOn ? try? FrameClock { [events] in events.post(.frameIsDue) } : nil
  }

  /// Asks the terminal how it shows pictures; it has a while to answer, and nothing waits for that.
  private func ask() {
    guard let canvas, let pane, isShown, mode != nil, let question = pane.ask() else { return }
    canvas.ask(question)
    let alarm = try? WorkerThread(name: "segue-answers") { [events] in
      MonotonicInstant.now.advanced(byMilliseconds: CoverPane.patience).sleep()
      events.post(.answersAreDue)
    }
    if alarm == nil { pane.answersAreDue() }
  }

  /// Takes the answers that are still to come, so that no other program is given them.
  private func awaitAnswers() {
    var others: [Event] = []
    while mode != nil, let pane, pane.isAwaitingAnswers {
      switch events.next(orInputFrom: StandardStream.input.descriptor) {
      case .event(.answersAreDue): pane.answersAreDue()
      case .event(let event): others.append(event)
      case .input(let bytes): _ = pane.take(bytes)
      case .inputEnded: mode = nil
      case .interrupted: break
      }
    }
    for event in others { events.post(event) }
  }

  private func status() throws(CommandError) -> ExitStatus {
    if let error = state.outputError { throw CommandError(.noOutput, error.description) }
    if state.startedCount == 0, !state.problems.isEmpty {
      throw CommandError(.nothingPlayable, "nothing of \(session.services.queue.queue.title) could be played")
    }
    return .success
  }

  // MARK: Showing

  func show() {
    // A failure of the output is the error that the command ends with.
    if state.outputError == nil {
      for notice in news.take(from: state) { tell("segue: \(notice)") }
    }
    if extras.ending == .quit {
      for notice in session.takeWarnings() { tell("segue: \(notice)") }
    }
    if let library = session.openFlow?.flow.library.state {
      for notice in news.take(from: library) { tell("segue: \(notice)") }
    }
    let queue = session.services.queue.queue
    if session.manner.isVerbose {
      for line in details.take(from: state, queue) { tell(line, isShown: false) }
    }
    if let canvas {
      reveal()
      guard isShown else { return }
      extras.notice = lastNotice
      if extras.showsLevels { extras.levels = session.services.playback.levels }
      let size = canvas.size
      if !(scene?.isOf(queue, playing: state.item) ?? false) {
        scene = NowPlayingScene(queue, playing: state.item)
      }
      guard let scene else { return }
      if let path = scene.item?.track.path { pane?.want(path, in: size) }
      let cover = pane?.cover
      let room = TerminalSize(columns: size.columns - TerminalFrame.margin(of: cover), rows: size.rows)
      let screen = NowPlayingScreen(
        scene: scene, playback: state, extras: extras, size: room, bindings: bindings, palette: palette)
      canvas.draw(TerminalFrame(lines: screen.lines, cover: cover, size: size))
    } else {
      reveal()
      for item in state.startedItems.suffix(max(0, state.startedCount - announcedCount)) {
        guard let position = queue.position(of: item) else { continue }
        session.remark(TrackLine.text(position: position, in: queue, session.manner))
      }
      announcedCount = state.startedCount
      for line in changes.take(from: state) where mode != nil { session.remark(line) }
    }
  }

  /// Takes the terminal, unless another program uses it.
  private func reveal() {
    guard takesKeys, !isShown, !isAlone, terminal.isInForeground else { return }
    isShown = true
    if StandardStream.input.isTerminal { mode = TerminalMode() }
    canvas?.enter()
  }

  /// Gives the terminal back as it was.
  func hide() {
    guard isShown else { return }
    awaitAnswers()
    isShown = false
    mode = nil
    canvas?.leave()
  }

  /// Says something on standard error: at once, or when the terminal's own screen is back, and in the view meanwhile where it `isShown`.
  private func tell(_ line: String, isShown: Bool = true) {
    if canvas == nil { return session.complain(line) }
    notices.append(line)
    if isShown { lastNotice = line }
  }
}
