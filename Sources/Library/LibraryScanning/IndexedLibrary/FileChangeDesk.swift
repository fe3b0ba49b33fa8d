import MusicModel
import Synchronization

/// Who is told what scans do with files, if anybody. Any thread.
final class FileChangeDesk: Sendable {
  /// Who is told.
  struct Witness: Sendable {
    let see: @Sendable (FileChange) -> Void
  }

  private let witness = Mutex<Witness?>(nil)

  /// Who is told now; a scan asks once, at its beginning.
  var present: Witness? {
    get { witness.withLock { $0 } }
    set { witness.withLock { $0 = newValue } }
  }
}
