// SPDX-License-Identifier: GPL-3.0-or-later

import ArgumentParser
import MusicModel
import Platform
import PlayerFlow
import PlayerPort
import RemoteControl
import Screens
import SystemPackage
import Tagging
import UnicodeText

/// The `ratings write` command: writes the user's ratings into the tags of files.
struct RatingsWriteCommand: StateCommand {
  static let configuration = CommandConfiguration(
    commandName: "write", abstract: "Write your ratings into the tags of the files.",
    discussion: """
      Writes the rating of each track that you have rated and that matches QUERY: FMPS_Rating, in MP3, WAV and AIFF also POPM, and in \
      WMA also WM/SharedUserRating. A number in RATING is changed, too; all other tags and the sound stay as they are. Files \
      that have the rating already are left alone, as are tracks of cue sheets, and the files that are playing or \
      come next; they are written the next time.

      Examples:
        ratings write --dry-run
        ratings write
        ratings write artist:coltrane
      """)

  @Argument(help: "Query that the track must match. Default: all tracks.")
  var query: [String] = []

  @Flag(name: .long, help: "Print what would be written, and write nothing.")
  var dryRun = false

  @OptionGroup var library: LibraryOptions
  @OptionGroup var state: StateOptions

  /// The number of tracks that are read at once.
  private static let pageSize = 500

  /// What has become of the files.
  private struct Outcome {
    var writtenCount = 0
    var playingCount = 0
    var hasFailed = false
  }

  func run(in session: Session) throws {
    // A signal ends the command after a file is complete.
    let signals = try EventQueue<ProcessSignal>()
    let watch = try SignalWatch([.interrupt, .quit, .terminate, .hangUp]) { signals.post($0) }
    let rated = try ratedTracks(in: session)
    let player: (any PlayerPort)? = try session.player ?? session.runningPlayer(.queue(state))
    var outcome = Outcome()
    for (path, rating) in rated {
      if let status = signals.takeAll().lazy.compactMap(\.endingStatus).first { throw EndedBySignal(status: status) }
      write(rating, to: path, unlessIn: player?.snapshot.nowPlaying.files ?? [], &outcome, session)
    }
    withExtendedLifetime(watch) {}
    let count = ItemCount.text(outcome.writtenCount, "rating")
    session.confirm(dryRun ? "\(count) would be written" : "wrote \(count)")
    if outcome.playingCount > 0 {
      let files = ItemCount.text(outcome.playingCount, "file")
      session.printError("segue: left out \(files) that the player is about to read; run the command again later")
    }
    if outcome.hasFailed { session.status = .failure }
  }

  /// Returns the files of the tracks that the user has rated and that match the query, with their ratings. Tracks of
  /// cue sheets are left out, since several share a file.
  private func ratedTracks(in session: Session) throws -> [(path: FilePath, rating: Int)] {
    let index = try session.readFlow(library.request(in: session)).index
    let language = session.services.library.access.language
    let matching = try language.query(query.joined(separator: " "), LibraryFilters())
    let rated = LibraryQuery.conjunction([matching, .number(.rating, QueryRange(from: 1, to: nil))])
    var found: [(FilePath, Int)] = []
    var (offset, hasMore) = (0, true)
    while hasMore {
      let page = try index.tracks(rated, order: LibraryOrder(), window: .init(offset: offset, limit: Self.pageSize))
      for entry in page.elements where entry.track.segment == nil {
        let line = RatedLine(entry.track, try index.stickers(of: entry.id))
        if let rating = line.rating { found.append((entry.track.path, rating)) }
      }
      offset += page.elements.count
      hasMore = page.hasMore
    }
    return found
  }

  private func write(
    _ rating: Int, to path: FilePath, unlessIn playing: [FilePath], _ outcome: inout Outcome, _ session: Session
  ) {
    guard TagWriter.rating(of: path) != rating else { return }
    guard !playing.contains(path) else { return outcome.playingCount += 1 }
    if dryRun {
      session.printLine("\(HalfStars.text(rating)) \(path.shown)".safeForTerminal)
    } else {
      do throws(TagWriterError) { try TagWriter.write(rating: rating, to: path) } catch {
        session.printError("segue: \(path.shown): \(error)".safeForTerminal)
        return outcome.hasFailed = true
      }
    }
    outcome.writtenCount += 1
  }
}

extension NowPlaying {
  /// The files that a player reads now or soon.
  fileprivate var files: [FilePath] { ([track].compactMap(\.self) + next.prefix(1)).map(\.path) }
}
