// SPDX-License-Identifier: GPL-3.0-or-later

import MusicModel
import PlayerFlow
import Terminal
import UserSettings

/// What the user types: the text to search for, commands, text to find, and answers to questions.
extension FullScreenModel {
  /// Handles a key while the user types the text to search for; returns `nil` if it has its usual meaning.
  mutating func search(_ key: Key) -> [ScreenEffect]? {
    switch key {
    case .character(let character): typed.append(character)
    case .backspace where !typed.isEmpty: typed.removeLast()
    case .control("u"): typed = ""
    case .escape:
      isTypingSearch = false
      return []
    default: return nil
    }
    lists[.search] = [ListState(.search(typed, filters.query), title: Screen.search.rawValue)]
    return []
  }

  mutating func type(_ key: Key, _ prompt: Prompt) -> [ScreenEffect] {
    if case .change(let command) = prompt {
      self.prompt = nil
      return key == .character("y") ? [.perform(command)] : []
    }
    if prompt == .quit {
      self.prompt = nil
      return [.character("y"), .enter, .character("q")].contains(key) ? [.quit] : []
    }
    switch key {
    case .character(let character): typed.append(character)
    case .backspace:
      if typed.isEmpty { self.prompt = nil } else { typed.removeLast() }
    case .control("u"): typed = ""
    case .tab where prompt == .command: return [.complete(typed)]
    case .escape, .control("c"): self.prompt = nil
    case .enter:
      self.prompt = nil
      switch prompt {
      case .command: return run(typed)
      case .find: return find(typed, backward: false)
      case .quit, .change: return []
      }
    default: break
    }
    return []
  }

  mutating func complete(_ action: ScreenAction, with key: Key) -> [ScreenEffect] {
    awaited = nil
    guard case .character(let character) = key else { return [] }
    switch action {
    case .goToLetter:
      guard let list else { return [] }
      awaitedText = String(character)
      isFinding = true
      return [.findLetter(character, in: list.content)]
    case .rate:
      guard let stars = character.wholeNumberValue, (0...5).contains(stars) else {
        show("rate with a digit from 0 to 5", isError: true)
        return []
      }
      guard let list else { return [.perform(.rateCurrent(stars: stars))] }
      return rate(list.chosen, stars)
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
    default:
      guard let screen = Screen.allCases.first(where: { $0.rawValue.lowercased() == word }) else {
        return [.perform(.line(line))]
      }
      show(screen)
    }
    return []
  }

  mutating func find(_ text: String, backward: Bool) -> [ScreenEffect] {
    if !text.isEmpty { lastFound = text }
    awaitedText = lastFound
    guard let list, !lastFound.isEmpty else { return [] }
    isFinding = true
    return [.find(lastFound, in: list.content, after: list.cursor, backward: backward)]
  }

  /// Closes what the user is typing, and what covers the screen. Returns whether there was anything to close.
  @discardableResult
  mutating func closePrompt() -> Bool {
    defer { (prompt, overlay, awaited, pendingKeys, waitingKeys) = (nil, nil, nil, [], []) }
    return prompt != nil || overlay != nil || awaited != nil || !pendingKeys.isEmpty
  }

  /// Whether something covers the screen, or the user is typing.
  var isCovered: Bool { overlay != nil || prompt != nil || awaited != nil }

  /// Handles Ctrl-C: closes what is open, or else quits. Returns `nil` if the screen is to be left at once.
  package mutating func interrupt() -> [ScreenEffect]? {
    if prompt != .quit, closePrompt() { return [] }
    guard prompt == nil, asksBeforeQuitting else { return nil }
    return perform(.quit)
  }
}
