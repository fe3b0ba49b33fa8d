// SPDX-License-Identifier: GPL-3.0-or-later

package import MusicModel
package import Platform
import PlayerFlow
import SystemPackage
package import Terminal
package import UserSettings

/// The state of a full screen, and how each input changes it. It knows neither the terminal nor the player: what it
/// wants is returned as effects, and what comes back is passed to it.
package struct FullScreenModel: Equatable, Sendable {
  /// A line at the bottom into which the user types.
  enum Prompt: Equatable, Sendable {
    /// A command.
    case command
    /// Text to find in the list.
    case find
    /// Whether to stop the music.
    case quit
  }

  /// What covers the screen.
  enum Overlay: Equatable, Sendable {
    /// The keys, from this line on.
    case help(top: Int)
    /// The actions that make sense here, with the selected one.
    case menu(selection: Int)
  }

  /// A message to the user.
  struct Message: Equatable, Sendable {
    var text: String
    var isError: Bool
  }

  package private(set) var screen = Screen.nowPlaying
  /// The lists of each screen: the first one, and those that were opened from it.
  private(set) var lists: [Screen: [ListState]] = [:]
  private(set) var filters = LibraryFilters()
  private(set) var prompt: Prompt?
  /// The text of the prompt, or the text to search for.
  var typed = ""
  /// Whether letters are added to the text to search for, on the search screen.
  private(set) var isTypingSearch = false
  private(set) var overlay: Overlay?
  var message: Message?
  /// The lyrics screen.
  var lyrics = LyricsState()
  /// Whether the user is asked before the screen is left, because that would stop the music.
  var asksBeforeQuitting = false
  /// The position of the current track in the queue; `nil` if there is none.
  var currentPosition: Int?
  package private(set) var size: TerminalSize
  let bindings: ScreenBindings
  private let volumeStep: Int
  /// The keys of an incomplete sequence.
  private var pendingKeys: [Key] = []
  /// The keys that were typed since one whose row is still being loaded.
  private var waitingKeys: [Key] = []
  /// Whether the next key is a letter to go to, or a digit to rate with.
  private var awaited: ScreenAction?
  private var lastFound = ""

  /// Creates the state for a terminal of `size`.
  package init(size: TerminalSize, bindings: ScreenBindings = ScreenBindings(), volumeStep: Int = 5) {
    self.size = size
    self.bindings = bindings
    self.volumeStep = volumeStep
  }

  /// The list that the screen shows; `nil` if it shows none.
  var list: ListState? { lists[screen]?.last }

  /// The titles of the lists that lead to this one, after the name of the screen.
  var path: [String] { lists[screen, default: []].dropFirst().map(\.title) }

  /// Changes the list that the screen shows.
  mutating func changeList(_ change: (inout ListState) -> Void) {
    let height = layout.listHeight
    guard var stack = lists[screen], var list = stack.popLast() else { return }
    change(&list)
    list.scroll(height: height)
    lists[screen] = stack + [list]
  }

  /// The layout of the screen.
  var layout: ScreenLayout { ScreenLayout(size: size) }

  // MARK: What comes from outside

  /// Returns the effects that load what is visible and has not been loaded.
  package mutating func loadVisible() -> [ScreenEffect] {
    guard let content = list?.content else { return [] }
    var effects: [ScreenEffect] = []
    let height = layout.listHeight
    var stack = lists[screen, default: []]
    while let offset = stack[stack.count - 1].nextRequest(height: height) {
      effects.append(.load(content, offset: offset))
    }
    lists[screen] = stack
    return effects
  }

  /// Takes over rows of `content`, or the reason why they could not be loaded.
  package mutating func receive(_ page: Result<ListPage, CommandError>, of content: ListContent) {
    let height = layout.listHeight
    for (screen, stack) in lists {
      guard let index = stack.firstIndex(where: { $0.content == content }) else { continue }
      switch page {
      case .success(let page): lists[screen]?[index].receive(page)
      case .failure(let error): lists[screen]?[index].receive(error.message)
      }
      lists[screen]?[index].scroll(height: height)
    }
  }

  /// Moves the cursor of the list `content` to a row that was found; `nil` if none was.
  package mutating func receive(position: Int?, of content: ListContent) {
    guard list?.content == content else { return }
    guard let position else { return show("not found: \(lastFound)", isError: true) }
    changeList { $0.move(to: position) }
  }

  /// Notes that the rows of some lists may have changed.
  package mutating func invalidate(where isChanged: (ListContent) -> Bool) {
    for (screen, stack) in lists {
      for index in stack.indices where isChanged(stack[index].content) { lists[screen]?[index].invalidate() }
    }
  }

  /// Takes over the filters of all lists.
  package mutating func receive(_ filters: LibraryFilters) {
    guard filters != self.filters else { return }
    self.filters = filters
    // Every list of the library begins anew.
    for (screen, stack) in lists where stack.first?.content.isOfLibrary == true {
      lists[screen] = nil
    }
    ensureList()
  }

  /// Takes over the size of the terminal.
  package mutating func resize(_ size: TerminalSize) {
    self.size = size
    changeList { _ in }
  }

  /// Shows a message until the next key.
  package mutating func show(_ text: String, isError: Bool) {
    message = text.isEmpty ? nil : Message(text: text, isError: isError)
  }

  /// Shows a screen.
  package mutating func show(_ screen: Screen) {
    self.screen = screen
    overlay = nil
    isTypingSearch = screen == .search
    if isTypingSearch { typed = searchText }
    ensureList()
  }

  private mutating func ensureList() {
    guard lists[screen] == nil, let content = screen.content(filters.query) else { return }
    let cursor = screen == .queue ? currentPosition ?? 0 : 0
    lists[screen] = [ListState(content, title: screen.rawValue, cursor: cursor)]
    changeList { _ in }
  }

  /// The text of the search screen.
  private var searchText: String {
    if case .search(let text, _)? = lists[.search]?.first?.content { text } else { "" }
  }

  // MARK: Input

  /// Handles an input, and returns its effects.
  package mutating func handle(_ input: TerminalInput) -> [ScreenEffect] {
    switch input {
    case .key(let key):
      message = nil
      if waitingKeys.isEmpty, !mustWait(for: key) { return handle(key) + loadVisible() }
      waitingKeys.append(key)
      return []
    case .mouse(let event): return handle(event) + loadVisible()
    }
  }

  /// Handles the keys that waited for rows, if these have been loaded now.
  package mutating func handleWaitingKeys() -> [ScreenEffect] {
    var effects: [ScreenEffect] = []
    while let key = waitingKeys.first, !mustWait(for: key) {
      waitingKeys.removeFirst()
      effects += handle(key) + loadVisible()
    }
    return effects
  }

  /// Whether a key acts on the row under the cursor, which is still being loaded.
  private func mustWait(for key: Key) -> Bool {
    guard let list, list.current == nil, list.count != 0, list.problem == nil, prompt == nil, overlay == nil,
      !(isTypingSearch && lists[.search]?.count == 1 && key != .enter && key != .tab),
      case .target(.action(let action)) = bindings.meaning(of: pendingKeys + [key])
    else { return false }
    return Self.rowActions.contains(action)
  }

  /// The actions on the row under the cursor.
  private static let rowActions: Set<ScreenAction> = [
    .play, .open, .add, .addNext, .remove, .moveUp, .moveDown, .mark, .rate, .filter,
  ]

  private mutating func handle(_ key: Key) -> [ScreenEffect] {
    if let prompt { return type(key, prompt) }
    if let awaited { return complete(awaited, with: key) }
    if overlay != nil { return handleOverlay(key) }
    if isTypingSearch, lists[.search]?.count == 1, let effects = search(key) { return effects }
    pendingKeys.append(key)
    switch bindings.meaning(of: pendingKeys) {
    case .prefix: return []
    case .nothing:
      let isSequence = pendingKeys.count > 1
      pendingKeys = []
      // The last key may begin a sequence of its own.
      return isSequence ? handle(key) : []
    case .target(let target):
      pendingKeys = []
      switch target {
      case .command(let line): return [.perform(.line(line))]
      case .action(let action): return perform(action)
      }
    }
  }

  /// Handles a key while the user types the text to search for; returns `nil` if it has its usual meaning.
  private mutating func search(_ key: Key) -> [ScreenEffect]? {
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

  private mutating func type(_ key: Key, _ prompt: Prompt) -> [ScreenEffect] {
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
      case .command: return typed.allSatisfy(\.isWhitespace) ? [] : [.perform(.line(typed))]
      case .find: return find(typed, backward: false)
      case .quit: return []
      }
    default: break
    }
    return []
  }

  private mutating func complete(_ action: ScreenAction, with key: Key) -> [ScreenEffect] {
    awaited = nil
    guard case .character(let character) = key, let list else { return [] }
    switch action {
    case .goToLetter:
      lastFound = String(character)
      return [.findLetter(character, in: list.content)]
    case .rate:
      guard let stars = character.wholeNumberValue, (0...5).contains(stars) else {
        show("rate with a digit from 0 to 5", isError: true)
        return []
      }
      return rate(list.chosen.map(\.target), stars)
    default: return []
    }
  }

  private mutating func find(_ text: String, backward: Bool) -> [ScreenEffect] {
    if !text.isEmpty { lastFound = text }
    guard let list, !lastFound.isEmpty else { return [] }
    return [.find(lastFound, in: list.content, after: list.cursor, backward: backward)]
  }

  // MARK: Actions

  /// Performs an action that a key or the menu has chosen.
  mutating func perform(_ action: ScreenAction) -> [ScreenEffect] {
    if let screen = Screen.allCases.first(where: { $0.action == action }) {
      show(screen)
      return []
    }
    if let effects = control(action) { return effects }
    switch action {
    case .nextScreen, .previousScreen: turn(by: action == .nextScreen ? 1 : -1)
    case .help: overlay = .help(top: 0)
    case .menu: overlay = .menu(selection: 0)
    case .command: (prompt, typed) = (.command, "")
    case .redraw: return [.redraw]
    case .quit:
      guard asksBeforeQuitting else { return [.quit] }
      prompt = .quit
    case .clearFilters: return [.filter(.clear(nil))]
    case .undo: return [.perform(.undo)]
    case .redo: return [.perform(.redo)]
    case .goToCurrent: goToCurrent()
    default:
      if screen == .lyrics { return scrollLyrics(action) }
      return performOnList(action)
    }
    return []
  }

  private mutating func turn(by step: Int) {
    let all = Screen.allCases
    let index = (all.firstIndex(of: screen) ?? 0) + step
    show(all[(index + all.count) % all.count])
  }

  private mutating func goToCurrent() {
    if screen == .lyrics { return lyrics.follow() }
    if screen != .queue { show(.queue) }
    let position = currentPosition ?? 0
    changeList { $0.move(to: position) }
  }

  private func control(_ action: ScreenAction) -> [ScreenEffect]? {
    switch action {
    case .pause: [.perform(.control(.toggle))]
    case .stop: [.perform(.control(.stop))]
    case .next: [.perform(.control(.next))]
    case .previous: [.perform(.control(.previous))]
    case .seekBack: [.perform(.control(.seek(by: -10)))]
    case .seekForward: [.perform(.control(.seek(by: 10)))]
    case .volumeUp: [.perform(.control(.volume(by: volumeStep)))]
    case .volumeDown: [.perform(.control(.volume(by: -volumeStep)))]
    case .meter: [.toggleMeter]
    default: nil
    }
  }

  /// Begins to wait for the letter or digit that completes `action`.
  mutating func awaitKey(for action: ScreenAction) { awaited = action }

  /// Begins to ask for text to find; on the search screen, for the text to search for.
  mutating func askForText() {
    if screen == .search { return show(.search) }
    (prompt, typed) = (.find, "")
  }

  /// Finds the last text again.
  mutating func findAgain(backward: Bool) -> [ScreenEffect] { find("", backward: backward) }

  /// Covers the screen, or stops to.
  mutating func cover(with overlay: Overlay?) { self.overlay = overlay }

  /// Opens a list from the one that the screen shows.
  mutating func open(_ content: ListContent, title: String) {
    lists[screen, default: []].append(ListState(content, title: title))
    changeList { _ in }
  }

  /// Closes the list that was opened last. Returns whether there was one.
  mutating func closeList() -> Bool {
    guard let stack = lists[screen], stack.count > 1 else { return false }
    lists[screen] = stack.dropLast()
    return true
  }
}
