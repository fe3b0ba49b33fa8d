import Platform
import Screens
import SystemPackage
import Terminal
import UnicodeText
import UserSettings

/// Prints the entries of a listing as they come.
///
/// On a terminal they stand in columns of the window's width, below headings unless it is to be quiet, and what is
/// longer than the screen goes to a pager. Elsewhere each is a line of fields between tabs; where lines are plain, a
/// ``PlainLine``, and no pager stands between; with `--json`, of JSON.
///
/// A class: of a generic struct that cannot be copied, Swift 6.3's optimiser releases a part too often.
final class ListingPrinter<Entry: ListedEntry> {
  private let session: Session
  private let isJSON: Bool
  private let columns: Int?
  private let isPlain: Bool
  private let palette: Palette
  private let pages: PagedLines
  private var widths: [Int]?
  /// What counts for the widths of the columns beside the first entries.
  private let widest: [Entry]
  /// What is still to stand above the entries.
  private var heading: String?
  /// What is still to stand above the columns.
  private var headings: [String]?

  /// A printer for `session`, with `heading` above the entries on a terminal.
  ///
  /// The columns are as wide as the first entries that are printed need them, and those of `widest`. A pager shows the
  /// entry `first` first, counted from 1, where it can.
  init(
    _ session: Session, isJSON: Bool, mayPage: Bool, heading: String? = nil, first: Int? = nil,
    widest: [Entry] = []
  ) {
    self.session = session
    self.isJSON = isJSON
    isPlain = session.manner.isPlain
    palette = session.palette
    columns = session.soundGoesToStandardOutput || isPlain ? nil : session.columns
    self.heading = heading
    headings = columns == nil || isJSON || session.manner.isQuiet ? nil : Entry.headings
    self.widest = widest
    let linesAbove = (heading == nil ? 0 : 1) + (headings == nil ? 0 : 1)
    pages = PagedLines(
      session, mayPage: mayPage && !isJSON && columns != nil, firstLine: first.map { $0 + linesAbove })
  }

  /// Prints these, and says whether anybody reads on.
  func print(_ entries: [Entry]) throws(CommandError) -> Bool {
    let lines: [String]
    if isJSON {
      lines = entries.compactMap { JSONText.text($0.object) }
    } else if isPlain {
      let title = entries.isEmpty ? nil : heading.take()
      let texts =
        [title?.safeForTerminal].compactMap { $0 } + zip(entries, entries.map(\.plain.text)).map(styled)
      lines = texts.map(session.manner.signed)
    } else if let columns {
      let rows = entries.map { $0.cells.map(\.safeForTerminal) }
      let above = entries.isEmpty ? nil : headings.take()
      let widths =
        self.widths
        ?? Entry.table.widths(
          (above.map { [$0] } ?? []) + rows + widest.map { $0.cells.map(\.safeForTerminal) }, columns: columns)
      self.widths = widths
      let title = entries.isEmpty ? nil : heading.take()
      let texts =
        ([title?.safeForTerminal.truncated(toCells: columns)].compactMap { $0 }
        + Entry.table.lines(above.map { [$0] } ?? [], widths: widths, columns: columns))
        .map { palette[.heading].applied(to: $0) }
        + zip(entries, Entry.table.lines(rows, widths: widths, columns: columns)).map(styled)
      lines = texts.map(session.manner.signed)
    } else {
      lines = entries.map { styled($0, $0.cells.map(\.safeForTerminal).joined(separator: "\t")) }
    }
    return try pages.write(lines)
  }

  private func styled(_ entry: Entry, _ line: String) -> String {
    entry.role.map { palette[$0].applied(to: line) } ?? line
  }

  /// Prints a line below the entries, for people.
  func printBelow(_ line: String) throws(CommandError) {
    guard !isJSON, isPlain || columns != nil else { return }
    let line = line.safeForTerminal
    _ = try pages.write([session.manner.signed(columns.map { line.truncated(toCells: $0) } ?? line)])
  }

  /// Waits until all is read.
  func finish() throws(CommandError) { try pages.finish() }
}

/// Lines on their way to standard output, as they are, or to a pager as soon as they are more than the screen holds.
final class PagedLines {
  private let session: Session
  /// The room that there is before a pager is needed; `nil` where none is.
  private let room: Int?
  private let firstLine: Int?
  private var waiting: [String] = []
  private var pager: Pager?

  /// Lines for the terminal of `session`, or for the process that has asked for them, which has its own pager. A pager
  /// shows the line `firstLine` first, counted from 1, where it can.
  init(_ session: Session, mayPage: Bool, firstLine: Int? = nil) {
    self.session = session
    self.firstLine = firstLine
    if case .remote = session.face {
      session.firstLine = firstLine
      room = nil
    } else {
      let screen = mayPage && session.manner.draws ? StandardStream.output.terminalSize : nil
      // The prompt that follows takes a line.
      room = Pager.command == nil ? nil : screen.map { $0.rows - 1 }
    }
  }

  /// Takes `lines`, and says whether anybody reads on.
  func write(_ lines: [String]) throws(CommandError) -> Bool {
    guard let room else {
      session.say(data: lines)
      return session.sayingFailure == nil
    }
    waiting += lines
    if pager == nil {
      guard waiting.count > room else { return true }
      guard let command = Pager.command, let started = try? Pager(command, line: firstLine) else {
        return flush()
      }
      pager = consume started
    }
    let text = waiting.map { $0 + "\n" }.joined()
    waiting = []
    do throws(Errno) {
      try pager?.write(text)
      return true
    } catch {
      return false
    }
  }

  private func flush() -> Bool {
    for line in waiting { session.say(data: line) }
    waiting = []
    return session.sayingFailure == nil
  }

  /// Lets out what is left, and waits until all is read.
  func finish() throws(CommandError) {
    if let pager = pager.take() {
      pager.finish()
    } else {
      for line in waiting { session.say(data: line) }
    }
    try session.checkThatAllIsSaid()
  }
}
