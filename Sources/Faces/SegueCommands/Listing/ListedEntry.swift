/// An entry of a listing: as cells of a table, as a line that is read aloud, and as an object for scripts.
protocol ListedEntry {
  /// How the cells stand in their columns.
  static var table: Table { get }
  /// What stands above the columns on a terminal.
  static var headings: [String] { get }
  /// The cells, not yet safe for a terminal.
  var cells: [String] { get }
  /// What `--plain` prints of it.
  var plain: PlainLine { get }
  /// Whose style its row has on a terminal, if any.
  var role: Palette.Role? { get }
  /// What `--json` prints of it.
  var object: ListedObject { get }
  /// What it is for a command that is given its number; `nil` where commands take no such thing.
  var reference: ListedReference? { get }
}

extension ListedEntry {
  var role: Palette.Role? { nil }
  var reference: ListedReference? { nil }
}
