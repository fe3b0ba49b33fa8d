// SPDX-License-Identifier: GPL-3.0-or-later

import CoverDrawing
import Flux
import MusicModel
package import Platform
import PlayerFlow
package import PlayerPort
import SystemPackage
import Terminal
import UnicodeText
import UserSettings

/// The full screen: shows the library, the queue and what a player is playing, and passes the user's wishes on. It is
/// drawn while the program is in the foreground. Used on the main thread.
package final class FullScreenView {
  /// Why the full screen has ended.
  package enum Ending: Equatable {
    /// The user has left it, or a signal has.
    case left(ExitStatus)
    /// The player has ended or, if the view ends with it, playback.
    case over
  }

  /// The maximum number of bytes that are read from the terminal at once.
  private static let inputLimit = 4_096
  /// The minimum time between two frames, in milliseconds. The player answers a key with two messages, the second of
  /// which waits for the next frame.
  private static let frameTime: UInt64 = 12
  /// The maximum time in milliseconds to wait for the first sound before the library is opened.
  private static let soundTimeout: UInt64 = 300

  let context: any ViewContext
  let player: ViewedPlayer
  private let services: FullScreenServices
  let events: EventQueue<ViewEvent>
  let opening: ScreenOpening
  /// Repeats an ambiguous lookup with the answer that the user chose; `nil` if it cannot be repeated.
  package var lookUpAgain: ((PlayerError, _ answer: String) throws(PlayerError) -> Void)?
  let canvas: GridCanvas
  var mode: TerminalMode?
  /// Whether the view has taken over the terminal.
  var isShown = false
  /// Whether the terminal has been lost while playback continues.
  var isTerminalLost = false
  /// The screen that is shown.
  package var screen: Screen { model.screen }
  var model: FullScreenModel
  let isASCII: Bool
  /// The user's settings, with those that were changed on the screen.
  private(set) var settings: Settings
  var palette = Palette.plain
  /// The theme of the palette, and the colour of the cover in it; `nil` if the palette is out of date.
  var paletteSource: (theme: Theme, accent: AccentColour?)?
  private var parser = KeyParser()
  /// Whether the user has stopped the music to quit.
  private var isQuitting = false
  let pane: CoverPane?
  /// Reads the library; `nil` until it is open.
  private(set) var reader: LibraryReader?
  /// Whether the library has been opened, or could not be.
  private(set) var isComplete = false
  /// What waits for the library to be opened.
  private var waitingRequests: [ListReading] = []
  private var lyricsPath: FilePath?
  private var queueVersion: UInt64?
  private var libraryVersion: UInt64?
  private var playlistVersion: UInt64?
  /// The sound that is observed; `nil` while none is shown.
  var sound: SoundFeed?
  var drawing: FullScreenDrawing.Player
  var isDrawingDue = true
  /// When the position that the player reports has changed last.
  var positionInstant = MonotonicInstant.now
  var lastDrawn = MonotonicInstant(nanoseconds: 0)
  /// The lines to print on standard error when the normal screen is restored: those of other code, and of the player.
  var deferredErrors: [String] = []
  var notices: [String] = []

  /// Creates a view of `player` in `context` that handles `events`. Call this on a terminal that can be redrawn.
  package init(
    _ context: any ViewContext, of player: ViewedPlayer, _ services: FullScreenServices,
    events: EventQueue<ViewEvent>, _ opening: ScreenOpening
  ) {
    self.context = context
    self.player = player
    self.services = services
    self.events = events
    self.opening = opening
    settings = context.settings
    isASCII = context.outputStyle.isASCII
    let hasColours = context.outputStyle.hasColours
    let depth = hasColours ? CoverPane.colours(variable: Environment.value).depth : .none
    canvas = GridCanvas(.output, depth, type: Environment.value("TERM"), isInline: opening.isInline)
    model = FullScreenModel(size: canvas.size, memory: services.memory)
    if opening.isLeftByGoingBack { model.leavingScreen = opening.screen }
    pane =
      hasColours
      ? CoverPane(CoverPainter(services.covers) { [events] in events.post(.cover($0, $1)) }, drawsSymbols: !isASCII)
      : nil
    model.showsCovers = hasColours && !isASCII
    drawing = FullScreenDrawing.Player(nowPlaying: nil, state: PlayingState())
    applySettings()
    if let side = settings.playingSide { model.memory.side = side }
    for problem in context.settings.problems.prefix(1) { model.show(problem.description, isError: true) }
    refresh()
    model.show(opening.screen ?? (drawing.nowPlaying?.track == nil ? .albums : .nowPlaying))
  }

  /// Shows the screen until the user leaves it, or the player ends.
  ///
  /// - Throws: ``PlayerError`` if nothing was found that could be played.
  package func run() throws(PlayerError) -> Ending {
    reveal()
    var closesItself = false
    let subscription = player.observe(everyPosition: true) { [events] in events.post(.changed) }
    defer {
      subscription.cancel()
      hide()
      reportPlaying()
      if closesItself, !isTerminalLost { context.printRemark("playback has ended; `segue` shows the queue") }
      if opening.printsMessages { for line in deferredErrors + notices { context.printError(line) } }
    }
    perform(model.loadVisible())
    if !opening.waitsForSound {
      draw()
      complete()
    }
    let soundDeadline = MonotonicInstant.now.advanced(byMilliseconds: Self.soundTimeout)
    while true {
      var deadline = isDrawingDue && isShown ? lastDrawn.advanced(byMilliseconds: Self.frameTime) : nextLyrics
      if !isComplete { deadline = min(deadline ?? soundDeadline, soundDeadline) }
      let input = mode == nil ? nil : StandardStream.input.descriptor
      guard let arrival = events.next(orInputFrom: input, limit: Self.inputLimit, until: deadline) else {
        if !isComplete, soundDeadline <= .now {
          complete()
          reveal()
        }
        draw()
        continue
      }
      if let ending = try handle(arrival) {
        // Unlike `q`, the end of the queue and `s` close the screen of `play` unasked.
        closesItself =
          if case .over = ending { opening.quitting == .stop && player.hasStarted && !isQuitting } else { false }
        return ending
      }
      isDrawingDue = true
      // What a key does is shown at once; everything else waits for the next frame. The player's answer to the key must
      // not wait because the key was shown.
      if case .input = arrival {
        let last = lastDrawn
        draw()
        lastDrawn = last
      } else if lastDrawn.advanced(byMilliseconds: Self.frameTime) <= .now {
        draw()
      }
    }
  }

  /// Applies the settings that say what the screen looks like, and what keys do.
  private func applySettings() {
    (model.bindings, model.volumeStep, model.columns) = (settings.keyBindings, settings.volumeStep, settings.columns)
    model.coverPercent = settings.coverSize
    drawing.spectrumForm = SpectrumDrawing.Form(
      settings.spectrum, type: Environment.value("TERM"), isASCII: isASCII)
    paletteSource = nil
  }

  /// Says what is still playing after the screen was left, and how to end it.
  private func reportPlaying() {
    guard opening.quitting == .leave, !player.isOver, !isTerminalLost, player.state.phase != .stopped,
      let track = player.nowPlaying.track
    else { return }
    let state = player.state.phase == .playing ? "is still playing" : "is paused"
    context.printRemark("\(track.title.safeForTerminal) \(state); `segue stop` stops it, `segue quit` ends the player")
  }

  /// Opens the library, and does what waits for it. Does nothing the second time.
  func complete() {
    guard !isComplete else { return }
    isComplete = true
    let library = services.openLibrary()
    do throws(Errno) { reader = try LibraryReader(services.lists, library, services.covers, events) } catch {
      model.show("not enough system resources (\(error)); close other programs and try again", isError: true)
    }
    if let lyricsPath { reader?.findLyrics(of: lyricsPath) }
    queryTerminal()
    for request in waitingRequests { reader?.loader.post(request) }
    waitingRequests = []
  }

  private func handle(_ arrival: EventQueue<ViewEvent>.Arrival) throws(PlayerError) -> Ending? {
    switch arrival {
    case .input(let bytes): return read(bytes)
    case .inputEnded:
      // The terminal has been lost, and a signal will follow.
      mode = nil
      if opening.quitting == .leave { return .left(.success) }
    // The signal is handled by the REPL.
    case .interrupted: if context.signals?.caughtSignal != nil { return .left(.success) }
    case .event(let event): return try handle(event)
    }
    return nil
  }

  private func handle(_ event: ViewEvent) throws(PlayerError) -> Ending? {
    switch event {
    case .changed:
      refresh()
      reveal()
      // Without keys, nobody could resume a waiting player.
      if player.isOver || player.isWaiting && mode == nil && !isTerminalLost { return .over }
      if player.hasStarted { complete() }
    case .signal(let signal): return ending(signal)
    case .skipped(let problems): for problem in problems { report("skipped \(problem)", isError: true) }
    case .failed(let error): if let status = try choose(error) { return .left(status) }
    case .page(let page, let view): model.receive(page, of: view)
    case .position(.success(let position), let view, let text): model.receive(position: position, of: view, with: text)
    case .position(.failure(let error), _, _): model.receiveFailedSearch(error.message)
    case .range(let rows, let view, let range): perform(model.receive(rows, in: range, of: view))
    case .origin(.success(let origin), let kind): model.receive(origin, kind)
    case .origin(.failure(let error), _): model.show(error.message, isError: true)
    case .info(.success(let lines)): model.receive(lines)
    case .info(.failure(let error)): model.show(error.message, isError: true)
    case .filters(let filters): model.receive(filters)
    case .outcome(let outcome):
      if outcome.endsScreen { return .left(.success) }
      if !outcome.settings.isEmpty {
        settings = settings.overriding(for: outcome.settings)
        applySettings()
        if outcome.settings[.playingSide] != nil, let side = settings.playingSide { model.memory.side = side }
      }
      model.receiveOutcome(isFailed: outcome.isFailed)
      if let request = outcome.equaliserRequest { perform(model.receive(outcome.equaliser, to: request)) }
      if outcome.changesLists {
        model.invalidate { _ in true }
        if let path = lyricsPath { reader?.findLyrics(of: path) }
      }
      let text = outcome.lines.joined(separator: "; ")
      // A command without a message leaves that of the player.
      if !text.isEmpty { model.show(text, isError: outcome.isFailed) }
    case .answerTimeout: pane?.endQuery()
    case .soundArrived: receiveSound()
    case .cover(let request, let drawn):
      pane?.show(drawn, for: request)
    case .albumCover(let request, let cover):
      reader?.albums.receive(cover, for: request)
      if reader?.albums.areMissing == true { model.receiveMissingCovers() }
    case .lyrics(let path, let lyrics, let rating):
      guard path == lyricsPath else { break }
      drawing.rating = rating
      model.lyrics.update(lyrics)
    }
    perform(model.loadVisible())
    return perform(model.handleWaitingKeys())
  }

  private func ending(_ signal: ProcessSignal) -> Ending? {
    // Ctrl-C and Ctrl-Z may have cut off a sequence or the end of a paste.
    if signal == .interrupt || signal == .suspend { parser = KeyParser() }
    if signal == .interrupt, let effects = model.interrupt() { return perform(effects) }
    if signal == .hangUp, context.settings.keepsPlayingOnHangup, player.outlivesTerminal {
      leaveTerminal()
      return nil
    }
    if let status = signal.endingStatus { return .left(status) }
    if signal == .suspend {
      hide()
      ProcessSignal.stopProcess()
    }
    reveal()
    // The terminal may have cut off what was on it, even if it has the old size again.
    canvas.forget()
    model.resize(canvas.size)
    perform(model.loadVisible())
    return nil
  }

  private func read(_ bytes: [UInt8]) -> Ending? {
    let (typed, query) = pane?.take(bytes) ?? (bytes, nil)
    if let query { canvas.send(query) }
    // If there is more input than was read at once, it may have been cut within a sequence.
    let inputs = bytes.count < Self.inputLimit ? parser.inputsAndEscape(typed) : parser.inputs(typed)
    for input in inputs {
      if model.screen == .lyrics, !model.isCovered {
        model.lyrics.prepareScrolling(at: drawing.state.position, input, model)
      }
      if let ending = perform(model.handle(input)) { return ending }
    }
    return nil
  }

  // MARK: Effects

  @discardableResult
  private func perform(_ effects: [ScreenEffect]) -> Ending? {
    for effect in effects {
      switch effect {
      case .read(let request):
        // The library may not be open yet.
        if isComplete { reader?.loader.post(request) } else { waitingRequests.append(request) }
      case .loadInfo(let target): services.loadInfo(target) { [events] in events.post(.info($0)) }
      case .copy(let text): canvas.copy(text)
      case .remember(let memory): services.remember(memory)
      case .perform(let command): services.perform(command) { [events] in events.post(.outcome($0)) }
      case .complete(let text):
        let completion = services.complete(text)
        model.typed = completion.text
        model.showCandidates(completion.candidates)
      case .filter(let change): reader?.library.filter(change)
      case .redraw: canvas.forget()
      case .quit:
        guard opening.quitting == .stop, player.state.phase != .stopped else { return .left(.success) }
        isQuitting = true
        player.send(.transport(.stop))
      }
    }
    return nil
  }

  /// Shows a message; if nobody else reports it, it is also printed when the screen is left.
  private func report(_ line: String, isError: Bool) {
    model.show(line, isError: isError)
    if !isTerminalLost { notices.append("segue: \(line)") }
  }

  private func refresh() {
    player.refresh()
    if player.state.position != drawing.state.position { positionInstant = .now }
    drawing.nowPlaying = player.nowPlaying
    drawing.state = player.state
    drawing.isLookingUp = opening.quitting == .stop && !player.hasStarted
    model.duration = player.state.duration ?? player.nowPlaying.track?.duration
    model.currentPosition = player.nowPlaying.position
    model.currentItem = player.currentItem
    model.asksBeforeQuitting = opening.quitting == .ask && player.state.phase == .playing
    for notice in player.takeNotices() { report(notice, isError: !PlaybackNotices.isGood(notice)) }
    if context.outputStyle.isVerbose, !isTerminalLost { notices += player.takeDetails() }
    if player.libraryVersion != libraryVersion {
      libraryVersion = player.libraryVersion
      reader?.albums.forget()
      model.invalidate { $0.isOfLibrary }
    }
    if player.playlistVersion != playlistVersion {
      playlistVersion = player.playlistVersion
      model.invalidate { !$0.isOfLibrary && $0 != .queue }
    }
    if player.queueVersion != queueVersion {
      queueVersion = player.queueVersion
      model.invalidate { $0 == .queue }
    }
    let path = player.nowPlaying.track?.path
    if path != lyricsPath {
      lyricsPath = path
      drawing.rating = nil
      model.lyrics.show(path == nil ? .none : .loading)
      if let path { reader?.findLyrics(of: path) }
    }
    perform(model.loadVisible())
  }
}

extension TerminalColours {
  /// The number of colours.
  fileprivate var depth: ColourDepth {
    switch self {
    case .sixteen: .sixteen
    case .indexed256: .indexed256
    case .trueColour: .trueColour
    }
  }
}
