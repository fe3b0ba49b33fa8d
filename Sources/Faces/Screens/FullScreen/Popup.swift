// SPDX-License-Identifier: GPL-3.0-or-later

import Platform
import PlayerPort
import Terminal
import UnicodeText
import UserSettings

/// A named value about a track.
package struct InfoLine: Equatable, Sendable {
  package var name: String
  package var text: String

  package init(_ name: String, _ text: String) {
    (self.name, self.text) = (name, text)
  }
}

/// A box above a screen, in which the user chooses one of several lines.
struct Popup: Equatable, Sendable {
  enum Kind: Equatable, Sendable {
    /// The orders of the list; the first line is its own order.
    case sort([ListOrder?])
    case outputs
    /// The playlist to which to add chosen rows of a list; the user may type a new name.
    case playlists([ListTarget], in: ListView)
    /// Everything about a track.
    case info([InfoLine])
  }

  var kind: Kind
  /// The rows to choose from, if they are those of a list.
  var list: ListState?
  var selection = 0
  /// What the user has typed.
  var typed = ""

  init(_ kind: Kind) {
    self.kind = kind
    switch kind {
    case .outputs: list = ListState(ListView(.outputs), title: "Outputs")
    case .playlists: list = ListState(ListView(.playlists), title: "Playlists")
    case .sort, .info: list = nil
    }
  }

  var title: String {
    switch kind {
    case .sort: "Sort"
    case .outputs: "Outputs"
    case .playlists: "Add to playlist"
    case .info: "About this track"
    }
  }

  /// The name of the playlist that would be created; `nil` if nothing that is new has been typed.
  var newName: String? {
    guard case .playlists = kind, !typed.isEmpty, !lines.contains(typed) else { return nil }
    return typed
  }

  private var lines: [String] {
    guard let list else { return [] }
    return (0..<min(list.count ?? 0, ListState.pageSize)).compactMap { list.row($0)?.title }
  }

  /// The number of lines to choose from.
  var count: Int {
    switch kind {
    case .sort(let orders): orders.count
    case .info(let lines): lines.count
    case .outputs: lines.count
    case .playlists: lines.count + (newName == nil ? 0 : 1)
    }
  }

  /// Returns the two columns of a line.
  func text(_ number: Int) -> (left: String, right: String) {
    switch kind {
    case .sort(let orders): (orders[number].map(\.text) ?? "in the list's own order", "")
    case .info(let lines): (lines[number].name, lines[number].text)
    case .outputs, .playlists:
      if let row = list?.row(number), number < lines.count {
        (row.title, row.artist.isEmpty ? row.detail : row.artist)
      } else {
        ("New playlist: \(typed)", "")
      }
    }
  }
}

extension FullScreenModel {
  /// Shows `popup` above the screen.
  mutating func show(_ popup: Popup) { overlay = .popup(popup) }

  mutating func changePopup(_ change: (inout Popup) -> Void) {
    guard case .popup(var popup)? = overlay else { return }
    change(&popup)
    popup.selection = max(0, min(popup.selection, popup.count - 1))
    overlay = .popup(popup)
  }

  /// Returns the effects that load the rows of the popup.
  mutating func loadPopup() -> [ScreenEffect] {
    guard case .popup(var popup)? = overlay, var list = popup.list else { return [] }
    let effects = list.load(height: 1)
    popup.list = list
    overlay = .popup(popup)
    return effects
  }

  /// Handles a key while `popup` is above the screen.
  mutating func handle(_ key: Key, in popup: Popup) -> [ScreenEffect] {
    if case .playlists = popup.kind, let effects = type(key, in: popup) { return effects }
    let page = max(1, layout.listHeight / 2)
    guard case .target(.action(let action)) = bindings.meaning(of: key == .character("g") ? [key, key] : [key]) else {
      return []
    }
    if let step = action.step(page: page, half: page, count: popup.count) {
      changePopup { $0.selection += step }
      return []
    }
    switch action {
    case .play, .open, .right: return choose(in: popup)
    case .copy:
      guard popup.count > 0 else { return [] }
      let line = popup.text(popup.selection)
      return [.copy(line.right.isEmpty ? line.left : line.right)]
    default: overlay = nil
    }
    return []
  }

  /// Handles a key that types the name of a playlist; returns `nil` for any other.
  private mutating func type(_ key: Key, in popup: Popup) -> [ScreenEffect]? {
    var typed = popup.typed
    switch key {
    case .character(let character): typed.append(character)
    case .backspace where !typed.isEmpty: typed.removeLast()
    case .control("u"): typed = ""
    case .escape, .control("c"), .backspace:
      overlay = nil
      return []
    case .enter: return choose(in: popup)
    default: return nil
    }
    changePopup { popup in
      popup.typed = typed
      popup.list?.show(ListView(.playlists, filter: typed))
      popup.selection = 0
    }
    return []
  }

