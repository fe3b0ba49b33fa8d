// SPDX-License-Identifier: GPL-3.0-or-later

import LibraryIndex
package import LibraryScanning
package import MusicModel
import Platform
import PlayerFlow
import Playlists
package import SystemPackage
package import Tagging
import UnicodeText

/// Finds the tracks to which the user refers by ALBUM and TRACK.
///
/// ALBUM is the path of music or of a playlist if it begins with `/`, `./`, `../` or `~/`, or if it is the name or the
/// URI of a file. A number refers to an item of the last listing, unless it is the title of an album. Anything else is
/// looked up in the index: first as an album, then as a query if it contains more than words. If nothing matches, it is
/// tried as a path, and then as the title of a track. Then the index is updated from the disk and searched once more.
/// Finally, albums and then titles are found from which the text differs by a slip of a finger.
package struct CollectionFinder: Sendable {
  /// The tracks that were found.
  package struct Found: Equatable {
    /// The tracks to play.
    package let collection: TrackCollection
    /// The index of the track to start with.
    package let item: Int
    /// The files at the given path that could not be read. Empty for tracks from the library, whose problems
    /// `segue problems` lists.
    package let problems: [LibraryProblem]
    /// Whether the user asked for a single track, which is the one to start with.
    package var isTrack: Bool

    package init(collection: TrackCollection, item: Int, problems: [LibraryProblem], isTrack: Bool = false) {
      self.collection = collection
      self.item = item
      self.problems = problems
      self.isTrack = isTrack
    }
  }

  package let library: IndexSource
  package let scanner: LibraryScanner
  /// The listing to which numbers refer; `nil` if there is none.
  package var listing: LastListing?
  /// The directory of saved playlists; `nil` for the one in the library.
  package var playlists: FilePath?

  package init(
    library: IndexSource, scanner: LibraryScanner, listing: LastListing? = nil, playlists: FilePath? = nil
  ) {
    self.library = library
    self.scanner = scanner
    self.listing = listing
    self.playlists = playlists
  }

  /// Opens the index that ``find(album:track:)`` will need, if it exists. Blocks while the disk is read, and changes
  /// nothing.
  package func prepare(toFind album: String) {
    if !Self.isLocation(album) { library.prepare() }
  }

  /// Returns whether `text` is the path of music, or the address of a stream, which are not looked up in the index.
  package static func isLocation(_ text: String) -> Bool { explicitPath(text) != nil || StreamAddress(text) != nil }

  /// Returns the tracks to which `album` refers, starting at the one to which `track` refers, or at the first.
  ///
  /// Blocks while files are read.
  ///
  /// - Parameter isThorough: Whether the index is updated if it has no match, and slips of a finger and artists are
  ///   considered.
  package func find(album: String, track: String?, isThorough: Bool = true) throws(PlayerError) -> Found {
    if let path = Self.explicitPath(album) { return try read(path, as: album, track) }
    if let address = StreamAddress(album) {
      let stream = Track(path: address.path, title: address.description)
      return Found(
        collection: TrackCollection(title: stream.title, tracks: [stream]), item: 0, problems: [], isTrack: true)
    }
    if Self.isAddress(album) {
      throw PlayerError(
        .nothingPlayable, "cannot play \(album.brief): only files and addresses with http or https can be played")
    }
    if let reference = try reference(album) { return try found(reference, at: album, track) }
    var answer: Answer
    do throws(PlayerError) { answer = try lookUp(album) } catch {
      // If the index cannot be opened, because the disk is full or there is no library, a path can still be played.
      guard Self.exists(album) else { throw error }
      return try read(FilePath(typed: album), as: album, track)
    }
    if case .none = answer {
      if Self.exists(album) { return try read(FilePath(typed: album), as: album, track) }
      answer = try lookUpTitle(album) ?? answer
    }
    if case .none = answer, isThorough {
      if let artist = try artistError(album) { throw artist }
      try library.update()
      answer = try lookUp(album)
      if case .none = answer { answer = try lookUpTitle(album) ?? answer }
      if case .none = answer { answer = try lookUpMistyped(album) ?? answer }
    }
    switch answer {
    case .found(let collection):
      return Found(
        collection: collection, item: try item(track, in: collection), problems: [], isTrack: track != nil)
    case .ambiguous(let albums):
      throw try ambiguity(album, albums)
    case .ambiguousTitle(let tracks):
      throw PlayerError(
        .ambiguous,
        "\"\(album.brief)\" matches no album, but \(tracks.count) tracks: use one of the listed queries, or the path of the file",
        choices: tracks.map(\.candidateText), ambiguousText: album, answers: tracks.map(\.distinguishingQuery))
    case .none(let suggestions):
      throw PlayerError(
        .notFound,
        "no album or track title matches \"\(album.brief)\" in \(library.roots)"
          + Self.hint(suggestions.map(\.text), or: "segue albums"))
    }
  }

  /// Returns the item of the last listing to which the number `text` refers. Returns `nil` if the listing has no such
  /// number, or if `text` is the title of an album.
  func reference(_ text: String) throws(PlayerError) -> ListedReference? {
    guard let reference = listing?.reference(text) else { return nil }
    switch try library.album(named: text) {
    case .found(let name): return name.title == text ? nil : reference
    case .ambiguous(let names): return names.contains { $0.title == text } ? nil : reference
    case .none: return reference
    }
  }

  private func found(_ reference: ListedReference, at number: String, _ track: String?) throws(PlayerError) -> Found {
    let album = try reference.album.flatMap { id throws(PlayerError) in try library.refreshedAlbum(id) }?.collection
    switch reference.kind {
    case .album:
      guard let album, album.title == reference.name else { break }
      return Found(collection: album, item: try item(track, in: album), problems: [])
    case .track:
      guard let album, let item = album.tracks.firstIndex(where: reference.isTrack) else { break }
      return Found(collection: album, item: item, problems: [], isTrack: true)
    case .artist, .genre:
      let name = TextPattern(reference.name, kind: .exact)
      let query = LibraryQuery.text(reference.kind == .artist ? .artist : .genre, name)
      guard let tracks = try library.tracks(answering: query.description), !tracks.isEmpty else { break }
      let collection = TrackCollection(title: reference.name, tracks: tracks)
      return Found(collection: collection, item: try item(track, in: collection), problems: [])
    case .list:
      guard let path = reference.path else { break }
      return try read(FilePath(systemBytes: path), as: reference.name, track)
    }
    throw PlayerError(
      .notFound, "item \(number) of the last listing, \(reference.name), no longer exists: repeat the listing")
  }

  private enum Answer {
    case found(TrackCollection)
    case ambiguous([AlbumName])
    case ambiguousTitle([Track])
    case none([AlbumName])
  }

  private func lookUp(_ text: String) throws(PlayerError) -> Answer {
    switch try library.album(named: text) {
    case .found(let name): return try answer(name)
    case .ambiguous(let albums): return .ambiguous(albums)
    case .none(let suggestions):
      guard let tracks = try library.tracks(answering: text) else { return .none(suggestions) }
      guard !tracks.isEmpty else {
        throw PlayerError(.notFound, "nothing in \(library.roots) matches \(text.brief)")
      }
      return .found(TrackCollection(title: text, tracks: tracks))
    }
  }

  /// Returns the tracks of an album. One whose files are now missing is not offered.
  private func answer(_ album: AlbumName) throws(PlayerError) -> Answer {
    try library.refreshedAlbum(album.id).map { .found($0.collection) } ?? .none([])
  }

  /// Returns the albums, or else the tracks, from whose names `text` differs by slips of a finger; `nil` if there are
  /// none.
  private func lookUpMistyped(_ text: String) throws(PlayerError) -> Answer? {
    let albums = try library.albums(mistypedAs: text)
    guard let album = albums.first else { return answer(try library.tracks(mistypedAs: text)) }
    return albums.count == 1 ? try answer(album) : .ambiguous(albums)
  }

  /// Returns the only track with the title `text`, or all tracks with that title; `nil` if there is none.
  private func lookUpTitle(_ text: String) throws(PlayerError) -> Answer? {
    answer(try library.tracks(titled: text))
  }

  private func answer(_ tracks: [Track]) -> Answer? {
    guard let first = tracks.first else { return nil }
    return tracks.count == 1
      ? .found(TrackCollection(title: first.title, tracks: tracks)) : .ambiguousTitle(tracks)
  }

  /// Returns the index of the track that a text names; without a text, that of the first. In a playlist, a number
  /// counts the tracks; otherwise, it is that of a track on its album.
  func item(_ query: String?, in collection: TrackCollection, isPlaylist: Bool = false) throws(PlayerError) -> Int {
    guard let query else { return 0 }
    if isPlaylist, let number = Int(query), number > 0, number <= collection.tracks.count { return number - 1 }
    let finder = TrackFinder(Array(collection.tracks))
    switch finder.find(query) {
    case .found(let index):
      return index
    case .ambiguous(let indices):
      throw PlayerError(
        .ambiguous,
        "\"\(query.brief)\" matches \(indices.count) tracks of \(collection.title): use DISC-TRACK, such as 2-5, or more of the title",
        choices: indices.map { collection.tracks[$0].numberPrefix + collection.tracks[$0].title }, ambiguousText: query,
        answers: indices.map { index in
          let track = collection.tracks[index]
          let name = "\(track.disc?.number ?? 1)-\(track.number?.number ?? index + 1)"
          return finder.find(name) == .found(index) ? name : track.title
        })
    case .none(let suggestions):
      throw PlayerError(
        .notFound,
        "no track of \(collection.title) matches \"\(query.brief)\": it has \(ItemCount.text(collection.tracks.count, "track"))"
          + Self.hint(suggestions.map { collection.tracks[$0].title }, or: nil))
    }
  }

  func read(_ path: FilePath, as text: String, _ track: String?) throws(PlayerError) -> Found {
    let isPlaylist = PlaylistFormat(path) != nil
    let (collection, problems) = try isPlaylist ? playlist(at: path) : music(at: path)
    guard !collection.tracks.isEmpty else {
      let reason = problems.first.map { ": \($0)" } ?? ""
      throw PlayerError(
        .nothingPlayable,
        "nothing in \(text) can be played\(reason); use `segue albums` to list the albums in the library")
    }
    return Found(
      collection: collection, item: try item(track, in: collection, isPlaylist: isPlaylist), problems: problems,
      isTrack: track != nil)
  }

  private func music(at path: FilePath) throws(PlayerError) -> (TrackCollection, [LibraryProblem]) {
    do { return try scanner.collection(at: path) } catch { throw PlayerError(readingPath: error) }
  }

  /// Returns the tracks of a playlist. They may be outside the music directories, since the user named the playlist.
  private func playlist(at path: FilePath) throws(PlayerError) -> (TrackCollection, [LibraryProblem]) {
    let loader = PlaylistLoader(
      reach: .anywhere, roots: library.roots, library: library.openIndex, probe: scanner.probe)
    do throws(PlaylistError) {
      let loaded = try loader.load(path)
      return (loaded.collection, loaded.problems.compactMap(\.problem))
    } catch {
      throw PlayerError(error)
    }
  }

  private static func hint(_ suggestions: [String], or command: String?) -> String {
    if let first = suggestions.first { return "; did you mean \"\(first)\"?" }
    return command.map { "; use `\($0)` to list the albums in the library" } ?? ""
  }

  static func explicitPath(_ text: String) -> FilePath? {
    if let path = FilePath(fileURI: text) { return path }
    let path = FilePath(typed: text)
    let isExplicit =
      ["/", "./", "../", "~/"].contains { text.hasPrefix($0) } || [".", "..", "~"].contains(text)
    return isExplicit || (try? FileStatus(of: path))?.kind == .regular ? path : nil
  }

  /// Returns whether `text` is an address such as `http://host/path`.
  private static func isAddress(_ text: String) -> Bool {
    let scheme = text.prefix { $0.isASCII && $0.isLetter }
    return !scheme.isEmpty && text.dropFirst(scheme.count).hasPrefix("://")
  }

  private static func exists(_ text: String) -> Bool {
    !text.isEmpty && (try? FileStatus(of: FilePath(typed: text))) != nil
  }
}

extension Track {
  /// The disc and track number to print before the title, such as "2-03 " or "A1 ". The disc is omitted if it is the
  /// only one; the text is empty without a track number.
  package var numberPrefix: String {
    guard let number = number?.number else { return "" }
    let digits = (additionalTags.first(.writtenNumber) ?? (number < 10 ? "0\(number)" : "\(number)")) + " "
    guard let disc, max(disc.total ?? 1, disc.number) > 1 else { return digits }
    return "\(disc.number)-\(digits)"
  }
}

extension PlayerError {
  /// Creates the error for a path that the user asked to play.
  package init(readingPath error: LibraryScannerError) {
    let status: ExitStatus =
      switch error {
      case .notFound: .notFound
      case .unplayable: .nothingPlayable
      case .notADirectory, .unreadable, .failed: .unreadableLibrary
      }
    self.init(status, "\(error)")
  }
}
