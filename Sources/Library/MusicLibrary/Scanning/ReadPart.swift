/// Tracks that were read together.
struct ReadPart {
  /// Where they are among all that are to be written.
  let tracks: Range<Int>
  /// Their albums, as far as they depend on nothing else; `nil` where those were not made.
  let albums: [PreparedAlbum]?
}
