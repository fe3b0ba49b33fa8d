/// Where the entries of a playlist may lead.
///
/// A playlist is a file that may come from anywhere: it must not make files known, or open them, that its user did not
/// mean.
public enum PlaylistReach: Sendable, Hashable {
  /// Files in the directories of a library, once links and `..` are resolved; for playlists that are found by
  /// themselves.
  case library(LibraryRoots)
  /// All files; for a playlist that the user named.
  case anywhere
}
