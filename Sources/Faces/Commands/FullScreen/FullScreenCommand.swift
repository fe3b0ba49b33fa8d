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
    let attached = session.repl(
      library: options.library(in: session), stateDirectory: stateDirectory,
      dataDirectory: options.dataDirectory(in: session), origin: .attached(socket))
    var screen: Screen?
    var isUnreachable = false
    while true {
      let player: RunningPlayer
      do {
        player = try RunningPlayer(own, options, stateDirectory: stateDirectory, unlessAt: socket)
      } catch let error as PlayerRunsElsewhereError {
        // If the other player ends, this process becomes the player.
        switch try showPlayer(at: socket, attached, events, &screen) {
        case .left(let status)?:
          session.status = status
          return
        case .playerEnded?: isUnreachable = false
        case nil:
          // The player has just ended, or is about to listen; otherwise, it listens elsewhere.
          if isUnreachable { throw error.refusal }
          isUnreachable = true
        }
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
    var performer: ScreenPerformer?
    let outcome = Result {
      try view(player, own, socket, events, startingAt: screen, &server, &performer)
    }
    performer?.end()
    let status: ExitStatus? = if case .success(.left(let status)) = outcome { status } else { nil }
    let end = Result { () throws(PlayerError) in try player.shutDown(server, after: status) }
    if case .left(let status) = try outcome.get() { session.status = status }
    try end.get()
  }

  private func view(
    _ player: RunningPlayer, _ own: Session, _ socket: FilePath, _ events: EventQueue<FullScreenView.Event>,
    startingAt screen: Screen?, _ server: inout ServedPlayer?, _ createdPerformer: inout ScreenPerformer?
  ) throws -> FullScreenView.Ending {
    player.prepareOutput()
    player.awaitRecall()
    let request = LibraryRequest(roots: own.library, dataDirectory: own.dataDirectory, in: own)
    let flow = try own.flow(request)
    own.follow(request)
    if player.persister.ownership == .own {
      do throws(RemoteServerError) {
        server = try PlayerServing(socket: socket).start(own, player.persister)
      } catch {
        own.warnings.append(error.description)
      }
    }
    let run = ForwardedRun(own, player.persister)
    let performer = try ScreenPerformer(.local(run), request, by: own)
    createdPerformer = performer
    let services = try ScreenServices(own, request, flow, performer)
    let queue = own.services.queue
    let lists = services.lists(outputs: { [playback = own.services.playback] in
      Self.outputRows(own: playback.state.output?.name, isOn: playback.state.isOutputEnabled)
    }) { [index = services.index, playback = own.services.playback] offset, limit in
      let (queue, state) = (queue.queue, playback.state)
      let positions = min(offset, queue.items.count)..<min(offset + limit, queue.items.count)
      let rows = positions.map { position in
        let item = queue.items[position]
        var row = ListRow(.item(item.id.rawValue), item.track.described(by: state.sourceText(of: item)))
        row.isMissing = item.isMissing
        row.rating = index.flatMap { $0.rating(of: item.track) }
        return row
      }
      return ListPage(offset: offset, rows: rows, count: queue.items.count)
    }
    return try FullScreenView(
      own, of: LocalViewedPlayer(own, .leave, reportsEverything: true), services.full(lists), events: events,
      asksBeforeQuitting: true, startingAt: screen
    ).run()
  }

  /// Shows the player in another process until the user leaves, or that player ends. Returns `nil` if no player
  /// listens.
  private func showPlayer(
    at socket: FilePath, _ attached: Session, _ events: EventQueue<FullScreenView.Event>, _ screen: inout Screen?
  ) throws -> FullScreenView.Ending? {
    let player = try attached.attachedPlayer(at: socket)
    do throws(ControlClientError) {
      try player.beginView()
    } catch {
      if case .notListening = error {
        MonotonicInstant.now.advanced(byMilliseconds: 50).sleep()
        return nil
      }
      throw Forwarding.error(error, at: socket)
    }
    let viewed = try RemoteViewedPlayer(player, attached)
    let request = LibraryRequest(roots: attached.library, dataDirectory: attached.dataDirectory, in: attached)
    let flow = try attached.flow(request)
    let performer = try ScreenPerformer(.remote(socket), request, by: attached)
    defer {
      performer.end()
      attached.closeLibrary()
    }
    let services = try ScreenServices(attached, request, flow, performer)
    let lists = services.lists(outputs: {
      let status = player.snapshot.status
      return Self.outputRows(own: status?.output?.name, isOn: status?.isOutputEnabled ?? true)
    }) { [index = services.index, roots = request.roots] offset, limit throws(PlayerError) in
      let queue = RemoteQueue(socket: socket) { path in roots.absolute(path).flatMap { index?.rating(ofFile: $0) } }
      return try queue.page(offset, limit)
    }
    let view = try FullScreenView(
      attached, of: viewed, services.full(lists, observeLibrary: player.observeScans), events: events,
      asksBeforeQuitting: false, startingAt: screen)
    defer { screen = view.screen }
    return view.run()
  }

  private static func outputRows(own name: String?, isOn: Bool) -> [ListRow] {
    [ListRow(.output(name ?? ""), title: name ?? "no output is open", artist: isOn ? "on" : "off")]
  }
}

