// SPDX-License-Identifier: GPL-3.0-or-later

import ArgumentParser
import MusicModel
import Platform
import PlayerFlow
import PlayerPort
import Screens
import Tagging

/// The `albums` command: lists the albums in the library.
struct AlbumsCommand: SessionCommand {
  static let configuration = CommandConfiguration(
    commandName: "albums", abstract: "List the albums in the library.",
    discussion: """
      \(ListingRequest.discussion)

      Examples:
        albums
        albums genre:jazz year:1950s
        albums --sort added --reverse --limit 10
        albums plays:0 --sort added
      """)

  @Argument(help: "Query that at least one track of the album must match.")
  var query: [String] = []

  @OptionGroup var order: OrderOptions
  @OptionGroup var options: ListingOptions
  @OptionGroup var outputStyle: OutputStyleOptions

  func run(in session: Session) throws {
    let request = try ListingRequest(query, options, in: session)
    let index = request.flow.index
    try request.print(in: order.order) { window throws(LibraryError) in
      try index.albums(request.query, order: order.order, window: window)
    } marks: { ids throws(LibraryError) in
      try index.marks(ofAlbums: ids)
    }
  }
}

/// The `tracks` command: lists the tracks in the library.
struct TracksCommand: SessionCommand {
  static let configuration = CommandConfiguration(
    commandName: "tracks", abstract: "List the tracks in the library.",
    discussion: """
      \(ListingRequest.discussion)

      Examples:
        tracks artist:coltrane duration:..3:00
        tracks 'added:7d.. -live' --json
        tracks plays:0 liked:yes
      """)

  @Argument(help: "Query that the track must match.")
  var query: [String] = []

  @OptionGroup var order: OrderOptions
  @OptionGroup var options: ListingOptions
  @OptionGroup var outputStyle: OutputStyleOptions

  func run(in session: Session) throws {
    let request = try ListingRequest(query, options, in: session)
    let index = request.flow.index
    try request.print(in: order.order) { window throws(LibraryError) in
      try index.tracks(request.query, order: order.order, window: window)
    } marks: { ids throws(LibraryError) in
      try index.marks(ofTracks: ids)
    }
  }
}

/// The `artists` command: lists the artists in the library.
struct ArtistsCommand: SessionCommand {
  static let configuration = CommandConfiguration(
    commandName: "artists", abstract: "List the artists in the library.",
    discussion: """
      \(ListingRequest.discussion)

      Examples:
        artists
        artists genre:jazz
      """)

  @Argument(help: "Query that at least one track of the artist must match.")
  var query: [String] = []

  @OptionGroup var options: ListingOptions
  @OptionGroup var outputStyle: OutputStyleOptions

  func run(in session: Session) throws {
    let request = try ListingRequest(query, options, in: session)
    try request.print { window throws(LibraryError) in
      try request.flow.index.artists(request.query, window: window)
    } as: {
      ListedName(kind: .artist, entry: $0)
    }
  }
}

/// The `genres` command: lists the genres in the library.
struct GenresCommand: SessionCommand {
  static let configuration = CommandConfiguration(
    commandName: "genres", abstract: "List the genres in the library.",
    discussion: """
      \(ListingRequest.discussion)

      Examples:
        genres
        genres year:1990s
      """)

  @Argument(help: "Query that at least one track of the genre must match.")
  var query: [String] = []

  @OptionGroup var options: ListingOptions
  @OptionGroup var outputStyle: OutputStyleOptions

  func run(in session: Session) throws {
    let request = try ListingRequest(query, options, in: session)
    try request.print { window throws(LibraryError) in
      try request.flow.index.genres(request.query, window: window)
    } as: {
      ListedName(kind: .genre, entry: $0)
    }
  }
}

/// The `problems` command: lists the files that could not be added to the library, with the reasons.
struct ProblemsCommand: SessionCommand {
  static let configuration = CommandConfiguration(
    commandName: "problems", abstract: "List files that could not be added to the library.",
    discussion: """
      Examples:
        problems
        problems --json
      """)

  @OptionGroup var options: ListingOptions
  @OptionGroup var outputStyle: OutputStyleOptions

  func run(in session: Session) throws {
    let flow = try session.readFlow(options.library.request(in: session))
    _ = try ListingRun(session: session, options: options).print { window throws(LibraryError) in
      try flow.index.problems(window: window)
    } as: { (problem: ProblemEntry) in
      problem
    }
  }
}

/// The `scan` command: updates the library index from the disk.
struct ScanCommand: SessionCommand {
  static let configuration = CommandConfiguration(
    commandName: "scan", abstract: "Update the library index.",
    discussion: """
      Unchanged files are not opened. What is known of a track follows its sound: ratings, play counts, dates, measured \
      loudness, the queue and the playlists, when its file is renamed, moved or retagged, in one step or several, \
      when it is copied and the original removed, and when a directory of the library is renamed. If two files are equally \
      likely, neither is chosen. A new file in an old place is a new track. What is known of a missing file is remembered \
      for a year; --forget prints and forgets it.

      Ctrl-C interrupts the scan: what was read so far is \
      saved, and the next scan continues from there. `segue problems` lists files that could not be added.

      Examples:
        scan
        scan --library /mnt/music
        scan --library ~/Music --library /srv/music
        scan --json
      """)

  @Flag(name: .long, help: "Read all files again, even unchanged ones.")
  var again = false

  @Flag(name: .long, help: "Forget what is known of missing files, after the scan.")
  var forget = false

  @Flag(name: .long, help: "Print the result as one line of JSON.")
  var json = false

  @OptionGroup var library: LibraryOptions
  @OptionGroup var outputStyle: OutputStyleOptions

  func run(in session: Session) throws {
    try session.askForLibrary(library.request(in: session))
    let request = library.request(in: session)
    let flow = try session.flow(request)
    let state = try session.scan(flow, again ? .rereading(.everything) : .everything, isSilent: json)
    if json { try session.printJSON(PlayerEvent.Scan(state)) } else { session.printRemark(ScanOutput(state).text) }
    if forget { try self.forget(flow, in: session) }
    let absent = state.isAbsent ? request.roots.paths : state.summary?.absentDirectories ?? []
    if let absent = LibraryRoots(absent) {
      let problem =
        absent.isSingle
        ? "is not available: check that its drive is mounted"
        : "are not available: check that their drives are mounted"
      throw PlayerError(
        .unreadableLibrary, "\(absent) \(problem), or choose another directory with --library")
    }
  }

  /// Forgets missing files, and prints what was known of them.
  private func forget(_ flow: LibraryFlow, in session: Session) throws {
    let forgotten: [MissingTrack]
    do throws(LibraryError) { forgotten = try flow.index.forgetMissing() } catch {
      throw PlayerError(.failure, error.description)
    }
    if json {
      return try session.printJSON(
        Forgotten(
          forgotten: forgotten.map { track in
            Forgotten.Track(
              path: track.path.shown,
              stickers: Dictionary(track.stickers.map { ($0.name, $0.value) }, uniquingKeysWith: { $1 }))
          }))
    }
    for track in forgotten where !track.stickers.isEmpty {
      let known = track.stickers.map { "\($0.name) \($0.value)" }.joined(separator: ", ")
      session.printLine(data: "\(track.path.shown): \(known)")
    }
    session.printRemark(
      forgotten.isEmpty
        ? "no file is missing" : "forgot \(forgotten.count) missing \(forgotten.count == 1 ? "file" : "files")")
  }

  private struct Forgotten: Encodable {
    struct Track: Encodable {
      let path: String
      let stickers: [String: String]
    }

    let forgotten: [Track]
  }
}
