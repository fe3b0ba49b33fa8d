// SPDX-License-Identifier: GPL-3.0-or-later

import ArgumentParser
import MusicModel
import PlayerPort
import Screens
import UnicodeText

/// The `rate` command: rates a track or an album.
struct RateCommand: RatingCommand {
  static let configuration = CommandConfiguration(
    commandName: "rate", abstract: "Rate a track or an album with stars.",
    discussion: """
      \(trackDiscussion) With --album, it may also be an album, which is rated as a whole, apart from its tracks. Ratings \
      can be queried, as in `segue tracks rating:4..` and `segue albums albumrating:4..`, and MPD clients see them.

      Examples:
        rate 4
        rate 3.5 "Blue in Green"
        rate 0 "Kind of Blue" 3
        rate --album 4.5
        rate --album 4 "Kind of Blue"
      """)

  @Argument(help: "Stars from 0 to 5, in steps of 0.5; 0 removes the rating.")
  var stars: String

  @Argument(help: ArgumentHelp("Track. Default: the current one.", valueName: "track"))
  var words: [String] = []

  @Flag(name: .long, help: "Rate the album of the track.")
  var album = false

  @OptionGroup var library: LibraryOptions
  @OptionGroup var state: StateOptions

  var mark: TrackMark {
    get throws(PlayerError) {
      guard let halves = HalfStars.parse(stars) else {
        throw PlayerError(
          .usage, "invalid rating \"\(stars.brief)\": use 0 to 5 stars, in steps of 0.5, as in `segue rate 3.5`")
      }
      return album ? .albumRating(halves) : .rating(halves)
    }
  }
}

/// The `like` command: notes that the user likes a track.
struct LikeCommand: RatingCommand {
  static let configuration = CommandConfiguration(
    commandName: "like", abstract: "Like a track.",
    discussion: """
      \(trackDiscussion) What you like can be queried, as in `segue tracks liked:yes`, and MPD clients see it.

      Examples:
        like
        like "Blue in Green"
        like --remove
      """)

  @Argument(help: ArgumentHelp("Track. Default: the current one.", valueName: "track"))
  var words: [String] = []

  @Flag(name: .long, help: "Remove the like.")
  var remove = false

  @OptionGroup var library: LibraryOptions
  @OptionGroup var state: StateOptions

  var mark: TrackMark { .liked(!remove) }
}

/// A command that notes what the user thinks of a track.
protocol RatingCommand: QueueStateCommand {
  /// The words for the track; none for the current one.
  var words: [String] { get }
  var library: LibraryOptions { get }
  /// What is noted.
  var mark: TrackMark { get throws(PlayerError) }
}

extension RatingCommand {
  static var trackDiscussion: String {
    "TRACK is the title of a track, a path, or an album and a track as for `play`."
  }

  func run(in session: Session) throws {
    let track = words.isEmpty ? NamedTrack.current : .typed(words.map { TypedText($0) })
    let request = PlayerRequest.rate([track], try mark, library.choice)
    guard case .rated(let rated) = try session.send(request, to: .queue(state), changes: false) else { return }
    session.confirm(rated.text.safeForTerminal)
  }
}
