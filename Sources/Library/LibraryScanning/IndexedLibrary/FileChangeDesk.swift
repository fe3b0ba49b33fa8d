import MusicModel
import Synchronization

/// The receiver of what scans do with files, if there is one. Any thread.
final class FileChangeDesk: Sendable {
  /// The receiver.
  struct Witness: Sendable {
    let see: @Sendable (FileChange) -> Void
  }

  private let witness = Mutex<Witness?>(nil)

  /// The present receiver; a scan asks once, at its beginning.
  var present: Witness? {
    get { witness.withLock { $0 } }
    set { witness.withLock { $0 = newValue } }
  }
}
