// SPDX-License-Identifier: GPL-3.0-or-later

import PlayerFlow
import PlayerPort
import Terminal
import UserSettings

/// What the mouse does.
extension FullScreenModel {
  /// Handles an action of the mouse.
  mutating func handle(_ event: MouseEvent) -> [ScreenEffect] {
    switch event.kind {
    case .wheelUp, .wheelDown:
      let step = event.kind == .wheelUp ? -3 : 3
      if case .actions(let selection)? = overlay {
        overlay = .actions(selection: max(0, min(listedActions.count - 1, selection + step)))
      } else if screen == .lyrics {
        lyrics.scroll(by: step)
      } else {
        guard let content = list?.content else { return [] }
        let window = window(of: content)
        changeList { $0.scroll(by: window.columns > 1 ? step.signum() : step, in: window) }
      }
    case .press, .drag:
      if case .equaliser? = overlay { return [] }
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
      return [.perform(.request(.transport(.seekToFraction(fraction))))]
    }
    if event.kind == .press, event.row == layout.tabRow, let screen = tab(at: event.column) {
      show(screen)
      return []
    }
    if event.kind == .press, event.row == layout.titleRow,
      let tab = browseTabs.first(where: { $0.columns.contains(event.column) })
    {
      show(tab.screen)
      return []
    }
    if event.kind == .press, let panes, layout.listRows.contains(event.row),
      !panes.list.columnRange.contains(event.column)
    {
      return clickBeside(event, panes)
    }
    guard let list else { return [] }
    guard let number = row(of: list, at: event), number < list.count ?? 0 else { return [] }
    if event.kind == .drag {
      // Dragging moves the track under the cursor through the queue.
      guard list.content == .queue, number != list.cursor else { return [] }
      return list.isChanging || pressedRow == nil ? [] : performOnList(number > list.cursor ? .moveDown : .moveUp)
    }
    let isSecondClick = number == list.cursor && number == pressedRow && event.button == 0
    pressedRow = number
    changeList { $0.move(to: number) }
    if event.button == 2 { return perform(.help) }
    return isSecondClick ? performOnList(.play) : []
  }

  /// Goes back to the list before this one, or opens what is under the cursor, and moves to the row that was clicked.
  private mutating func clickBeside(_ event: MouseEvent, _ panes: PaneLayout) -> [ScreenEffect] {
    let isParent = panes.parent?.columnRange.contains(event.column) == true
    if isParent { _ = closeList() }
    if !isParent {
      guard let row = list?.current, let content = content(of: row) else { return [] }
      open(content, title: row.title)
    }
    if let list, let number = row(of: list, at: event), number < list.count ?? 0 { changeList { $0.move(to: number) } }
    return []
  }

  /// Returns the number of the row of a list that is drawn at a cell; `nil` if none is.
  private func row(of list: ListState, at event: MouseEvent) -> Int? {
    if let grid = grid(of: list.content) {
      guard layout.bodyRows.contains(event.row) else { return nil }
      return grid.index(row: event.row - layout.bodyRows.lowerBound, column: event.column).map { list.top + $0 }
    }
    guard layout.listRows.contains(event.row) else { return nil }
    let lines = list.lines(layout.listHeight)
    let line = event.row - layout.listRows.lowerBound
    guard lines.indices.contains(line), case .row(let number) = lines[line] else { return nil }
    return number
  }
}
