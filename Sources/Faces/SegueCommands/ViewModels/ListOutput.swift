/// What a list shows. Its texts are not yet safe for a terminal.
struct ListOutput<Row: Sendable & Equatable>: Sendable, Equatable {
  /// What is shown: the listing with the query, the filters and the order that the rows answer.
  var title: String
  /// The query, or the text that is searched for, as it is typed now.
  var text: String
  /// The rows.
  var rows: [Row] = []
  /// Whether there are more behind the last row.
  var hasMore = false
  /// Whether rows are being read: the first, more of them, or those of what is wanted now instead of these.
  var isLoading = false
  /// Why there are no rows, or no more, for what is wanted.
  var problem: ViewProblem?

  /// The line below the rows: what is going on, or that there is nothing.
  var note: String? {
    if let problem { return "\(problem.message); \(problem.advice)" }
    if isLoading { return "loading…" }
    return rows.isEmpty ? "nothing found" : nil
  }
}
