import Platform
import SystemPackage
import Tagging

/// Whether the directory of a library is there.
struct LibraryPresence {
  /// The most directories that are looked into for music.
  private static let directoryLimit = 1_000

  /// Why it is not.
  let error: Errno?
  /// The number of its file system.
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

  /// Whether there is no music in it, as in a mount point of which the file system is away. Looks for the first file;
  /// what lies behind very many directories without any, and behind links, counts as music.
  var isWithoutMusic: Bool {
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
