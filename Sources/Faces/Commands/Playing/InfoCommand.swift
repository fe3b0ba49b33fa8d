// SPDX-License-Identifier: GPL-3.0-or-later

import ArgumentParser
import MusicModel
import Platform
import PlayerPort
import Screens
import SystemPackage
import Terminal
import UnicodeText

/// The `info` command: prints everything that is known of a track.
struct InfoCommand: QueueStateCommand {
  static let configuration = CommandConfiguration(
    commandName: "info", abstract: "Print everything that is known of a track.",
    discussion: """
      TRACK is the title of a track, a path, or an album and a track as for `play`. Printed are all tags, the path and the format of the \
      file, chapters, gains, the rating, play counts, MusicBrainz identifiers, and where the cover and the lyrics come from.

      Examples:
        info
        info "Blue in Green"
        info "Kind of Blue" 3
        info --json
      """)

  @Argument(help: ArgumentHelp("Track. Default: the current one.", valueName: "track"))
  var words: [String] = []

  @Flag(name: .long, help: "Print one line of JSON.")
  var json = false

  @OptionGroup var library: LibraryOptions
  @OptionGroup var state: StateOptions

  func run(in session: Session) throws {
    let name = words.isEmpty ? NamedTrack.current : .typed(words.map { TypedText($0) })
    let information = try session.withPlayer(.queue(state), changes: false) { player in
      try PlayerLists(player, library: library.choice).information(of: name)
    }
    if json { return try session.printJSON(ListedInformation(information)) }
    let listing = TrackListing(information)
    session.printLines(session.outputStyle.isPlain ? listing.plainLines : listing.lines)
  }
}

/// The lines that `info` prints for a track. They are never cut.
struct TrackListing {
  let rows: [(name: String, text: String)]

  init(_ information: TrackInformation) {
    let parts = [
      Self.names(information), Self.file(information), Self.chapters(information), Self.library(information),
      Self.tags(information),
    ]
    rows = parts.joined().map { ($0.0.safeForTerminal, $0.1.safeForTerminal) }
  }

  var lines: [String] {
    let width = min(20, rows.map(\.name.cellWidth).max() ?? 0)
    return rows.map { "\($0.name.padded(toCells: width))  \($0.text)" }
  }

  var plainLines: [String] { rows.map { "\($0.name): \($0.text)" } }

  private static func names(_ information: TrackInformation) -> [(String, String)] {
    let track = information.track.track
    let ordinal = { (number: Ordinal?, text: String?) in
      number.map { number in (text ?? "\(number.number)") + (number.total.map { " of \($0)" } ?? "") }
    }
    let all: [(String, String?)] = [
      ("title", track.title), ("artist", track.artistCredit), ("album", track.album),
      ("album artist", track.albumArtistCredit), ("composer", track.composers.joined(separator: ", ")),
      ("genre", track.genres.joined(separator: ", ")), ("track", ordinal(track.number, track.shownNumber)),
      ("disc", ordinal(track.disc, nil)), ("date", track.date?.text),
      ("compilation", track.isCompilation ? "yes" : nil), ("length", track.duration.map { TimeText.text($0) }),
    ]
    return all.compactMap { name, text in text.flatMap { $0.isEmpty ? nil : (name, $0) } }
      + information.sortNames.map { ("\($0.name) sorted as", $0.text) }
  }

  private static func file(_ information: TrackInformation) -> [(String, String)] {
    let track = information.track.track
    var rows = [("path", StreamAddress(track.path)?.description ?? track.path.shown)]
    if let segment = track.segment {
      let time = { (frame: Int) in
        TimeText.text(.seconds(Double(frame) / Double(TrackSegment.framesPerSecond)))
      }
      rows.append(("part of the file", "\(time(segment.start)) to \(segment.end.map(time) ?? "the end")"))
    }
    let audio = track.audio.map { audio in
      FormatText.text(sampleRate: audio.sampleRate, channels: audio.channels, bits: audio.bitDepth)
    }
    let format = [information.format, audio, information.byteCount.map { size($0) }].compactMap(\.self)
    if !format.isEmpty { rows.append(("format", format.joined(separator: ", "))) }
    let gain = information.gain
    for (name, decibels, peak) in [
      ("track gain", gain.track, gain.trackPeak), ("album gain", gain.album, gain.albumPeak),
    ] {
      let parts = [decibels.map { "\(rounded($0)) dB" }, peak.map { "peak \(rounded($0, 6))" }].compactMap(\.self)
      if !parts.isEmpty { rows.append((name, parts.joined(separator: ", "))) }
    }
    if let applied = information.appliedGain { rows.append(("applied gain", applied)) }
    rows.append(("cover", information.cover.map { text($0, in: "the tags") } ?? "none"))
    let times = information.hasLyricTimes ? ", with times" : ""
    rows.append(("lyrics", information.lyrics.map { text($0, in: "the tags") + times } ?? "none"))
    return rows + information.problems.map { ("problem", $0) }
  }

  private static func chapters(_ information: TrackInformation) -> [(String, String)] {
    information.chapters.map { ("chapter \($0.number)", "\(ChapterText.start($0))  \($0.title)") }
  }

