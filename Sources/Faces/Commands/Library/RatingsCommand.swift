// SPDX-License-Identifier: GPL-3.0-or-later

import ArgumentParser
import FoundationEssentials
import MusicModel
import Platform
import PlayerPort
import Screens
import SystemPackage
import Tagging
import UnicodeText

/// The `ratings` command and its subcommands: copies ratings and counts between libraries, and to other programs.
struct RatingsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "ratings", abstract: "Export, import and write ratings and counts.",
    discussion: """
      Examples:
        ratings export > ratings.jsonl
        ratings import ratings.jsonl
        ratings write
      """,
    subcommands: [RatingsExportCommand.self, RatingsImportCommand.self, RatingsWriteCommand.self])
}

/// The `ratings export` command: prints what is known of tracks, besides their tags.
struct RatingsExportCommand: SessionCommand {
  static let configuration = CommandConfiguration(
    commandName: "export", abstract: "Print ratings, likes and counts as lines of JSON.",
    discussion: """
      Each line is a track that is rated (or whose album is), liked, or was played or skipped: path, title, artist, album, seconds, start (in \
      the file), rating and albumRating (in half stars), liked, plays, skips, lastPlayed and lastSkipped (seconds since 1970). Ratings in the tags of files are left out.

      Example:
        ratings export > ratings.jsonl
      """)

  @OptionGroup var library: LibraryOptions
  @OptionGroup var outputStyle: OutputStyleOptions

  /// The number of tracks that are read at once.
  private static let pageSize = 500

  func run(in session: Session) throws {
    let flow = try session.readFlow(library.request(in: session))
    let query = LibraryQuery.any(
      [.rating, .albumRating, .liked, .plays, .skips].map { .number($0, QueryRange(from: 1, to: nil)) })
    var offset = 0
    while true {
      let page = try flow.index.tracks(
        query, order: LibraryOrder(), window: .init(offset: offset, limit: Self.pageSize)
      ).elements
      let lines = try page.map { RatedLine($0.track, try flow.index.stickers(of: $0.id)) }
      for line in lines where line.isNoted { try session.printJSON(line) }
      offset += page.count
      if page.count < Self.pageSize { return }
    }
  }
}

/// The `ratings import` command: notes what `ratings export` has printed.
struct RatingsImportCommand: SessionCommand {
  static let configuration = CommandConfiguration(
    commandName: "import", abstract: "Import ratings, likes and counts from lines of JSON.",
    discussion: """
      The lines are those of `ratings export`. A track is matched by its path or, if the path is not in the library, by title, artist, \
      album and duration, provided that exactly one track matches. Ratings in the file replace those in the library (an albumRating that of \
      the album), and likes are added; nothing is removed. Of counts and dates, the higher value is kept.

      Example:
        ratings import ratings.jsonl
      """)

  @Argument(help: "File to read.")
  var file: String

  @OptionGroup var library: LibraryOptions
  @OptionGroup var outputStyle: OutputStyleOptions

  /// The maximum size of the file in bytes, and the number of lines that are reported.
  private static let sizeLimit = 1 << 30
  private static let reportLimit = 10

  func run(in session: Session) throws {
    let lines = try read()
    let request = library.request(in: session)
    let flow = try session.readFlow(request)
    var unknown: [RatedLine] = []
    for line in lines {
      if let track = try line.track(in: flow.index, request.roots) {
        try line.note(track, in: flow.index)
      } else {
        unknown.append(line)
      }
    }
    for line in unknown.prefix(Self.reportLimit) {
      session.printError("segue: not in the library: \(line.path)".safeForTerminal)
    }
    if unknown.count > Self.reportLimit {
      session.printError("segue: … and \(unknown.count - Self.reportLimit) more")
    }
    session.confirm("imported \(ItemCount.text(lines.count - unknown.count, "track"))")
    guard unknown.count < max(1, lines.count) else {
      throw PlayerError(.notFound, "no track of \(file.brief) is in the library")
    }
  }

  /// Returns the lines of the file.
  ///
  /// - Throws: `PlayerError` if the file cannot be read, or if one of its lines is invalid.
  private func read() throws(PlayerError) -> [RatedLine] {
    let path = FilePath(typed: file)
    let bytes: [UInt8]
    do throws(Errno) {
      guard let found = try AtomicFile.read(path, limit: Self.sizeLimit) else { throw Errno.noSuchFileOrDirectory }
      bytes = found
    } catch {
      throw PlayerError(.failure, "cannot read \(path.shown): \(error)")
    }
    guard bytes.count <= Self.sizeLimit else { throw PlayerError(.failure, "\(path.shown) is too large") }
    var lines: [RatedLine] = []
    for (index, line) in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).enumerated() {
      if line.allSatisfy({ $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\r") }) { continue }
      guard let decoded = try? JSONDecoder().decode(RatedLine.self, from: Data(line)), decoded.isValid else {
        throw PlayerError(
          .usage, "line \(index + 1) of \(path.shown) is not valid: use a file written by `segue ratings export`")
      }
      lines.append(decoded)
    }
    return lines
  }
}

/// A line of JSON with what is known of a track.
struct RatedLine: Codable, Equatable {
  /// The absolute path of the file.
  let path: String
  let title: String
  let artist: String?
  let album: String?
  let seconds: Double?
  /// Where the track begins in its file, in seconds; `nil` for a whole file.
  let start: Double?
  let rating: Int?
  let albumRating: Int?
  let liked: Bool?
  let plays: Int64?
  let skips: Int64?
  let lastPlayed: Int64?
  let lastSkipped: Int64?

