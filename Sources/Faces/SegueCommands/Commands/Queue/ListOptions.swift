import ArgumentParser

/// Whose saved lists.
struct ListOptions: ParsableArguments {
  /// What is common to the commands of saved lists, for the help.
  static let discussion = """
    Saved lists are playlists in the directory Playlists of the library, or in the one that $SEGUE_PLAYLISTS names; M3U, M3U8, PLS and XSPF \
    are read and written.
    """

  @OptionGroup var library: LibraryOptions
  @OptionGroup var data: DataOptions

  /// The saved lists that are meant.
  func lists(in session: Session) -> SavedLists {
    session.lists(
      LibraryRequest(roots: library.roots(in: session), dataDirectory: data.directory(in: session), in: session))
  }
}
