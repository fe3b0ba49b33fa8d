import AudioCore
package import CoverDrawing
import Flux
import MusicModel
package import Platform
import PlayerFlow
import SystemPackage
package import Tagging
import Terminal
import UnicodeText
import UserSettings

/// Shows what a player plays, and hands keys on to it: the view of `segue play`, until that is over, and of `now`,
/// until it is left.
///
/// On a terminal it is redrawn in place, as long as the program is in the foreground; where nothing is drawn, and
/// anywhere else, it is one line a track, or none where the user wants quiet. Keys are obeyed on every terminal. For
/// the main thread.
package final class ForegroundView {
  /// What the view waits for.
  package enum Event: Sendable {
    /// What is shown may have changed.
    case changed
    /// The system sent a signal.
    case signal(ProcessSignal)
    /// These files will not be played.
    case leftOut([LibraryProblem])
    /// There is nothing to play.
    case failed(CommandError)
    /// The terminal has had its time to answer.
    case answersAreDue
    /// The next frame of the meter is due.
    case frameIsDue
    /// A cover was drawn, or there is none.
    case cover(CoverPainter.Wish, DrawnCover?)
  }

  let events: EventQueue<Event>
  /// Called once, when the first sound is heard, or should have been.
  package var whenSettled: (() -> Void)?
  /// Looks up again what an error calls ambiguous, as this answer has it.
  package var lookUpAgain: ((CommandError, _ answer: String) throws(CommandError) -> Void)?
  /// How long what has to wait for the first sound waits, in milliseconds.
  private static let patience: UInt64 = 300
  let context: any ViewContext
  let player: any ViewedPlayer
  /// Where the view is drawn, where standard output is a terminal that can.
  let canvas: TerminalCanvas?
  var mode: TerminalMode?
  /// Whether the terminal shows the view now.
  var isShown = false
  private var keyParser = KeyParser()
  let bindings: KeyBindings
  private let palette: Palette
  /// Whether the terminal is gone, and the music goes on.
  var isAlone = false
  /// What was told while the view hid the terminal's own screen.
  var notices: [String] = []
  private var lastNotice: String?
  /// What was said by others than the view while it hid the terminal's own screen.
  private var diverted: [String] = []
  var extras = NowPlayingScreen.Extras()
  /// The cover, where one can be drawn.
  private let pane: CoverPane?
  /// Says when the meter moves, while it is shown.
  private var frames: FrameClock?

  /// A view in `context` of `player` that receives `events` and ends, or is left, by `ending`.
  package init(
    _ context: any ViewContext, of player: any ViewedPlayer, events: EventQueue<Event>,
    ending: NowPlayingKeys.Ending = .quit
  ) {
    self.context = context
    self.player = player
    self.events = events
    bindings = context.settings.keyBindings
    palette = context.palette
    let isWanted = ending == .leave || !context.manner.isQuiet
    let canvas = isWanted && TerminalCanvas.canDraw(context) ? TerminalCanvas(.output, context.manner) : nil
    self.canvas = canvas
    extras.ending = ending
    extras.isASCII = canvas != nil && context.manner.isASCII
    // A cover is nothing but colours.
    let hasCover = canvas != nil && context.manner.hasColours
    pane =
      hasCover
      ? CoverPane(
        CoverPainter { [events] in events.post(.cover($0, $1)) }, drawsSymbols: !extras.isASCII) : nil
  }

  /// Shows what plays until it is over; gives the status to end with.
  ///
  /// - Throws: `CommandError` where nothing could be played, or the output failed.
  package func run() throws(CommandError) -> ExitStatus {
    reveal()
    if extras.ending == .leave { ask() }
    // On a terminal, it also looks whether that is its own again.
    let subscription = player.observe(everyPosition: takesKeys) { [events] in
      events.post(.changed)
    }
    defer {
      subscription.cancel()
      hide()
      showLevels(false)
      for line in diverted + (player.isToldByView ? notices : []) { context.complain(line) }
    }
    let lateness = MonotonicInstant.now.advanced(byMilliseconds: Self.patience)
    while true {
      let input = mode == nil ? nil : StandardStream.input.descriptor
      guard let arrival = events.next(orInputFrom: input, until: whenSettled == nil ? nil : lateness) else {
        settle()
        continue
      }
      switch arrival {
      case .event(.changed):
        show()
        // Without keys, nobody here has it go on.
        if player.isOver || player.isWaiting && mode == nil && !isAlone { return try player.status() }
        if player.hasBegun { settle() }
      case .event(.leftOut(let problems)):
        for problem in problems { tell("segue: skipped \(problem)") }
      case .event(.failed(let error)):
        if let status = try choose(error) { return status }
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
        let (typed, isChanged, question) = pane?.take(bytes) ?? (bytes, false, nil)
        if let question { canvas?.ask(question) }
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
        if extras.ending == .leave, context.signals?.caughtSignal != nil { return .success }
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
    if isOn, let refusal = player.levelRefusal {
      lastNotice = "segue: \(refusal)"
      return
    }
    extras.showsLevels = isOn
    extras.levels = nil
    player.measureLevels(isOn)
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
      case .input(let bytes): if let question = pane.take(bytes).question { canvas?.ask(question) }
      case .inputEnded: mode = nil
      case .interrupted: break
      }
    }
    for event in others { events.post(event) }
  }

  // MARK: Showing

  func show() {
    player.refresh()
    for notice in player.takeNews() {
      tell("segue: \(notice)", isShown: !PlaybackNotices.isGood(notice))
      // What was wrong is so no longer.
      if PlaybackNotices.isGood(notice) { lastNotice = nil }
    }
    if context.manner.isVerbose {
      for line in player.takeDetails() { tell(line, isShown: false) }
    }
    reveal()
    if let canvas {
      if isShown { draw(on: canvas) }
    } else {
      for line in player.takeLines(hasKeys: mode != nil) { context.remark(line) }
    }
  }

  private func draw(on canvas: TerminalCanvas) {
    extras.notice = lastNotice
    extras.isLookingUp = extras.ending == .quit && !player.hasBegun
    if extras.showsLevels { extras.levels = player.levels }
    let size = canvas.size
    if let path = player.scene?.track?.path { pane?.want(path, in: size) }
    let cover = pane?.cover
    let room = TerminalSize(columns: size.columns - TerminalFrame.margin(of: cover), rows: size.rows)
    let screen = NowPlayingScreen(
      scene: player.scene, state: player.state, extras: extras, size: room, bindings: bindings,
      palette: palette)
    canvas.draw(TerminalFrame(lines: screen.lines, cover: cover, size: size))
  }

  /// Takes the terminal, unless another program uses it.
  private func reveal() {
    guard takesKeys, !isShown, !isAlone, terminal.isInForeground else { return }
    isShown = true
    if StandardStream.input.isTerminal { mode = TerminalMode() }
    guard let canvas else { return }
    context.divertedErrors = { [weak self] in self?.diverted.append($0) }
    canvas.enter()
  }

  /// Gives the terminal back as it was.
  func hide() {
    guard isShown else { return }
    awaitAnswers()
    isShown = false
    mode = nil
    context.divertedErrors = nil
    canvas?.leave()
  }

  /// Says something on standard error: at once, or when the terminal's own screen is back, and in the view meanwhile
  /// where it `isShown`.
  private func tell(_ line: String, isShown: Bool = true) {
    if canvas == nil { return context.complain(line) }
    notices.append(line)
    if isShown { lastNotice = line }
  }
}

extension TerminalCanvas {
  /// Whether standard output is a terminal that can show a canvas, and is not taken for sound.
  package static func canDraw(_ context: any ViewContext) -> Bool {
    context.manner.draws && !context.soundGoesToStandardOutput
  }
}
