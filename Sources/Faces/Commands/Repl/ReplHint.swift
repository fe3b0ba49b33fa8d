// SPDX-License-Identifier: GPL-3.0-or-later

import MusicModel
import Platform
import PlayerFlow
import PlayerPort
import Screens
import SystemPackage
import Tagging
import Terminal
import UnicodeText

/// A hint for new users that suggests commands to try in the REPL.
struct ReplHint {
  /// The maximum number of albums that are tried to find one with an unambiguous title.
  private static let candidateLimit = 12

  /// The lines to print, safe for a terminal.
  let lines: [String]
  private let hasAlbum: Bool

  /// Creates the hint for the library of `session`.
  init(_ session: Session) {
    let request = session.libraryRequest()
    let album = Self.albumWord(session, request)
    hasAlbum = album != nil
    let isThere = session.library.paths.contains { (try? FileStatus(of: $0))?.kind == .directory }
    lines = Self.lines(
      album: album, library: "\(session.library)", isThere: isThere, isPlain: session.outputStyle.isPlain
    ).map { line in
      // What is wrong is never cut.
      session.outputStyle.isPlain || !isThere ? line : session.columns.map { line.truncated(toCells: $0) } ?? line
    }
  }

  /// Returns whether the library had no album when the hint was created, and has one now.
  func isOutdated(in session: Session) -> Bool {
    guard !hasAlbum else { return false }
    return ReplHint(session).hasAlbum
  }

  /// Returns the lines of the hint.
  ///
  /// - Parameters:
  ///   - album: A word that refers to an album; `nil` if the library has none.
  ///   - library: The path of the library.
  ///   - isThere: Whether the library's directory exists.
  static func lines(album: String?, library: String, isThere: Bool, isPlain: Bool = false) -> [String] {
    let library = library.safeForTerminal
    let suggestions: [(String, String)]
    let heading: String
    if let album {
      heading = "Three things to try:"
      suggestions = [
        ("play \(album.safeForTerminal)", "play an album"), ("/", "search as you type"),
        ("help", "list all commands; quit or Ctrl-D to exit"),
      ]
    } else {
      let problem = isThere ? "The library is empty." : "The music directory \(library) does not exist."
      heading = "\(problem) Three things to try:"
      suggestions = [
        isThere
          ? ("scan", "add the music in \(library)")
          : ("set library=DIRECTORY --save", "save another one; then start again"),
        ("play DIRECTORY", "play music from any directory"), ("help", "list all commands; quit or Ctrl-D to exit"),
      ]
    }
    if isPlain { return [heading] + suggestions.map { "\($0.0): \($0.1)" } }
    let width = suggestions.map(\.0.cellWidth).max() ?? 0
    return [heading] + suggestions.map { "  \($0.0.padded(toCells: width))  \($0.1)" }
  }

  /// Returns a word that refers to exactly one album; `nil` if there is none.
  private static func albumWord(_ session: Session, _ request: LibraryRequest) -> String? {
    guard let index = (try? session.flow(request))?.index,
      let page = try? index.albums(
        .everything, order: LibraryOrder(), window: LibraryPage.Window(limit: candidateLimit))
    else { return nil }
    for album in page.elements {
      guard album.title == album.title.typable,
        let word = WordQuoting.word(album.title, mark: nil, isOpen: false),
        let match = try? index.findAlbum(album.title), case .found = match
      else { continue }
      return word
    }
    return nil
  }
}
