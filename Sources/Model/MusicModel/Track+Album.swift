import SystemPackage

extension Track {
  /// Whether `next`, which is played right behind this track, comes behind it on the same album, too: then the music
  /// may run on from one into the other.
  ///
  /// Both name the same album and album artists; where they name no artists, or no album, they lie in one directory,
  /// unless they are on two discs. Tracks that are missing between the two do no harm, and tracks without numbers are
  /// in order.
  public func isContinued(by next: Track) -> Bool {
    guard album == next.album, albumArtists == next.albumArtists else { return false }
    let (disc, nextDisc) = (self.disc?.number ?? 1, next.disc?.number ?? 1)
    let isNear = path.removingLastComponent() == next.path.removingLastComponent()
    guard isNear || album != nil && (!albumArtists.isEmpty || disc != nextDisc) else { return false }
    guard disc == nextDisc else { return disc < nextDisc }
    guard let number = number?.number, let nextNumber = next.number?.number else {
      return self.number == nil && next.number == nil && (path != next.path || segment != next.segment)
    }
    return number < nextNumber
  }
}
