/// What is asked: first pages, and texts as they grow under the user's hands.
enum Questions {
  /// Queries of tracks and albums, from what nearly all answer to what few or none do.
  static let queries = [
    "", "the", "love you", "\"love you\"", "genre:jazz", "genre:jazz -live", "-live", "artist:miro",
    "composer:ra",
    "year:1957..1965", "year:1980s genre:fado", "duration:9:30..", "genre:jazz genre:metal", "jazz or metal",
    "s",
    "title:=Blue", "format:opus", "夜", "ко", "bits:24", "added:2020..", "added:1990", "zzzzq", "path:The",
    "(jazz or blues) (live or remix) -the", "albumartist:various genre:jazz year:1990..2005", "of the",
    "st blu",
  ]
  /// The same for artists and genres, whose names have counts.
  static let nameQueries = [
    "", "genre:jazz", "the", "year:1957", "-live", "zzzzq", "夜", "genre:fado year:1980s",
  ]
  /// What orders are asked by, each in both directions.
  static let orderedQueries = ["", "genre:jazz", "the blue", "artist:miro"]
  /// What is typed, letter by letter.
  static let typed = [
    "the blue train", "love you", "miro", "夜月", "вода", "various artists", "symphony no", "bl st", "zq",
  ]
}
