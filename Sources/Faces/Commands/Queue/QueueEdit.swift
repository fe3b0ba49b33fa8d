// SPDX-License-Identifier: GPL-3.0-or-later

import PlayerPort
import Screens

extension EditedQueue {
  /// A hint for the user who made the edit by mistake.
  static let undoHint = "`queue undo` reverts it"
}

extension Session {
  /// Edits the queue that `options` name, and returns what has changed.
  func edit(_ edit: QueueEdit, _ options: StateOptions) throws -> EditedQueue {
    guard case .edited(let edited) = try send(.edit(edit), to: .queue(options)) else {
      throw PlayerError.unexpectedReply
    }
    return edited
  }
}
