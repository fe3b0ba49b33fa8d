// SPDX-License-Identifier: GPL-3.0-or-later

import Platform
import PlayerFlow
import PlayerPort
import Terminal
import UnicodeText
import UserSettings

/// The names of the screens in the first row.
extension FullScreenModel {
  /// The name of a screen, its key, and the cells that they take.
  struct Tab: Equatable {
    let screen: Screen
    let key: String
    let name: String
    let columns: Range<Int>
    let isCurrent: Bool
  }

  /// The screens that have a tab, with its name. Screens that share a tab are represented by the first of them.
  private static let tabScreens: [(screen: Screen, name: String, shortName: String, action: ScreenAction)] = [
    (.nowPlaying, "Playing", "Play", .showNowPlaying), (.queue, "Queue", "Queue", .showQueue),
    (.albums, "Albums", "Albums", .showAlbums), (.artists, "Artists", "Artists", .showArtists),
    (.songs, "Songs", "Songs", .showSongs), (.genres, "Browse", "Browse", .showBrowse),
    (.playlists, "Playlists", "Lists", .showPlaylists), (.lyrics, "Lyrics", "Lyrics", .showLyrics),
    (.search, "Search", "Search", .showSearch),
  ]

  /// Which names the tabs show.
  private enum TabNames {
    case long, short, ofCurrent
  }

  /// The tabs, shortened until they fit into the first row.
  var tabs: [Tab] {
    let shapes: [(gap: Int, names: TabNames)] = [
      (3, .long), (2, .long), (1, .long), (1, .short), (1, .ofCurrent), (0, .ofCurrent),
    ]
    for shape in shapes {
      let tabs = tabs(gap: shape.gap, shape.names)
      if tabs.last?.columns.upperBound ?? 0 < size.columns { return tabs }
    }
    return tabs(gap: 0, .ofCurrent).filter(\.isCurrent)
  }

  private func tabs(gap: Int, _ names: TabNames) -> [Tab] {
    var column = 1
    return Self.tabScreens.map { entry in
      let isCurrent =
        entry.screen == screen || Screen.browsed.contains(entry.screen) && Screen.browsed.contains(screen)
      let key = bindings.keys(of: entry.action, isASCII: true).first ?? ""
      let name =
        switch names {
        case .long: entry.name
        case .short: entry.shortName
        case .ofCurrent: isCurrent ? entry.shortName : ""
        }
      let width = key.cellWidth + (key.isEmpty || name.isEmpty ? 0 : 1) + name.cellWidth
      defer { column += width + gap }
      return Tab(
        screen: entry.screen, key: key, name: name, columns: column..<column + width, isCurrent: isCurrent)
    }
  }

  /// Returns the screen whose tab takes a cell of the first row; `nil` if none does.
  func tab(at column: Int) -> Screen? { tabs.first { $0.columns.contains(column) }?.screen }

  /// The screens of the tab Browse with the cells of their names in the second row; empty on other screens.
  var browseTabs: [(screen: Screen, columns: Range<Int>)] {
    guard Screen.browsed.contains(screen), lists[screen]?.count == 1 else { return [] }
    var column = 1
    return Screen.browsed.map { screen in
      let width = screen.browsedName.cellWidth
      defer { column += width + 3 }
      return (screen, column..<column + width)
    }
  }
}

extension FullScreenDrawing {
  mutating func drawTabs() {
    guard let row = layout.tabRow else { return }
    for tab in model.tabs {
      put(tab.key, row, tab.columns.lowerBound, .keys)
      let start = tab.columns.upperBound - tab.name.cellWidth
      put(tab.name, row, start, tab.isCurrent ? .heading : .faint)
      if tab.isCurrent { fillTab(row, tab.columns) }
    }
  }

  /// Gives the current tab a background, with a margin.
  private mutating func fillTab(_ row: Int, _ columns: Range<Int>) {
    grid.paint(row: row, columns: columns.lowerBound - 1..<columns.upperBound + 1, style: palette[.selection])
  }

  mutating func drawTitle() {
    guard let row = layout.titleRow else { return }
    let columns = layout.size.columns
    var end = columns
    if let list = model.list, let count = list.count {
      let marks = list.hasMarks ? (list.range == nil ? "" : "range: ") + "\(list.chosenCount) marked  " : ""
      // What one types matters more than the number of the row.
      let hasPosition = count > 0 && (columns >= 30 || !model.isTypingSearch)
      let position = hasPosition ? "\(list.cursor + 1)/\(count)" : ""
      end = putRight(marks + position, row, before: columns - 1, .faint) - 1
    } else if model.screen == .nowPlaying, let nowPlaying = player.nowPlaying, let position = nowPlaying.position {
      end = putRight("\(position + 1)/\(nowPlaying.count)", row, before: columns - 1, .faint) - 1
    }
    let name = putName(row, before: end)
    var used = name > 0 ? 1 + name : -1
    let list = model.screen == .nowPlaying && model.side == .queue ? model.sideQueue : model.list
    if list?.content == .queue, let name = player.state.queueName, used + 4 < end {
      used += 2 + put(name, row, used + 2, width: end - used - 3, .mark)
    }
    if let summary = list?.summary(at: player.state.position, player.state.speed), used + 6 < end {
      used += 2 + put(summary, row, used + 2, width: end - used - 3, .faint)
    }
    if let view = model.list?.view {
      let order = model.screen.hasFixedOrder ? nil : view.order?.text
      if let order, used + 6 < end { used += 2 + put(order, row, used + 2, width: end - used - 3, .mark) }
      if !view.filter.isEmpty, used + 6 < end {
        used += 2 + put("filter: \(view.filter)", row, used + 2, width: end - used - 3, .mark)
      }
    }
    // There is no room for a long title below a cover.
    if let list = model.list, model.grid(of: list.content) != nil, let album = list.current, used + 4 < end {
      let name = [album.title, album.artist].filter { !$0.isEmpty }.joined(separator: " · ")
      used += 2 + put(name, row, used + 2, width: end - used - 3, .title)
    }
    if let filters = FilterText.text(model.filters), model.list?.content.isFiltered != false, used + 4 < end {
      let key = model.bindings.keys(of: .clearFilters, isASCII: isASCII).first.map { " (\($0) clears)" } ?? ""
      put("filter: " + filters + key, row, used + 2, width: end - used - 3, .mark)
    }
  }

  /// Writes the name of the screen, and of the lists that lead to this one. Returns the number of cells written.
  private mutating func putName(_ row: Int, before end: Int) -> Int {
    if case .search(let text, _)? = model.list?.content {
      guard model.isTypingSearch else { return put("Search: \(text)", row, 1, width: end - 2, .heading) }
      let typed = put("Search: \(model.typed)▏", row, 1, width: end - 2, .heading)
      // The last search, which what is typed replaces.
      let last = model.typed.isEmpty && typed + 4 < end ? put(text, row, typed + 1, width: end - typed - 2, .faint) : 0
      return typed + last
    }
    let browsed = model.browseTabs
    guard let last = browsed.last, last.columns.upperBound < end else {
      // The tab has the name.
      if layout.tabRow != nil, model.path.isEmpty { return 0 }
      let names = [model.screen.rawValue] + model.path
      return put(names.joined(separator: " > "), row, 1, width: end - 2, .heading)
    }
    for (screen, columns) in browsed {
      put(screen.browsedName, row, columns.lowerBound, screen == model.screen ? .heading : .faint)
      if screen == model.screen { fillTab(row, columns) }
    }
    return last.columns.upperBound - 1
  }
}
