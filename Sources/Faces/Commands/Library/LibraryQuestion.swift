// SPDX-License-Identifier: GPL-3.0-or-later

import MusicModel
import Platform
import PlayerPort
import Screens
import SystemPackage
import Tagging
import Terminal
import UnicodeText
import UserSettings

extension Session {
  /// Lets the user at the terminal name the music directory if no root of `request` exists, and uses it from then on.
  /// Does nothing without a terminal, or if the index knows the music; what needs the library then reports the error.
  ///
  /// Call this on the main thread, before any threads other than worker threads are started.
  func askForLibrary(_ request: LibraryRequest) throws {
    let roots = request.roots
    guard takesChoices, !isConversation, !outputStyle.isQuiet,
      !roots.paths.contains(where: { (try? FileStatus(of: $0))?.kind == .directory })
    else { return }
    let known = try? services.library.access.openPresent(request)?.albums(
      .everything, order: LibraryOrder(), window: .init(limit: 1))
    guard known?.elements.isEmpty ?? true else { return }
    let signals = try ReplSignals()
    guard let question = LineQuestion(completing: DirectoryCompleter(), signals: signals, outputStyle: outputStyle)
    else { return }
    let verb = roots.isSingle ? "does" : "do"
    printLines([
      "The music directory \(roots) \(verb) not exist.".safeForTerminal,
      "Type the directory with your music (Tab completes, Enter alone gives up):",
    ])
    guard let chosen = Self.directory(question, self) else {
      if let status = signals.takeCaught()?.endingStatus { throw EndedBySignal(status: status) }
      return
    }
    use(chosen)
    try save(chosen, question)
  }

  /// Asks until the user names a directory; returns `nil` if the user gives up.
  private static func directory(_ question: LineQuestion, _ session: Session) -> FilePath? {
    while let line = question.ask("music directory: ") {
      guard let path = typedPath(line) else { return nil }
      switch (try? FileStatus(of: path))?.kind {
      case .directory?: return path
      case nil: session.printError("segue: no such directory: \(path.shown)")
      case _?: session.printError("segue: not a directory: \(path.shown)")
      }
    }
    return nil
  }

  /// Returns the path that a line stands for, which may be quoted; `nil` if the line is blank.
  private static func typedPath(_ line: String) -> FilePath? {
    let text = line.drop(while: \.isWhitespace)
    let isQuoted = text.first == "\"" || text.first == "'"
    let words = isQuoted ? (try? LineTokenizer.words(String(text))) ?? [] : []
    var path = Substring(words.count == 1 ? words[0] : String(text))
    while path.last?.isWhitespace == true { path.removeLast() }
    return path.isEmpty ? nil : FilePath(typed: String(path))
  }

  private func save(_ directory: FilePath, _ question: LineQuestion) throws(SettingsProblem) {
    let file = Environment.settingsFile
    guard let path = (try? directory.absolute()).flatMap({ String(validating: $0) }) else { return }
    printLine("Save it in \(file.shown), so that it is used from now on?".safeForTerminal)
    while let answer = question.ask("y or n: ") {
      switch answer.lowercased().filter({ !$0.isWhitespace }) {
      case "y", "yes":
        try SettingsFileEdit.save(.paths([path]), as: .library, in: file)
        if case .environment(let variable) = settings.origin(of: .library) {
          printError("segue: $\(variable) overrides library in the settings file", level: .warning)
        }
        return
      case "n", "no": return
      default: continue
      }
    }
  }
}

/// Completes the directory that is being typed.
final class DirectoryCompleter: LineCompleting {
  private var key = CompletionKey()

  func begin() { key = CompletionKey() }

  func press(_ line: String, cursor: String.Index) -> CompletionKey.Effect {
    let typed = line[..<cursor]
    let start = typed.lastIndex(of: "/").map { typed.index(after: $0) } ?? typed.startIndex
    let (directory, name) = (String(typed[..<start]), String(typed[start...]))
    let names = Self.directories(in: directory.isEmpty ? "." : FilePath(typed: directory), beginningWith: name)
    let common = names.dropFirst().reduce(names.first ?? "") { $0.commonPrefix(with: $1) }
    let insertion = names.count == 1 ? common + "/" : common.count > name.count ? common : nil
    return key.press(
      LineCompletion(countBefore: name.unicodeScalars.count, insertion: insertion, choices: names), line: line,
      cursor: typed.unicodeScalars.count)
  }

  private static func directories(in path: FilePath, beginningWith name: String) -> [String] {
    let entries = (try? DirectoryListing(of: path))?.entries ?? []
    return entries.compactMap { String(validating: $0.name) }.filter { found in
      found.hasPrefix(name) && (name.hasPrefix(".") || !found.hasPrefix("."))
        && (try? FileStatus(of: path.appending(found)))?.kind == .directory
    }.sorted()
  }
}

extension String {
  /// Returns the longest beginning that the string has in common with another one.
  fileprivate func commonPrefix(with other: String) -> String {
    String(zip(self, other).prefix { $0 == $1 }.map(\.0))
  }
}
