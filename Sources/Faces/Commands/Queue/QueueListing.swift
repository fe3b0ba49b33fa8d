// SPDX-License-Identifier: GPL-3.0-or-later

import ArgumentParser
import MusicModel
import Platform
import PlayerFlow
import PlayerPort
import Screens
import SystemPackage
import Terminal
import UnicodeText
import UserSettings

/// Prints the items of a queue, page by page.
struct QueueListing {
  /// The number of rows that are requested at a time.
  private static let pageSize = 2_000
  /// The last line at which a pager may start. To start further down, it would have to wait for all rows above.
  private static let lineLimit = 10_000

  /// Returns the rows in a range of the queue that exist.
  let rows: (Range<Int>) throws(PlayerError) -> QueueRows
  let options: WindowOptions
  /// The maximum time in milliseconds to wait for a disk that does not respond.
  var timeoutMilliseconds: UInt64 = 2_000
  /// Whether a file is missing; `nil` if that cannot be determined. May block.
  var isMissing: @Sendable (FilePath) -> Bool? = Self.isMissingOnDisk

  /// Prints the requested part of the queue and, on a terminal, a summary below it.
  func print(in session: Session) throws(PlayerError) {
    let isForPeople = session.outputStyle.isForPeople && !options.json && !session.outputStyle.isQuiet
    let offset = options.offset ?? 0
    let (pageEnd, overflows) = offset.addingReportingOverflow(min(options.limit ?? Self.pageSize, Self.pageSize))
    let first = try rows(offset..<(overflows ? .max : pageEnd))
    let count = first.summary.count
    defer { if let warning = first.warning { session.printError("segue: \(warning)") } }
    var seen = first.directory.map { ListedQueue(of: $0) }
    defer { if let seen { session.seenQueue?.store(seen) } }
    if count == 0 {
      if isForPeople { session.printRemark(first.summary.emptyText) }
      return
    }
    let start = min(offset, count)
    let end = start + min(options.limit ?? count, count - start)
    let currentLine = first.current.flatMap { (start..<end).contains($0) ? $0 - start + 1 : nil }
    var widest: [ListedItem] = []
    for position in [count - 1, first.current].compactMap(\.self) {
      widest += entries(try rows(position..<position + 1), missing: nil)
    }
    let printer = ListingPrinter<ListedItem>(
      session, isJSON: options.json, mayPage: !options.noPager,
      first: currentLine.flatMap { $0 <= Self.lineLimit ? $0 : nil }, widest: widest)
    var isResponding = true
    for offset in stride(from: start, to: end, by: Self.pageSize) {
      let page = try offset == start ? first : rows(offset..<min(offset + Self.pageSize, end))
      for (index, row) in page.rows.enumerated() { seen?.append(row.id, at: page.offset + index) }
      let missing = isResponding ? missingFlags(page.rows) : nil
      if isResponding, missing == nil {
        session.printError("segue: the disk is not responding: \"missing\" marks may be out of date")
        isResponding = false
      }
      guard try printer.print(entries(page, missing: missing)) else { break }
    }
    if isForPeople { try printer.printBelow(first.summary.text(session.outputStyle)) }
    try printer.finish()
  }

  private func entries(_ page: QueueRows, missing: [Bool]?) -> [ListedItem] {
    page.rows.enumerated().map { index, row in
      let position = page.offset + index
      return ListedItem(
        position: position, id: row.id, track: row.track, isCurrent: position == page.current,
        isMissing: missing?[index] ?? row.isMissing, isRefill: row.isRefill)
    }
  }

  /// Returns, for each row, whether its file is missing; `nil` if the disk does not respond in time.
  private func missingFlags(_ rows: [QueueRows.Row]) -> [Bool]? {
    AbandonableWork.value(timeout: timeoutMilliseconds) { [isMissing] progress in
      rows.map { row in
        progress.report()
        return !progress.isAbandoned && isMissing(row.track.path) ?? row.isMissing
      }
    }
  }

  @Sendable private static func isMissingOnDisk(_ path: FilePath) -> Bool? {
    guard StreamAddress(path) == nil else { return false }
    do throws(Errno) {
      _ = try FileStatus(of: path)
      return false
    } catch {
      return error == .noSuchFileOrDirectory || error == .notDirectory ? true : nil
    }
  }
}

/// The `queue list` command, which `queue` alone also runs: shows the queue.
struct QueueListCommand: QueueStateCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "Show the queue, with the current track marked.",
    discussion: """
      Each line shows position, title, artist, album and time. If the file is missing, "missing" is shown instead of the time, and the track \
      is skipped until the file is back. On a terminal, the last line shows the length of the queue, the time left and the modes. In a pipe, \
      the fields are separated by tabs.

      Examples:
        queue
        queue list --offset 100 --limit 20
        queue --json
      """)

  @OptionGroup var window: WindowOptions
  @OptionGroup var state: StateOptions

  func run(in session: Session) throws {
    try session.withPlayer(.queue(state), changes: false) { player in
      try QueueListing(rows: { range throws(PlayerError) in try player.queue(range) }, options: window)
        .print(in: session)
    }
  }
}

/// An item of the queue in a listing.
struct ListedItem: ListedEntry {
  static var table: Table {
    Table(alignments: [.left, .right, .left, .left, .left, .right], flexible: [2, 3, 4])
  }
  static var headings: [String] { ["", "No.", "Title", "Artist", "Album", "Time"] }

  /// The position of the item, counted from 0.
  let position: Int
  /// The ID of the item, which is constant while it is in the queue.
  let id: UInt64
  let track: Track
  let isCurrent: Bool
  /// Whether the file of the item is missing.
  let isMissing: Bool
  /// Whether the item was added to keep playing.
  var isRefill = false

  var cells: [String] {
    [
      isCurrent ? ">" : isRefill ? "+" : " ", "\(position + 1)", track.title, track.artistCredit,
      track.album ?? "", isMissing ? "missing" : TimeText.text(track.duration),
    ]
  }

  var plain: PlainLine {
    PlainLine(
      track: track, number: position + 1,
      marks: [(isCurrent, "current"), (isMissing, "missing"), (isRefill, "added")])
  }

  var role: Palette.Role? { isMissing ? .error : isCurrent ? .title : nil }

  var object: ListedObject {
    var object = ListedObject(.item)
    object.position = position + 1
    object.id = Int64(clamping: id)
    object.current = isCurrent
    object.isMissing = isMissing
    object.keptPlaying = isRefill ? true : nil
    object.setTrack(track)
    return object
  }
}

extension QueueSummary {
  /// The text that is shown instead of a queue without items.
  var emptyText: String { name.map { "The queue \($0) is empty.".safeForTerminal } ?? "The queue is empty." }

  /// Returns a summary such as "work: 5 tracks, 1:20, 0:31 left · repeat all".
  func text(_ style: OutputStyle = OutputStyle()) -> String {
    let time = { (seconds: Double) in
      let duration = Duration(reportedSeconds: seconds) ?? .zero
      return style.isPlain ? TimeText.words(duration) : TimeText.text(duration)
    }
    var text =
      (name.map { "\($0): ".safeForTerminal } ?? "") + ItemCount.text(count, "track")
      + ", \(isPartial ? "at least " : "")\(time(seconds))"
    if let secondsLeft, secondsLeft != seconds { text += ", \(time(secondsLeft)) left" }
    return ([text] + ModeText.words(modes)).joined(separator: style.isPlain ? "; " : " · ")
  }
}
