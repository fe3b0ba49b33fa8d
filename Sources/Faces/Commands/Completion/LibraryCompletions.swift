// SPDX-License-Identifier: GPL-3.0-or-later

import MusicModel
import Platform
import PlayerFlow
import PlayerPort
import Playlists
import Screens
import SystemPackage
import Tagging
import UserSettings

/// Completions from the library of a session, narrowed by the selected filters. There are none for a library that has
/// never been scanned.
final class LibraryCompletions: CompletionSource {
  private let session: Session
  private let request: LibraryRequest
  private var openedIndex: (any MusicLibrary)?

  /// Creates completions from the library of `session`, which is opened on first use.
  init(_ session: Session) {
    self.session = session
    request = session.libraryRequest()
  }

  func albums(_ text: String) -> [String] {
    matchingAlbums(text).map { album in
      // Without the artist, such a title would be taken for an option or a path.
      let needsArtist = album.name.title.first.map { "-/.~".contains($0) } ?? true
      return album.isAmbiguous || album.isByArtist || needsArtist ? album.name.text : album.name.title
    }
  }

  func titles(_ text: String) -> [String] { matchingAlbums(text).filter { !$0.isByArtist }.map(\.name.title) }

  private func matchingAlbums(_ text: String) -> [CompletedAlbum] {
    queryIndex { index throws(LibraryError) in
      try index.albums(completing: text, among: query(without: nil), limit: WordCompleter.limit)
    }
  }

  func tracks(ofAlbum album: String) -> [Track] {
    queryIndex { index throws(LibraryError) in try index.tracks(ofAlbum: album) ?? [] }
  }

  func listNames() -> [String] {
    let directory = PlaylistDirectory(
      library: request.roots.first, chosen: session.settings.playlists, reach: .anywhere)
    return (try? directory.lists())?.map(\.name) ?? []
  }

  func queueNames() -> [String] {
    session.services.storage.queues(session.stateDirectory, session.dataDirectory).names.map(\.description).sorted()
  }

  func equaliserNames() -> [String] { EqualiserFiles.names(in: Environment.equalizerDirectory) + ["off"] }

  func values(of kind: LibraryFilters.Kind, _ text: String, isNarrowedByItself: Bool) -> [String] {
    queryIndex { index throws(LibraryError) in
      try index.values(
        of: kind, completing: text, among: query(without: isNarrowedByItself ? nil : kind),
        limit: WordCompleter.limit)
    }
  }

  func chosenValues(of kind: LibraryFilters.Kind) -> [String] { filters.values[kind] ?? [] }

  func outputs() -> [CompletionWord] {
    session.services.player.listOutputs([]).map { output in
      if let bracket = output.name.firstIndex(of: "[") {
        return CompletionWord(String(output.name[..<bracket]), note: output.title)
      }
      let name = output.name.firstIndex(of: ":").map { String(output.name[...$0]) }
      return CompletionWord(name ?? output.name, note: output.title)
    }
  }

  func names(inDirectory path: String) -> [String] {
    let directory = FilePath(typed: path.isEmpty ? "." : path)
    guard let listing = try? DirectoryListing(of: directory) else { return [] }
    return listing.entries.compactMap { entry in
      let name = FilePath(root: nil, [entry.name]).shown
      var kind = entry.kind
      if kind == nil || kind == .symbolicLink {
        kind = (try? FileStatus(of: directory.appending(entry.name)))?.kind
      }
      switch kind {
      case .directory: return name + "/"
      case .regular:
        let path = FilePath(root: nil, [entry.name])
        let isSheet = path.extension?.lowercased() == "cue"
        let isPlayable = isSheet || AudioFileKind(path) == .playable || PlaylistFormat(path) != nil
        return isPlayable ? name : nil
      default: return nil
      }
    }
  }

  // MARK: The library

  private var flow: LibraryFlow? {
    guard let open = session.openFlow, open.request == request else { return nil }
    return open.flow
  }

  private var filters: LibraryFilters { flow?.filters.state ?? LibraryFilters() }

  private func query(without kind: LibraryFilters.Kind?) -> LibraryQuery {
    var filters = filters
    if let kind { filters.removeAll(of: kind) }
    return session.services.library.access.language.query(filters)
  }

  private func existingIndex() throws(PlayerError) -> (any MusicLibrary)? {
    guard session.services.library.isPresent(request.dataDirectory) else { return nil }
    return try session.services.library.access.open(request)
  }

  private func queryIndex<Value>(_ body: (any MusicLibrary) throws(LibraryError) -> [Value]) -> [Value] {
    do {
      // Completion must not create an index.
      guard let index = try flow?.index ?? openedIndex ?? existingIndex() else { return [] }
      if flow == nil { openedIndex = index }
      return try body(index)
    } catch {
      return []
    }
  }
}

/// A source of completions for the line that is being typed. All methods are quick, return nothing after an error, and
/// return the best matches first.
protocol CompletionSource {
  /// Returns the albums that `text` may refer to, each as text that identifies it.
  func albums(_ text: String) -> [String]

  /// Returns the titles of the albums that `text` may refer to.
  func titles(_ text: String) -> [String]

  /// Returns the tracks of the album to which `album` refers, in playing order. Returns none if it refers to no album
  /// or to several.
  func tracks(ofAlbum album: String) -> [Track]

  /// Returns the names of the saved playlists.
  func listNames() -> [String]

  /// Returns the names of the user's queues.
  func queueNames() -> [String]

  /// Returns the names of the profiles of the equaliser, and `off`.
  func equaliserNames() -> [String]

  /// Returns the values of `kind` that `text` may refer to.
  ///
  /// - Parameter isNarrowedByItself: Whether the selected filters of this kind narrow the values, too.
  func values(of kind: LibraryFilters.Kind, _ text: String, isNarrowedByItself: Bool) -> [String]

  /// Returns the values of `kind` that are selected as filters.
  func chosenValues(of kind: LibraryFilters.Kind) -> [String]

  /// Returns the outputs that the user can name, each with a description.
  func outputs() -> [CompletionWord]

  /// Returns the names of the directories and playable files in a directory, which is given as the user typed it. The
  /// names of directories end with a slash.
  func names(inDirectory path: String) -> [String]
}

extension String {
  /// The name in a form that can be typed and still matches: without control and bidirectional formatting characters,
  /// and with spaces for line breaks and tabs. Empty if the name contains replacement characters for bytes that could
  /// not be decoded.
  var typable: String {
    if unicodeScalars.contains("\u{FFFD}") { return "" }
    if unicodeScalars.allSatisfy({ $0.value >= 0x20 && $0.value < 0x7F }) { return self }
    var text = String.UnicodeScalarView()
    for scalar in unicodeScalars {
      switch scalar.value {
      case 0x09...0x0D, 0x85, 0x2028, 0x2029: text.append(" ")
      case 0x00...0x1F, 0x7F...0x9F, 0x202A...0x202E, 0x2066...0x2069: break
      default: text.append(scalar)
      }
    }
    return String(text)
  }
}
