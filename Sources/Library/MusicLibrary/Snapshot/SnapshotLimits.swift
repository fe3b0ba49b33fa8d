/// From where on a library is kept as arrays, too.
struct SnapshotLimits: Sendable {
  /// How many tracks it must have: fewer are read in no time.
  var tracks = 20_000
  /// With how many patches the arrays are made anew.
  var patches = 1_000
  /// How many tracks have a text whose tracks are kept.
  var commonTexts = 30_000
}
