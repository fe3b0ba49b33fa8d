// SPDX-License-Identifier: GPL-3.0-or-later

import MusicModel
import Platform
import PlayerFlow
import PlayerPort
import Terminal
import UnicodeText
import UserSettings

/// What the user types: the text to search for, commands, text to find, and answers to questions.
extension FullScreenModel {
  /// The maximum number of characters that are pasted.
  private static let pasteLimit = 1_000

  /// Inserts pasted text into what the user is typing. Anywhere else it is ignored, since it is no sequence of keys.
  mutating func paste(_ text: String) -> [ScreenEffect] {
    let line = text.prefix(Self.pasteLimit).reversed().drop(while: \.isNewline).reversed()
    let text = String(line.map { $0.isNewline || $0 == "\t" ? " " : $0 }.filter { !$0.isControl })
    message = nil
    switch prompt {
    case .quit?: return []
    case let prompt?:
      typed += text
      return changeWhileTyping(prompt)
    case nil:
      guard isTypingSearch, lists[.search]?.count == 1, overlay == nil else { return [] }
      typed += text
      showSearch(for: typed)
      return []
    }
  }

  /// Handles a key while the user types the text to search for; returns `nil` if it has its usual meaning.
  mutating func search(_ key: Key) -> [ScreenEffect]? {
    switch key {
    case .character(let character): typed.append(character)
    case .backspace where !typed.isEmpty: typed.removeLast()
    case .backspace where !searchText.isEmpty, .control("u"): typed = ""
    case .escape:
      isTypingSearch = false
      return []
    case .enter where list?.current != nil:
      // The message names a key that undoes what this plays.
      isTypingSearch = false
      return nil
    default: return nil
    }
    showSearch(for: typed)
    return []
  }

  mutating func type(_ key: Key, _ prompt: Prompt) -> [ScreenEffect] {
    let effects = answer(key, prompt)
    // The search screen has its own text.
    if self.prompt == nil, isTypingSearch { typed = searchText }
    return effects
  }

  private mutating func answer(_ key: Key, _ prompt: Prompt) -> [ScreenEffect] {
    if prompt == .quit {
      self.prompt = nil
      return [.character("y"), .character("q")].contains(key) ? [.quit] : []
    }
    switch key {
    case .character(let character): typed.append(character)
    case .backspace where typed.isEmpty: return cancel(prompt)
    case .backspace: typed.removeLast()
    case .control("u"): typed = ""
    case .control("w"): typed = typed.withoutLastWord
    case .tab where prompt == .command: return [.complete(typed)]
    case .up where prompt == .command: return showCommand((shownCommand ?? commandHistory.count) - 1)
    case .down where prompt == .command: return showCommand((shownCommand ?? commandHistory.count) + 1)
    case .escape, .control("c"): return cancel(prompt)
    case .enter:
      self.prompt = nil
      return enter(typed, prompt)
    default: return []
    }
    return changeWhileTyping(prompt)
  }

  /// Shows in the list what the user has typed so far.
  private mutating func changeWhileTyping(_ prompt: Prompt) -> [ScreenEffect] {
    switch prompt {
    case .find: return findWhileTyping()
    case .filter: narrow(to: typed)
    case .command, .rename, .quit: break
    }
    return []
  }

  private mutating func cancel(_ prompt: Prompt) -> [ScreenEffect] {
    self.prompt = nil
    let start = findStart
    if prompt == .filter { narrow(to: "") }
    if prompt == .find {
      awaitedText = ""
      changeList { $0.move(to: start) }
    }
    return []
  }

  private mutating func enter(_ text: String, _ prompt: Prompt) -> [ScreenEffect] {
    switch prompt {
    case .command:
      remember(text)
      return run(text)
    case .find:
      let start = findStart
      if !text.isEmpty { changeList { $0.move(to: start) } }
      return find(text, backward: false)
    case .rename(let name):
      return text.isEmpty || text == name ? [] : [.perform(.renamePlaylist(name, to: text))]
    case .filter, .quit: return []
    }
  }

  /// Shows the candidates for the word that is being typed, as many as there is room for.
  package mutating func showCandidates(_ names: [String]) {
    let gap = "  "
    var text = ""
    for (index, name) in names.enumerated() {
      let next = (text.isEmpty ? "" : text + gap) + name.safeForTerminal
      let more = names.count - index - 1
      let rest = more > 0 ? "\(gap)(\(more + 1) more)" : ""
      guard next.cellWidth + rest.cellWidth < size.columns - 1 || text.isEmpty else {
        text += "\(gap)(\(more + 1) more)"
        break
      }
      text = next
    }
    show(text, isError: false)
  }

  // MARK: Earlier commands