/// The parts of a full screen that are the same for a player in this process and in another one.
private struct ScreenServices {
  private let session: Session
  private let request: LibraryRequest
  private let flow: LibraryFlow
  private let performer: ScreenPerformer
  private let completion: ReplCompletion
  private let browsable: any BrowsableLibrary
  private let counts = ListCounts()

  init(_ session: Session, _ request: LibraryRequest, _ flow: LibraryFlow, _ performer: ScreenPerformer) throws {
    self.session = session
    self.request = request
    self.flow = flow
    self.performer = performer
    completion = ReplCompletion(session)
    guard let index = session.openFlow?.index else { throw PlayerError(.failure, "the library is not open") }
    browsable = index
  }

  /// The index, for the ratings of the items of the queue.
  var index: ScreenLists? {
    lists(outputs: { [] }) { offset, _ in ListPage(offset: offset, rows: [], count: 0) }
  }

  func lists(
    outputs: @escaping @Sendable () -> [ListRow],
    queue: @escaping @Sendable (Int, Int) throws(PlayerError) -> ListPage
  ) -> ScreenLists {
    let (request, chosen, index) = (request, session.settings.playlists, browsable)
    let probe = session.services.library.scanner.probe
    return ScreenLists(
      index: index, counts: counts,
      lists: SavedListSource { SavedLists(request, chosen: chosen, index: index, probe: probe) },
      outputs: outputs, queue: queue)
  }

  /// Returns the services for a view of `lists`.
  ///
  /// - Parameter observeLibrary: Calls its argument whenever the library may have changed, until the subscription is
  ///   cancelled; `nil` to follow the library of this process.
  func full(
    _ lists: ScreenLists, observeLibrary: ((@escaping @Sendable () -> Void) -> Subscription)? = nil
  ) -> FullScreenServices {
    let counts = counts
    let observe = observeLibrary ?? observeOwnLibrary
    return FullScreenServices(
      source: lists, rating: { lists.rating(ofFile: $0) },
      albumPath: { [browsable] album in ((try? browsable.album(album)) ?? nil)?.tracks.first?.path },
      perform: { perform($0, $1) },
      filter: { [actions = flow.searchActions] in actions.filter($0) },
      observeFilters: { [store = flow.search] receive in
        store.observe { receive($0.wanted.filters) }
      },
      observeLibrary: { receive in
        observe {
          counts.clear()
          receive()
        }
      }, complete: { complete($0) })
  }

  private func observeOwnLibrary(_ receive: @escaping @Sendable () -> Void) -> Subscription {
    let version = Mutex(flow.library.state.version)
    return flow.library.observe { state in
      let isChanged = version.withLock { version in
        defer { version = state.version }
        return version != state.version
      }
      if isChanged { receive() }
    }
  }

  private func perform(_ command: ScreenCommand, _ onDone: @escaping @Sendable (ScreenOutcome) -> Void) {
    guard case .line(let line) = command else {
      return performer.perform(command, request.roots, onDone)
    }
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
      let captured = session.capturing(in: lines)
      captured.openFlow = session.openFlow
      try command.run(in: captured)
      onDone(ScreenOutcome(lines: lines.output))
    case let command as any SessionCommand where command.forPlayer != nil:
      performer.post(words.map { Array($0.utf8) }, changesLists: true, onDone)
    default:
      throw PlayerError(.usage, "`\(words[0])` does not work here: use it in `segue repl`")
    }
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

/// The queue of a player in another process.
private struct RemoteQueue {
  private static let timeout = Duration.seconds(2)

  let socket: FilePath
  /// Returns the rating of the track whose file the player names by a path; `nil` if it has none.
  let rating: (FilePath) -> Int?

  /// Returns rows of the queue, in the order of the MPD protocol's `playlistinfo`.
  func page(_ offset: Int, _ limit: Int) throws(PlayerError) -> ListPage {
    do throws(ControlClientError) {
      var client = try ControlClient(socket, timeout: Self.timeout)
      let status = try client.send("status")
      let count = status.first { $0.0 == "playlistlength" }.flatMap { Int($0.1) } ?? 0
      guard offset < count else { return ListPage(offset: offset, rows: [], count: count) }
      let fields = try client.send("playlistinfo", ["\(offset):\(min(offset + limit, count))"])
      return ListPage(offset: offset, rows: rows(fields), count: count)
    } catch {
      throw Forwarding.error(error, at: socket)
    }
  }

  private func rows(_ fields: [(String, String)]) -> [ListRow] {
    var rows: [ListRow] = []
    for (name, value) in fields {
      if name == "file" {
        let path = FilePath(value)
        rows.append(
          ListRow(
            .file(path, number: rows.count), title: path.lastComponent?.string ?? value, rating: rating(path)))
      }
      guard var row = rows.popLast() else { continue }
      switch name {
      case "Title": row.title = value
      case "Artist": row.artist += row.artist.isEmpty ? value : ", \(value)"
      case "Album": row.album = value
      case "duration": row.duration = Double(value).flatMap { Duration(reportedSeconds: $0) }
      case "Id": row.target = UInt64(value).map { .item($0) } ?? row.target
      default: break
      }
      rows.append(row)
    }
    return rows
  }
}
