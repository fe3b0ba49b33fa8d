import MusicModel
import UnicodeText

@testable import SegueCommands

/// A library of a few names.
struct FakeCompletions: CompletionSource {
  var albumNames: [String] = []
  var trackNames: [String: [String]] = [:]
  var valueNames: [LibraryFilters.Kind: [String]] = [:]
  var chosen: [LibraryFilters.Kind: [String]] = [:]
  var lists: [String] = []
  var directories: [String: [String]] = [:]

  private func matching(_ names: [String], _ text: String) -> [String] {
    let typed = TypedBeginning(text)
    return names.filter { typed.rank(of: $0) == .name } + names.filter { typed.rank(of: $0) == .word }
  }

  func albums(_ text: String) -> [String] { matching(albumNames, text) }

  func titles(_ text: String) -> [String] { matching(albumNames, text) }

  func tracks(ofAlbum album: String) -> [Track] {
    (trackNames[album] ?? []).enumerated().map { Examples.track($1, number: $0 + 1) }
  }

  func listNames() -> [String] { lists }

  func values(of kind: LibraryFilters.Kind, _ text: String, isNarrowedByItself: Bool) -> [String] {
    matching(valueNames[kind] ?? [], text)
  }

  func chosenValues(of kind: LibraryFilters.Kind) -> [String] { chosen[kind] ?? [] }

  func outputs() -> [(String, note: String)] { [("pulse", "PulseAudio"), ("wav:", "A WAV file")] }

  func names(inDirectory path: String) -> [String] { directories[path] ?? [] }
}
