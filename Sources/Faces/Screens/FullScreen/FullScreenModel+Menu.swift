// SPDX-License-Identifier: GPL-3.0-or-later

import MusicModel
import PlayerPort
import Terminal
import UserSettings

/// The list of what can be done.
extension FullScreenModel {
  /// The actions that make sense on this screen.
  var usefulActions: [ScreenAction] {
    guard let list else {
      return screen == .lyrics
        ? [.up, .down, .goToCurrent, .rate] : [.side, .timeLeft, .rate, .info, .goToAlbum, .goToArtist]
    }
    let isQueue = list.content == .queue
    var actions: [ScreenAction] = [.play]
    if list.current?.isContainer == true { actions.append(.open) }
    if !isQueue { actions += [.add, .addNext] }
    if isQueue { actions += [.remove, .moveUp, .moveDown, .clear] }
    if case .playlist = list.content { actions += [.remove, .moveUp, .moveDown] }
    if list.content == .playlists { actions += [.remove, .rename] }
    actions.append(.addToPlaylist)
    switch list.current?.target {
    case .item?, .track?, .file?: actions += [.rate, .info, .goToAlbum, .goToArtist]
    case .genre?, .artist?, .year?: actions.append(.filter)
    default: break
    }
    actions += [.mark, .markRange, .filterList]
    if !list.content.orders.isEmpty { actions.append(.sort) }
    actions += [.find, .copy]
    if list.content.isSorted { actions.append(.goToLetter) }
    if case .albums = list.content, showsCovers { actions.append(.grid) }
    if isQueue { actions.append(.goToCurrent) }
    if list.hasMarks || lists[screen, default: []].count > 1 { actions.append(.back) }
    if !filters.isEmpty { actions.append(.clearFilters) }
    return actions
  }

  /// All actions, in groups with a heading.
  var helpGroups: [(heading: String, actions: [ScreenAction])] {
    let moving: [ScreenAction] = [
      .up, .down, .left, .right, .halfPageUp, .halfPageDown, .pageUp, .pageDown, .first, .last, .findNext,
      .findPrevious,
    ]
    let playing: [ScreenAction] = [
      .pause, .stop, .next, .previous, .seekBack, .seekForward, .seekBackFar, .seekForwardFar, .volumeUp, .volumeDown,
      .speedUp, .speedDown, .normalSpeed, .repeat, .random, .single, .consume, .clear, .side, .timeLeft, .undo, .redo,
      .showOutputs, .showEqualizer,
      .bypassEqualizer,
    ]
    let screens =
      Screen.allCases.map(\.action) + [.nextScreen, .previousScreen, .help, .command, .redraw, .quit]
    return [
      (screen.rawValue, usefulActions),
      ("Moving", screen == .nowPlaying ? [] : moving.filter { !usefulActions.contains($0) }),
      ("The player", playing.filter { !usefulActions.contains($0) }), ("Screens", screens),
    ].filter { !$0.1.isEmpty }
  }

  /// The actions of the list of what can be done, in its order.
  var listedActions: [ScreenAction] { helpGroups.flatMap(\.actions) }

  /// Handles a key while the list of what can be done covers the screen.
  mutating func handleOverlay(_ key: Key) -> [ScreenEffect] {
    guard case .actions(let selection)? = overlay else { return [] }
    let action: ScreenAction? =
      if case .target(.action(let action)) = bindings.meaning(of: key == .character("g") ? [key, key] : [key]) {
        action
      } else { nil }
    let page = max(1, layout.listHeight - 1)
    let count = listedActions.count
    if let step = action?.step(page: page, half: page, count: count) {
      overlay = .actions(selection: max(0, min(selection + step, count - 1)))
      return []
    }
    switch action {
    case .back?, .left?, .help?, .quit?: overlay = nil
    case .play?, .open?, .right?:
      overlay = nil
      return listedActions.indices.contains(selection) ? perform(listedActions[selection]) : []
    case .command?:
      overlay = nil
      return perform(.command)
    case let action? where Screen.allCases.contains { $0.action == action }: return perform(action)
    default: break
    }
    return []
  }
}
