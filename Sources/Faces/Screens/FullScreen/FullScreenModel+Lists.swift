// SPDX-License-Identifier: GPL-3.0-or-later

import MusicModel
import PlayerFlow
import PlayerPort
import Terminal
import UserSettings

/// The actions on the list that the screen shows.
extension FullScreenModel {
  /// Performs an action on the list; does nothing if the screen shows none.
  mutating func performOnList(_ action: ScreenAction) -> [ScreenEffect] {
    guard let list else {
      if action == .rate { awaited = .rate }
      return action == .back ? leave() : []
    }
    let isGrid = grid(of: list.content) != nil
    let window = window(of: list.content)
    let page = isGrid ? window.rows : max(1, layout.listHeight - 1)
    if Self.choiceActions.contains(action), !list.isChoiceKnown { return loadRange(of: list, toPerform: action) }
    switch action {
    case .left where isGrid: changeList { $0.move(to: list.cursor - 1) }
    case .right where isGrid: changeList { $0.move(to: list.cursor + 1) }
    case .first: changeList { $0.move(to: 0) }
    case .last: changeList { $0.move(to: (list.count ?? 1) - 1) }
    case .open, .right: return open(orPlay: false)
    case .back where !list.hasMarks && list.view.filter.isEmpty && lists[screen]?.count == 1: return leave()
    case .back, .left: goBack()
    case .find: askForText()
    case .findNext: return find("", backward: false)
    case .findPrevious: return find("", backward: true)
    case .goToLetter: if list.content.isSorted { awaited = .goToLetter }
    case .mark:
      changeList {
        $0.toggleMark()
        $0.move(to: $0.cursor + 1)
      }
    case .markRange: changeList { $0.toggleRange() }
    case .play: return open(orPlay: true)
    case .add: return use(.add)
    case .addNext: return use(.addNext)
    case .addToPlaylist: askForPlaylist()
    case .rename: askForName()
    case .grid: return changeGrid()
    case .filterList: askForFilter()
    case .sort: askForOrder()
    case .remove: return remove()
    case .moveUp: return move(by: -1)
    case .moveDown: return move(by: 1)
    case .rate: if list.current != nil { awaited = .rate }
    case .filter: return filter()
    default:
      guard let step = action.step(page: page, half: (page + 1) / 2, count: list.count ?? 0) else { break }
      changeList { $0.move(by: step * window.columns, in: window) }
    }
    return []
  }

  /// The actions on marked rows.
  private static let choiceActions: Set<ScreenAction> = [
    .play, .add, .addNext, .addToPlaylist, .remove, .moveUp, .moveDown, .rate, .markRange,
  ]

  /// The maximum number of rows of a range that are loaded to use them.
  private static let rangeLimit = 10_000

  /// Loads the rows of the range that is being marked, which is longer than what was shown.
  private mutating func loadRange(of list: ListState, toPerform action: ScreenAction) -> [ScreenEffect] {
    guard let range = list.range, range.count <= Self.rangeLimit else {
      show("a range can have at most \(Self.rangeLimit) lines", isError: true)
      return []
    }
    awaitedUse = RangeUse(action: action, view: list.view, range: range)
    return [.read(.range(list.view, range))]
  }

  private func leave() -> [ScreenEffect] { screen == leavingScreen ? [.quit] : [] }

  private mutating func goBack() {
    if list?.hasMarks == true { return changeList { $0.removeMarks() } }
    if let view = list?.view, !view.filter.isEmpty { return narrow(to: "") }
    _ = closeList()
  }

  /// Opens the row under the cursor. If it cannot be opened, or `orPlay` is set and the row is an album or rows are
  /// marked, plays.
  private mutating func open(orPlay: Bool) -> [ScreenEffect] {
    guard let list, let row = list.current else { return [] }
    if orPlay, list.hasMarks, list.content != .queue { return use(.play) }
    switch row.target {
    case .item(let id): if orPlay { return [.perform(.request(.playItem(.ids([id]), PlaybackOptions())))] }
    case .output: if orPlay { return [.perform(.request(.settings(.toggleOutput)))] }
    case .album, .playlist, .track, .file: if orPlay { return use(.play) }
    case .artist, .genre, .year, .directory: break
    }
    if let content = content(of: row) { open(content, title: row.title) } else { showKeyHint() }
    return []
  }

  /// Plays the chosen rows, or adds them to the queue. Afterwards, nothing is marked.
  private mutating func use(_ use: ScreenCommand.Use) -> [ScreenEffect] {
    guard let list, !list.chosen.isEmpty, list.content != .queue else { return [] }
    let targets = list.chosen
    let isSingle = !list.hasMarks
    if use == .play, isSingle, let target = targets.first, target.isTrack {
      return [.perform(.playList(list.view, from: list.cursor))]
    }
    changeList {
      $0.removeMarks()
      if use != .play, isSingle { $0.move(to: $0.cursor + 1) }
    }
    return [.perform(.use(use, targets, in: list.view))]
  }

  /// Shows albums as a list instead of a grid, or the other way round.
  private mutating func changeGrid() -> [ScreenEffect] {
    guard case .albums? = list?.content, showsCovers, panes == nil, AlbumGrid(layout) != nil else {
      show("there is no room for covers here, or the terminal cannot show them", isError: true)
      return []
    }
    prefersLists.toggle()
    memory.prefersLists = prefersLists
    changeList { _ in }
    return [.remember(memory)]
  }

