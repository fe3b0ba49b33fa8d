// SPDX-License-Identifier: GPL-3.0-or-later

import ArgumentParser
import Flux
import MusicModel
import Platform
import PlayerFlow
import PlayerPort
import Screens
import SystemPackage

/// The `play` command: finds an album and plays it, or resumes playback.
struct PlayCommand: PlayerCommand {
  static let configuration = CommandConfiguration(
    commandName: "play", _superCommandName: "segue",
    abstract: "Play an album, or resume playback.",
    discussion: """
      ALBUM is an album's title, the beginning of the title, or any part of it, in that order of preference; case, accents and character \
      width do not matter. ARTIST/ALBUM selects one of several albums with the same title. ALBUM may also be a path to a file or directory, \
      or a query such as \
      'artist:coltrane year:1957..1965 -live' (see `segue help queries`).

      TRACK is a number, DISC-TRACK (such as 2-5), or a title matched in the same way.

      Keys: space pauses, left and right seek by 10 seconds, up and down by a minute, n and p skip to the next and previous \
      track, + and - change the volume, ? lists the keys, q quits.

      Examples:
        play "Kind of Blue"
        play "Miles Davis/Kind of Blue" 3
        play 'artist:coltrane year:1957..1965 -live'
        play ~/Music/Low --output wav:low.wav
      """)

  @Argument(
    help: "Album title, ARTIST/ALBUM, path or query. Default: resume the queue.")
  var album: String?

  @Argument(help: "Track to start with. Default: the first.")
  var track: String?

  @OptionGroup var options: PlayerOptions

  var outputStyle: OutputStyleOptions { options.outputStyle }

  var showsPlayer: Bool { true }
  func wantsOwnPlayer(_ services: Services) -> Bool { options.rendersFile(services) }
  var socketText: String? { options.socket }
  var stateDirectoryText: String? { options.stateDir }

  func prepare(in session: Session) {
    guard let album, !session.origin.isPlayer else { return }
    session.preparedSearch = try? PreparedSearch(for: album, session.silentFinder(request(in: session)))
  }

  func run(in session: Session) throws {
    guard let album else { return try ResumeCommand(options).run(in: session) }
    if session.origin.isPlayer {
      try enqueue(album, in: session, session.finder(request(in: session)))
    } else {
      try play(album, in: session)
    }
  }

  private func request(in session: Session) -> LibraryRequest {
    LibraryRequest(
      roots: options.library(in: session), dataDirectory: options.dataDirectory(in: session), in: session)
  }

  /// Finds the tracks, and makes the running player play them.
  private func enqueue(_ album: String, in session: Session, _ finder: CollectionFinder) throws {
    try options.checkFixedOptions(in: session)
    let services = session.services
    let found = try finder.find(album: album, track: track)
    for problem in found.problems { session.printError("segue: skipped \(problem)") }
    session.printMatches(of: album, found.collection)
    try found.collection.check(isNotWrittenTo: session.outputFile)
    try options.apply(to: services.actions, services.playback.state)
    let problemNumber = services.playback.state.problems.last?.number ?? 0
    services.actions.enqueue(found.collection, item: found.item)
    session.printRemark(TrackLine.text(index: found.item, in: found.collection, session.outputStyle))
    session.hasAnnouncedTrack = true
    session.reportDisabledOutput()
    if case .remote = session.origin { try awaitStart(of: found.collection.title, after: problemNumber, in: session) }
  }

  /// Waits until the player has started something, or has failed to; then the command fails, too. `problemNumber` is
  /// the number of the last problem before.
  private func awaitStart(of title: String, after problemNumber: Int, in session: Session) throws {
    let (playback, isKnown) = (session.services.playback, Latch())
    session.services.actions.awaitDelivery()
    let subscription = playback.observe { state in
      if !state.hasRequest || state.phase != .playing || state.connectionFailure != nil { isKnown.open() }
    }
    _ = isKnown.wait(until: MonotonicInstant.now.advanced(byMilliseconds: Self.startMilliseconds))
    subscription.cancel()
    let state = playback.state
    for problem in state.problems where problem.number > problemNumber && problem.isSkipped {
      session.printError("segue: skipped \(problem.error)")
    }
    if let failure = state.connectionFailure {
      throw PlayerError(.nothingPlayable, "\(title): \(PlaybackNotices.connectsAgain(failure))")
    }
    if state.unplayableError != nil { throw PlayerError(.nothingPlayable, "nothing in \(title) could be played") }
  }

  /// How long to wait for the player, in milliseconds: a server may take a while to answer.
  private static let startMilliseconds: UInt64 = 10_000

  /// Finds the tracks, and plays them in this process until playback ends.
  private func play(_ album: String, in session: Session) throws {
    let request = request(in: session)
    session.printLocation(of: request)
    let search =
      try session.preparedSearch.take() ?? PreparedSearch(for: album, session.silentFinder(request))
    var run = try PlayerRun(session, options)
    // The lookup runs while the player is being created.
    let finder = search.finder
    search.lookup.begin { [track] () throws(PlayerError) in try finder.find(album: album, track: track) }
    run.openIndex = { finder.library.openIndex }
    var chosen = (album: album, track: track)
    run.lookUpAgain = { error, answer in
      if error.ambiguousText == chosen.track { chosen.track = answer } else { chosen.album = answer }
      let lookup = try Lookup {}
      lookup.begin { [chosen] () throws(PlayerError) in try finder.find(album: chosen.album, track: chosen.track) }
      return lookup
    }
    try run.run { player, events in PlayerRun.play(search.lookup, with: player, events) }
  }
}

/// The `resume` command: resumes playback.
struct ResumeCommand: PlayerCommand {
  static let configuration = CommandConfiguration(
    commandName: "resume", abstract: "Resume playback.",
    discussion: """
      Resumes a player that is paused or stopped. If no player is running, starts one with the saved queue, at the \
      position where playback stopped. `segue play` without an album does the same.

      Examples:
        resume
        resume --volume 60
      """)

  @OptionGroup var options: PlayerOptions

  var outputStyle: OutputStyleOptions { options.outputStyle }

  var showsPlayer: Bool { true }
  func wantsOwnPlayer(_ services: Services) -> Bool { options.rendersFile(services) }
  var socketText: String? { options.socket }
  var stateDirectoryText: String? { options.stateDir }

  /// Creates the command for the argument parser.
  init() {}

  /// Creates the command with options that have been parsed already.
  init(_ options: PlayerOptions) { self.options = options }

  func run(in session: Session) throws {
    guard session.origin.isPlayer else {
      return try PlayerRun(session, options).run { player, events in
        try player.resume { events.post(.failed($0)) }
      }
    }
    try options.checkFixedOptions(in: session)
    if session.services.queue.queue.items.isEmpty { throw PlayerError.emptyQueue }
    try options.apply(to: session.services.actions, session.services.playback.state)
    session.services.actions.resume()
    session.reportDisabledOutput()
  }
}
