// SPDX-License-Identifier: GPL-3.0-or-later

package import MusicModel
package import Platform
import PlayerFlow
import PlayerPort
import SystemPackage
package import Terminal
package import UserSettings

/// The state of a full screen, and how each input changes it. It knows neither the terminal nor the player: what it
/// wants is returned as effects, and what comes back is passed to it.
package struct FullScreenModel: Equatable, Sendable {
  /// A line at the bottom into which the user types.
  enum Prompt: Equatable, Sendable {
    case command
    /// Text to find in the list.
    case find
    /// Words by which the list is narrowed.
    case filter
    /// A new name for a playlist.
    case rename(String)
    /// Whether to stop the music.
    case quit
  }

  /// What covers the screen.
  enum Overlay: Equatable, Sendable {
    /// What can be done here, and its keys, with the selected action.
    case actions(selection: Int)
    case popup(Popup)
    case equaliser(EqualiserEditor)
  }

  /// The use of a marked range whose rows are not known.
  struct RangeUse: Equatable, Sendable {
    let action: ScreenAction
    let view: ListView
    let range: Range<Int>
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
  /// What is in the row under the cursor, beside the list; `nil` if nothing is.
  var preview: ListState?
  /// The tracks of the album whose cover is below that; `nil` if there is none.
  var albumTracks: ListState?
  var prompt: Prompt?
  /// The text of the prompt, or the text to search for.
  var typed = ""
  /// Whether letters are added to the text to search for, on the search screen.
  var isTypingSearch = false
  var overlay: Overlay?
  var message: Message?
  var lyrics = LyricsState()
  /// Whether covers of albums can be shown, and whether the user prefers lists of albums nevertheless.
  package var showsCovers = false
  var prefersLists = false
  /// Whether the user is asked before the screen is left, because that would stop the music.
  var asksBeforeQuitting = false
  /// What the user has chosen about the looks of the screen.
  package internal(set) var memory: ScreenMemory
  /// What is beside the cover on the screen that shows what is playing.
  var side: PlayingSide { memory.side }
  /// The queue beside the cover; `nil` until it is shown.
  var sideQueue: ListState?
  /// Whether the time that is left is shown instead of the duration.
  var showsTimeLeft: Bool { memory.showsTimeLeft }
  /// The position of the current track in the queue; `nil` if there is none.
  package var currentPosition: Int? {
    didSet { if currentPosition != oldValue { scrollSide() } }
  }
  /// The ID of the current item of the queue; `nil` if there is none.
  package var currentItem: UInt64?
  /// The duration of the current track; `nil` if it is not known.
  package var duration: Duration? {
    didSet { if duration != oldValue { durationCells = duration.map { TimeText.text($0).utf8.count } } }
  }
  private var durationCells: Int?
  package private(set) var size: TerminalSize
  package var bindings: ScreenBindings
  /// The screen that going back leaves; `nil` if it leaves none.
  var leavingScreen: Screen?
  package var volumeStep: Int
  /// How much of the height the cover takes, where there is room.
  package var coverPercent = 60
  /// The columns that the user has chosen for lists, by the names of their kinds.
  package var columns: [String: [ListColumn.Choice]] = [:]
  /// The keys of an incomplete sequence.
  var pendingKeys: [Key] = []
  /// The keys that were typed since one whose row is still being loaded.
  var waitingKeys: [Key] = []
  /// Whether a row is being looked for, to which the cursor will move.
  var isFinding = false
  /// Whether the next key is a letter to go to, or a digit to rate with.
  var awaited: ScreenAction?
  var lastFound = ""
  /// The row of the cursor before text was looked for while it is being typed.
  var findStart = 0
  /// The commands that the user has typed, the newest last, and the number of the one that is shown again.
  var commandHistory: [String] = []
  var shownCommand: Int?
  /// A marked range whose rows are being loaded to use them; `nil` if there is none.
  var awaitedUse: RangeUse?
  /// The text or letter that is being looked for.
  var awaitedText = ""
  /// The row on which the button of the mouse was pressed last.
  var pressedRow: Int?

  /// Creates the state for a terminal of `size`.
  package init(
    size: TerminalSize, bindings: ScreenBindings = ScreenBindings(), volumeStep: Int = 5,
    memory: ScreenMemory = ScreenMemory()
  ) {
    self.size = size
    self.memory = memory
    prefersLists = memory.prefersLists ?? false
    self.bindings = bindings
    self.volumeStep = volumeStep
  }

  /// The list that the screen shows; `nil` if it shows none.
  var list: ListState? { lists[screen]?.last }

  /// The titles of the lists that lead to this one, after the name of the screen.
  var path: [String] { lists[screen, default: []].dropFirst().map(\.title) }

  /// Changes the list that the screen shows.
  mutating func changeList(_ change: (inout ListState) -> Void) {
    guard var stack = lists[screen], var list = stack.popLast() else { return }
    change(&list)
    list.scroll(in: window(of: list.content))
    lists[screen] = stack + [list]
  }

  var layout: ScreenLayout {
    // The times of a stream may be long.
    guard let durationCells else { return ScreenLayout(size: size, elapsedCells: 7, durationCells: 0) }
    return ScreenLayout(
      size: size, elapsedCells: durationCells, durationCells: durationCells + (showsTimeLeft ? 1 : 0))
  }

  /// The layout of a list of albums as a grid of covers; `nil` if it is shown as a list.
  func grid(of content: ListContent) -> AlbumGrid? {
    guard case .albums = content, showsCovers, !prefersLists, panes == nil else { return nil }
    return AlbumGrid(layout)
  }

  /// How much of a list is visible.
  func window(of content: ListContent) -> ListWindow {
    grid(of: content).map { ListWindow(rows: $0.rows, columns: $0.columns) } ?? ListWindow(rows: layout.listHeight)
  }

  /// The IDs of the albums whose covers are visible.
  package var visibleAlbums: [Int64] {
    if let albumRoom { return [albumRoom.album] }
    guard let list, overlay == nil, grid(of: list.content) != nil else { return [] }
    let window = window(of: list.content)
    return (list.top..<list.top + window.rows * window.columns).compactMap { number in
      if case .album(let id)? = list.row(number)?.target { id } else { nil }
    }
  }

  /// The size of the covers of albums in cells; `nil` if none are shown.
  package var albumCoverSize: (columns: Int, rows: Int)? {
    if let cover = albumRoom?.cover { return (cover.columns, cover.rows) }
    return list.flatMap { grid(of: $0.content) }.map { ($0.coverColumns, $0.coverRows) }
  }

  // MARK: What comes from outside

  /// Applies the filters of all lists.
  package mutating func receive(_ filters: LibraryFilters) {
    guard filters != self.filters else { return }
    self.filters = filters
    // Every list of the library begins anew.
    let text = searchText
    for (screen, stack) in lists where stack.first?.content.isOfLibrary == true {
      lists[screen] = nil
    }
    showSearch(for: text)
    (waitingKeys, isFinding, awaitedUse) = ([], false, nil)
    ensureList()
  }

  /// Adapts to the size of the terminal.
  package mutating func resize(_ size: TerminalSize) {
    self.size = size
    changeList { _ in }
    scrollSide()
  }

  /// Shows a message until the next key.
  package mutating func show(_ text: String, isError: Bool) {
    message = text.isEmpty ? nil : Message(text: text, isError: isError)
  }

  package mutating func show(_ screen: Screen) {
    self.screen = screen
    (overlay, awaitedUse, pressedRow) = (nil, nil, nil)
    isTypingSearch = screen == .search
    // What was found before stays until something is typed.
    if isTypingSearch { typed = "" }
    ensureList()
    // The size may have changed since it was shown last.
    changeList { _ in }
  }

  private mutating func ensureList() {
    guard lists[screen] == nil, let own = screen.view(filters.query) else { return }
    let cursor = screen == .queue ? currentPosition ?? 0 : 0
    let view = screen.hasFixedOrder ? own : view(of: own.content)
    lists[screen] = [ListState(view, title: screen.rawValue, cursor: cursor)]
    changeList { _ in }
  }

  /// Returns a list as the user sorted it last.
  func view(of content: ListContent) -> ListView {
    ListView(content, order: memory.orders[content.kindName].flatMap { content.orders.isEmpty ? nil : $0 })
  }

  /// Shows what is found for `text`, in place of what was found before.
  mutating func showSearch(for text: String) {
    lists[.search] = [ListState(view(of: .search(text, filters.query)), title: Screen.search.rawValue)]
  }

  var searchText: String {
    if case .search(let text, _)? = lists[.search]?.first?.content { text } else { "" }
  }

  // MARK: Input

  /// Handles an input, and returns its effects.
  package mutating func handle(_ input: TerminalInput) -> [ScreenEffect] {
    switch input {
    case .key(let key):
      message = nil
      if leaves(key) { (waitingKeys, isFinding, awaitedText, awaitedUse) = ([], false, "", nil) }
      if waitingKeys.isEmpty, !mustWait(for: key) { return handle(key) + loadVisible() }
      if waitingKeys.count < Self.waitingLimit { waitingKeys.append(key) }
      return []
    case .mouse(let event):
      if event.kind == .press { (waitingKeys, isFinding, awaitedText, awaitedUse) = ([], false, "", nil) }
      return handle(event) + loadVisible()
    case .paste(let text): return paste(text) + loadVisible()
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
    if isFinding || awaitedUse != nil { return !leaves(key) }
    guard let list, list.current == nil || list.isChanging || list.content.isEdited && list.isCursorStale,
      list.count != 0, list.problem == nil, prompt == nil,
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
    guard let action = action(of: key), !(key.isCharacter && awaitsPrompt) else { return false }
    if action == .left { return list.map { window(of: $0.content).columns == 1 } ?? true }
    return [.quit, .back, .help, .command, .nextScreen, .previousScreen, .redraw].contains(action)
  }

  /// Whether the keys that wait begin with one that asks for a name, so that characters will be part of it.
  private var awaitsPrompt: Bool {
    let actions = waitingKeys.compactMap { action(of: $0) } + [awaitedUse?.action].compactMap(\.self)
    return !Set(actions).isDisjoint(with: [.addToPlaylist, .rename, .filterList])
  }

  private func action(of key: Key) -> ScreenAction? {
    if case .target(.action(let action)) = bindings.meaning(of: [key]) { action } else { nil }
  }

  /// Notes that the last key did nothing.
  mutating func showKeyHint() {
    guard let key = bindings.keys(of: .help).first else { return }
    show("\(key) lists the keys", isError: false)
  }

  /// The actions on the row under the cursor.
  private static let rowActions: Set<ScreenAction> = [
    .play, .open, .right, .add, .addNext, .addToPlaylist, .remove, .rename, .moveUp, .moveDown, .mark, .rate, .filter,
    .goToAlbum, .goToArtist, .info, .copy,
  ]

  private mutating func handle(_ key: Key) -> [ScreenEffect] {
    if action(of: key) == .redraw, !key.isCharacter { return perform(.redraw) }
    pressedRow = nil
    if let prompt { return type(key, prompt) }
    if let awaited { return complete(awaited, with: key) }
    if case .popup(let popup)? = overlay { return handle(key, in: popup) }
    if case .equaliser(let editor)? = overlay { return handle(key, in: editor) }
    if overlay != nil { return handleOverlay(key) }
    if isTypingSearch, lists[.search]?.count == 1, let effects = search(key) { return effects }
    pendingKeys.append(key)
    switch bindings.meaning(of: pendingKeys) {
    case .prefix: return []
    case .nothing:
      let isSequence = pendingKeys.count > 1
      pendingKeys = []
      // The last key may begin a sequence of its own.
      if isSequence { return handle(key) }
      showKeyHint()
      return []
    case .target(let target):
      pendingKeys = []
      switch target {
      case .command(let line): return [.perform(.line(line))]
      case .program(let words): return run(words)
      case .action(let action): return perform(action)
      }
    }
  }
}

extension Key {
  /// Whether the key types a character.
  fileprivate var isCharacter: Bool { if case .character = self { true } else { false } }
}
