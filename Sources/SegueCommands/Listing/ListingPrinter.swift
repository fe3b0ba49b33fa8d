import Platform
import SystemPackage
import UnicodeText

/// Prints the entries of a listing as they come.
///
/// On a terminal they stand in columns of the window's width, and what is longer than the screen goes to a pager. Elsewhere each is a line of fields
/// between tabs; with `--json`, of JSON.
///
/// A class: of a generic struct that cannot be copied, Swift 6.3's optimiser releases a part too often.
final class ListingPrinter<Entry: ListedEntry> {
  private let session: Session
  private let isJSON: Bool
  private let columns: Int?
  private let pages: PagedLines
  private var widths: [Int]?
  /// What counts for the widths of the columns beside the first entries.
  private let widest: [Entry]
  /// What is still to stand above the entries.
  private var heading: String?

  /// A printer for `session`, with `heading` above the entries on a terminal.
  ///
  /// The columns are as wide as the first entries that are printed need them, and those of `widest`. A pager shows the line `firstLine` first,
  /// counted from 1, where it can.
  init(
    _ session: Session, isJSON: Bool, mayPage: Bool, heading: String? = nil, firstLine: Int? = nil,
    widest: [Entry] = []
  ) {
    self.session = session
    self.isJSON = isJSON
    let size = StandardStream.output.terminalSize
    columns = session.soundGoesToStandardOutput ? nil : size?.columns
    self.heading = heading
    self.widest = widest
    pages = PagedLines(
      session, screen: mayPage && !isJSON && columns != nil ? size : nil, firstLine: firstLine)
  }

  /// Prints these, and says whether anybody reads on.
  func print(_ entries: [Entry]) throws(CommandError) -> Bool {
    let lines: [String]
    if isJSON {
      lines = entries.compactMap { JSONText.text($0.object) }
    } else if let columns {
      let rows = entries.map { $0.cells.map(\.safeForTerminal) }
      let widths =
        self.widths
        ?? Entry.table.widths(rows + widest.map { $0.cells.map(\.safeForTerminal) }, columns: columns)
      self.widths = widths
      let title = entries.isEmpty ? nil : heading.take()
      lines =
        (title.map { [$0.safeForTerminal.truncated(toCells: columns)] } ?? [])
        + Entry.table.lines(rows, widths: widths, columns: columns)
    } else {
      lines = entries.map { $0.cells.map(\.safeForTerminal).joined(separator: "\t") }
    }
    return try pages.write(lines)
  }

  /// Prints a line below the entries, on a terminal.
  func printBelow(_ line: String) throws(CommandError) {
    guard let columns, !isJSON else { return }
    _ = try pages.write([line.safeForTerminal.truncated(toCells: columns)])
  }

  /// Waits until all is read.
  func finish() throws(CommandError) { try pages.finish() }
}
