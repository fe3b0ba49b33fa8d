// SPDX-License-Identifier: GPL-3.0-or-later

import ArgumentParser
import MusicModel
import Platform
import PlayerFlow
import PlayerPort
import Screens
import SystemPackage
import Tagging
import Terminal
import UnicodeText

/// The `lyrics` command: prints the lyrics of the current track, or of a file.
struct LyricsCommand: QueueStateCommand {
  static let configuration = CommandConfiguration(
    commandName: "lyrics", abstract: "Print the lyrics of the current track, or of a file.",
    discussion: """
      Lyrics are read from a file beside the track with the same name and the suffix lrc or txt, or from the tags of the track. The full \
      screen shows them in time with the music.

      Examples:
        lyrics
        lyrics ~/Music/Low/02.flac
        lyrics --json
      """)

  @Argument(help: "File whose lyrics to print.")
  var file: String?

  @Flag(name: .long, help: "Print one JSON object per line, with the times.")
  var json = false

  @OptionGroup var state: StateOptions

  func run(in session: Session) throws {
    let path =
      try file.map { try FilePath(typed: $0).absolute() }
      ?? session.withPlayer(.queue(state), changes: false) { player in
        try player.queue(0..<0).current.flatMap { try player.queue($0..<$0 + 1).rows.first?.track.path }
      }
    guard let path else {
      throw PlayerError(.nothingPlayable, "there is no current track: name a file, as in `lyrics FILE`")
    }
    guard (try? FileStatus(of: path))?.kind == .regular else {
      throw PlayerError(.notFound, "\(path.shown) is not a file")
    }
    let found: Lyrics?
    do throws(LyricsProblem) { found = try Lyrics.find(of: path, reach: .anywhere)?.lyrics } catch {
      throw PlayerError(.notFound, "no lyrics for \(path.shown): \(error.description)")
    }
    guard let lyrics = found else {
      throw PlayerError(
        .notFound, "no lyrics for \(path.shown): put a file with the same name and the suffix lrc or txt beside it")
    }
    if lyrics.isCut {
      session.printError("segue: these are only the first \(Lyrics.lineLimit) lines of the lyrics", level: .warning)
    }
    guard json else { return session.printLines(data: lyrics.lines.map(\.text.safeForTerminal)) }
    for line in lyrics.lines { try session.printJSON(ListedLyrics(line)) }
  }
}

/// The JSON object that `lyrics --json` prints for each line.
struct ListedLyrics: Encodable, Equatable {
  /// A part of the line that begins at a time of its own.
  struct Part: Encodable, Equatable {
    /// The number of characters of the line before the part.
    let offset: Int
    /// The time at which the part begins, in seconds from the start of the track.
    let seconds: Double
  }

  let type = "lyrics"
  let text: String
  /// The time at which the line begins, in seconds from the start of the track; absent if it has none.
  let seconds: Double?
  /// The parts with times of their own; absent if there are none.
  let parts: [Part]?

  init(_ line: Lyrics.Line) {
    text = line.text
    seconds = line.start.map { $0 / .seconds(1) }
    parts = line.parts.isEmpty ? nil : line.parts.map { Part(offset: $0.offset, seconds: $0.start / .seconds(1)) }
  }
}
