// SPDX-License-Identifier: GPL-3.0-or-later

/// Smart playlists that users can create at once, as a beginning.
public enum SmartPlaylistExamples {
  /// The names of the playlists, and the contents of their files.
  public static let all: [(name: String, rules: String)] = [
    ("Recently added", "query = \"added:90d..\"\norder = \"-added\"\nlimit = 200\n"),
    ("Recently played", "query = \"played:30d..\"\norder = \"-played\"\nlimit = 100\n"),
    ("Most played", "query = \"plays:1..\"\norder = \"-plays\"\nlimit = 100\n"),
    ("Never played", "query = \"plays:0\"\norder = \"random\"\nlimit = 100\n"),
    ("Favourites", "query = \"rating:4.. or liked:yes\"\norder = \"-rating random\"\n"),
    (
      "Forgotten favourites",
      "query = \"(rating:4.. or liked:yes) -played:6m..\"\norder = \"random\"\nlimit = 50\n"
    ),
    ("Not rated yet", "query = \"rating:0 plays:3..\"\norder = \"-plays\"\nlimit = 100\n"),
    ("Often skipped", "query = \"skips:3..\"\norder = \"-skips\"\nlimit = 100\n"),
    (
      "Best albums of the 1990s",
      "query = \"rating:1.. year:1990s\"\norder = \"-rating\"\nwhole-albums = true\nlimit = 200\n"
    ),
    (
      "Albums to discover", "query = \"plays:0 rating:0\"\norder = \"random\"\nwhole-albums = true\nlimit = 100\n"
    ),
    (
      "On this day",
      """
      comment = "What was played one, two and three years ago, give or take three days"
      query = "listened:368d..362d or listened:733d..727d or listened:1098d..1092d"
      order = "-plays"

      """
    ),
    ("Half an hour", "query = \"*\"\norder = \"random\"\nminutes = 30\nper-artist = 1\n"),
  ]
}
