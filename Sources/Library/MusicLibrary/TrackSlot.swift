import MusicModel
import SystemPackage

/// What is the same in two copies of a track: its number, or without one the name of its file, on its disc.
enum TrackSlot: Hashable, Sendable {
  /// The number.
  case place(AlbumCandidate.Place)
  /// The name without its suffix, as a number of a ``GroupingSource``.
  case name(disc: Int, Int)
}

extension GroupingSource {
  /// The slot that a candidate fills.
  func slot(of candidate: AlbumCandidate) -> TrackSlot {
    if let place = candidate.place { return .place(place) }
    return .name(disc: candidate.disc ?? 1, number(of: tracks[candidate.index].path.stem ?? ""))
  }
}
