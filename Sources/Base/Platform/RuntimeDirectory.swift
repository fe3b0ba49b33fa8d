// SPDX-License-Identifier: GPL-3.0-or-later

package import SystemPackage

/// The directory of the default socket: `segue` in `$XDG_RUNTIME_DIR`.
package enum RuntimeDirectory {
  /// Returns why the socket at `path` must not be used, with what to do about it; `nil` if it may be. A socket other
  /// than the default one is the user's own choice.
  package static func problem(withSocketAt path: FilePath) -> String? {
    guard path == Environment.runtimeSocket else { return nil }
    return problem(with: path.removingLastComponent())
  }

  /// Returns why another user could take the place of the player whose socket is in `directory`, or connect to it, with
  /// what to do about it; `nil` if none can. The directory need not exist.
  package static func problem(with directory: FilePath) -> String? {
    let parent = directory.removingLastComponent()
    let remedy = "unset XDG_RUNTIME_DIR, or use --socket"
    if let ownership = try? FileOwnership(of: parent) {
      guard ownership.isOwn else { return "\(parent.shown) belongs to another user: \(remedy)" }
      guard ownership.permissions.isDisjoint(with: [.groupWrite, .otherWrite]) else {
        return "other users can write to \(parent.shown): run `chmod 700` on it, or use --socket"
      }
    }
    // No other user can replace it from here on.
    guard let status = try? FileStatus(of: directory, followingLinks: false) else { return nil }
    guard status.kind == .directory else { return "\(directory.shown) is not a directory, or is a link: remove it" }
    guard (try? FileOwnership(of: directory))?.isOwn == true else {
      return "\(directory.shown) belongs to another user: \(remedy)"
    }
    return nil
  }
}
