// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
package import CoverDrawing
import Flux
import MusicModel
package import Platform
import PlayerFlow
package import PlayerPort
import SystemPackage
package import Tagging
import Terminal
import UnicodeText
import UserSettings

/// Shows what a player is playing, and passes keys to it. `segue play` uses this view until playback ends, and
/// `segue now` until the user leaves it.
///
/// A terminal is redrawn in place while the program is in the foreground. If drawing is not possible, the view prints
/// one line per track, or nothing in quiet style. Keys work on every terminal. Used on the main thread.
package final class ForegroundView {
  /// An event that the view handles.
  package enum Event: Sendable {
    /// The state of the player may have changed.
    case changed
    /// The process has received a signal.
    case signal(ProcessSignal)
    /// These files are skipped because they cannot be played.
    case skipped([LibraryProblem])
    /// The lookup has failed, so there is nothing to play.
    case failed(PlayerError)
    /// The time for the terminal to answer queries is over.
    case answerTimeout
    /// It is time for the next frame of the level meter.
    case frameDue
    /// The cover for a request has been drawn; it is `nil` if the track has none.
    case cover(CoverPainter.Request, DrawnCover?)
  }

  let events: EventQueue<Event>
  /// Called once: when the first sound is audible, or earlier if that takes too long.
  package var onFirstSound: (() -> Void)?
  /// Repeats an ambiguous lookup with the answer that the user chose; `nil` if it cannot be repeated.
  package var lookUpAgain: ((PlayerError, _ answer: String) throws(PlayerError) -> Void)?
  /// The maximum time in milliseconds to wait for the first sound before ``onFirstSound`` is called.
  private static let timeoutMilliseconds: UInt64 = 300
  let context: any ViewContext
  let player: ViewedPlayer
  /// The canvas; `nil` if standard output is not a terminal that can be redrawn.
  let canvas: TerminalCanvas?
  var mode: TerminalMode?
  /// Whether the view has taken over the terminal.
  var isShown = false
  private var keyParser = KeyParser()
  let bindings: KeyBindings
  private let palette: Palette
  /// Whether the terminal has been lost while playback continues.
  var isTerminalLost = false
  /// The messages of the view that are printed when the normal screen is restored.
  var notices: [String] = []
  private var lastNotice: String?
  /// The messages from other code that are printed when the normal screen is restored.
  private var deferredErrors: [String] = []
  var extras = NowPlayingScreen.Extras()
  /// The pane for the cover; `nil` if covers cannot be drawn.
  private let pane: CoverPane?
  /// The timer for the frames of the level meter; `nil` while the meter is hidden.
  private var frames: FrameClock?

  /// Creates a view of `player` in `context` that handles `events`. `ending` is what the quit key does.
  package init(
    _ context: any ViewContext, of player: ViewedPlayer, events: EventQueue<Event>,
    ending: NowPlayingKeys.Ending = .quit
  ) {
    self.context = context
    self.player = player
    self.events = events
    bindings = context.settings.keyBindings
    palette = context.palette
    let isViewRequested = ending == .leave || !context.outputStyle.isQuiet
    let canvas = isViewRequested && TerminalCanvas.canDraw(context) ? TerminalCanvas(.output, context.outputStyle) : nil
    self.canvas = canvas
    extras.ending = ending
    extras.isASCII = canvas != nil && context.outputStyle.isASCII
    // A cover is drawn with colours.
    let hasCover = canvas != nil && context.outputStyle.hasColours
    pane =
      hasCover
      ? CoverPane(
        CoverPainter { [events] in events.post(.cover($0, $1)) }, drawsSymbols: !extras.isASCII) : nil
  }

  /// Shows the player until playback ends or the user leaves the view, and returns the exit status.
  ///
  /// - Throws: `PlayerError` if nothing could be played, or the output failed.
  package func run() throws(PlayerError) -> ExitStatus {
    reveal()
    if extras.ending == .leave { queryTerminal() }
    // On a terminal, each change of the position is an opportunity to check whether the program is in the foreground
    // again.
    let subscription = player.observe(everyPosition: takesKeys) { [events] in
      events.post(.changed)
    }
    defer {
      subscription.cancel()
      hide()
      showLevels(false)
      for line in deferredErrors + (player.isReportedByViewOnly ? notices : []) { context.printError(line) }
    }
    let firstSoundDeadline = MonotonicInstant.now.advanced(byMilliseconds: Self.timeoutMilliseconds)
    while true {
      let input = mode == nil ? nil : StandardStream.input.descriptor
      guard let arrival = events.next(orInputFrom: input, until: onFirstSound == nil ? nil : firstSoundDeadline) else {
        startDeferredWork()
        continue
      }
      switch arrival {
      case .event(.changed):
        show()
        // Without keys, nobody could resume a waiting player.
        if player.isOver || player.isWaiting && mode == nil && !isTerminalLost { return try player.status() }
        if player.hasStarted { startDeferredWork() }
      case .event(.skipped(let problems)):
        for problem in problems { report("segue: skipped \(problem)") }
      case .event(.failed(let error)):
        if let status = try choose(error) { return status }
      case .event(.answerTimeout):
        pane?.endQuery()
        show()
      case .event(.frameDue):
        frames?.confirmTick()
        show()
      case .event(.cover(let request, let drawn)):
        pane?.show(drawn, for: request)
        show()
      case .event(.signal(let signal)):
        if let status = handle(signal) { return status }
      case .input(let bytes):
        let (typed, isChanged, query) = pane?.take(bytes) ?? (bytes, false, nil)
        if let query { canvas?.sendQuery(query) }
        if isChanged { show() }
        for key in keyParser.keysAndEscape(typed) {
          if let status = handle(key) { return status }
        }
      case .inputEnded:
        // The terminal has been lost, and a signal will follow.
        mode = nil
        if extras.ending == .leave { return .success }
      case .interrupted:
        // The signal is handled by the REPL.
        if extras.ending == .leave, context.signals?.caughtSignal != nil { return .success }
      }
    }
  }

  /// Does what was left for after the first sound.
  func startDeferredWork() {
    guard let work = onFirstSound.take() else { return }
    work()
    queryTerminal()
    show()
  }

  /// Shows or hides the level meter. Levels are measured only while it is shown.
  func showLevels(_ isOn: Bool) {
    guard extras.showsLevels != isOn, canvas != nil else { return }
    if isOn, let refusal = player.levelRefusal {
      lastNotice = "segue: \(refusal)"
      return
    }
    extras.showsLevels = isOn
    extras.levels = nil
    player.measureLevels(isOn)
    frames = isOn ? try? FrameClock { [events] in events.post(.frameDue) } : nil
  }

  /// Asks the terminal how it displays pictures. Its answers are handled when they arrive.
  private func queryTerminal() {
    guard let canvas, let pane, isShown, mode != nil, let query = pane.nextQuery() else { return }
    canvas.sendQuery(query)
    let timer = try? WorkerThread(name: "segue-timeout") { [events] in
      MonotonicInstant.now.advanced(byMilliseconds: CoverPane.timeoutMilliseconds).sleep()
      events.post(.answerTimeout)
    }
    if timer == nil { pane.endQuery() }
  }

  /// Reads the terminal's answers that are still to come, so that the next program does not receive them as input.
  private func awaitAnswers() {
    var otherEvents: [Event] = []
    while mode != nil, let pane, pane.isAwaitingAnswers {
      switch events.next(orInputFrom: StandardStream.input.descriptor) {
      case .event(.answerTimeout): pane.endQuery()
      case .event(let event): otherEvents.append(event)
      case .input(let bytes): if let query = pane.take(bytes).query { canvas?.sendQuery(query) }
      case .inputEnded: mode = nil
      case .interrupted: break
      }
    }
    for event in otherEvents { events.post(event) }
  }

  // MARK: Showing

  func show() {
    player.refresh()
    for notice in player.takeNotices() {
      report("segue: \(notice)", isDisplayed: !PlaybackNotices.isGood(notice))
      // The notice says that the problem is over.
      if PlaybackNotices.isGood(notice) { lastNotice = nil }
    }
    if context.outputStyle.isVerbose {
      for line in player.takeDetails() { report(line, isDisplayed: false) }
    }
    reveal()
    if let canvas {
      if isShown { draw(on: canvas) }
    } else {
      for line in player.takeLines(hasKeys: mode != nil, context.outputStyle) { context.printRemark(line) }
    }
  }

  private func draw(on canvas: TerminalCanvas) {
    extras.notice = lastNotice
    extras.isLookingUp = extras.ending == .quit && !player.hasStarted
    if extras.showsLevels { extras.levels = player.levels }
    let size = canvas.size
    if let path = player.scene.track?.path { pane?.requestCover(of: path, in: size) }
    let cover = pane?.cover
    let textSize = TerminalSize(columns: size.columns - TerminalFrame.margin(of: cover), rows: size.rows)
    let screen = NowPlayingScreen(
      scene: player.scene, state: player.state, extras: extras, size: textSize, bindings: bindings,
      palette: palette)
    canvas.draw(TerminalFrame(lines: screen.lines, cover: cover, size: size))
  }

  /// Takes over the terminal, unless another program is in the foreground.
  private func reveal() {
    guard takesKeys, !isShown, !isTerminalLost, terminal.isInForeground else { return }
    isShown = true
    if StandardStream.input.isTerminal { mode = TerminalMode() }
    guard let canvas else { return }
    context.divertedErrors = { [weak self] in self?.deferredErrors.append($0) }
    canvas.enter()
  }

  /// Restores the terminal, if the view has taken it over.
  func hide() {
    guard isShown else { return }
    awaitAnswers()
    isShown = false
    mode = nil
    context.divertedErrors = nil
    canvas?.leave()
  }

  /// Prints a message on standard error, either now or when the normal screen is restored. If `isDisplayed`, the view
  /// displays it meanwhile.
  private func report(_ line: String, isDisplayed: Bool = true) {
    if canvas == nil { return context.printError(line) }
    notices.append(line)
    if isDisplayed { lastNotice = line }
  }
}

extension TerminalCanvas {
  /// Returns whether views can be drawn: standard output is a terminal that can be redrawn, and carries no sound.
  package static func canDraw(_ context: any ViewContext) -> Bool {
    context.outputStyle.draws && !context.soundGoesToStandardOutput
  }
}
