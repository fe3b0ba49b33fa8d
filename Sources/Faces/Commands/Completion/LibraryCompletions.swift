import MusicModel
import Platform
import PlayerFlow
import Playlists
import Screens
import SystemPackage
import Tagging
import UserSettings

/// What the library of a session has to choose from, narrowed by the filters that are chosen. A library that was never
/// read has nothing.
final class LibraryCompletions: CompletionSource {
  private let session: Session
  private let request: LibraryRequest
  private var opened: (any MusicLibrary)?

  /// The library of `session`, which is opened when it is first asked.
  init(_ session: Session) {
    self.session = session
    request = LibraryRequest(roots: session.library, dataDirectory: session.dataDirectory, in: session)
  }

  func albums(_ text: String) -> [String] {
    found(text).map { album in
      // Alone it would be an option, or a path.
      let isOther = album.name.title.first.map { "-/.~".contains($0) } ?? true
      return album.isAmbiguous || album.isByArtist || isOther ? album.name.text : album.name.title
    }
  }

  func titles(_ text: String) -> [String] { found(text).filter { !$0.isByArtist }.map(\.name.title) }

  private func found(_ text: String) -> [CompletedAlbum] {
    asked { index throws(LibraryError) in
      try index.albums(completing: text, among: query(leaving: nil), limit: WordCompleter.limit)
    }
  }

  func tracks(ofAlbum album: String) -> [Track] {
    asked { index throws(LibraryError) in try index.tracks(ofAlbum: album) ?? [] }
  }

  func listNames() -> [String] {
    let directory = PlaylistDirectory(library: request.roots.first, chosen: session.settings.playlists)
    return (try? directory.lists())?.map(\.name) ?? []
  }

  func values(of kind: LibraryFilters.Kind, _ text: String, isNarrowedByItself: Bool) -> [String] {
    asked { index throws(LibraryError) in
      try index.values(
        of: kind, completing: text, among: query(leaving: isNarrowedByItself ? nil : kind),
        limit: WordCompleter.limit)
    }
  }

  func chosenValues(of kind: LibraryFilters.Kind) -> [String] { filters.values[kind] ?? [] }

  func outputs() -> [(String, note: String)] {
    session.services.player.listOutputs().map { output in
      let name = output.usage.prefix { $0 != ":" && $0 != "[" }
      return (name + (output.usage.contains("]") || name == output.usage ? "" : ":"), output.title)
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

  private var filters: LibraryFilters { flow?.search.state.wanted.filters ?? LibraryFilters() }

  private func query(leaving kind: LibraryFilters.Kind?) -> LibraryQuery {
    var filters = filters
    if let kind { filters.removeAll(of: kind) }
    return session.services.library.language.query(filters)
  }

  private func presentIndex() throws(CommandError) -> (any MusicLibrary)? {
    guard session.services.library.isPresent(request.dataDirectory) else { return nil }
    return try session.services.library.open(request)
  }

  private func asked<Value>(_ body: (any MusicLibrary) throws(LibraryError) -> [Value]) -> [Value] {
    do {
      // Whoever types must not make an index.
      guard let index = try flow?.index ?? opened ?? presentIndex() else { return [] }
      if flow == nil { opened = index }
      return try body(index)
    } catch {
      return []
    }
  }
}

/// What there is to choose from while a line is typed. Its calls are quick, give nothing where something is wrong, and
/// give of what may be meant by a text the best first.
protocol CompletionSource {
  /// The albums that may be meant by `text`, each as the text that finds it again.
  func albums(_ text: String) -> [String]

  /// The titles of albums that may be meant by `text`.
  func titles(_ text: String) -> [String]

  /// The tracks of the album that `album` names, in playing order; none where it names none, or several.
  func tracks(ofAlbum album: String) -> [Track]

  /// The names of the saved lists.
  func listNames() -> [String]

  /// The values of `kind` that may be meant by `text`. The filters of that kind narrow them only where
  /// `isNarrowedByItself`.
  func values(of kind: LibraryFilters.Kind, _ text: String, isNarrowedByItself: Bool) -> [String]

  /// The values of `kind` that are chosen.
  func chosenValues(of kind: LibraryFilters.Kind) -> [String]

  /// The outputs that can be named, each with what it is.
  func outputs() -> [(String, note: String)]

  /// The names in the directory that the user means by `path`, of directories and of what can be played; directories
  /// end with a slash.
  func names(inDirectory path: String) -> [String]
}

extension String {
  /// The name as a user would type it, which finds the same: without control characters and what turns the direction of
  /// writing. Lines that break, and tabs, are spaces. Empty where it holds what stands for bytes that are no text.
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
