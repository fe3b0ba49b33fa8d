/// How much is read before another way is tried. The numbers decide on time alone, never on what is found.
struct ReadingEffort {
  /// How many tracks are few: reading these takes less time than narrowing them further.
  var few = 3_000
  /// How many tracks are read in vain before indexes are asked.
  var patience = 250
  /// How many more are read for each one that answered.
  var patienceForEach = 40
  /// How many steps along an index take as long as reading and sorting one track.
  var stepsPerTrack = 16
}
