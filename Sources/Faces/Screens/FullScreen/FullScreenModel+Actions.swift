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
    if let request = action.request(volumeStep: volumeStep) { return [.perform(.request(request))] }
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
    case .goToCurrent: goToCurrent()
    case .showBrowse:
      let browsed = Screen.browsed
      let next = browsed.firstIndex(of: screen).map { ($0 + 1) % browsed.count } ?? 0
      show(browsed[next])
    case .timeLeft:
      memory.showsTimeLeft.toggle()
      return [.remember(memory)]
    case .showOutputs: show(Popup(.outputs))
    case .goToAlbum, .goToArtist: return findOrigin(action == .goToAlbum ? .album : .artist)
    case .info: return chosenTrack.map { [.loadInfo($0)] } ?? []
    case .copy: return copy()
    case .side:
      guard screen == .nowPlaying else {
        show(.nowPlaying)
        return []
      }
      memory.side = side.next
      return [.remember(memory)]
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

  /// Begins to ask for text to find; on the search screen, for the text to search for.
  mutating func askForText() {
    if screen == .search { return show(.search) }
    (prompt, typed, findStart) = (.find, "", list?.cursor ?? 0)
  }

  /// The track under the cursor or, where there is no list, the one that plays; `nil` if there is none.
  private var chosenTrack: ListTarget? {
    guard let list else { return currentItem.map { .item($0) } }
    return switch list.current?.target {
    case .item?, .track?, .file?: list.current?.target
    default: nil
    }
  }

  private mutating func findOrigin(_ kind: TrackOriginKind) -> [ScreenEffect] {
    guard let chosenTrack else {
      show("only tracks have an album and an artist to go to", isError: true)
      return []
    }
    return [.read(.origin(chosenTrack, kind))]
  }

  /// Goes to the album or the artist of a track; `nil` if the track is not in the library.
  mutating func receive(_ origin: TrackOrigin?, _ kind: TrackOriginKind) {
    guard let origin else { return show("the track is not in the library", isError: true) }
    switch kind {
    case .album:
      show(.albums)
      lists[.albums] = lists[.albums]?.prefix(1).map { $0 }
      open(.album(origin.album), title: origin.albumTitle)
    case .artist:
      guard let name = origin.albumArtists.first ?? origin.artists.first else {
        return show("the track has no artist", isError: true)
      }
      show(.artists)
      lists[.artists] = lists[.artists]?.prefix(1).map { $0 }
      let row = ListRow(.artist(name), title: name)
      if let content = content(of: row) { open(content, title: name) }
    }
  }

  /// Shows everything about a track.
  mutating func receive(_ info: [InfoLine]) { show(Popup(.info(info))) }

  private mutating func copy() -> [ScreenEffect] {
    guard let row = list?.current else { return [] }
    let text = [row.artist, row.title].filter { !$0.isEmpty }.joined(separator: " - ")
    show("copied: \(text)", isError: false)
    return [.copy(text)]
  }

  /// Opens a list from the one that the screen shows.
  mutating func open(_ content: ListContent, title: String) {
    // What is shown beside the list is loaded already.
    let view = view(of: content)
    let loaded = preview.flatMap { $0.view == view ? $0 : nil }
    lists[screen, default: []].append(loaded ?? ListState(view, title: title))
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