  /// Asks for the playlist to which to add the chosen rows.
  private mutating func askForPlaylist() {
    guard let list, !list.chosen.isEmpty else { return }
    show(Popup(.playlists(list.chosen, in: list.view)))
  }

  /// Narrows the list while the user types.
  private mutating func askForFilter() {
    guard let view = list?.view else { return }
    (prompt, typed) = (.filter, view.filter)
  }

  /// Narrows the list by `filter`.
  mutating func narrow(to filter: String) {
    changeList { $0.show(ListView($0.content, filter: filter, order: $0.view.order)) }
  }

  /// Asks for a new name of the playlist under the cursor.
  private mutating func askForName() {
    guard case .playlist(let name)? = list?.current?.target else {
      return show("only playlists can be renamed", isError: true)
    }
    if list?.hasMarks == true { return show("only one playlist can be renamed at a time", isError: true) }
    (prompt, typed) = (.rename(name), name)
  }

  private mutating func remove() -> [ScreenEffect] {
    guard let list, !list.chosen.isEmpty else { return [] }
    let command: ScreenCommand
    switch list.content {
    case .queue: command = .request(.edit(.remove(.ids(list.chosen.compactMap(\.item)))))
    case .playlist(let name): command = .removeFromPlaylist(name, list.chosenFiles)
    case .playlists:
      command = .deletePlaylists(list.chosen.compactMap { if case .playlist(let name) = $0 { name } else { nil } })
    default:
      show("only playlists, and tracks in the queue or in a playlist, can be removed", isError: true)
      return []
    }
    changeList { $0.removeMarks() }
    return [.perform(command)]
  }

  mutating func move(by step: Int) -> [ScreenEffect] {
    guard let list, let first = list.chosenNumbers.first, let count = list.count else { return [] }
    guard list.view.filter.isEmpty, list.view.order == nil else {
      show("tracks can be moved only in the whole list, in its own order", isError: true)
      return []
    }
    let position = first + step
    guard position >= 0, position + list.chosen.count <= count else { return [] }
    switch list.content {
    case .queue:
      let items = list.chosen.compactMap(\.item)
      guard let item = items.first else { return [] }
      changeList { $0.follow($0.hasMarks ? $0.current?.target : .item(item)) }
      return [.perform(.request(.edit(.move(.ids(items), to: .position(position)))))]
    case .playlist(let name):
      let files = list.chosenFiles
      changeList { list in
        list.removeMarks()
        list.move(to: first)
        list.follow(by: step)
      }
      return [.perform(.moveInPlaylist(name, files, to: position))]
    default: return []
    }
  }

  /// Rates the tracks or albums of the chosen rows.
  mutating func rate(_ targets: [ListTarget], _ mark: TrackMark) -> [ScreenEffect] {
    var (rated, noted): ([ListTarget], TrackMark) = ([], mark)
    for target in targets {
      switch (target, mark) {
      case (.item, _), (.track, _), (.file, _): rated.append(target)
      case (.album, .rating(let halves)):
        // A list of albums contains nothing else.
        noted = .albumRating(halves)
        rated.append(target)
      case (.album, _), (.artist, _), (.genre, _), (.year, _), (.playlist, _), (.directory, _), (.output, _): break
      }
    }
    guard !rated.isEmpty else {
      if case .rating = mark {
        show("only tracks and albums can be rated", isError: true)
      } else {
        show("only tracks can be liked", isError: true)
      }
      return []
    }
    changeList { $0.removeMarks() }
    return [.perform(.rate(rated, noted))]
  }

  /// Runs a program of the user with the tracks of the chosen rows or, where there is no list, with the current one.
  mutating func run(_ program: [String]) -> [ScreenEffect] {
    let targets = list?.chosen ?? currentItem.map { [.item($0)] } ?? []
    if let list, !list.isChoiceKnown {
      show("not all lines of this range have been shown: mark fewer", isError: true)
    } else if targets.isEmpty {
      show("nothing is selected", isError: true)
    } else {
      changeList { $0.removeMarks() }
      return [.perform(.run(program, targets))]
    }
    return []
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
}

extension ScreenAction {
  /// Returns by how many of `count` lines the action moves, down if positive, where a page has `page` lines, and half a
  /// page `half`; `nil` if the action is another one.
  func step(page: Int, half: Int, count: Int) -> Int? {
    switch self {
    case .up: -1
    case .down: 1
    case .halfPageUp: -half
    case .halfPageDown: half
    case .pageUp: -page
    case .pageDown: page
    case .first: -count
    case .last: count
    default: nil
    }
  }
}

extension ListTarget {
  /// The ID of the item of the queue; `nil` if the row is not of the queue.
  fileprivate var item: UInt64? { if case .item(let id) = self { id } else { nil } }

  /// Whether the row stands for a track of the library, or for a file.
  fileprivate var isTrack: Bool {
    switch self {
    case .track, .file: true
    case .item, .album, .artist, .genre, .year, .playlist, .directory, .output: false
    }
  }
}

extension ListState {
  fileprivate var chosenFiles: [PlaylistPosition] {
    zip(chosenNumbers, chosen).compactMap { number, target in
      if case .file(let path, _) = target { PlaylistPosition(number: number, path: path) } else { nil }
    }
  }
}
