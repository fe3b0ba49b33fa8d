// SPDX-License-Identifier: GPL-3.0-or-later

import MusicModel
import PlayerPort
import Terminal
import UserSettings

/// The menu and the list of keys.
extension FullScreenModel {
  /// The actions that make sense on this screen, for its menu and its list of keys.
  var usefulActions: [ScreenAction] {
    guard let list else { return screen == .lyrics ? [.up, .down, .goToCurrent, .rate] : [.meter, .rate] }
    let isQueue = list.content == .queue
    var actions: [ScreenAction] = [.play]
    if list.current?.isContainer == true { actions.append(.open) }
    if !isQueue, list.content != .outputs { actions += [.add, .addNext] }
    if isQueue { actions += [.remove, .moveUp, .moveDown, .clear] }
    if case .playlist = list.content { actions += [.remove, .moveUp, .moveDown] }
    if list.content == .playlists { actions += [.remove, .rename] }
    if list.content != .outputs { actions.append(.addToPlaylist) }
    switch list.current?.target {
    case .item?, .track?, .file?: actions.append(.rate)
    case .genre?, .artist?, .year?: actions.append(.filter)
    default: break
    }
    actions += [.mark, .markRange, .find]
    if list.content.isSorted { actions.append(.goToLetter) }
    if case .albums = list.content, showsCovers { actions.append(.grid) }
    if isQueue { actions.append(.goToCurrent) }
    if list.hasMarks || lists[screen, default: []].count > 1 { actions.append(.back) }
    if !filters.isEmpty { actions.append(.clearFilters) }
    return actions
  }

  var menuActions: [ScreenAction] {
    usefulActions + [
      .undo, .redo, .pause, .next, .previous, .stop, .repeat, .random, .single, .consume, .command, .help, .quit,
    ]
  }

  /// The actions whose keys are listed, in groups with a heading.
  var helpGroups: [(heading: String, actions: [ScreenAction])] {
    let moving: [ScreenAction] = [
      .up, .down, .left, .right, .halfPageUp, .halfPageDown, .pageUp, .pageDown, .first, .last, .findNext,
      .findPrevious,
    ]
    let playing: [ScreenAction] = [
      .pause, .stop, .next, .previous, .seekBack, .seekForward, .seekBackFar, .seekForwardFar, .volumeUp, .volumeDown,
      .repeat, .random,
      .single, .consume, .clear, .meter, .undo, .redo,
    ]
    let screens =
      Screen.allCases.map(\.action) + [.nextScreen, .previousScreen, .help, .menu, .command, .redraw, .quit]
    return [
      (screen.rawValue, usefulActions),
      ("Moving", screen == .nowPlaying ? [] : moving.filter { !usefulActions.contains($0) }),
      ("The player", playing.filter { !usefulActions.contains($0) }), ("Screens", screens),
    ]
  }

  /// The first line of the list of keys when its last one is visible.
  var lastHelpTop: Int { max(0, helpLineCount - layout.listHeight) }

  /// The number of lines of the list of keys: the actions, their headings, and the gaps between the groups.
  var helpLineCount: Int { helpGroups.filter { !$0.actions.isEmpty }.reduce(-1) { $0 + $1.actions.count + 2 } }

  /// Handles a key while the list of keys or the menu covers the screen.
  mutating func handleOverlay(_ key: Key) -> [ScreenEffect] {
    let action: ScreenAction? =
      if case .target(.action(let action)) = listBindings.meaning(of: key == .character("g") ? [key, key] : [key]) {
        action
      } else { nil }
    switch (overlay, action) {
    case (_, .back?), (_, .left?), (_, .help?), (_, .quit?): cover(with: nil)
    case (.help(let top)?, .up?): cover(with: .help(top: max(0, top - 1)))
    case (.help(let top)?, .down?): cover(with: .help(top: min(lastHelpTop, top + 1)))
    case (.help?, .first?): cover(with: .help(top: 0))
    case (.help?, .last?): cover(with: .help(top: lastHelpTop))
    case (.help(let top)?, .pageUp?), (.help(let top)?, .halfPageUp?):
      cover(with: .help(top: max(0, top - layout.listHeight)))
    case (.help(let top)?, .pageDown?), (.help(let top)?, .halfPageDown?):
      cover(with: .help(top: min(lastHelpTop, top + layout.listHeight)))
    case (.menu(let selection)?, .up?): cover(with: .menu(selection: max(0, selection - 1)))
    case (.menu(let selection)?, .down?):
      cover(with: .menu(selection: min(menuActions.count - 1, selection + 1)))
    case (.menu(let selection)?, .play?), (.menu(let selection)?, .open?):
      let actions = menuActions
      cover(with: nil)
      return actions.indices.contains(selection) ? perform(actions[selection]) : []
    case (.menu?, .menu?): cover(with: nil)
    case (_, .command?):
      cover(with: nil)
      return perform(.command)
    case (.help?, let action?) where Screen.allCases.contains { $0.action == action }: return perform(action)
    default: break
    }
    return []
  }
}
