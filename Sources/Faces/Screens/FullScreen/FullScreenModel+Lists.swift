// SPDX-License-Identifier: GPL-3.0-or-later

import MusicModel
import PlayerFlow
import Terminal
import UserSettings

/// The actions on the list that the screen shows.
extension FullScreenModel {
  /// Performs an action on the list; does nothing if the screen shows none.
  mutating func performOnList(_ action: ScreenAction) -> [ScreenEffect] {
    guard let list else { return action == .rate ? awaitStars() : [] }
    let page = max(1, layout.listHeight - 1)
    if list.hasMarks, !list.isChoiceKnown, [.play, .add, .addNext, .remove, .moveUp, .moveDown, .rate].contains(action)
    {
      show("the marked range is too long: only what has been shown can be used", isError: true)
      return []
    }
    switch action {
    case .up: changeList { $0.move(to: list.cursor - 1) }
    case .down: changeList { $0.move(to: list.cursor + 1) }
    case .halfPageUp: changeList { $0.move(to: list.cursor - (page + 1) / 2) }
    case .halfPageDown: changeList { $0.move(to: list.cursor + (page + 1) / 2) }
    case .pageUp: changeList { $0.move(to: list.cursor - page) }
    case .pageDown: changeList { $0.move(to: list.cursor + page) }
    case .first: changeList { $0.move(to: 0) }
    case .last: changeList { $0.move(to: (list.count ?? 1) - 1) }
    case .open: return open(orPlay: false)
    case .back: goBack()
    case .find: askForText()
    case .findNext: return findAgain(backward: false)
    case .findPrevious: return findAgain(backward: true)
    case .goToLetter: if list.content.isSorted { awaitKey(for: .goToLetter) }
    case .mark:
      changeList {
        $0.toggleMark()
        $0.move(to: $0.cursor + 1)
      }
    case .markRange: changeList { if $0.rangeStart == nil { $0.rangeStart = $0.cursor } else { $0.endRange() } }
    case .play: return open(orPlay: true)
    case .add: return use(.add)
    case .addNext: return use(.addNext)
    case .remove: return remove()
    case .moveUp: return move(by: -1)
    case .moveDown: return move(by: 1)
    case .rate: if list.current != nil { return awaitStars() }
    case .filter: return filter()
    default: break
    }
    return []
  }

  private mutating func goBack() {
    if list?.hasMarks == true { return changeList { $0.removeMarks() } }
    _ = closeList()
  }

  /// Opens the row under the cursor. If it cannot be opened, or `orPlay` is set and the row is an album or rows are
  /// marked, plays.
  private mutating func open(orPlay: Bool) -> [ScreenEffect] {
    guard let list, let row = list.current else { return [] }
    if orPlay, list.hasMarks, list.content != .queue { return use(.play) }
    switch row.target {
    case .album(let id):
      if orPlay { return use(.play) }
      open(.album(id), title: row.title)
    case .artist(let name): open(.albums(narrowed(.text(.artist, TextPattern(name, kind: .exact)))), title: name)
    case .genre(let name): open(.albums(narrowed(.text(.genre, TextPattern(name, kind: .exact)))), title: name)
    case .year(let year):
      open(.albums(narrowed(.number(.year, QueryRange(from: year, to: year)))), title: row.title)
    case .playlist(let name):
      if orPlay { return use(.play) }
      open(.playlist(name), title: name)
    case .directory(let path): open(.directory(path), title: row.title)
    case .item(let id): return orPlay ? [.perform(.playItem(id))] : []
    case .output: return orPlay ? [.perform(.toggleOutput)] : []
    case .track, .file: return orPlay ? use(.play) : []
    }
    return []
  }

  private func narrowed(_ query: LibraryQuery) -> LibraryQuery { .conjunction([filters.query, query]) }

