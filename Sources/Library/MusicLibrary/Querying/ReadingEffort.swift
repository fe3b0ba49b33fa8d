/// How much is read before another way is tried. The numbers decide on time alone, never on what is found.
struct ReadingEffort {
  /// How many tracks are few: reading these takes less time than narrowing them further.
  var few = 5_000
  /// How many tracks are read in vain, here and there in the tables, before indexes are asked.
  var patience = 1_200
  /// How many times as many are read where those of an album lie side by side.
  var locality = 4
  /// How many more are read for each one that answered.
  var patienceForEach = 40
  /// How many steps along an index are tried for each track that can answer, before all of these are read and sorted.
  var stepsPerTrack = 10
  /// How many tracks hold a word that tells too few apart.
  var many = 20_000
  /// Whether a snapshot is used where there is one.
  var usesSnapshot = true

  /// With a snapshot, less has to be tried before indexes are asked.
  var withSnapshot: ReadingEffort {
    var effort = self
    effort.few = few / 5
    effort.patience = patience / 6
    effort.patienceForEach = patienceForEach / 4
    effort.locality = locality / 2
    return effort
  }
}
