// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import CoverDrawing
import MusicModel
import Platform
import PlayerFlow
import PlayerPort
import Terminal
import UserSettings

/// Drawing on the terminal, and what it answers.
extension FullScreenView {
  func draw() {
    isDrawingDue = false
    lastDrawn = .now
    updateSound()
    guard isShown else { return }
    updatePalette()
    if model.screen == .nowPlaying || settings.theme == .cover, let path = player.nowPlaying.track?.path,
      let area = model.coverArea
    {
      pane?.requestCover(of: path, columns: area.columns, rows: area.rows)
    }
    if let size = model.albumCoverSize {
      let canvas = CoverCanvas(
        columns: size.columns, rows: size.rows, graphics: .symbols,
        colours: CoverPane.colours(variable: Environment.value))
      reader?.albums.request(model.visibleAlbums, on: canvas)
    }
    var player = drawing
    player.state.position = position
    let drawing = FullScreenDrawing(
      model, player, palette: palette, isASCII: isASCII, cover: pane?.cover,
      albumCovers: reader?.albums.covers ?? [:])
    canvas.draw(drawing.cells())
    canvas.show(status(player))
  }

  /// What the window of the terminal shows about `player`.
  private func status(_ player: FullScreenDrawing.Player) -> WindowStatus {
    guard let track = player.nowPlaying?.track, player.state.phase != .stopped else {
      return WindowStatus(title: "segue")
    }
    let title = ([track.title] + track.artists).joined(separator: " · ")
    var status = WindowStatus(title: isASCII ? title.withASCIISymbols : title)
    if pane?.showsProgress == true, let duration = model.duration, duration > .zero {
      let percent = Int(min(max(0, player.state.position / duration), 1) * 100)
      status.progress = WindowStatus.Progress(percent: percent, isPaused: player.state.phase == .paused)
    }
    return status
  }

  /// The position in the track: the player reports it about once a second.
  private var position: Duration {
    // Before the first sound, the position does not advance.
    guard drawing.state.phase == .playing, drawing.state.position > .zero else { return drawing.state.position }
    let passed = MonotonicInstant.now.nanoseconds.subtractingReportingOverflow(positionInstant.nanoseconds)
    let shown = min(Duration.milliseconds(1_200), passed.overflow ? .zero : .nanoseconds(passed.partialValue))
    return drawing.state.position + drawing.state.speed.music(within: shown)
  }

  /// When the next line or word of the lyrics is sung; `nil` if they are not shown, or nothing plays.
  var nextLyrics: MonotonicInstant? {
    guard model.screen == .lyrics, drawing.state.phase == .playing else { return nil }
    let position = position
    return model.lyrics.nextChange(after: position).map { change in
      let wait = drawing.state.speed.time(for: change - position)
      return MonotonicInstant.now.advanced(byMilliseconds: UInt64(clamping: wait.wholeMilliseconds + 1))
    }
  }

  // MARK: Taking and leaving the terminal

  /// Takes over the terminal, unless another program is in the foreground, or it is not known yet whether the lookup
  /// succeeds.
  func reveal() {
    guard !isShown, !isTerminalLost, StandardStream.output.isInForeground,
      !opening.waitsForSound || isComplete || player.state.phase != .stopped
    else { return }
    isShown = true
    if StandardStream.input.isTerminal { mode = TerminalMode() }
    context.divertedErrors = { [weak self, events, opening] line in
      if opening.printsMessages {
        self?.deferredErrors.append(line)
      } else {
        events.post(.outcome(ScreenOutcome(lines: [line], isFailed: true)))
      }
    }
    canvas.enter()
    model.resize(canvas.size)
    isDrawingDue = true
    if isComplete { queryTerminal() }
  }

  /// Restores the terminal, if the view has taken it over.
  func hide() {
    guard isShown else { return }
    awaitAnswers()
    isShown = false
    updateSound()
    context.divertedErrors = nil
    canvas.leave()
    mode = nil
  }

