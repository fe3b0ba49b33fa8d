import Platform
import Synchronization
public import SystemPackage

/// What a scan has done with a file that was not as it was known, or is left out.
public struct FileChange: Sendable, Equatable, CustomStringConvertible {
  /// What became of it.
  public enum Kind: Sendable, Equatable {
    /// It is new.
    case added
    /// It was read anew.
    case changed
    /// It had this path before.
    case moved(from: FilePath)
    /// It is no more.
    case gone
    /// It cannot be in the library, for this reason.
    case refused(String)
    /// It is left out by its name, or the directory by a mark in it; so it was before, perhaps.
    case leftOut
  }

  /// What became of it.
  public let kind: Kind
  /// Where it is, or was.
  public let path: FilePath

  /// In one line, not yet safe for a terminal.
  public var description: String {
    switch kind {
    case .added: "added \(path.shown)"
    case .changed: "changed \(path.shown)"
    case .moved(let former): "moved \(path.shown), which was \(former.shown)"
    case .gone: "gone \(path.shown)"
    case .refused(let reason): "refused \(path.shown): \(reason)"
    case .leftOut: "left out \(path.shown)"
    }
  }
}

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
