import Platform
import SystemPackage

/// Where a server listens for clients from the network.
public struct ListenAddress: Sendable, Hashable, CustomStringConvertible {
  /// The port that clients try first.
  public static let usualPort = 6600

  /// The address, or the name of one.
  public let host: String
  /// The port; 0 for one that is free.
  public let port: Int

  /// The address `host`.
  public init(host: String, port: Int) {
    self.host = host
    self.port = port
  }

  /// Whether only programs of this machine reach it. A name other than `localhost` may be that of any address.
  public var isLoopback: Bool { host == "localhost" || host == "::1" || host.hasPrefix("127.") }

  /// What `text` says: `HOST`, `HOST:PORT`, `PORT`, `:PORT`, or `[ADDRESS]:PORT` where the address has colons.
  /// Without a host it is this machine alone, and `*` is every address of it. `nil` where it makes no sense.
  public init?(parsing text: String) {
    var host = text[...]
    var port = Self.usualPort
    if text.hasPrefix("[") {
      guard let end = text.firstIndex(of: "]") else { return nil }
      let rest = text[text.index(after: end)...]
      host = text[..<end].dropFirst()
      if !rest.isEmpty {
        guard rest.hasPrefix(":"), let number = Int(rest.dropFirst()) else { return nil }
        port = number
      }
    } else if let colon = text.lastIndex(of: ":"), text.firstIndex(of: ":") == colon {
      guard let number = Int(text[text.index(after: colon)...]) else { return nil }
      host = text[..<colon]
      port = number
    }
    if let number = Int(host), !text.contains(":") {
      host = ""
      port = number
    }
    guard (0...65_535).contains(port) else { return nil }
    switch host {
    case "": self.init(host: "127.0.0.1", port: port)
    // Clients of both kinds of addresses come in there.
    case "*": self.init(host: "::", port: port)
    default: self.init(host: String(host), port: port)
    }
  }

  /// As it is written.
  public var description: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }
}

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
