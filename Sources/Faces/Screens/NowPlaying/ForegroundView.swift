// SPDX-License-Identifier: GPL-3.0-or-later

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

/// Shows what a player is playing, and passes keys to it: the view of `segue play` until playback is over, and of `now`
/// until the user leaves.
///
/// On a terminal it is redrawn in place while the program is in the foreground. Elsewhere, and if drawing is off, it
/// prints one line per track, or nothing in quiet style. Keys work on every terminal. For the main thread.
package final class ForegroundView {
  /// The events that the view waits for.
  package enum Event: Sendable {
    /// The content may have changed.
    case changed
    /// The system has sent a signal.
    case signal(ProcessSignal)
    /// These files will not be played.
    case leftOut([LibraryProblem])
    /// There is nothing to play.
    case failed(CommandError)
    /// The terminal's time to answer is over.
    case answersAreDue
    /// The next frame of the level meter is due.
    case frameIsDue
    /// A cover was drawn, or there is none.
    case cover(CoverPainter.Wish, DrawnCover?)
  }

  let events: EventQueue<Event>
  /// Called once, when the first sound is audible, or should have been.
  package var whenSettled: (() -> Void)?
  /// Repeats the lookup with the user's answer to an ambiguity error.
  package var lookUpAgain: ((CommandError, _ answer: String) throws(CommandError) -> Void)?
  /// The maximum time in milliseconds for which other work waits for the first sound.
  private static let patience: UInt64 = 300
  let context: any ViewContext
  let player: any ViewedPlayer
  /// The canvas, if standard output is a terminal that can draw.
  let canvas: TerminalCanvas?
  var mode: TerminalMode?
  /// Whether the view is on the terminal now.
  var isShown = false
  private var keyParser = KeyParser()
  let bindings: KeyBindings
  private let palette: Palette
  /// Whether the terminal is lost, and playback continues.
  var isAlone = false
  /// The messages that were reported while the view hid the normal screen.
  var notices: [String] = []
  private var lastNotice: String?
  /// The messages that others reported while the view hid the normal screen.
  private var diverted: [String] = []
  var extras = NowPlayingScreen.Extras()
  /// The cover, if one can be drawn.
  private let pane: CoverPane?
  /// The clock of the level meter, while that is shown.
  private var frames: FrameClock?

  /// Creates a view of `player` in `context`, which receives `events`, and is ended or left depending on `ending`.
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
    // A cover consists of colours.
    let hasCover = canvas != nil && context.manner.hasColours
    pane =
      hasCover
      ? CoverPane(
        CoverPainter { [events] in events.post(.cover($0, $1)) }, drawsSymbols: !extras.isASCII) : nil
  }

  /// Shows the player until playback is over; returns the exit status.
  ///
  /// - Throws: `CommandError` if nothing could be played, or the output failed.
  package func run() throws(CommandError) -> ExitStatus {
    reveal()
    if extras.ending == .leave { ask() }
    // On a terminal, each position update also checks whether the program is in the foreground again.
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
        // Without keys, nobody here can resume it.
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
        // The terminal is lost; the signal for that follows.
        mode = nil
        if extras.ending == .leave { return .success }
      case .interrupted:
        // The signal is for the REPL.
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

  /// Shows or hides the level meter; levels are measured only while it is shown.
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

  /// Queries the terminal's support for pictures; the answer is handled when it arrives.
  private func ask() {
    guard let canvas, let pane, isShown, mode != nil, let question = pane.ask() else { return }
    canvas.ask(question)
    let alarm = try? WorkerThread(name: "segue-answers") { [events] in
      MonotonicInstant.now.advanced(byMilliseconds: CoverPane.patience).sleep()
      events.post(.answersAreDue)
    }
    if alarm == nil { pane.answersAreDue() }
  }

  /// Reads the answers that are still to come, so that no other program receives them.
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
      // The problem is over.
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

  /// Takes over the terminal, unless another program uses it.
  private func reveal() {
    guard takesKeys, !isShown, !isAlone, terminal.isInForeground else { return }
    isShown = true
    if StandardStream.input.isTerminal { mode = TerminalMode() }
    guard let canvas else { return }
    context.divertedErrors = { [weak self] in self?.diverted.append($0) }
    canvas.enter()
  }

  /// Restores the terminal.
  func hide() {
    guard isShown else { return }
    awaitAnswers()
    isShown = false
    mode = nil
    context.divertedErrors = nil
    canvas?.leave()
  }

  /// Prints a message on standard error, at once or when the normal screen is back; if `isShown`, the view shows it
  /// meanwhile.
  private func tell(_ line: String, isShown: Bool = true) {
    if canvas == nil { return context.complain(line) }
    notices.append(line)
    if isShown { lastNotice = line }
  }
}

extension TerminalCanvas {
  /// Returns whether standard output is a terminal that can draw, and carries no sound.
  package static func canDraw(_ context: any ViewContext) -> Bool {
    context.manner.draws && !context.soundGoesToStandardOutput
  }
}
