import Platform
import SystemPackage

/// The socket of the file system at which a player listens.
enum ControlSocket {
  /// Makes the directory of `path`, for its owner alone where it is new or is `isOwnDirectory`, and takes a socket away
  /// that nobody listens at.
  ///
  /// - Parameter patience: how long a greeting is waited for from who listens there already.
  /// - Throws: also where others could put a socket of theirs in the place of this one.
  static func prepare(
    _ path: FilePath, isOwnDirectory: Bool = false, patience: Duration = .seconds(1)
  ) throws(RemoteServerError) {
    guard path.length <= LocalSocket.pathLimit else { throw .socket(path, "its path is too long") }
    let directory = path.removingLastComponent()
    let fault: RemoteServerError
    do throws(Errno) {
      try AtomicFile.makeDirectories(directory)
    } catch {
      throw .socket(path, "\(error)")
    }
    try check(directory.isEmpty ? "." : directory, of: path, isOwn: isOwnDirectory)
    do throws(Errno) {
      guard let status = try? FileStatus(of: path, followingLinks: false) else { return }
      guard status.kind == .special else { throw .fileExists }
      let listener: LocalSocket
      do throws(Errno) {
        listener = try LocalSocket(connectingTo: path, patience: patience)
      } catch {
        guard error == .connectionRefused || error == .noSuchFileOrDirectory else { throw error }
        try AtomicFile.remove(path)
        return
      }
      let greeting = (try? listener.read()) ?? []
      fault = greeting.starts(with: ControlClient.greeting.utf8) ? .taken(path) : .foreign(path)
    } catch {
      throw .socket(path, "\(error)")
    }
    throw fault
  }

  /// Sees to it that nobody else can put something in the place of what is in `directory`.
  private static func check(
    _ directory: FilePath, of path: FilePath, isOwn: Bool
  ) throws(RemoteServerError) {
    guard let ownership = try? FileOwnership(of: directory) else { return }
    if isOwn, ownership.isOwn {
      let wanted: FilePermissions = [.ownerReadWriteExecute]
      guard ownership.permissions != wanted else { return }
      do throws(Errno) { try AtomicFile.setPermissions(wanted, of: directory) } catch {
        throw .socket(path, "\(error)")
      }
    } else if !ownership.isOwn, !ownership.isSystem {
      throw .socket(path, "\(directory.shown) belongs to another user")
    } else if ownership.letsOthersReplace {
      throw .socket(
        path, "other users may write to \(directory.shown); run `chmod go-w` on it, or name another --socket")
    }
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
