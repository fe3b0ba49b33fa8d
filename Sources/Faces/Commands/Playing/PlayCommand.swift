// SPDX-License-Identifier: GPL-3.0-or-later

import ArgumentParser
import Flux
import MusicModel
import Platform
import PlayerFlow
import PlayerPort
import Screens
import SystemPackage
import Tagging

/// The `play` command: finds an album and plays it, or resumes playback.
struct PlayCommand: SessionCommand {
  static let configuration = CommandConfiguration(
    commandName: "play", _superCommandName: "segue",
    abstract: "Play an album, or resume playback.",
    discussion: """
      ALBUM is an album's title, the beginning of the title, or any part of it, in that order of preference; case, accents and character \
      width do not matter. ARTIST/ALBUM selects one of several albums with the same title. ALBUM may also be a path to a file or directory, \
      or a query such as \
      'artist:coltrane year:1957..1965 -live' (see `segue help queries`).

      TRACK is a number, DISC-TRACK (such as 2-5), or a title matched in the same way.

      Keys: space pauses, left and right seek by 10 seconds, up and down by a minute, n skips to the next track, + and - change \
      the volume, ? lists the keys, q quits.

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

  func run(in session: Session) throws {
    guard let album else { return try ResumeCommand(options).run(in: session) }
    // While a running player is looked for, the search in this process is prepared.
    var search =
      session.player == nil ? try? PreparedSearch(for: album, session.silentFinder(request(in: session))) : nil
    try options.withRunningPlayer(in: session) { player, changes in
      session.printLocation(of: request(in: session))
      let library = LibraryChoice(
        roots: LibraryRoots(options.library.map { FilePath(typed: $0) }),
        dataDirectory: options.dataDir.map { FilePath(typed: $0) })
      let music = MusicRequest(.typed([TypedText(album)], track: track.map { TypedText($0) }), in: library)
      guard case .playing(let started) = try session.send(.play(music, changes), to: player) else {
        throw PlayerError.unexpectedReply
      }
      session.printMatches(started.matches)
      session.printRemark(TrackLine.text(started, session.outputStyle))
      session.hasAnnouncedTrack = true
      try session.showPlayer(player)
    } orElse: {
      try play(album, search.take(), in: session)
    }
  }

  private func request(in session: Session) -> LibraryRequest {
    LibraryRequest(
      roots: options.library(in: session), dataDirectory: options.dataDirectory(in: session), in: session)
  }

  /// Finds the tracks, and plays them in this process until playback ends.
  private func play(_ album: String, _ search: PreparedSearch?, in session: Session) throws {
    let request = request(in: session)
    session.printLocation(of: request)
    let search = try search ?? PreparedSearch(for: album, session.silentFinder(request))
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
struct ResumeCommand: SessionCommand {
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

  init() {}

  /// Creates the command with options that have been parsed already.
  init(_ options: PlayerOptions) { self.options = options }

  func run(in session: Session) throws {
    try options.withRunningPlayer(in: session) { player, changes in
      _ = try session.send(.resume(changes), to: player)
      try session.showPlayer(player)
    } orElse: {
      try PlayerRun(session, options).run { player, events in
        try player.resume { events.post(.failed($0)) }
      }
    }
  }
}
