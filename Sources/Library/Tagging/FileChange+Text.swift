public import MusicModel
import Platform

extension FileChange: CustomStringConvertible {
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
