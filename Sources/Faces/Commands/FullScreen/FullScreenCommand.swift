// SPDX-License-Identifier: GPL-3.0-or-later

import ArgumentParser
import Flux
import Platform
import PlayerFlow
import PlayerPort
import Screens
import Synchronization
import SystemPackage
import Terminal

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
  var inline: Bool? { options.inline }

  func run(in session: Session) throws {
    guard session.canDraw, StandardStream.input.isTerminal else {
      var repl = try ReplCommand.parse([])
      repl.options = options
      return try repl.run(in: session)
    }
    try session.askForLibrary(options.libraryRequest(in: session))
    // Signals can be received only on the main thread, before other threads are started.
    let events = try EventQueue<ViewEvent>()
    let watch = try SignalWatch(ProcessSignal.allCases) { events.post(.signal($0)) }
    try withExtendedLifetime(watch) { try run(in: session, events) }
  }

  private func run(in session: Session, _ events: EventQueue<ViewEvent>) throws {
    let socket = session.socket(options.socket, stateDirectory: options.stateDir)
    let stateDirectory = options.stateDirectory(in: session)
    let own = session.repl(options)
    var screen: Screen?
    var isUnreachable = false
    while true {
      let player: RunningPlayer
      do {
        player = try RunningPlayer(own, options, stateDirectory: stateDirectory, unlessAt: socket)
      } catch let error as PlayerRunsElsewhereError {
        // If the other player ends, this process becomes the player.
        switch try showPlayer(in: own, options.libraryChoice(in: session), events, &screen) {
        case .left(let status)?:
          session.status = status
          return
        case .over?: isUnreachable = false
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
    _ events: EventQueue<ViewEvent>, startingAt screen: Screen?
  ) throws {
    var server: ServedPlayer?
    let outcome = Result {
      player.prepareOutput()
      player.awaitRecall()
      let request = own.libraryRequest()
      _ = try own.flow(request)
      own.follow(request)
      server = player.serve(at: socket)
      var role = ViewedPlayer.Role()
      role.reportsEarlierProblems = true
      role.takeWarnings = { own.takeWarnings() }
      return try view(
        player.port, role, own, request, options.libraryChoice(in: session), events,
        ScreenOpening(screen, quitting: .ask, isInline: session.isInline)
      ).ending
    }
    let status: ExitStatus? = if case .success(.left(let status)) = outcome { status } else { nil }
    let end = Result { () throws(PlayerError) in try player.shutDown(server, after: status) }
    if case .left(let status) = try outcome.get() { session.status = status }
    try end.get()
  }

  /// Shows the player in another process until the user leaves, or that player ends. Returns `nil` if no player
  /// listens.
  private func showPlayer(
    in attached: Session, _ library: LibraryChoice?, _ events: EventQueue<ViewEvent>, _ screen: inout Screen?
  ) throws -> FullScreenView.Ending? {
    let target = PlayerTarget(socket: options.socket, stateDir: options.stateDir, needsRunningPlayer: true)
    guard let player = try attached.runningPlayer(target) else { return nil }
    attached.player = player
    let request = attached.libraryRequest()
    _ = try attached.flow(request)
    let opening = ScreenOpening(screen, quitting: .leave, isInline: attached.isInline)
    let shown = try view(player, ViewedPlayer.Role(), attached, request, library, events, opening)
    screen = shown.screen
    return shown.ending
  }

  /// Shows a player until the user leaves, or it ends.
  private func view(
    _ player: any PlayerPort, _ role: ViewedPlayer.Role, _ session: Session, _ request: LibraryRequest,
    _ library: LibraryChoice?, _ events: EventQueue<ViewEvent>, _ opening: ScreenOpening
  ) throws -> (ending: FullScreenView.Ending, screen: Screen) {
    let viewed = try ViewedPlayer(player, role)
    defer { viewed.end() }
    let services = ScreenServices(session, request, library, player, viewed).full()
    let view = FullScreenView(session, of: viewed, services, events: events, opening)
    return (try view.run(), view.screen)
  }
}
