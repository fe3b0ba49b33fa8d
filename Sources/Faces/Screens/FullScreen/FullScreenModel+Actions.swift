// SPDX-License-Identifier: GPL-3.0-or-later

import PlayerFlow
import PlayerPort
import Terminal
import UserSettings

/// The actions that keys and the menu choose.
extension FullScreenModel {
  /// Performs an action that a key or the menu has chosen.
  mutating func perform(_ action: ScreenAction) -> [ScreenEffect] {
    if let screen = Screen.allCases.first(where: { $0.action == action }) {
      show(screen)
      return []
    }
    if let effects = control(action) { return effects }
    switch action {
    case .nextScreen, .previousScreen: turn(by: action == .nextScreen ? 1 : -1)
    case .help: overlay = .actions(selection: 0)
    case .command: (prompt, typed, shownCommand) = (.command, "", nil)
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
    case .showBrowse:
      let browsed = Screen.browsed
      let next = browsed.firstIndex(of: screen).map { ($0 + 1) % browsed.count } ?? 0
      show(browsed[next])
    case .timeLeft: showsTimeLeft.toggle()
    case .side:
      guard screen == .nowPlaying else {
        show(.nowPlaying)
        return []
      }
      side = side.next
      return [.showSide(side)]
    default:
      if screen == .lyrics { return scrollLyrics(action) }
      if list == nil, action != action.withoutList { return perform(action.withoutList) }
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
    case .seekBackFar: [.perform(.control(.seek(by: -60)))]
    case .seekForwardFar: [.perform(.control(.seek(by: 60)))]
    case .volumeUp: [.perform(.control(.volume(by: volumeStep)))]
    case .volumeDown: [.perform(.control(.volume(by: -volumeStep)))]
    case .repeat: [.perform(.changeMode(.repeat))]
    case .random: [.perform(.changeMode(.random))]
    case .single: [.perform(.changeMode(.single))]
    case .consume: [.perform(.changeMode(.consume))]
    case .clear: [.perform(.clear)]
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

  /// Records that a command has been performed, or has failed.
  package mutating func receiveOutcome(isFailed: Bool = false) {
    for (screen, stack) in lists {
      for index in stack.indices { lists[screen]?[index].endChange(isFailed: isFailed) }
    }
    changeList { _ in }
  }

  /// Begins to wait for the letter or digit that completes `action`.
  mutating func awaitKey(for action: ScreenAction) { awaited = action }

  /// Begins to ask for text to find; on the search screen, for the text to search for.
  mutating func askForText() {
    if screen == .search { return show(.search) }
    (prompt, typed, findStart) = (.find, "", list?.cursor ?? 0)
  }

  /// Finds the last text again.
  mutating func findAgain(backward: Bool) -> [ScreenEffect] { find("", backward: backward) }

  /// Covers the screen, or stops to.
  mutating func cover(with overlay: Overlay?) { self.overlay = overlay }

  /// Opens a list from the one that the screen shows.
  mutating func open(_ content: ListContent, title: String) {
    // What is shown beside the list is loaded already.
    let loaded = preview.flatMap { $0.content == content ? $0 : nil }
    lists[screen, default: []].append(loaded ?? ListState(content, title: title))
    changeList { _ in }
  }

  /// Closes the list that was opened last. Returns whether there was one.
  mutating func closeList() -> Bool {
    guard let stack = lists[screen], stack.count > 1 else { return false }
    lists[screen] = stack.dropLast()
    pressedRow = nil
    changeList { _ in }
    return true
  }
}
