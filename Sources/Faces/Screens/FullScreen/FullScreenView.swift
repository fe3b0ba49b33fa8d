// SPDX-License-Identifier: GPL-3.0-or-later

package import CoverDrawing
import Flux
package import MusicModel
package import Platform
import PlayerFlow
package import PlayerPort
package import SystemPackage
import Tagging
import Terminal
import UserSettings

/// The full screen: shows the library, the queue and what a player is playing, and passes the user's wishes on. Used on
/// the main thread.
package final class FullScreenView {
  /// An event that the view handles.
  package enum Event: Sendable {
    /// The state of the player may have changed.
    case changed
    /// The process has received a signal.
    case signal(ProcessSignal)
    /// A page of a list has been loaded, or cannot be.
    case page(Result<ListPage, PlayerError>, ListContent)
    /// A row has been found, or not.
    case position(Result<Int?, PlayerError>, ListContent, text: String)
    /// The rows of a range have been loaded, or cannot be.
    case range(Result<[ListRow], PlayerError>, ListContent, Range<Int>)
    case filters(LibraryFilters)
    case outcome(ScreenOutcome)
    /// The time for the terminal to answer queries is over.
    case answerTimeout
    /// It is time for the next frame of the level meter.
    case frameDue
    /// The cover for a request has been drawn; it is `nil` if the track has none.
    case cover(CoverPainter.Request, DrawnCover?)
    /// The cover of an album has been drawn; it is `nil` if the album has none.
    case albumCover(AlbumCovers.Request, DrawnCover?)
    /// The lyrics of a track have been looked for.
    case lyrics(FilePath, LyricsState.Content, rating: Int?)
  }

  /// Why the full screen has ended.
  package enum Ending: Equatable {
    /// The user has left it, or a signal has.
    case left(ExitStatus)
    /// The player in another process has ended.
    case playerEnded
  }

  /// The maximum number of bytes that are read from the terminal at once.
  private static let inputLimit = 4_096
  /// The time between two frames, in milliseconds.
  private static let frameTime: UInt64 = 33

  let context: any ViewContext
  let player: ViewedPlayer
  private let services: FullScreenServices
  let events: EventQueue<Event>
  /// Whether leaving the screen ends the player.
  private let asksBeforeQuitting: Bool
  let canvas: GridCanvas
  var mode: TerminalMode?
  /// The screen that is shown.
  package var screen: Screen { model.screen }
  var model: FullScreenModel
  let isASCII: Bool
  var palette: Palette
  private var parser = KeyParser()
  let pane: CoverPane?
  let albums: AlbumCovers
  private let loader: ListLoader
  private let lyricsWorker = Worker<FilePath?>(named: "segue-lyrics", nil)
  private var lyricsPath: FilePath?
  private var queueVersion: UInt64?
  private var libraryVersion: UInt64?
  private var playlistVersion: UInt64?
  private var frames: FrameClock?
  var drawing: FullScreenDrawing.Player
  var isDrawingDue = true
  /// When the position that the player reports has changed last.
  var positionInstant = MonotonicInstant.now
  var lastDrawn = MonotonicInstant(nanoseconds: 0)

  /// Creates a view of `player` in `context` that handles `events`. Call this on a terminal that can be redrawn.
  ///
  /// - Throws: `Errno` if the system has no resources left.
  package init(
    _ context: any ViewContext, of player: ViewedPlayer, _ services: FullScreenServices,
    events: EventQueue<Event>, asksBeforeQuitting: Bool, startingAt screen: Screen? = nil
  ) throws(Errno) {
    self.context = context
    self.player = player
    self.services = services
    self.events = events
    self.asksBeforeQuitting = asksBeforeQuitting
    isASCII = context.outputStyle.isASCII
    let hasColours = context.outputStyle.hasColours
    let depth = hasColours ? CoverPane.colours(variable: Environment.value).depth : .none
    canvas = GridCanvas(.output, depth, type: Environment.value("TERM"))
    palette = .plain
    model = FullScreenModel(
      size: canvas.size, bindings: context.settings.screenBindings, volumeStep: context.settings.volumeStep)
    pane =
      hasColours ? CoverPane(CoverPainter { [events] in events.post(.cover($0, $1)) }, drawsSymbols: !isASCII) : nil
    albums = try AlbumCovers(path: services.albumPath) { [events] in events.post(.albumCover($0, $1)) }
    model.showsCovers = hasColours && !isASCII
    loader = try ListLoader(services.source) { [events] result in
      switch result {
      case .page(let page, let content): events.post(.page(page, content))
      case .position(let position, let content, let text): events.post(.position(position, content, text: text))
      case .range(let rows, let content, let range): events.post(.range(rows, content, range))
      }
    }
    drawing = FullScreenDrawing.Player(scene: nil, state: PlayingState())
    updatePalette()
    for problem in context.settings.problems.prefix(1) { model.show(problem.description, isError: true) }
    refresh()
    model.show(screen ?? (drawing.scene?.track == nil ? .albums : .nowPlaying))
    let rating = services.rating
    try lyricsWorker.start(taking: { $0.take() }) { [events] path in
      events.post(.lyrics(path, LyricsState.Content.find(of: path), rating: rating(path)))
    }
  }

  deinit { lyricsWorker.close() }

  /// Shows the screen until the user leaves it, or the player ends.
  package func run() -> Ending {
    takeOverTerminal()
    defer { restoreTerminal() }
    queryTerminal()
    let subscriptions = [
      player.observe(everyPosition: true) { [events] in events.post(.changed) },
      services.observeFilters { [events] in events.post(.filters($0)) },
    ]
    defer {
      for subscription in subscriptions { subscription.cancel() }
      player.measureLevels(false)
    }
    perform(model.loadVisible())
    while true {
      let deadline = isDrawingDue ? lastDrawn.advanced(byMilliseconds: Self.frameTime) : nextLyrics
      let input = mode == nil ? nil : StandardStream.input.descriptor
      guard let arrival = events.next(orInputFrom: input, limit: Self.inputLimit, until: deadline)
      else {
        draw()
        continue
      }
      if let ending = handle(arrival) { return ending }
      isDrawingDue = true
      // What a key does is shown at once; everything else waits for the next frame.
      if case .input = arrival { draw() } else if lastDrawn.advanced(byMilliseconds: Self.frameTime) <= .now { draw() }
    }
  }

  private func handle(_ arrival: EventQueue<Event>.Arrival) -> Ending? {
    switch arrival {
    case .input(let bytes): return read(bytes)
    // The terminal has been lost, and a signal will follow.
    case .inputEnded: mode = nil
    case .interrupted: if let signal = context.signals?.caughtSignal { return ending(signal) }
    case .event(let event): return handle(event)
    }
    return nil
  }

  private func handle(_ event: Event) -> Ending? {
    switch event {
    case .changed:
      refresh()
      if player.isOver { return .playerEnded }
    case .signal(let signal): return ending(signal)
    case .page(let page, let content): model.receive(page, of: content)
    case .position(.success(let position), let content, let text):
      model.receive(position: position, of: content, with: text)
    case .position(.failure(let error), _, _): model.receiveFailedSearch(error.message)
    case .range(let rows, let content, let range): perform(model.receive(rows, in: range, of: content))
    case .filters(let filters): model.receive(filters)
    case .outcome(let outcome):
      if outcome.endsScreen { return .left(.success) }
      model.receiveOutcome(isFailed: outcome.isFailed)
      if outcome.changesLists {
        model.invalidate { _ in true }
        if let path = lyricsPath { lyricsWorker.post { $0 = path } }
      }
      model.show(outcome.lines.joined(separator: "; "), isError: outcome.isFailed)
    case .answerTimeout: pane?.endQuery()
    case .frameDue:
      frames?.confirmTick()
      drawing.levels = player.levels
    case .cover(let request, let drawn):
      pane?.show(drawn, for: request)
      updatePalette()
    case .albumCover(let request, let cover):
      albums.receive(cover, for: request)
      if albums.areMissing { model.receiveMissingCovers() }
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
    if signal == .interrupt, let effects = model.interrupt() {
      perform(effects)
      return nil
    }
    if let status = signal.endingStatus { return .left(status) }
    if signal == .suspend {
      restoreTerminal()
      ProcessSignal.stopProcess()
      takeOverTerminal()
    }
    // The terminal may have cut off what was on it, even if it has the old size again.
    canvas.forget()
    model.resize(canvas.size)
    perform(model.loadVisible())
    return nil
  }

  private func read(_ bytes: [UInt8]) -> Ending? {
    let (typed, _, query) = pane?.take(bytes) ?? (bytes, false, nil)
    if let query { canvas.send(query) }
    updatePalette()
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
      case .load(let content, let offset): loader.post(.page(content, offset: offset))
      case .findLetter(let letter, let content): loader.post(.letter(letter, content))
      case .loadRange(let content, let range): loader.post(.range(content, range))
      case .find(let text, let content, let row, let backward):
        loader.post(.find(text, content, after: row, backward: backward))
      case .perform(let command): services.perform(command) { [events] in events.post(.outcome($0)) }
      case .complete(let text):
        let completion = services.complete(text)
        model.typed = completion.text
        model.show(completion.candidates.joined(separator: "  "), isError: false)
      case .filter(let change): services.filter(change)
      case .toggleMeter: toggleMeter()
      case .redraw: canvas.forget()
      case .quit: return .left(.success)
      }
    }
    return nil
  }

  private func toggleMeter() {
    if let refusal = player.levelRefusal, !drawing.showsLevels { return model.show(refusal, isError: true) }
    drawing.showsLevels.toggle()
    drawing.levels = nil
    player.measureLevels(drawing.showsLevels)
    frames = drawing.showsLevels ? try? FrameClock { [events] in events.post(.frameDue) } : nil
  }

  private func refresh() {
    player.refresh()
    if player.state.position != drawing.state.position { positionInstant = .now }
    drawing.scene = player.scene
    drawing.state = player.state
    model.currentPosition = player.scene.position
    model.asksBeforeQuitting = asksBeforeQuitting && player.state.phase == .playing
    for notice in player.takeNotices() { model.show(notice, isError: !PlaybackNotices.isGood(notice)) }
    if player.libraryVersion != libraryVersion {
      libraryVersion = player.libraryVersion
      services.forgetCounts()
      albums.forget()
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
    let path = player.scene.track?.path
    if path != lyricsPath {
      lyricsPath = path
      drawing.rating = nil
      model.lyrics.show(path == nil ? .none : .loading)
      if let path { lyricsWorker.post { $0 = path } }
    }
    perform(model.loadVisible())
  }
}

extension Theme {
  /// The theme for the background that the terminal states in `$COLORFGBG`; dark if it states none.
  static var assumed: Theme {
    let background = Environment.value("COLORFGBG")?.split(separator: ";").last.flatMap { Int($0) }
    return background == 7 || background == 15 ? .light : .dark
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
