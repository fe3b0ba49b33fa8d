/// A column of tracks as an array by their ids.
enum SnapshotColumn: String, CaseIterable {
  case year = "track.year"
  case number = "track.number"
  case disc = "track.disc"
  case duration = "track.duration"
  case rate = "track.rate"
  case bits = "track.bits"
  case channels = "track.channels"
  case directory = "track.directory"
  case format = "track.format"

  /// What stands for NULL, and for a track that is not there.
  static let null = UInt32.max
}
