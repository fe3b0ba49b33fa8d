// SPDX-License-Identifier: GPL-3.0-or-later

import ArgumentParser
import PlayerFlow
import PlayerPort
import Screens
import Terminal
import UnicodeText

/// The `chapter` command: lists the chapters of the current track, or goes to one of them.
struct ChapterCommand: TransportCommand {
  static let configuration = CommandConfiguration(
    commandName: "chapter", abstract: "List the chapters of the current track, or go to one.",
    discussion: """
      CHAPTER is next, previous or a number. In the first three seconds of a chapter, `previous` goes to the one before; after that, to its \
      beginning. Beyond the first and the last chapter, both go to other tracks.

      Examples:
        chapter
        chapter next
        chapter 12
      """)

  @Argument(help: "next, previous or a number.")
  var chapter: String?

  @Flag(name: .long, help: "Print one line of JSON.")
  var json = false

  @OptionGroup var state: StateOptions

  func run(in session: Session) throws {
    guard let chapter else { return try list(in: session) }
    let words: [String: ChapterTarget] = ["next": .next, "previous": .previous]
    guard let target = words[chapter] ?? Int(chapter).map({ .number($0) }) else {
      throw PlayerError(.usage, "invalid chapter \"\(chapter)\": use next, previous or a number")
    }
    _ = try session.send(.transport(.chapter(target)), to: .player(state))
  }

  /// Prints the chapters of the current track.
  private func list(in session: Session) throws {
    let (information, current) = try session.withPlayer(.player(state), changes: false) { player in
      (try PlayerLists(player).information(of: .current), player.snapshot.status.chapterNumber)
    }
    let listing = ListedChapters(chapter: current, chapters: information.chapters)
    if json { return try session.printJSON(listing) }
    if listing.chapters.isEmpty { throw PlayerError(.notFound, "this track has no chapters") }
    session.printLines(session.outputStyle.isPlain ? listing.plainLines : listing.lines)
  }
}

/// What `chapter` prints, and with `--json` as an object.
struct ListedChapters: Encodable {
  let type = "chapters"
  /// The number of the chapter that is playing; `nil` if none is.
  let chapter: Int?
  let chapters: [ListedChapter]

  /// The lines for people: the chapter that is playing is marked.
  var lines: [String] {
    let times = chapters.map { ChapterText.start($0) }
    let cells = (chapters.map { "\($0.number)".count }.max() ?? 0, times.map(\.count).max() ?? 0)
    return zip(chapters, times).map { chapter, time in
      let mark = chapter.number == self.chapter ? ">" : " "
      let number = "\(chapter.number)".padded(toCells: cells.0, .right)
      return "\(mark) \(number)  \(time.padded(toCells: cells.1, .right))  \(chapter.title.safeForTerminal)"
    }
  }

  /// The lines in plain style.
  var plainLines: [String] {
    chapters.map { chapter in
      let current = chapter.number == self.chapter ? ", playing" : ""
      return "chapter \(chapter.number), at \(TimeText.words(.seconds(chapter.start)))\(current): "
        + chapter.title.safeForTerminal
    }
  }
}
