import MusicLibrary
import MusicModel
import Platform
import SystemPackage
import UnicodeText

/// Finds what the user means by ALBUM and TRACK.
///
/// ALBUM is taken as a path where it begins with `/`, `./`, `../` or `~/`, or is the name of a file; anything else is looked
/// up in the library, and where no album matches, it is taken as a path after all.
struct CollectionFinder {
  /// What was found.
  struct Found: Equatable {
    /// What to play.
    let collection: TrackCollection
    /// The index of the track to begin with.
    let item: Int
    /// What could not be read at the path that was named; none for an album of the library, whose listing tells of them.
    let problems: [LibraryProblem]
  }

  let scanner: LibraryScanner
  /// Where the library is.
  let library: FilePath

  /// The collection that `album` means, and in it the track that `track` means, or the first.
  ///
  /// Blocks while files are read.
  func find(album: String, track: String?) throws(CommandError) -> Found {
    let (collection, problems) = try collection(album)
    guard !collection.tracks.isEmpty else {
      let reason = problems.first.map { ": \($0)" } ?? ""
      throw CommandError(
        .nothingPlayable, "nothing in \(album) can be played\(reason); `segue albums` lists what can")
    }
    return Found(collection: collection, item: try item(track, in: collection), problems: problems)
  }

  private func collection(_ album: String) throws(CommandError) -> (TrackCollection, [LibraryProblem]) {
    if let path = Self.explicitPath(album) { return try read(path) }
    let contents: Library
    do {
      contents = try scanner.scan(library)
    } catch {
      if Self.exists(album) { return try read(FilePath(typed: album)) }
      throw CommandError(readingLibrary: error)
    }
    switch AlbumFinder(contents.albums).find(album) {
    case .found(let album):
      return (album.collection, [])
    case .ambiguous(let albums):
      throw CommandError(
        .ambiguous, "\"\(album)\" matches \(albums.count) albums: write ARTIST/ALBUM, or more of the title",
        choices: albums.map(\.query))
    case .none(let suggestions):
      if Self.exists(album) { return try read(FilePath(typed: album)) }
      throw CommandError(
        .notFound,
        "no album matches \"\(album)\" in \(library)"
          + Self.hint(suggestions.map(\.query), or: "segue albums"))
    }
  }

  private func item(_ query: String?, in collection: TrackCollection) throws(CommandError) -> Int {
    guard let query else { return 0 }
    switch TrackFinder(collection.tracks).find(query) {
    case .found(let index):
      return index
    case .ambiguous(let indices):
      throw CommandError(
        .ambiguous,
        "\"\(query)\" matches \(indices.count) tracks of \(collection.title): write DISC-NUMBER, or more of the title",
        choices: indices.map { collection.tracks[$0].place + collection.tracks[$0].title })
    case .none(let suggestions):
      throw CommandError(
        .notFound,
        "no track of \(collection.title) matches \"\(query)\": it has \(collection.tracks.count)"
          + Self.hint(suggestions.map { collection.tracks[$0].title }, or: nil))
    }
  }

  private func read(_ path: FilePath) throws(CommandError) -> (TrackCollection, [LibraryProblem]) {
    do {
      return try scanner.collection(at: path)
    } catch {
      throw CommandError(readingPath: error)
    }
  }

  private static func hint(_ suggestions: [String], or command: String?) -> String {
    if let first = suggestions.first { return "; did you mean \"\(first)\"?" }
    return command.map { "; `\($0)` lists what there is" } ?? ""
  }

  private static func explicitPath(_ text: String) -> FilePath? {
    let path = FilePath(typed: text)
    let isExplicit =
      ["/", "./", "../", "~/"].contains { text.hasPrefix($0) } || [".", "..", "~"].contains(text)
    return isExplicit || (try? FileStatus(of: path))?.kind == .regular ? path : nil
  }

  private static func exists(_ text: String) -> Bool {
    !text.isEmpty && (try? FileStatus(of: FilePath(typed: text))) != nil
  }
}

extension Album {
  /// What finds this album again.
  var query: String { artist.map { "\($0)/\(title)" } ?? title }
}

extension Track {
  /// The track's disc and number, as they are shown before its title: "2-03 ".
  var place: String {
    guard let number = number?.number else { return "" }
    let digits = number < 10 ? "0\(number) " : "\(number) "
    guard let disc, max(disc.total ?? 1, disc.number) > 1 else { return digits }
    return "\(disc.number)-\(digits)"
  }
}

extension CommandError {
  /// What `error` means where the library was to be read.
  init(readingLibrary error: LibraryError) {
    self.init(
      .unreadableLibrary, "\(error); --library DIR or $SEGUE_LIBRARY names the directory of music")
  }

  /// What `error` means where the user named a path to play.
  init(readingPath error: LibraryError) {
    let status: ExitStatus =
      switch error {
      case .notFound: .notFound
      case .unplayable: .nothingPlayable
      case .notADirectory, .unreadable: .unreadableLibrary
      }
    self.init(status, "\(error)")
  }
}
