// SPDX-License-Identifier: GPL-3.0-or-later

package import PlayerPort
import Terminal
import UserSettings

/// The rows of the lists: which are needed, and what happens when they arrive.
extension FullScreenModel {
  /// Returns the effects that load what is visible and has not been loaded.
  package mutating func loadVisible() -> [ScreenEffect] {
    var effects = loadSide() + loadPreview() + loadAlbumTracks() + loadPopup()
    guard let content = list?.content else { return effects }
    let window = window(of: content)
    let height = window.rows * window.columns
    var stack = lists[screen, default: []]
    effects += stack[stack.count - 1].load(height: height)
    // The list from which this one was opened is shown beside it.
    if panes?.parent != nil { effects += stack[stack.count - 2].load(height: height) }
    lists[screen] = stack
    return effects
  }

  /// Returns the effects that load what is in the row under the cursor, to show it beside the list.
  private mutating func loadPreview() -> [ScreenEffect] {
    guard let view = previewContent.map({ view(of: $0) }) else {
      preview = nil
      return []
    }
    let title = list?.current?.title ?? ""
    var preview = self.preview ?? ListState(view, title: title)
    if preview.view != view { preview = ListState(view, title: title) }
    defer { self.preview = preview }
    return preview.load(height: layout.listHeight)
  }

  /// Returns the effects that load the tracks beside the cover below the preview.
  private mutating func loadAlbumTracks() -> [ScreenEffect] {
    guard let room = albumRoom, let area = room.tracks else {
      albumTracks = nil
      return []
    }
    let view = view(of: .album(room.album))
    var tracks = albumTracks ?? ListState(view, title: "")
    tracks.show(view)
    defer { albumTracks = tracks }
    return tracks.load(height: area.rows)
  }

  /// Where the parts of the screen are that shows what is playing.
  var playingLayout: PlayingLayout { PlayingLayout(layout, hasSide: side != .none, coverPercent: coverPercent) }

  /// The area of the cover of the current track; `nil` if there is no room for one.
  var coverArea: CellArea? { playingLayout.cover }

  /// The area beside or below the cover, if it shows `side` now; otherwise `nil`.
  func area(of side: PlayingSide) -> CellArea? {
    screen == .nowPlaying && self.side == side && overlay == nil ? playingLayout.side : nil
  }

  /// The area of the queue beside the cover; `nil` if it is not shown.
  private var sideQueueArea: CellArea? {
    screen == .nowPlaying && side == .queue ? playingLayout.side : nil
  }

  /// Returns the effects that load what is visible of the queue beside the cover.
  private mutating func loadSide() -> [ScreenEffect] {
    guard let area = sideQueueArea else { return [] }
    if sideQueue == nil {
      sideQueue = ListState(ListView(.queue), title: "", cursor: currentPosition ?? 0)
      scrollSide()
    }
    return sideQueue?.load(height: area.rows) ?? []
  }

  /// Scrolls the queue beside the cover so that the current track is in the middle.
  mutating func scrollSide() {
    sideQueue?.move(to: currentPosition ?? 0)
    if let area = sideQueueArea { sideQueue?.scroll(in: ListWindow(rows: area.rows - 1), centred: true) }
  }

  /// Stores rows of a list, or the reason why they could not be loaded.
  package mutating func receive(_ page: Result<ListPage, PlayerError>, of view: ListView) {
    let window = window(of: view.content)
    if view == preview?.view { preview?.receive(page) }
    if view == albumTracks?.view { albumTracks?.receive(page) }
    changePopup { popup in if popup.list?.view == view { popup.list?.receive(page) } }
    if view == sideQueue?.view {
      sideQueue?.receive(page)
      scrollSide()
    }
    for (screen, stack) in lists {
      guard let index = stack.firstIndex(where: { $0.view == view }) else { continue }
      lists[screen]?[index].receive(page)
      lists[screen]?[index].scroll(in: window)
    }
  }

  /// Moves the cursor of a list to a row with `text` that was found; `nil` if none was.
  package mutating func receive(position: Int?, of view: ListView, with text: String) {
    guard list?.view == view else { return isFinding = false }
    guard !awaitedText.isEmpty, text == awaitedText else { return }
    isFinding = false
    guard let position else { return show("not found: \(awaitedText)", isError: true) }
    changeList { $0.move(to: position) }
  }

  /// Marks the rows of a range of a list, and performs the action that waits for them.
  package mutating func receive(
    _ rows: Result<[ListRow], PlayerError>, in range: Range<Int>, of view: ListView
  ) -> [ScreenEffect] {
    // Not the answer to an earlier request.
    guard let use = awaitedUse, use.view == view, use.range == range else { return [] }
    awaitedUse = nil
    guard list?.view == view, list?.range == range else { return [] }
    switch rows {
    case .success(let rows): changeList { $0.endRange(rows) }
    case .failure(let error):
      show(error.message, isError: true)
      return []
    }
    return use.action == .markRange ? [] : performOnList(use.action)
  }

  /// Notes that none of the albums that are visible has a cover: unless the user wishes otherwise, they become a list.
  package mutating func receiveMissingCovers() {
    guard memory.prefersLists == nil else { return }
    prefersLists = true
    changeList { _ in }
  }

  /// Notes that the rows of some lists may have changed.
  package mutating func invalidate(where isChanged: (ListContent) -> Bool) {
    if isChanged(.queue) { sideQueue?.invalidate() }
    if let content = preview?.content, isChanged(content) { preview?.invalidate() }
    if let content = albumTracks?.content, isChanged(content) { albumTracks?.invalidate() }
    changePopup { popup in if let content = popup.list?.content, isChanged(content) { popup.list?.invalidate() } }
    for (screen, stack) in lists {
      for index in stack.indices where isChanged(stack[index].content) { lists[screen]?[index].invalidate() }
    }
  }
}
