import MusicModel

/// What there is to choose from while a line is typed. Its calls are quick, give nothing where something is wrong, and
/// give of what may be meant by a text the best first.
protocol CompletionSource {
  /// The albums that may be meant by `text`, each as the text that finds it again.
  func albums(_ text: String) -> [String]

  /// The titles of albums that may be meant by `text`.
  func titles(_ text: String) -> [String]

  /// The tracks of the album that `album` names, in playing order; none where it names none, or several.
  func tracks(ofAlbum album: String) -> [Track]

  /// The names of the saved lists.
  func listNames() -> [String]

  /// The values of `kind` that may be meant by `text`. The filters of that kind narrow them only where
  /// `isNarrowedByItself`.
  func values(of kind: LibraryFilters.Kind, _ text: String, isNarrowedByItself: Bool) -> [String]

  /// The values of `kind` that are chosen.
  func chosenValues(of kind: LibraryFilters.Kind) -> [String]

  /// The outputs that can be named, each with what it is.
  func outputs() -> [(String, note: String)]

  /// The names in the directory that the user means by `path`, of directories and of what can be played; directories
  /// end with a slash.
  func names(inDirectory path: String) -> [String]
}
