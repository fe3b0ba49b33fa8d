/// How much is said besides what was asked for.
enum Verbosity: String, CaseIterable {
  /// Nothing but that and errors: no progress, no summary, no track that begins, no hint.
  case quiet
  /// What most want to know.
  case normal
  /// Also, on standard error, what is done on the way: which files are read, what a query matched, where the sound
  /// goes.
  case verbose
}
