/// Whether text has colours, as `--color` takes it.
enum ColourChoice: String, CaseIterable {
  /// On a terminal, unless `$NO_COLOR` says no.
  case auto
  /// In pipes and files, too.
  case always
  case never

  /// The choice that `text` is.
  ///
  /// - Throws: `CommandError` where it is none.
  init(_ text: String) throws(CommandError) { try self.init(option: text, named: "--color") }
}
