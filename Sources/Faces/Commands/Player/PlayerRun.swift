// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import LibraryScanning
import MusicModel
import Platform
import PlayerFlow
import PlayerPort
import Screens
import SystemPackage
import Terminal

/// A player in the foreground, from its start to its end.
struct PlayerRun {
  /// Returns the index of the library if it is open. Called after playback has started.
  var openIndex: () -> (any BrowsableLibrary)? = { nil }

  /// Repeats a search that was ambiguous, with the answer that the user chose.
  var lookUpAgain: ((PlayerError, _ answer: String) throws -> Lookup)?

  private let session: Session
  private let options: PlayerOptions
  private let events: EventQueue<ViewEvent>
  private let watch: SignalWatch

  /// Prepares to run a player with `options`, and starts catching signals. Call this on the main thread, before any
  /// threads other than worker threads are started.
  ///
  /// - Throws: `Errno` if no thread can be created.
  init(_ session: Session, _ options: PlayerOptions) throws {
    self.session = session
    self.options = options
    let events = try EventQueue<ViewEvent>()
    self.events = events
    watch = try SignalWatch(ProcessSignal.allCases) { events.post(.signal($0)) }
  }

  /// Creates the player, calls `begin` to start playback, and shows the player until playback ends.
  func run(_ begin: (RunningPlayer, EventQueue<ViewEvent>) throws -> Void) throws {
    let player: RunningPlayer
    do {
      player = try RunningPlayer(session, options, stateDirectory: options.stateDirectory(in: session))
    } catch let error as PlayerRunsElsewhereError {
      // This process may wait for the other player to end, and then needs the signals.
      watch.forward {
        events.takeAll().compactMap { event in if case .signal(let signal) = event { signal } else { nil } }
      }
      throw error
    }
    let viewed = try viewed(player)
    var server: ServedPlayer?
    let outcome = Result {
      try begin(player, events)
      player.prepareOutput()
      return try withExtendedLifetime(watch) {
        // Nothing else is started before the first sound is audible.
        try show(viewed, player) { server = serve(player) }
      }
    }
    // What the last keys have requested is performed before the player ends.
    viewed.end()
    let end = Result { () throws(PlayerError) in try player.shutDown(server, after: try? outcome.get()) }
    session.status = try outcome.get()
    try end.get()
  }

  /// Shows the player until playback ends, and returns the exit status. Calls `onFirstSound` once.
  private func show(
    _ viewed: ViewedPlayer, _ player: RunningPlayer, _ onFirstSound: @escaping () -> Void
  ) throws(PlayerError) -> ExitStatus {
    guard session.canDraw, !session.outputStyle.isQuiet else {
      let view = ForegroundView(session, of: viewed, events: events)
      (view.onFirstSound, view.lookUpAgain) = (onFirstSound, lookUpAgain(with: player))
      return try view.run()
    }
    var opening = ScreenOpening(.nowPlaying, quitting: .stop, isInline: session.isInline)
    (opening.printsMessages, opening.waitsForSound) = (true, true)
    let request = options.libraryRequest(in: session)
    let services = ScreenServices(session, request, nil, player.port, viewed).full(onFirstSound)
    let view = FullScreenView(session, of: viewed, services, events: events, opening)
    view.lookUpAgain = lookUpAgain(with: player)
    switch try view.run() {
    case .left(let status): return status
    case .over: return try viewed.status()
    }
  }

  /// Returns a closure that repeats an ambiguous lookup with the answer that the user chose, and plays what it finds.
  private func lookUpAgain(with player: RunningPlayer) -> ((PlayerError, String) throws(PlayerError) -> Void)? {
    guard let lookUpAgain else { return nil }
    return { [events] error, answer throws(PlayerError) in
      let lookup: Lookup
      do { lookup = try lookUpAgain(error, answer) } catch {
        throw PlayerError(.failure, "not enough system resources (\(error)); close other programs and try again")
      }
      Self.play(lookup, with: player, events)
    }
  }

  /// Returns the player as the view shows it, which ends with playback.
  private func viewed(_ player: RunningPlayer) throws(Errno) -> ViewedPlayer {
    var role = ViewedPlayer.Role()
    let services = session.services
    role.endsWithPlayback = true
    role.isReachable = player.persister.ownership == .own
    (role.outlivesTerminal, role.reportsEarlierProblems) = (true, true)
    role.takeWarnings = { [session] in session.takeWarnings() }
    role.status = { () throws(PlayerError) in
      let state = services.playback.state
      if let error = state.outputError { throw PlayerError(.noOutput, error.description) }
      if state.startedCount == 0, !state.problems.isEmpty {
        throw PlayerError(.nothingPlayable, "nothing in \(services.queue.queue.title) could be played")
      }
      return .success
    }
    return try ViewedPlayer(player.port, role)
  }

  /// Plays the tracks that `lookup` finds, and reports problems to the view through `events`.
  static func play(_ lookup: Lookup, with player: RunningPlayer, _ events: EventQueue<ViewEvent>) {
    player.play(lookup, onProblems: { events.post(.skipped($0)) }, onFailure: { events.post(.failed($0)) })
  }

  /// Starts following changes of the library, and starts the server. If the server cannot be started, playback
  /// continues without it.
  private func serve(_ player: RunningPlayer) -> ServedPlayer? {
    session.follow(options.libraryRequest(in: session), index: openIndex())
    return player.serve(at: session.socket(options.socket, stateDirectory: options.stateDir))
  }
}
