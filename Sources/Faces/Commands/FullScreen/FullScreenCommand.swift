// SPDX-License-Identifier: GPL-3.0-or-later

import ArgumentParser
import Flux
import LibraryScanning
import MusicModel
import Platform
import PlayerFlow
import PlayerPort
import RemoteControl
import Screens
import Synchronization
import SystemPackage
import Tagging
import Terminal
import UserSettings

/// The `screen` command: the library, the queue and what is playing on a full screen.
struct FullScreenCommand: SessionCommand {
  static let configuration = CommandConfiguration(
    commandName: "screen", abstract: "Show the library, the queue and the player on a full screen.",
    discussion: """
      `segue` alone does the same on a terminal. The keys of each screen are listed by ?, and a menu by m; `segue help screen` explains \
      more. If a player is running already, the screen controls that one. On a terminal that cannot be redrawn, and in plain style, the \
      command starts the REPL.

      Examples:
        screen
        screen --output pulse
      """)

  @OptionGroup var options: PlayerOptions

  var outputStyle: OutputStyleOptions { options.outputStyle }

  func run(in session: Session) throws {
    guard TerminalCanvas.canDraw(session), StandardStream.input.isTerminal else {
      var repl = try ReplCommand.parse([])
      repl.options = options
      return try repl.run(in: session)
    }
    // Signals can be received only on the main thread, before other threads are started.
    let events = try EventQueue<FullScreenView.Event>()
    let watch = try SignalWatch(ProcessSignal.allCases) { events.post(.signal($0)) }
    try withExtendedLifetime(watch) { try run(in: session, events) }
  }

  private func run(in session: Session, _ events: EventQueue<FullScreenView.Event>) throws {
    let socket = session.socket(options.socket, stateDirectory: options.stateDir)
    let stateDirectory = options.stateDirectory(in: session)
    let own = session.repl(
      library: options.library(in: session), stateDirectory: stateDirectory,
      dataDirectory: options.dataDirectory(in: session))
    var screen: Screen?
    var isUnreachable = false
    while true {
      let player: RunningPlayer
      do {
        player = try RunningPlayer(own, options, stateDirectory: stateDirectory, unlessAt: socket)
      } catch let error as PlayerRunsElsewhereError {
        // If the other player ends, this process becomes the player.
        switch try showPlayer(in: own, events, &screen) {
        case .left(let status)?:
          session.status = status
          return
        case .playerEnded?: isUnreachable = false
        case nil:
          // The player has just ended, or is about to listen; otherwise, it listens elsewhere.
          if isUnreachable { throw error.refusal }
          isUnreachable = true
          MonotonicInstant.now.advanced(byMilliseconds: 50).sleep()
        }
        own.player = nil
        // Nothing that is left over from one view concerns the next one.
        for case .signal(let signal) in events.takeAll() {
          guard let status = signal.endingStatus else { continue }
          session.status = status
          return
        }
        continue
      }
      return try show(player, own, socket, in: session, events, startingAt: screen)
    }
  }

  /// Shows a player in this process until the user leaves, which ends it.
  private func show(
    _ player: RunningPlayer, _ own: Session, _ socket: FilePath, in session: Session,
    _ events: EventQueue<FullScreenView.Event>, startingAt screen: Screen?
  ) throws {
    var server: ServedPlayer?
    let outcome = Result {
      player.prepareOutput()
      player.awaitRecall()
      let request = LibraryRequest(roots: own.library, dataDirectory: own.dataDirectory, in: own)
      _ = try own.flow(request)
      own.follow(request)
      if player.persister.ownership == .own {
        do throws(RemoteServerError) {
          server = try PlayerServing(socket: socket).start(own, player)
        } catch {
          own.warnings.append(error.description)
        }
      }
      var role = ViewedPlayer.Role()
      (role.outlivesTerminal, role.reportsEarlierProblems) = (true, true)
      role.meter = own.services.playback
      role.takeWarnings = { own.takeWarnings() }
      return try view(player.port, role, own, request, events, asksBeforeQuitting: true, startingAt: screen).ending
    }
    let status: ExitStatus? = if case .success(.left(let status)) = outcome { status } else { nil }
    let end = Result { () throws(PlayerError) in try player.shutDown(server, after: status) }
    if case .left(let status) = try outcome.get() { session.status = status }
    try end.get()
  }

  /// Shows the player in another process until the user leaves, or that player ends. Returns `nil` if no player
  /// listens.
  private func showPlayer(
    in attached: Session, _ events: EventQueue<FullScreenView.Event>, _ screen: inout Screen?
  ) throws -> FullScreenView.Ending? {
    let target = PlayerTarget(socket: options.socket, stateDir: options.stateDir, needsRunningPlayer: true)
    guard let player = try attached.runningPlayer(target) else { return nil }
    attached.player = player
    let request = LibraryRequest(roots: attached.library, dataDirectory: attached.dataDirectory, in: attached)
    _ = try attached.flow(request)
    let shown = try view(
      player, ViewedPlayer.Role(), attached, request, events, asksBeforeQuitting: false, startingAt: screen)
    screen = shown.screen
    return shown.ending
  }

  /// Shows a player until the user leaves, or it ends.
  private func view(
    _ player: any PlayerPort, _ role: ViewedPlayer.Role, _ session: Session, _ request: LibraryRequest,
    _ events: EventQueue<FullScreenView.Event>, asksBeforeQuitting: Bool, startingAt screen: Screen?
  ) throws -> (ending: FullScreenView.Ending, screen: Screen) {
    let viewed = try ViewedPlayer(player, role)
    defer { viewed.end() }
    let view = try FullScreenView(
      session, of: viewed, try ScreenServices(session, request, player, viewed).full, events: events,
      asksBeforeQuitting: asksBeforeQuitting, startingAt: screen)
    return (view.run(), view.screen)
  }
}

