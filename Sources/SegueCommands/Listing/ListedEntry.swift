/// An entry of a listing: as cells of a table, and as an object for scripts.
protocol ListedEntry {
  /// How the cells stand in their columns.
  static var table: Table { get }
  /// The cells, not yet safe for a terminal.
  var cells: [String] { get }
  /// What `--json` prints of it.
  var object: ListedObject { get }
}
