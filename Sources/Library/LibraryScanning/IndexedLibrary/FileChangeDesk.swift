// SPDX-License-Identifier: GPL-3.0-or-later

import MusicModel
import Synchronization

/// Holds the closure that receives the file changes of scans, if there is one. Safe to use from any thread.
final class FileChangeDesk: Sendable {
  /// The receiver of file changes.
  struct Witness: Sendable {
    let see: @Sendable (FileChange) -> Void
  }

  private let witness = Mutex<Witness?>(nil)

  /// The current receiver; `nil` if there is none. A scan reads it once, when it starts.
  var present: Witness? {
    get { witness.withLock { $0 } }
    set { witness.withLock { $0 = newValue } }
  }
}
