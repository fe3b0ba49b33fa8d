// SPDX-License-Identifier: GPL-3.0-or-later

import Platform
import SystemPackage
import Tagging

/// Whether the directory of a library can be read, and whether it contains music.
struct LibraryPresence {
  /// The maximum number of directories that are searched for music.
  private static let directoryLimit = 1_000

  /// The reason why the directory cannot be read; `nil` if it can.
  let error: Errno?
  /// The number of the directory's file system; 0 if the directory cannot be read.
  let device: Int64
  private let root: FilePath

  init(_ root: FilePath) {
    self.root = root
    do throws(Errno) {
      let status = try FileStatus(of: root)
      if status.kind != .directory { throw .notDirectory }
      _ = try DirectoryListing(of: root)
      error = nil
      device = Int64(bitPattern: status.identity.device)
    } catch {
      self.error = error
      device = 0
    }
  }

  /// Whether the directory contains no music, like a mount point whose file system is not mounted. The search stops at
  /// the first audio file. If there are very many directories without music, or if there are links, the result is
  /// `false`.
  var hasNoMusic: Bool {
    var pending = [root]
    var suffixes = AudioSuffixes()
    var count = 0
    while let directory = pending.popLast() {
      count += 1
      guard count <= Self.directoryLimit,
        let listing = unsafe try? StatusListing(of: directory, where: { unsafe suffixes.isAudio($0) })
      else { return false }
      for entry in listing.entries where !SystemNames.contains(listing.names[entry.name]) {
        guard entry.kind == .directory, !entry.isLink else { return false }
        pending.append(FilePath(systemBytes: directory.systemBytes + [0x2F] + listing.names[entry.name]))
      }
    }
    return true
  }
}