  /// The maximum number of commands that are remembered.
  private static let historyLimit = 100

  private mutating func remember(_ line: String) {
    guard !line.allSatisfy(\.isWhitespace) else { return }
    commandHistory.removeAll { $0 == line }
    commandHistory = (commandHistory + [line]).suffix(Self.historyLimit)
  }

  /// Shows an earlier command again, by its number; after the newest one, an empty line.
  private mutating func showCommand(_ number: Int) -> [ScreenEffect] {
    guard (0...commandHistory.count).contains(number) else { return [] }
    shownCommand = number
    typed = number < commandHistory.count ? commandHistory[number] : ""
    return []
  }

  // MARK: Finding

  mutating func complete(_ action: ScreenAction, with key: Key) -> [ScreenEffect] {
    awaited = nil
    guard case .character(let character) = key else { return [] }
    switch action {
    case .goToLetter:
      guard let list else { return [] }
      awaitedText = String(character)
      isFinding = true
      return [.read(.letter(character, in: list.view))]
    case .rate:
      guard let mark = TrackMark(key: character) else {
        show("rate with a digit from 0 to 5; l likes", isError: true)
        return []
      }
      guard let list else { return [.perform(.rateCurrent(mark))] }
      return rate(list.chosen, mark)
    default: return []
    }
  }

  /// Runs a command line. A single word may name a screen, the list of keys, or the end.
  mutating func run(_ line: String) -> [ScreenEffect] {
    let words = line.split(whereSeparator: \.isWhitespace).map { $0.lowercased() }
    guard let word = words.first else { return [] }
    guard words.count == 1 else { return [.perform(.line(line))] }
    switch word {
    case "help": return perform(.help)
    case "q", "quit", "exit": return perform(.quit)
    case "tracks": show(.songs)
    case "now": show(.nowPlaying)
    case "outputs": return perform(.showOutputs)
    case "equalizer": return perform(.showEqualizer)
    default:
      guard let screen = Screen.allCases.first(where: { $0.rawValue.lowercased() == word }) else {
        return [.perform(.line(line))]
      }
      show(screen)
    }
    return []
  }

  /// The maximum number of rows in which text is looked for while it is being typed.
  private static let findLimit = 20_000

  /// Looks for the text that has been typed so far.
  private mutating func findWhileTyping() -> [ScreenEffect] {
    let start = findStart
    changeList { $0.move(to: start) }
    awaitedText = typed
    guard let list, !typed.isEmpty, list.count ?? .max <= Self.findLimit else { return [] }
    return [.read(.find(typed, in: list.view, after: findStart, backward: false))]
  }

  /// Finds `text` or, if it is empty, the last text again.
  mutating func find(_ text: String, backward: Bool) -> [ScreenEffect] {
    if !text.isEmpty { lastFound = text }
    awaitedText = lastFound
    guard let list, !lastFound.isEmpty else { return [] }
    isFinding = true
    return [.read(.find(lastFound, in: list.view, after: list.cursor, backward: backward))]
  }

  /// Closes what the user is typing, and what covers the screen. Returns whether there was anything to close.
  @discardableResult
  mutating func closePrompt() -> Bool {
    defer { (prompt, overlay, awaited, awaitedUse, pendingKeys, waitingKeys) = (nil, nil, nil, nil, [], []) }
    let isFound = prompt == .find
    if isFound { _ = cancel(.find) }
    return isFound || prompt != nil || overlay != nil || awaited != nil || !pendingKeys.isEmpty
  }

  /// Whether something covers the screen, or the user is typing.
  var isCovered: Bool { overlay != nil || prompt != nil || awaited != nil }

  /// Handles Ctrl-C: closes what is open, or else quits. Returns `nil` if the screen is to be left at once.
  package mutating func interrupt() -> [ScreenEffect]? {
    if case .equaliser? = overlay { return cancelEditing() }
    if prompt != .quit, closePrompt() { return [] }
    guard prompt == nil, asksBeforeQuitting else { return nil }
    return perform(.quit)
  }
}

extension TrackMark {
  /// Creates what a key notes of tracks while a rating is awaited; returns `nil` for a key without a meaning.
  fileprivate init?(key: Character) {
    switch key {
    case "l", "L": self = .toggleLiked
    case "0"..."5":
      guard let stars = key.wholeNumberValue else { return nil }
      self = .rating(2 * stars)
    default: return nil
    }
  }
}

extension Character {
  fileprivate var isControl: Bool { unicodeScalars.contains { $0.properties.generalCategory == .control } }
}

extension String {
  /// The text without its last word.
  fileprivate var withoutLastWord: String {
    String(reversed().drop(while: \.isWhitespace).drop { !$0.isWhitespace }.reversed())
  }
}
