// SPDX-License-Identifier: GPL-3.0-or-later

public import MusicModel
import Platform

extension FileChange: CustomStringConvertible {
  /// The kind of change and the path, on one line. It is not yet escaped for a terminal.
  public var description: String {
    switch kind {
    case .added: "added \(path.shown)"
    case .changed: "changed \(path.shown)"
    case .moved(let former): "moved \(path.shown) (was \(former.shown))"
    case .missing: "removed \(path.shown)"
    case .rejected(let reason): "skipped \(path.shown): \(reason)"
    case .leftOut: "ignored \(path.shown)"
    }
  }
}
