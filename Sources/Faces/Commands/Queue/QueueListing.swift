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
  /// The number of rows that are created at a time.
  private static let pageSize = 200
  /// The last line at which a pager may start. To start further down, it would have to wait for all rows above.
  private static let lineLimit = 10_000

  let queue: PlayQueue
  /// The state of the player in which a stream describes itself; `nil` if there is none.
  var playback: PlaybackState?
  let options: WindowOptions
  /// The maximum time in milliseconds to wait for a disk that does not respond.
  var timeoutMilliseconds: UInt64 = 2_000
  /// Whether an item's file is missing; may block.
  var isMissing: @Sendable (PlayQueue.Item) -> Bool = Self.isMissingOnDisk

  /// Prints the requested part of the queue and, on a terminal, a summary below it.
  func print(in session: Session) throws(PlayerError) {
    let isForPeople = session.outputStyle.isForPeople && !options.json && !session.outputStyle.isQuiet
    if queue.items.isEmpty {
      if isForPeople { session.printRemark("The queue is empty.") }
      return
    }
    let count = queue.items.count
    let start = min(options.offset ?? 0, count)
    let end = start + min(options.limit ?? count, count - start)
    let current = queue.currentPosition
    let currentLine = current.flatMap { (start..<end).contains($0) ? $0 - start + 1 : nil }
    let printer = ListingPrinter<ListedItem>(
      session, isJSON: options.json, mayPage: !options.noPager,
      first: currentLine.flatMap { $0 <= Self.lineLimit ? $0 : nil },
      widest: [entry(count - 1), current.map { entry($0) }].compactMap { $0 })
    var isResponding = true
    for first in stride(from: start, to: end, by: Self.pageSize) {
      let positions = first..<min(first + Self.pageSize, end)
      let items = positions.map { queue.items[$0] }
      let missing = isResponding ? missingFlags(items) : nil
      if isResponding, missing == nil {
        session.printError("segue: the disk is not responding: \"missing\" marks may be out of date")
        isResponding = false
      }
      guard try printer.print(positions.map { entry($0, isMissing: missing?[$0 - first]) }) else { break }
    }
    if isForPeople { try printer.printBelow(QueueSummary.text(queue, session.outputStyle)) }
    try printer.finish()
  }

  private func entry(_ position: Int, isMissing: Bool? = nil) -> ListedItem {
    var item = queue.items[position]
    if let text = playback?.sourceText(of: item) { item.track = item.track.described(by: text) }
    return ListedItem(
      position: position, item: item, isCurrent: position == queue.currentPosition,
      isMissing: isMissing ?? item.isMissing)
  }

  /// Returns, for each item, whether its file is missing; `nil` if the disk does not respond in time.
  private func missingFlags(_ items: [PlayQueue.Item]) -> [Bool]? {
    AbandonableWork.value(timeout: timeoutMilliseconds) { [isMissing] progress in
      items.map { item in
        progress.report()
        return !progress.isAbandoned && isMissing(item)
      }
    }
  }

  /// Returns whether the item's file is missing now. If that cannot be determined, returns the stored state.
  @Sendable private static func isMissingOnDisk(_ item: PlayQueue.Item) -> Bool {
    guard StreamAddress(item.track.path) == nil else { return false }
    do throws(Errno) {
      _ = try FileStatus(of: item.track.path)
      return false
    } catch {
      return error == .noSuchFileOrDirectory || error == .notDirectory || item.isMissing
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
  @OptionGroup var outputStyle: OutputStyleOptions

  var mayPage: Bool { !window.noPager && !window.json }

  func run(in session: Session) throws {
    let queue = try session.currentOrStoredQueue(state)
    let playback = session.origin.isPlayer ? session.services.playback.state : nil
    try QueueListing(queue: queue, playback: playback, options: window).print(in: session)
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
  let item: PlayQueue.Item
  let isCurrent: Bool
  /// Whether the file of the item is missing.
  let isMissing: Bool

  var cells: [String] {
    let track = item.track
    return [
      isCurrent ? ">" : " ", "\(position + 1)", track.title, track.artists.joined(separator: ", "),
      track.album ?? "", isMissing ? "missing" : TimeText.text(track.duration),
    ]
  }

  var plain: PlainLine {
    PlainLine(track: item.track, number: position + 1, marks: [(isCurrent, "current"), (isMissing, "missing")])
  }

  var role: Palette.Role? { isMissing ? .error : isCurrent ? .title : nil }

  var object: ListedObject {
    var object = ListedObject(.item)
    object.position = position + 1
    object.id = Int64(clamping: item.id.rawValue)
    object.current = isCurrent
    object.isMissing = isMissing
    object.setTrack(item.track)
    return object
  }
}

/// Formats a summary of a queue in one line: the number of tracks, the total and the remaining time, and the modes.
enum QueueSummary {
  /// The maximum number of items in a queue whose items are all examined. In a longer queue, this would take too long.
  private static let countLimit = 10_000

  /// Returns a summary such as "5 tracks, 1:20, 0:31 left · repeat all".
  static func text(_ queue: PlayQueue, _ style: OutputStyle = OutputStyle()) -> String {
    let total = queue.duration
    let time = { style.isPlain ? TimeText.words($0) : TimeText.text($0) }
    let count = queue.items.count
    let isPartial = count <= countLimit && queue.items.contains { $0.track.duration == nil }
    var text = ItemCount.text(count, "track") + ", \(isPartial ? "at least " : "")\(time(total))"
    if let remaining = remainingTime(of: queue), remaining < total { text += ", \(time(remaining)) left" }
    return ([text] + ModeText.words(queue.modes)).joined(separator: style.isPlain ? "; " : " · ")
  }

  /// Returns the time from the current position to the end of the queue in playing order, not counting unknown
  /// durations. Returns `nil` if there is no current item.
  private static func remainingTime(of queue: PlayQueue) -> Duration? {
    guard let position = queue.currentPosition, let current = queue.current else { return nil }
    let count = queue.items.count
    if queue.modes.random == .off {
      return max(.zero, queue.items.duration(of: position..<count) - queue.elapsed)
    }
    guard count <= countLimit else { return nil }
    var queueWithoutRepeat = queue
    queueWithoutRepeat.reduce(.setRepeat(.off))
    var remaining = Duration.zero
    var item: PlayQueue.Item? = current
    var visitedCount = 0
    while let visited = item, visitedCount < count {
      remaining += visited.track.duration ?? .zero
      item = queueWithoutRepeat.item(after: visited.id)
      visitedCount += 1
    }
    return max(.zero, remaining - queue.elapsed)
  }
}
