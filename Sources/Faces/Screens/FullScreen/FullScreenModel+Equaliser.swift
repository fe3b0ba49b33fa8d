// SPDX-License-Identifier: GPL-3.0-or-later

package import PlayerPort
import Terminal
import UserSettings

/// What keys do while the bands of the equaliser are edited.
extension FullScreenModel {
  mutating func handle(_ key: Key, in editor: EqualiserEditor) -> [ScreenEffect] {
    guard case .target(.action(let action)) = bindings.meaning(of: key == .character("g") ? [key, key] : [key]) else {
      return []
    }
    let far = EqualiserEditor.farSteps
    switch action {
    case .up: return edit { $0.changeGain(by: 1) }
    case .down: return edit { $0.changeGain(by: -1) }
    case .pageUp, .halfPageUp: return edit { $0.changeGain(by: far) }
    case .pageDown, .halfPageDown: return edit { $0.changeGain(by: -far) }
    case .left: return edit { $0.select(editor.band - 1) }
    case .right, .open: return edit { $0.select(editor.band + 1) }
    // The key beside l.
    case .back where key == .character("h"): return edit { $0.select(editor.band - 1) }
    case .first: return edit { $0.select(0) }
    case .last: return edit { $0.select(.max) }
    case .moveUp: return edit { $0.changeFrequency(up: true) }
    case .moveDown: return edit { $0.changeFrequency(up: false) }
    case .findNext: return edit { $0.changeWidth(narrower: true) }
    case .findPrevious: return edit { $0.changeWidth(narrower: false) }
    case .remove: return edit { $0.flatten() }
    case .add: return edit { $0.addBand() }
    case .play: return edit { $0.leave(isCancelled: false) }
    case .back, .quit: return cancelEditing()
    case .bypassEqualizer, .pause, .stop, .next, .previous, .seekBack, .seekForward, .seekBackFar, .seekForwardFar,
      .volumeUp, .volumeDown, .redraw:
      return perform(action)
    default: return []
    }
  }

  /// Leaves the editor, and returns to the profile before.
  mutating func cancelEditing() -> [ScreenEffect] { edit { $0.leave(isCancelled: true) } }

  /// Shows the reply to a request about the equaliser; `nil` if it has failed.
  package mutating func receive(_ report: EqualiserReport?, to request: EqualiserRequest) -> [ScreenEffect] {
    if case .report = request {
      guard let report else { return [] }
      guard let editor = EqualiserEditor(report) else {
        show("the output is not known yet: play something first", isError: true)
        return []
      }
      overlay = .equaliser(editor)
      return []
    }
    return edit { $0.receive(report, to: request) }
  }

  /// Changes the editor, and returns the effect that makes the player apply the change.
  private mutating func edit(_ change: (inout EqualiserEditor) -> Void) -> [ScreenEffect] {
    guard case .equaliser(var editor)? = overlay else { return [] }
    change(&editor)
    let request = editor.nextRequest()
    overlay = editor.isClosed ? nil : .equaliser(editor)
    return request.map { [.perform(.request(.equaliser($0)))] } ?? []
  }
}