/// What a full screen needs from the commands.
private struct ScreenServices {
  private let session: Session
  private let request: LibraryRequest
  private let flow: LibraryFlow
  private let player: any PlayerPort
  private let viewed: ViewedPlayer
  private let completion: ReplCompletion
  private let browsable: any BrowsableLibrary
  private let counts = ListCounts()

  init(
    _ session: Session, _ request: LibraryRequest, _ player: any PlayerPort, _ viewed: ViewedPlayer
  ) throws {
    self.session = session
    self.request = request
    self.player = player
    self.viewed = viewed
    completion = ReplCompletion(session)
    guard let open = session.openFlow else { throw PlayerError(.failure, "the library is not open") }
    (browsable, flow) = (open.index, open.flow)
  }

  private var lists: ScreenLists {
    let (request, chosen, index) = (request, session.settings.playlists, browsable)
    let probe = session.services.library.access.scanner.probe
    return ScreenLists(
      index: index, counts: counts,
      lists: SavedListSource { SavedLists(request, chosen: chosen, index: index, probe: probe) }, player: player)
  }

  /// The services for the view.
  var full: FullScreenServices {
    let (counts, lists) = (counts, lists)
    return FullScreenServices(
      source: lists, rating: { lists.rating(ofFile: $0) },
      albumPath: { [browsable] album in ((try? browsable.album(album)) ?? nil)?.tracks.first?.path },
      perform: { perform($0, $1) },
      filter: { [actions = flow.searchActions] in actions.filter($0) },
      observeFilters: { [store = flow.search] receive in
        store.observe { receive($0.wanted.filters) }
      },
      forgetCounts: { counts.clear() }, complete: { complete($0) })
  }

  private func perform(_ command: ScreenCommand, _ onDone: @escaping @Sendable (ScreenOutcome) -> Void) {
    let library = LibraryChoice(roots: request.roots, dataDirectory: request.dataDirectory)
    if let wanted = command.request(library, request.roots) {
      // The screen has its own colours.
      var style = session.outputStyle
      style.hasColours = false
      return viewed.send(wanted) { [style] in onDone(command.outcome($0, style)) }
    }
    guard case .line(let line) = command else { return }
    do {
      try perform(line, onDone)
    } catch let error as QuotationError {
      onDone(ScreenOutcome(lines: ["missing closing \(error.mark)"], isFailed: true))
    } catch {
      let message = PlayerError(of: error)?.message ?? ReplWord.message(for: error)
      let text = message.replacing("use `help` to list the commands", with: "Tab lists the commands")
      onDone(ScreenOutcome(lines: [text], isFailed: true))
    }
  }

  /// Performs a line that the user typed.
  private func perform(_ line: String, _ onDone: @escaping @Sendable (ScreenOutcome) -> Void) throws {
    let words = try session.aliases.expanded(try LineTokenizer.words(line))
    guard !words.isEmpty else { return }
    try CommandNames.check(words, in: ReplWord.self)
    let command = try ReplWord.parseAsRoot(words)
    switch command {
    case is QuitCommand: onDone(ScreenOutcome(endsScreen: true))
    case is ScanCommand:
      flow.libraryActions.scan(.everything)
      onDone(ScreenOutcome(lines: ["scanning the music directory"]))
    case let command as FilterCommand:
      let lines = CapturedOutput()
      try command.run(in: session.capturing(in: lines))
      onDone(ScreenOutcome(lines: lines.output))
    case let command as any SessionCommand where Self.works(command):
      let makeSession = session.maker
      let isAccepted = viewed.perform { player in
        let lines = CapturedOutput()
        let captured = makeSession(lines, player)
        let result = Result { try (ReplWord.parseAsRoot(words) as? any SessionCommand)?.run(in: captured) }
        var shown = lines.errors + lines.output
        if case .failure(let error) = result {
          let failure = PlayerError(of: error) ?? PlayerError(.usage, ReplWord.message(for: error))
          shown += [failure.message] + failure.choices
        }
        let isFailed = if case .failure = result { true } else { false }
        onDone(ScreenOutcome(lines: Array(shown.prefix(3)), isFailed: isFailed, changesLists: true))
      }
      guard isAccepted else { throw PlayerError.tooManyRequests }
    default:
      throw PlayerError(.usage, "`\(words[0])` does not work here: use it in `segue repl`")
    }
  }

  /// Returns whether a command works on a full screen: one for the player.
  private static func works(_ command: any SessionCommand) -> Bool {
    command is any QueueStateCommand || command is any TransportCommand || command is PlayCommand
      || command is ResumeCommand || command is QueuePlayCommand
  }

  private func complete(_ text: String) -> (text: String, candidates: [String]) {
    var outcome = completion.press(text, cursor: text.endIndex)
    // Only the second press lists the candidates.
    if case .refuse = outcome { outcome = completion.press(text, cursor: text.endIndex) }
    switch outcome {
    case .insert(let insertion, let countBefore, _):
      var scalars = text.unicodeScalars
      scalars.removeLast(min(countBefore, scalars.count))
      return (String(scalars) + insertion, [])
    case .list(let candidates): return (text, candidates)
    case .refuse: return (text, [])
    }
  }
}