  private static func library(_ information: TrackInformation) -> [(String, String)] {
    let positions = information.positions.map { "\($0 + 1)" }.joined(separator: ", ")
    let queue = positions.isEmpty ? [] : [("in the queue at", positions)]
    guard let known = information.known else { return [("library", "not in the library")] + queue }
    let stars = { (halves: Int) in "\(StatusListing.decimal(Double(halves) / 2)) of 5 stars" }
    let album = known.albumRating.map { [("album rating", stars($0))] } ?? []
    let last = known.lastPlayed.flatMap { day($0) }.map { ", last on \($0)" } ?? ""
    let lastSkip = known.lastSkipped.flatMap { day($0) }.map { ", last on \($0)" } ?? ""
    let liked = known.isLiked.map { [("liked", $0 ? "yes" : "no")] } ?? []
    let skips = known.skipCount > 0 ? [("skips", "\(known.skipCount)\(lastSkip)")] : []
    let left = known.elapsed.flatMap { Duration(reportedSeconds: $0) }
    let elapsed = left.map { [("left at", TimeText.text($0))] } ?? []
    return [("rating", known.rating.map(stars) ?? "none")] + album + liked + [("plays", "\(known.playCount)\(last)")]
      + skips + elapsed
      + (known.added.flatMap { day($0) }.map { [("added", $0)] } ?? [])
      + known.otherStickers.map { ("sticker \($0.name)", $0.text) } + queue
  }

  private static func tags(_ information: TrackInformation) -> [(String, String)] {
    information.musicBrainz.map { ("MusicBrainz \($0.name)", $0.text) }
      + information.tags.map { tag in
        // Lyrics are texts of their own, for which there is a command.
        let isLyrics = ["LYRICS", "SYNCEDLYRICS", "UNSYNCEDLYRICS"].contains(tag.name)
        return ("tag \(tag.name)", isLyrics ? "\(tag.text.count) characters; see `segue lyrics`" : tag.text)
      }
  }

  private static func text(_ origin: TrackInformation.Origin, in tags: String) -> String {
    switch origin {
    case .file(let path): path.path.shown
    case .tag(let name): "in \(tags) (\(name))"
    }
  }

  private static func size(_ bytes: Int64) -> String {
    bytes < 1 << 20 ? "\(bytes) bytes" : "\(rounded(Double(bytes) / Double(1 << 20), 1)) MiB"
  }

  private static func rounded(_ number: Double, _ digits: Int = 2) -> String {
    let scale = (0..<digits).reduce(1.0) { scale, _ in scale * 10 }
    return StatusListing.decimal((number * scale).rounded() / scale)
  }

  /// Returns the day of a time in seconds since 1970.
  private static func day(_ seconds: Int64) -> String? {
    LocalTime(secondsSince1970: seconds)?.day.text
  }
}

/// The JSON object that `info --json` prints.
struct ListedInformation: Encodable {
  /// Where a cover or lyrics were found.
  struct Origin: Encodable {
    /// The file beside the track; `nil` if it is a tag.
    let path: String?
    /// The tag, or the type of the picture, in the track's own file; `nil` if it is a file beside it.
    let tag: String?
    /// Whether the lyrics have times.
    let synced: Bool?

    init(_ origin: TrackInformation.Origin, isSynced: Bool? = nil) {
      switch origin {
      case .file(let path): (self.path, tag) = (path.path.string, nil)
      case .tag(let name): (path, tag) = (nil, name)
      }
      synced = isSynced
    }
  }

  let type = "information"
  let track: ListedObject
  let format: String?
  let bytes: Int64?
  let sortNames: [String: String]
  let musicBrainz: [String: [String]]
  let replayGain: TrackInformation.Gain
  let appliedGain: String?
  let tags: [String: [String]]
  let chapters: [ListedChapter]?
  let rating: Int?
  let albumRating: Int?
  let playCount: Int?
  let lastPlayed: Int64?
  let elapsed: Double?
  let stickers: [String: String]?
  let positions: [Int]
  let cover: Origin?
  let lyrics: Origin?
  let problems: [String]

  init(_ information: TrackInformation) {
    var track = ListedObject(.track)
    track.setTrack(information.track.track)
    track.id = information.known?.id
    track.added = information.known?.added
    self.track = track
    (format, bytes) = (information.format, information.byteCount)
    sortNames = Dictionary(information.sortNames.map { ($0.name, $0.text) }, uniquingKeysWith: { first, _ in first })
    musicBrainz = Dictionary(grouping: information.musicBrainz, by: \.name).mapValues { $0.map(\.text) }
    (replayGain, appliedGain) = (information.gain, information.appliedGain)
    tags = Dictionary(grouping: information.tags, by: \.name).mapValues { $0.map(\.text) }
    chapters = information.chapters.isEmpty ? nil : information.chapters
    let known = information.known
    (rating, albumRating) = (known?.rating, known?.albumRating)
    (playCount, lastPlayed, elapsed) = (known?.playCount, known?.lastPlayed, known?.elapsed)
    stickers = known.map { known in
      Dictionary(known.otherStickers.map { ($0.name, $0.text) }, uniquingKeysWith: { first, _ in first })
    }
    positions = information.positions.map { $0 + 1 }
    cover = information.cover.map { Origin($0) }
    lyrics = information.lyrics.map { Origin($0, isSynced: information.hasLyricTimes) }
    problems = information.problems
  }
}

extension FormatText {
  /// Returns the description of the format of a track.
  fileprivate static func text(sampleRate: Int, channels: Int, bits: Int?) -> String {
    let sound = channels == 1 ? "mono" : channels == 2 ? "stereo" : "\(channels) channels"
    return ([bits.map { "\($0) bits" }, "\(sampleRate) Hz", sound] as [String?]).compactMap(\.self)
      .joined(separator: ", ")
  }
}
