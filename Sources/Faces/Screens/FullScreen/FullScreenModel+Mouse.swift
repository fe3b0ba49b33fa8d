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
      if case .help(let top)? = overlay {
        cover(with: .help(top: max(0, min(lastHelpTop, top + step))))
      } else if screen == .lyrics {
        lyrics.scroll(by: step)
      } else {
        guard let content = list?.content else { return [] }
        let window = window(of: content)
        changeList { $0.scroll(by: window.columns > 1 ? step.signum() : step, in: window) }
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
    let row = event.row - layout.listRows.lowerBound
    let visible =
      if let grid = grid(of: list.content) { grid.index(row: row, column: event.column) } else { row as Int? }
    guard let number = visible.map({ list.top + $0 }), number < list.count ?? 0 else { return [] }
    if event.kind == .drag {
      // Dragging moves the track under the cursor through the queue.
      guard list.content == .queue, number != list.cursor else { return [] }
      return list.isChanging || pressedRow == nil ? [] : performOnList(number > list.cursor ? .moveDown : .moveUp)
    }
    let isSecondClick = number == list.cursor && number == pressedRow && event.button == 0
    pressedRow = number
    changeList { $0.move(to: number) }
    if event.button == 2 { return perform(.menu) }
    return isSecondClick ? performOnList(.play) : []
  }
}