  /// Plays the chosen rows, or adds them to the queue. Afterwards, nothing is marked.
  private mutating func use(_ use: ScreenCommand.Use) -> [ScreenEffect] {
    guard let list, !list.chosen.isEmpty, list.content != .queue, list.content != .outputs else { return [] }
    let targets = list.chosen
    let isSingle = !list.hasMarks
    changeList {
      $0.removeMarks()
      if use != .play, isSingle { $0.move(to: $0.cursor + 1) }
    }
    return [.perform(.use(use, targets, in: list.content))]
  }

  private mutating func remove() -> [ScreenEffect] {
    guard let list, !list.chosen.isEmpty else { return [] }
    switch list.content {
    case .queue:
      changeList { $0.removeMarks() }
      return [.perform(.remove(list.chosen.compactMap(\.item)))]
    case .playlist(let name):
      changeList { $0.removeMarks() }
      let files = zip(list.chosenNumbers, list.chosen).compactMap { number, target in
        if case .file(let path, _) = target { (number, path) } else { nil }
      }
      ask(.removeFromPlaylist(name, files.map { ListPosition(number: $0.0, path: $0.1) }))
      return []
    default:
      show("only tracks in the queue or in a playlist can be removed", isError: true)
      return []
    }
  }

  private mutating func move(by step: Int) -> [ScreenEffect] {
    guard let list, list.content == .queue, let first = list.chosenNumbers.first, let count = list.count else {
      return []
    }
    let items = list.chosen.compactMap(\.item)
    let position = first + step
    guard position >= 0, position + items.count <= count, let item = items.first else { return [] }
    changeList { $0.follow($0.hasMarks ? $0.current?.target : .item(item)) }
    return [.perform(.move(items, to: position))]
  }

  /// Rates the tracks of the chosen rows.
  mutating func rate(_ targets: [ListTarget], _ stars: Int) -> [ScreenEffect] {
    let tracks = targets.filter { target in
      switch target {
      case .item, .track, .file: true
      case .album, .artist, .genre, .year, .playlist, .directory, .output: false
      }
    }
    guard !tracks.isEmpty else {
      show("only tracks can be rated", isError: true)
      return []
    }
    changeList { $0.removeMarks() }
    return [.perform(.rate(tracks, stars: stars))]
  }

  private mutating func filter() -> [ScreenEffect] {
    switch list?.current?.target {
    case .genre(let name)?: return [.filter(.insert(name, of: .genre))]
    case .artist(let name)?: return [.filter(.insert(name, of: .artist))]
    case .year(let year)?: return [.filter(.insert("\(year / 10 * 10)s", of: .decade))]
    default:
      show("filter on a genre, an artist or a year; `:filter format flac` filters by format", isError: true)
      return []
    }
  }

  // MARK: The menu and the list of keys

  /// The actions that make sense on this screen, for its menu and its list of keys.
  var usefulActions: [ScreenAction] {
    guard let list else { return screen == .lyrics ? [.up, .down, .goToCurrent, .rate] : [.meter, .rate] }
    let isQueue = list.content == .queue
    var actions: [ScreenAction] = list.content == .outputs ? [.play] : [.play]
    if list.current?.isContainer == true { actions.append(.open) }
    if !isQueue, list.content != .outputs { actions += [.add, .addNext] }
    if isQueue { actions += [.remove, .moveUp, .moveDown] }
    if case .playlist = list.content { actions.append(.remove) }
    switch list.current?.target {
    case .item?, .track?, .file?: actions.append(.rate)
    case .genre?, .artist?, .year?: actions.append(.filter)
    default: break
    }
    actions += [.mark, .markRange, .find]
    if list.content.isSorted { actions.append(.goToLetter) }
    if isQueue { actions.append(.goToCurrent) }
    if list.hasMarks || lists[screen, default: []].count > 1 { actions.append(.back) }
    if !filters.isEmpty { actions.append(.clearFilters) }
    return actions
  }

  /// The actions of the menu.
  var menuActions: [ScreenAction] {
    usefulActions + [.undo, .redo, .pause, .next, .previous, .stop, .command, .help, .quit]
  }