  init(_ track: Track, _ stickers: [Sticker]) {
    let number = { (name: String) in
      stickers.first { $0.name == name }.flatMap { Int64($0.value) }.flatMap { $0 > 0 ? $0 : nil }
    }
    path = track.path.string
    title = track.title
    artist = track.artists.first
    album = track.album
    seconds = track.duration.map { $0 / .seconds(1) }
    start = track.segment.map { Double($0.start) / Double(TrackSegment.framesPerSecond) }
    let isOwn = number(Sticker.rating) != number(Sticker.tagRating)
    let halves = { (number: Int64?) in
      number.flatMap { Int(exactly: $0) }.flatMap { HalfStars.range.contains($0) ? $0 : nil }
    }
    rating = halves(isOwn ? number(Sticker.rating) : nil)
    albumRating = halves(number(Sticker.albumRating))
    liked = number(Sticker.like) == 2 ? true : nil
    plays = number(Sticker.playCount)
    skips = number(Sticker.skipCount)
    lastPlayed = number(Sticker.lastPlayed)
    lastSkipped = number(Sticker.lastSkipped)
  }

  /// Whether anything is known of the track besides its tags.
  var isNoted: Bool { rating != nil || albumRating != nil || liked != nil || [plays, skips].contains { $0 != nil } }

  /// Whether the numbers are in their ranges.
  var isValid: Bool {
    [rating, albumRating].allSatisfy { HalfStars.range.contains($0 ?? 0) }
      && [plays, skips, lastPlayed, lastSkipped].allSatisfy { ($0 ?? 0) >= 0 }
  }

  /// Returns the ID of the track in a library; `nil` if it is not in it, or if several are equally likely.
  func track(in index: any MusicLibrary, _ roots: LibraryRoots) throws(LibraryError) -> Int64? {
    let names = LibraryQuery.conjunction(
      [.text(.title, TextPattern(title, kind: .exact))]
        + (artist.map { [.text(.artist, TextPattern($0, kind: .exact))] } ?? [])
        + (album.map { [.text(.album, TextPattern($0, kind: .exact))] } ?? []))
    let window = LibraryPage<TrackEntry>.Window(limit: 100)
    if let relative = roots.relative(FilePath(path)) {
      let query = LibraryQuery.text(.path, TextPattern(relative.string, kind: .exact))
      let found = try index.tracks(query, order: LibraryOrder(), window: window).elements
      if let entry = found.first(where: { $0.track.path.string == path && isSame($0.track) }) { return entry.id }
    }
    let found = try index.tracks(names, order: LibraryOrder(), window: window).elements.filter { entry in
      guard let seconds, let duration = entry.track.duration else { return true }
      return abs(duration / .seconds(1) - seconds) < 2
    }
    return found.count == 1 ? found[0].id : nil
  }

  /// Whether `track`, in the same file, is the same part of it.
  private func isSame(_ track: Track) -> Bool {
    let own = track.segment.map { Double($0.start) / Double(TrackSegment.framesPerSecond) }
    return own == nil && start == nil || abs((own ?? 0) - (start ?? -1)) < 0.01
  }

  /// Notes the values of the line for a track.
  func note(_ track: Int64, in index: any MusicLibrary) throws(LibraryError) {
    let present = try index.stickers(of: track)
    let number = { (name: String) in present.first { $0.name == name }.flatMap { Int64($0.value) } ?? 0 }
    if let rating, rating > 0 { try index.set(Sticker(name: Sticker.rating, value: "\(rating)"), of: track) }
    let ofAlbum = albumRating.map { Sticker(name: Sticker.albumRating, value: "\($0)") }
    if let ofAlbum, ofAlbum.value != "0", !present.contains(ofAlbum) { try index.set(ofAlbum, of: track) }
    if liked == true { try index.set(Sticker(name: Sticker.like, value: "2"), of: track) }
    let counts = [
      (Sticker.playCount, plays), (Sticker.skipCount, skips), (Sticker.lastPlayed, lastPlayed),
      (Sticker.lastSkipped, lastSkipped),
    ]
    for case (let name, let value?) in counts where value > number(name) {
      try index.set(Sticker(name: name, value: "\(value)"), of: track)
    }
  }
}
