// SPDX-License-Identifier: GPL-3.0-or-later

import Platform
import PlayerPort
import Screens
import SystemPackage
import Terminal
import UnicodeText
import UserSettings

/// Prints the entries of a listing as they arrive.
///
/// On a terminal, entries are printed in columns that fit the window, below headings unless output is quiet. A pager
/// shows a listing that is longer than the screen. On a pipe, each entry is a line of tab-separated fields. In plain
/// style it is a ``PlainLine``, and with `--json` a line of JSON, both without a pager.
///
/// This is a class because the optimiser of Swift 6.3 releases a part of a non-copyable generic struct too often.
final class ListingPrinter<Entry: ListedEntry> {
  private let session: Session
  private let isJSON: Bool
  private let columns: Int?
  private let isPlain: Bool
  private let palette: Palette
  private let pages: PagedLines
  private var widths: [Int]?
  /// Entries that determine the column widths in addition to the first entries that are printed.
  private let widest: [Entry]
  /// The heading above the entries; `nil` if there is none, or after it has been printed.
  private var heading: String?
  /// The column headings; `nil` if there are none, or after they have been printed.
  private var headings: [String]?

  /// Creates a printer for `session`.
  ///
  /// - Parameters:
  ///   - heading: The heading to print above the entries on a terminal.
  ///   - first: The number of the entry, counted from 1, at which a pager starts if it can.
  ///   - widest: Entries that determine the column widths in addition to the first entries that are printed.
  init(
    _ session: Session, isJSON: Bool, mayPage: Bool, heading: String? = nil, first: Int? = nil,
    widest: [Entry] = []
  ) {
    self.session = session
    self.isJSON = isJSON
    isPlain = session.outputStyle.isPlain
    palette = session.palette
    columns = session.soundGoesToStandardOutput || isPlain ? nil : session.columns
    self.heading = heading
    headings = columns == nil || isJSON || session.outputStyle.isQuiet ? nil : Entry.headings
    self.widest = widest
    let linesAbove = (heading == nil ? 0 : 1) + (headings == nil ? 0 : 1)
    pages = PagedLines(
      session, mayPage: mayPage && !isJSON && columns != nil, firstLine: first.map { $0 + linesAbove })
  }

  /// Prints entries. Returns `false` if the reader no longer accepts output, for example because the pager was left.
  func print(_ entries: [Entry]) throws(PlayerError) -> Bool {
    let lines: [String]
    if isJSON {
      lines = entries.compactMap { JSONText.text($0.object) }
    } else if isPlain {
      let title = entries.isEmpty ? nil : heading.take()
      let texts =
        [title?.safeForTerminal].compactMap { $0 } + zip(entries, entries.map(\.plain.text)).map(styled)
      lines = texts.map(session.outputStyle.withSupportedSymbols)
    } else if let columns {
      let rows = entries.map { $0.cells.map(\.safeForTerminal) }
      let headerRow = entries.isEmpty ? nil : headings.take()
      let widths =
        self.widths
        ?? Entry.table.widths(
          (headerRow.map { [$0] } ?? []) + rows + widest.map { $0.cells.map(\.safeForTerminal) }, columns: columns)
      self.widths = widths
      let title = entries.isEmpty ? nil : heading.take()
      let texts =
        ([title?.safeForTerminal.truncated(toCells: columns)].compactMap { $0 }
        + Entry.table.lines(headerRow.map { [$0] } ?? [], widths: widths, columns: columns))
        .map { palette[.heading].applied(to: $0) }
        + zip(entries, Entry.table.lines(rows, widths: widths, columns: columns)).map(styled)
      lines = texts.map(session.outputStyle.withSupportedSymbols)
    } else {
      lines = entries.map { styled($0, $0.cells.map(\.safeForTerminal).joined(separator: "\t")) }
    }
    return try pages.write(lines)
  }

  private func styled(_ entry: Entry, _ line: String) -> String {
    entry.role.map { palette[$0].applied(to: line) } ?? line
  }

  /// Prints a line below the entries, except with `--json` and in tab-separated output.
  func printBelow(_ line: String) throws(PlayerError) {
    guard !isJSON, isPlain || columns != nil else { return }
    let line = line.safeForTerminal
    _ = try pages.write([session.outputStyle.withSupportedSymbols(columns.map { line.truncated(toCells: $0) } ?? line)])
  }

  /// Prints what is left, and waits until the user leaves the pager, if there is one.
  func finish() throws(PlayerError) { try pages.finish() }
}

/// Lines of output that go directly to standard output, or to a pager as soon as they do not fit on the screen.
final class PagedLines {
  private let session: Session
  /// The number of lines that are printed without a pager; `nil` if no pager is used.
  private let unpagedLimit: Int?
  private let firstLine: Int?
  private var pendingLines: [String] = []
  private var pager: Pager?

  /// Creates output for the terminal of `session`.
  ///
  /// - Parameter firstLine: The line, counted from 1, at which a pager starts if it can.
  init(_ session: Session, mayPage: Bool, firstLine: Int? = nil) {
    self.session = session
    self.firstLine = firstLine
    let screen = mayPage && session.outputStyle.draws ? StandardStream.output.terminalSize : nil
    // One row is left for the prompt.
    unpagedLimit = Pager.command == nil ? nil : screen.map { $0.rows - 1 }
  }

  /// Writes `lines`. Returns `false` if the reader no longer accepts output, for example because the pager was left.
  func write(_ lines: [String]) throws(PlayerError) -> Bool {
    guard let unpagedLimit else {
      session.printLines(data: lines)
      return session.outputError == nil
    }
    pendingLines += lines
    if pager == nil {
      guard pendingLines.count > unpagedLimit else { return true }
      guard let command = Pager.command, let started = try? Pager(command, line: firstLine) else {
        return flush()
      }
      pager = consume started
    }
    let text = pendingLines.map { $0 + "\n" }.joined()
    pendingLines = []
    do throws(Errno) {
      try pager?.write(text)
      return true
    } catch {
      return false
    }
  }

  private func flush() -> Bool {
    for line in pendingLines { session.printLine(data: line) }
    pendingLines = []
    return session.outputError == nil
  }

  /// Writes the remaining lines, and waits until the user leaves the pager, if there is one.
  func finish() throws(PlayerError) {
    if let pager = pager.take() {
      pager.finish()
    } else {
      for line in pendingLines { session.printLine(data: line) }
    }
    try session.checkThatAllIsPrinted()
  }
}
