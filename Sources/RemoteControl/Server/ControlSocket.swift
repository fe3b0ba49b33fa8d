import Platform
import SystemPackage

/// The socket of the file system at which a player listens.
enum ControlSocket {
  /// Makes the directory of `path`, for its owner alone where it is new, and takes a socket away that nobody listens at.
  static func prepare(_ path: FilePath) throws(RemoteServerError) {
    do throws(Errno) {
      try AtomicFile.makeDirectories(path.removingLastComponent())
      guard let status = try? FileStatus(of: path, followingLinks: false) else { return }
      guard status.kind == .special else { throw .fileExists }
      do throws(Errno) {
        _ = try LocalSocket(connectingTo: path)
      } catch {
        try AtomicFile.remove(path)
        return
      }
    } catch {
      throw .socket(path, "\(error)")
    }
    throw .taken(path)
  }

  /// Has its owner alone use it.
  static func protect(_ path: FilePath) throws(RemoteServerError) {
    do throws(Errno) {
      try AtomicFile.setPermissions([.ownerReadWrite], of: path)
    } catch {
      throw .socket(path, "\(error)")
    }
  }
}
