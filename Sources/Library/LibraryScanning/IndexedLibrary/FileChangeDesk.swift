// SPDX-License-Identifier: GPL-3.0-or-later

import MusicModel
import Synchronization

/// Holds the receiver of the file changes that scans make, if there is one. Any thread.
final class FileChangeDesk: Sendable {
  /// The receiver.
  struct Witness: Sendable {
    let see: @Sendable (FileChange) -> Void
  }

  private let witness = Mutex<Witness?>(nil)

  /// The current receiver. A scan reads it once, when it starts.
  var present: Witness? {
    get { witness.withLock { $0 } }
    set { witness.withLock { $0 = newValue } }
  }
}
