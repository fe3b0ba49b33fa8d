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
    /// Whether to change a playlist, which cannot be undone.
    case change(ScreenCommand)
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
  var lists: [Screen: [ListState]] = [:]
  private(set) var filters = LibraryFilters()
  var prompt: Prompt?
  /// The text of the prompt, or the text to search for.
  var typed = ""
  /// Whether letters are added to the text to search for, on the search screen.
  var isTypingSearch = false
  var overlay: Overlay?
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
  var pendingKeys: [Key] = []
  /// The keys that were typed since one whose row is still being loaded.
  var waitingKeys: [Key] = []
  /// Whether a row is being looked for, to which the cursor will move.
  var isFinding = false
  /// Whether the next key is a letter to go to, or a digit to rate with.
  var awaited: ScreenAction?
  var lastFound = ""
  /// The text or letter that is being looked for.
  var awaitedText = ""
  /// The row on which the button of the mouse was pressed last.
  var pressedRow: Int?

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

  /// Stores rows of `content`, or the reason why they could not be loaded.
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
    isFinding = false
    guard list?.content == content else { return }
    guard let position else { return show("not found: \(awaitedText)", isError: true) }
    changeList { $0.move(to: position) }
  }

  /// Notes that the rows of some lists may have changed.
  package mutating func invalidate(where isChanged: (ListContent) -> Bool) {
    for (screen, stack) in lists {
      for index in stack.indices where isChanged(stack[index].content) { lists[screen]?[index].invalidate() }
    }
  }

  /// Applies the filters of all lists.
  package mutating func receive(_ filters: LibraryFilters) {
    guard filters != self.filters else { return }
    self.filters = filters
    // Every list of the library begins anew.
    let text = searchText
    for (screen, stack) in lists where stack.first?.content.isOfLibrary == true {
      lists[screen] = nil
    }
    lists[.search] = [ListState(.search(text, filters.query), title: Screen.search.rawValue)]
    waitingKeys = []
    ensureList()
  }

  /// Adapts to the size of the terminal.
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
      if leaves(key) { (waitingKeys, isFinding) = ([], false) }
      if waitingKeys.isEmpty, !mustWait(for: key) { return handle(key) + loadVisible() }
      if waitingKeys.count < Self.waitingLimit { waitingKeys.append(key) }
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
    if isFinding { return !leaves(key) }
    guard let list, list.current == nil || list.isChanging, list.count != 0, list.problem == nil, prompt == nil,
      overlay == nil, awaited == nil,
      !(isTypingSearch && lists[.search]?.count == 1 && key != .enter && key != .tab),
      case .target(.action(let action)) = bindings.meaning(of: pendingKeys + [key])
    else { return false }
    return Self.rowActions.contains(action)
  }

  /// The maximum number of keys that wait.
  private static let waitingLimit = 64

  /// Whether a key leaves the list, so that it need not wait for its rows.
  private func leaves(_ key: Key) -> Bool {
    guard case .target(.action(let action)) = bindings.meaning(of: [key]) else { return false }
    return [.quit, .back, .help, .command, .nextScreen, .previousScreen, .redraw].contains(action)
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
    case .redraw:
      invalidate { _ in true }
      return [.redraw]
    case .quit:
      guard asksBeforeQuitting else { return [.quit] }
      prompt = .quit
    case .clearFilters: return [.filter(.clear(nil))]
    case .undo:
      if case .playlist? = list?.content {
        show("changes of playlists cannot be undone", isError: true)
        return []
      }
      return [.perform(.undo)]
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

  /// Asks whether to perform a command that cannot be undone.
  mutating func ask(_ command: ScreenCommand) { prompt = .change(command) }

  /// Begins to wait for the number of stars.
  mutating func awaitStars() -> [ScreenEffect] {
    awaitKey(for: .rate)
    return []
  }

  /// Records that no row could be looked for.
  package mutating func receiveFailedSearch(_ problem: String) {
    isFinding = false
    show(problem, isError: true)
  }

  /// Records that a command has been performed.
  package mutating func receiveOutcome() {
    for (screen, stack) in lists {
      for index in stack.indices { lists[screen]?[index].endChange() }
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