  /// Continues without the terminal, which has been lost. The player may still be controlled through its socket.
  func leaveTerminal() {
    isTerminalLost = true
    isShown = false
    mode = nil
    context.divertedErrors = nil
    (deferredErrors, notices) = ([], [])
    updateSound()
  }

  /// Lets the user choose a candidate of an ambiguous lookup at the terminal, and repeats the lookup with it. Returns
  /// the exit status if the user chooses none.
  ///
  /// - Throws: `error` if the user cannot choose, or the error of the second lookup.
  func choose(_ error: PlayerError) throws(PlayerError) -> ExitStatus? {
    guard let lookUpAgain, error.ambiguousText != nil, context.takesChoices else { throw error }
    // Others can use the player, and so edit the queue, while the user thinks.
    hide()
    complete()
    context.report(error)
    switch ChoicePrompt.ask(upTo: error.choices.count, events) {
    case .none: return error.status
    case .ended(let status): return status
    case .chosen(let number): try lookUpAgain(error, error.answers[number - 1])
    }
    reveal()
    return nil
  }

  /// Asks the terminal how it displays pictures. Its answers are handled when they arrive.
  func queryTerminal() {
    guard isShown, mode != nil, let pane, let query = pane.nextQuery() else { return }
    canvas.send(query)
    if !postsAnswerTimeout(at: .now.advanced(byMilliseconds: CoverPane.timeoutMilliseconds)) { pane.endQuery() }
  }

  /// Posts an event when the terminal has had enough time to answer. Returns `false` if there is no thread for that.
  private func postsAnswerTimeout(at time: MonotonicInstant) -> Bool {
    let timer = try? WorkerThread(name: "segue-timeout") { [events] in
      time.sleep()
      events.post(.answerTimeout)
    }
    return timer != nil
  }

  /// Chooses the colours: those of the theme that the settings name, or of one for the background of the terminal, with
  /// the colour of the cover where that is shown.
  private func updatePalette() {
    let ofTerminal = pane?.hasLightBackground.map { $0 ? Theme.light : .dark } ?? .assumed
    let theme = pane == nil ? .contrast : settings.theme == .cover ? ofTerminal : settings.theme ?? ofTerminal
    let hasAccent = settings.theme == .cover || settings.theme == nil && model.screen == .nowPlaying
    let accent = hasAccent ? pane?.accent : nil
    guard paletteSource?.theme != theme || paletteSource?.accent != accent else { return }
    paletteSource = (theme, accent)
    palette = settings.palette(theme, accent: accent.map { ($0.red, $0.green, $0.blue) })
  }

  /// Reads the terminal's answers that are still to come, so that the next program does not receive them as input.
  private func awaitAnswers() {
    let deadline = MonotonicInstant.now.advanced(byMilliseconds: CoverPane.leavingMilliseconds)
    guard pane?.isAwaitingAnswers == true, postsAnswerTimeout(at: deadline) else { return }
    var otherEvents: [ViewEvent] = []
    while mode != nil, let pane, pane.isAwaitingAnswers, MonotonicInstant.now < deadline {
      switch events.next(orInputFrom: StandardStream.input.descriptor) {
      case .event(.answerTimeout): pane.endQuery()
      case .event(let event): otherEvents.append(event)
      case .input(let bytes): if let query = pane.take(bytes).query { canvas.send(query) }
      case .inputEnded: mode = nil
      case .interrupted: break
      }
    }
    for event in otherEvents { events.post(event) }
  }
}

extension Theme {
  /// The theme for the background that the terminal states in `$COLORFGBG`; dark if it states none.
  fileprivate static var assumed: Theme {
    let background = Environment.value("COLORFGBG")?.split(separator: ";").last.flatMap { Int($0) }
    return background == 7 || background == 15 ? .light : .dark
  }
}
