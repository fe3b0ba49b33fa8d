// SPDX-License-Identifier: GPL-3.0-or-later

import MusicModel
import Synchronization

/// Holds the closure that receives the file changes of scans, if there is one. Safe to use from any thread.
final class FileChangeReceiver: Sendable {
  /// The receiver of file changes.
  struct Handler: Sendable {
    let handle: @Sendable (FileChange) -> Void
  }

  private let handler = Mutex<Handler?>(nil)

  /// The current receiver; `nil` if there is none. A scan reads it once, when it starts.
  var current: Handler? {
    get { handler.withLock { $0 } }
    set { handler.withLock { $0 = newValue } }
  }
}
