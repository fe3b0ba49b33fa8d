import MusicModel

/// What is being typed.
enum CompletionSubject: Equatable {
  /// Nothing that is known.
  case nothing
  /// A command.
  case command
  /// One of the commands that follow another.
  case commands([CommandGrammar.Command])
  /// An option of the command that these words name, one behind the other.
  case option(of: [String])
  /// One of these words.
  case choice([String])
  /// A path.
  case path
  /// The path of a directory.
  case directory
  /// An album.
  case album
  /// A track of the album that is named so.
  case track(album: String)
  /// An output for sound.
  case output
  /// A saved list.
  case list
  /// A query.
  case query
  /// In a query, what stands before a colon.
  case queryField
  /// In a query, what stands behind the colon of this field.
  case queryValue(LibraryQuery.TextField)
  /// A value of a filter, which goes over all arguments from this one on.
  case filterValue(LibraryFilters.Kind, from: Int)
  /// A value that is chosen already, likewise.
  case chosenFilterValue(LibraryFilters.Kind, from: Int)

  /// Whether it is a value of a field in a query.
  var isQueryValue: Bool {
    if case .queryValue = self { true } else { false }
  }

  /// Whether signs count in what is typed, so that only a name that begins with it answers.
  var isLiteral: Bool {
    switch self {
    case .nothing, .command, .commands, .option, .choice, .path, .directory, .output, .query, .queryField:
      true
    case .album, .track, .list, .queryValue, .filterValue, .chosenFilterValue: false
    }
  }
}
