// SPDX-License-Identifier: GPL-3.0-or-later

import ArgumentParser
import MusicModel
import PlayerPort
import Playlists
import UnicodeText

/// The `playlist create` command: creates a smart playlist, whose tracks follow from rules.
struct PlaylistCreateCommand: QueueStateCommand {
  static let configuration = CommandConfiguration(
    commandName: "create", abstract: "Create a smart playlist, which is always up to date.",
    discussion: """
      The playlist consists of the tracks that match QUERY; see `segue help queries`. The rules are stored in a file that can be edited; see `segue help playlists`.

      ORDER is one or more of random, album, title, artist, year, added, duration, rating, plays, skips and played; - before a key reverses it.

      Examples:
        playlist create "Good jazz" genre:jazz rating:4.. --order -rating,random
        playlist create "Half an hour" "*" --order random --minutes 30
        playlist create "New to me" plays:0 --whole-albums --order -added
        playlist create --examples
      """)

  @Argument(help: "Name of the playlist.")
  var name: String?

  @Argument(help: "Query that the tracks match.")
  var query: [String] = []

  @Option(name: .long, parsing: .unconditional, help: "Order of the tracks. Default: that of albums.")
  var order: String?

  @Option(name: .long, help: ArgumentHelp("Maximum number of tracks.", valueName: "count"))
  var limit: Int?

  @Option(name: .long, help: ArgumentHelp("Maximum duration, in minutes.", valueName: "minutes"))
  var minutes: Double?

  @Option(name: .long, help: ArgumentHelp("Share of the tracks that match, in per cent.", valueName: "share"))
  var percent: Double?

  @Option(name: .long, help: ArgumentHelp("Maximum number of tracks of one artist.", valueName: "count"))
  var perArtist: Int?

  @Option(name: .long, help: ArgumentHelp("Maximum number of tracks of one album.", valueName: "count"))
  var perAlbum: Int?

  @Flag(name: .long, help: "Whole albums that have a track that matches.")
  var wholeAlbums = false

  @Flag(name: .long, help: "Replace a smart playlist of this name.")
  var force = false

  @Flag(name: .long, help: "Create a dozen useful playlists instead, unless they exist.")
  var examples = false

  @OptionGroup var library: LibraryOptions
  @OptionGroup var state: StateOptions

  func validate() throws {
    if examples, name != nil { throw ValidationError("use either NAME or --examples") }
    if !examples, name == nil || query.isEmpty {
      throw ValidationError("name the playlist and its query, as in: playlist create \"Good jazz\" genre:jazz")
    }
  }

  func run(in session: Session) throws {
    guard let name else {
      let changed = try session.change(.createExamples(library.choice), state)
      return session.printRemark(
        changed.count == 0
          ? "the playlists are there already"
          : "created \(ItemCount.text(changed.count, "playlist")): \(changed.name)".safeForTerminal)
    }
    var rules = SmartPlaylist(.everything)
    rules.order = try orders
    (rules.limit, rules.minutes, rules.percent) = (limit, minutes, percent)
    (rules.perArtist, rules.perAlbum, rules.hasWholeAlbums) = (perArtist, perAlbum, wholeAlbums)
    let contents = SmartPlaylistFile.contents(of: rules, query: query.joined(separator: " "))
    let request = PlaylistRequest.create(
      name, rules: String(decoding: contents, as: UTF8.self), replaces: force, library.choice)
    let created = try session.change(request, state)
    session.printRemark("created \(created.name), now with \(ItemCount.text(created.count, "track"))".safeForTerminal)
  }

  private var orders: [SmartPlaylist.Order] {
    get throws {
      try (order ?? "").split { $0 == "," || $0 == " " }.map { word in
        guard let order = SmartPlaylist.Order(word) else {
          throw PlayerError(.usage, "unknown order \"\(word)\"; `segue playlist create --help` lists the orders")
        }
        return order
      }
    }
  }
}