  /// Performs what the selected line of `popup` stands for.
  private mutating func choose(in popup: Popup) -> [ScreenEffect] {
    overlay = nil
    guard popup.count > 0 else { return [] }
    switch popup.kind {
    case .sort(let orders):
      return sort(orders[popup.selection])
    // The first one is used.
    case .outputs:
      guard popup.selection > 0, case .output(let name)? = popup.list?.row(popup.selection)?.target else {
        return [.perform(.request(.settings(.toggleOutput)))]
      }
      return [.perform(.request(.settings(.useOutput(name))))]
    case .info: return []
    case .playlists(let targets, let view):
      let row = popup.list?.row(popup.selection)
      guard let name = row?.title ?? popup.newName else { return [] }
      changeList { $0.removeMarks() }
      return [.perform(.addToPlaylist(name, targets, in: view))]
    }
  }

  /// Sorts the list that the screen shows, and remembers the order.
  private mutating func sort(_ order: ListOrder?) -> [ScreenEffect] {
    guard let view = list?.view else { return [] }
    changeList { $0.show(ListView(view.content, filter: view.filter, order: order)) }
    guard !screen.hasFixedOrder else { return [] }
    memory.orders[view.content.kindName] = order
    return [.remember(memory)]
  }

  /// Offers the orders of the list.
  mutating func askForOrder() {
    guard let list, !list.content.orders.isEmpty else {
      return show("this list has an order of its own", isError: true)
    }
    let seed = UInt64.random(in: 1...UInt64(UInt32.max))
    let orders: [ListOrder?] = [nil] + list.content.orders.flatMap { ListOrder.choices(for: $0, seed: seed) }
    var popup = Popup(.sort(orders))
    popup.selection = orders.firstIndex { $0 == list.view.order } ?? 0
    show(popup)
  }
}

extension FullScreenDrawing {
  /// Draws `popup` in the middle of the screen.
  mutating func draw(_ popup: Popup) {
    let body = layout.bodyRows
    let lines = (0..<popup.count).map { popup.text($0) }
    let left = lines.map { $0.left.safeForTerminal.cellWidth }.max() ?? 0
    let right = lines.map { $0.right.safeForTerminal.cellWidth }.max() ?? 0
    let isTyping = if case .playlists = popup.kind { true } else { false }
    let width = min(layout.size.columns, max(36, left + right + 8))
    let height = min(body.count, max(3, lines.count + 2 + (isTyping ? 1 : 0)))
    let area = CellArea(
      row: body.lowerBound + (body.count - height) / 2, column: (layout.size.columns - width) / 2, columns: width,
      rows: height)
    drawFrame(area, popup.title)
    var rows = area.rowRange.dropFirst().dropLast()
    if isTyping, let row = rows.popFirst() {
      put("Name: \(popup.typed)▏", row, area.column + 2, width: width - 4, .title)
    }
    if lines.isEmpty, let row = rows.first { put("…", row, area.column + 2, .faint) }
    let first = max(0, min(popup.selection - rows.count / 2, lines.count - rows.count))
    // Names keep their width, as long as their values have room.
    let leftCells = min(left, max(8, width / (right == 0 ? 1 : 3)) - 4)
    for (row, number) in zip(rows, first..<max(first, lines.count)) {
      put(lines[number].left, row, area.column + 2, width: right == 0 ? width - 4 : max(1, leftCells))
      let start = area.column + 2 + max(1, leftCells) + 2
      if right > 0 { put(lines[number].right, row, start, width: area.column + width - 2 - start, .next) }
      if number == popup.selection {
        grid.paint(row: row, columns: area.column + 1..<area.column + width - 1, style: palette[.selection])
      }
    }
  }

  /// Empties an area, and draws a frame around it.
  mutating func drawFrame(_ area: CellArea, _ title: String) {
    for row in area.rowRange { grid.fill(row: row, columns: area.columnRange) }
    grid.pictures = []
    let width = area.columns - 2
    guard width > 0, area.rows > 1 else { return }
    put("┌" + String(repeating: "─", count: width) + "┐", area.row, area.column, .faint)
    for row in area.rowRange.dropFirst().dropLast() {
      put("│", row, area.column, .faint)
      put("│", row, area.column + width + 1, .faint)
    }
    put("└" + String(repeating: "─", count: width) + "┘", area.row + area.rows - 1, area.column, .faint)
    put(" \(title) ", area.row, area.column + 2, width: width - 2, .heading)
  }
}
