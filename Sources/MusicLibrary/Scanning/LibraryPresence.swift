import Platform
import SystemPackage

/// Whether the directory of a library is there.
struct LibraryPresence {
  /// Why it is not.
  let error: Errno?
  /// The number of its file system.
  let device: Int64
  /// Whether there is nothing in it.
  let isEmpty: Bool

  init(_ root: FilePath) {
    do throws(Errno) {
      let status = try FileStatus(of: root)
      if status.kind != .directory { throw .notDirectory }
      let isEmpty = try DirectoryListing(of: root).entries.isEmpty
      self.init(error: nil, device: Int64(bitPattern: status.identity.device), isEmpty: isEmpty)
    } catch {
      self.init(error: error, device: 0, isEmpty: true)
    }
  }

  private init(error: Errno?, device: Int64, isEmpty: Bool) {
    self.error = error
    self.device = device
    self.isEmpty = isEmpty
  }
}