  /// The actions whose keys are listed, in groups with a heading.
  var helpGroups: [(heading: String, actions: [ScreenAction])] {
    let moving: [ScreenAction] = [
      .up, .down, .halfPageUp, .halfPageDown, .pageUp, .pageDown, .first, .last, .findNext, .findPrevious,
    ]
    let playing: [ScreenAction] = [
      .pause, .stop, .next, .previous, .seekBack, .seekForward, .volumeUp, .volumeDown, .meter, .undo, .redo,
    ]
    let screens =
      Screen.allCases.map(\.action) + [.nextScreen, .previousScreen, .help, .menu, .command, .redraw, .quit]
    return [
      (screen.rawValue, usefulActions), ("Moving", moving.filter { !usefulActions.contains($0) }),
      ("The player", playing.filter { !usefulActions.contains($0) }), ("Screens", screens),
    ]
  }

  /// The first line of the list of keys when its last one is visible.
  private var lastHelpTop: Int { max(0, helpLineCount - layout.listHeight) }

  /// The number of lines of the list of keys: the actions, their headings, and the gaps between the groups.
  var helpLineCount: Int { helpGroups.filter { !$0.actions.isEmpty }.reduce(-1) { $0 + $1.actions.count + 2 } }

  /// Handles a key while the list of keys or the menu covers the screen.
  mutating func handleOverlay(_ key: Key) -> [ScreenEffect] {
    let action: ScreenAction? =
      if case .target(.action(let action)) = bindings.meaning(of: key == .character("g") ? [key, key] : [key]) {
        action
      } else { nil }
    switch (overlay, action) {
    case (_, .back?), (_, .help?), (_, .quit?): cover(with: nil)
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
    case (.help?, let action?) where Screen.allCases.contains { $0.action == action }: return perform(action)
    default: break
    }
    return []
  }

  // MARK: The mouse

  /// Handles an action of the mouse.
  mutating func handle(_ event: MouseEvent) -> [ScreenEffect] {
    switch event.kind {
    case .wheelUp, .wheelDown:
      let step = event.kind == .wheelUp ? -3 : 3
      if case .help(let top)? = overlay {
        cover(with: .help(top: max(0, min(lastHelpTop, top + step))))
      } else if screen == .lyrics {
        lyrics.scroll(by: step)
      } else {
        let height = layout.listHeight
        changeList { $0.scroll(by: step, height: height) }
      }
    case .press, .drag:
      guard overlay == nil, prompt == nil else {
        if event.kind == .press { closePrompt() }
        return []
      }
      return click(event)
    case .release: return []
    }
    return []
  }

  private mutating func click(_ event: MouseEvent) -> [ScreenEffect] {
    let layout = layout
    if event.kind == .press, let fraction = layout.progressFraction(row: event.row, column: event.column) {
      return [.perform(.seek(fraction: fraction))]
    }
    if event.kind == .press, event.row == layout.tabRow, let screen = tab(at: event.column) {
      show(screen)
      return []
    }
    guard let list, layout.listRows.contains(event.row) else { return [] }
    let number = list.top + event.row - layout.listRows.lowerBound
    guard number < list.count ?? 0 else { return [] }
    if event.kind == .drag {
      // Dragging moves the track under the cursor through the queue.
      guard list.content == .queue, number != list.cursor else { return [] }
      return list.isChanging || pressedRow == nil ? [] : move(by: number > list.cursor ? 1 : -1)
    }
    let isSecondClick = number == list.cursor && number == pressedRow && event.button == 0
    pressedRow = number
    changeList { $0.move(to: number) }
    if event.button == 2 { return perform(.menu) }
    return isSecondClick ? performOnList(.play) : []
  }
}

extension ListTarget {
  /// The ID of the item of the queue; `nil` if the row is not of the queue.
  fileprivate var item: UInt64? { if case .item(let id) = self { id } else { nil } }
}
