// SPDX-License-Identifier: GPL-3.0-or-later

/// The queries to measure: the first pages of lists, and searches that are repeated as the user types.
enum BenchmarkQueries {
  /// Queries for tracks and albums, from those that match nearly everything to those that match little or nothing.
  static let queries = [
    "", "the", "love you", "\"love you\"", "genre:jazz", "genre:jazz -live", "-live", "artist:miro",
    "composer:ra",
    "year:1957..1965", "year:1980s genre:fado", "duration:9:30..", "genre:jazz genre:metal", "jazz or metal",
    "s",
    "title:=Blue", "format:opus", "夜", "ко", "bits:24", "added:2020..", "added:1990", "zzzzq", "path:The",
    "(jazz or blues) (live or remix) -the", "albumartist:various genre:jazz year:1990..2005", "of the",
    "st blu",
    "rb", "raggaj rb", "artist:jpop", "listened:2024", "listened:2025-11", "genre:jazz -listened:2019 rating:4..",
  ]
  /// Queries for artists and genres, which are listed with their numbers of tracks.
  static let nameQueries = [
    "", "genre:jazz", "the", "year:1957", "-live", "zzzzq", "夜", "genre:fado year:1980s",
  ]
  /// Queries whose results are sorted by each key, in both directions.
  static let orderedQueries = ["", "genre:jazz", "the blue", "artist:miro"]
  /// Filters of lists.
  static let listFilters = ["t", "th", "the", "the blu", "love you", "rb", "zq", "夜"]
  /// Search texts that are typed letter by letter.
  static let typed = [
    "the blue train", "love you", "miro", "夜月", "вода", "various artists", "symphony no", "bl st", "zq",
    // With nothing between the letters of R&B and J-Pop, and with a slip of a finger in one or more words.
    "hiphop rb", "symphoyn", "tarin blue", "strete", "xbrain", "вдооа", "zqzqzqzq", "remxi rivre symphnoy",
  ]
}
