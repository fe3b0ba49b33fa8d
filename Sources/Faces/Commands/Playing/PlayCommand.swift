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

      TRACK is a number, DISC-TRACK (such as 2-5), or a title matched in the same way; in a playlist, a number counts the tracks. Words \
      that belong together need no quotation marks if nothing else is meant by them.

      Keys: space pauses, [ and ] seek by 10 seconds, ( and ) by a minute, > goes to the next track, + and - change the volume, ? lists \
      the keys, q quits.

      Examples:
        play "Kind of Blue"
        play "Miles Davis/Kind of Blue" 3
        play 'artist:coltrane year:1957..1965 -live'
        play ~/Music/Low --output wav:low.wav
      """)

  @Argument(
    help: ArgumentHelp(
      "Album title, ARTIST/ALBUM, path or query, then the track to start with. Default: resume the queue.",
      valueName: "album"))
  var words: [String] = []

  @OptionGroup var options: PlayerOptions

  var outputStyle: OutputStyleOptions { options.outputStyle }
  var inline: Bool? { options.inline }

  func run(in session: Session) throws {
    if words.isEmpty { return try ResumeCommand(options).run(in: session) }
    try options.play(.words(words), in: session)
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
  var inline: Bool? { options.inline }

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
