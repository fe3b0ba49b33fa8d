// SPDX-License-Identifier: GPL-3.0-or-later

import NIOCore
import Platform
import SystemPackage

/// An address on which a server listens for network clients.
public struct ListenAddress: Sendable, Hashable, CustomStringConvertible {
  /// The default port of MPD.
  public static let defaultPort = 6600

  /// The IP address or host name.
  public let host: String
  /// The port; 0 for any free port.
  public let port: Int

  public init(host: String, port: Int) {
    self.host = host
    self.port = port
  }

  /// Whether only programs on this machine can reach the address. A host name other than `localhost` counts as
  /// reachable from other machines, because it may resolve to any address.
  public var isLoopback: Bool {
    guard let address = try? SocketAddress(ipAddress: host, port: port) else { return host == "localhost" }
    let bytes = address.internetBytes
    return bytes.count == 4 ? bytes[0] == 127 : bytes == [UInt8](repeating: 0, count: 15) + [1]
  }

  /// Parses `HOST`, `HOST:PORT`, `PORT` or `:PORT`; an address that contains colons is written as `[ADDRESS]:PORT`.
  /// Without a host, only this machine can reach the address; the host `*` stands for all addresses of this machine.
  /// Returns `nil` if `text` is invalid.
  public init?(parsing text: String) {
    var host = text[...]
    var port = Self.defaultPort
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
    // This accepts both IPv4 and IPv6 clients.
    case "*": self.init(host: "::", port: port)
    default: self.init(host: String(host), port: port)
    }
  }

  /// The address in the form that ``init(parsing:)`` parses.
  public var description: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }
}

/// Prepares the socket file on which a player listens.
enum ControlSocket {
  /// Makes `path` available for a socket: creates its directory, and removes a socket on which no process answers. The
  /// directory is restricted to its owner if it is new, or if `isOwnDirectory`.
  ///
  /// - Parameters:
  ///   - isOwnDirectory: Whether the directory is for the socket only. It and the directory that contains it must then
  ///     belong to this user, and it must not be a link.
  ///   - timeout: The timeout for the greeting of a process that already listens on the socket.
  /// - Throws: `RemoteServerError` if a process answers there, or if other users could replace the socket with their
  ///   own.
  static func prepare(
    _ path: FilePath, isOwnDirectory: Bool = false, timeout: Duration = .seconds(3)
  ) throws(RemoteServerError) {
    guard path.length <= LocalSocket.pathLimit else { throw .socket(path, "its path is too long") }
    let directory = path.removingLastComponent()
    if isOwnDirectory, let problem = RuntimeDirectory.problem(with: directory) { throw .socket(path, problem) }
    do throws(Errno) {
      try AtomicFile.makeDirectories(directory)
    } catch {
      throw .socket(path, "\(error)")
    }
    try check(directory.isEmpty ? "." : directory, of: path, isOwn: isOwnDirectory)
    let answer: Answer
    do throws(Errno) {
      guard let status = try? FileStatus(of: path, followingLinks: false) else { return }
      guard status.kind == .special else { throw .fileExists }
      answer = try self.answer(at: path, timeout: timeout)
      if answer == .none { try AtomicFile.remove(path) }
    } catch {
      throw .socket(path, "\(error)")
    }
    switch answer {
    case .none: break
    case .player: throw .inUse(path)
    case .other: throw .notAPlayer(path)
    }
  }

  /// What answers at a socket.
  private enum Answer {
    /// Nothing: no process listens, or the one that does neither greets nor reads.
    case none
    case player
    /// A program that is not a player, or is suspended.
    case other
  }

  /// Waits until the process that listens at `path` greets, but at most for `timeout`.
  private static func answer(at path: FilePath, timeout: Duration) throws(Errno) -> Answer {
    let listener: LocalSocket
    do throws(Errno) {
      listener = try LocalSocket(connectingTo: path, timeout: timeout)
    } catch {
      switch error {
      // The last of these means that the queue of connections stays full.
      case .connectionRefused, .noSuchFileOrDirectory, .resourceTemporarilyUnavailable: return .none
      default: throw error
      }
    }
    if listener.isOrphaned { listener.limitWaiting(to: min(timeout, LocalSocket.orphanTimeout)) }
    // An empty line. Other programs, which may wait for their clients to begin, read it, too.
    try? listener.write("\n".utf8)
    do throws(Errno) {
      return try listener.read().starts(with: ControlClient.greeting.utf8) ? .player : .other
    } catch {
      let isSuspended = listener.listeningProcess.map(ProcessIdentity.isStopped) ?? false
      return error == .resourceTemporarilyUnavailable && listener.hasUnreadOutput && !isSuspended ? .none : .other
    }
  }

  /// Throws an error if other users could replace files in `directory`.
  private static func check(
    _ directory: FilePath, of path: FilePath, isOwn: Bool
  ) throws(RemoteServerError) {
    guard let ownership = try? FileOwnership(of: directory) else { return }
    if isOwn, ownership.isOwn {
      let ownerOnly: FilePermissions = [.ownerReadWriteExecute]
      guard ownership.permissions != ownerOnly else { return }
      do throws(Errno) { try AtomicFile.setPermissions(ownerOnly, of: directory) } catch {
        throw .socket(path, "\(error)")
      }
    } else if !ownership.isOwn, !ownership.isSystem {
      throw .socket(path, "\(directory.shown) belongs to another user")
    } else if ownership.allowsReplacementByOthers {
      throw .socket(
        path, "other users can write to \(directory.shown): run `chmod go-w` on it, or use another --socket")
    }
  }

  /// Throws an error if other users can connect to a socket that another program has created.
  static func checkInherited(_ path: FilePath) throws(RemoteServerError) {
    guard let ownership = try? FileOwnership(of: path) else { return }
    guard ownership.isOwn, ownership.permissions.isDisjoint(with: [.groupWrite, .otherWrite]) else {
      throw .socket(path, "other users can connect to it: set SocketMode=0600 in the socket's unit")
    }
  }
}
