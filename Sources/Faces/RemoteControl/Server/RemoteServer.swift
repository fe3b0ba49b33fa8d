// SPDX-License-Identifier: GPL-3.0-or-later

import NIOCore
import NIOPosix
public import Platform
import PlayerFlow
public import SystemPackage

/// A server of the MPD protocol. Clients control a player through a socket in the file system and, if addresses are
/// given, through the network.
///
/// Commands send requests to the player's port, and read its stores.
public final class RemoteServer: Sendable {
  /// The version of the protocol that the server implements.
  static let protocolVersion = "0.24.0"
  /// The maximum number of clients.
  private static let clientLimit = 4_096
  /// The delay between the end of a crowd of connections and the release of unused memory. Before that, some of the
  /// memory of the connections is still in use.
  private static let clearingDelay = TimeAmount.seconds(1)
  /// The number of connections that are reserved for the owner's socket, so that network clients cannot lock out the
  /// owner.
  private static let ownerReserve = 64
  /// The number of file descriptors that are reserved for files, outputs and everything else.
  private static let spareDescriptors = 256
  /// The maximum time in milliseconds that ``shutDown()`` waits for responses in progress.
  private static let answeringTime: UInt64 = 1_000

  /// The network addresses on which the server listens, with the actual ports.
  public let addresses: [ListenAddress]
  private let group: MultiThreadedEventLoopGroup
  private let listeners: [any Channel]
  private let registry: ConnectionRegistry
  private let threads: CommandThreads
  private let watch: SubsystemWatch
  private let socket: FilePath?
  private let socketIdentity: FileStatus.Identity?

  /// Starts a server for `player`.
  ///
  /// - Parameters:
  ///   - socket: The path of the server's socket; `nil` for none. A missing directory is created, and a socket on which
  ///     no process answers is replaced.
  ///   - ownsDirectory: Whether the directory is for the socket only. If so, it is restricted to its owner. In either
  ///     case, it is rejected if other users could replace the socket in it.
  ///   - addresses: The network addresses on which to listen.
  ///   - inherited: Sockets on which the service manager listens. If any is in the file system, `socket` is not
  ///     created.
  ///   - access: The permissions of network clients.
  ///   - clock: Measures the pauses between guesses of a password.
  /// - Throws: ``RemoteServerError``. The server has then released everything.
  public init(
    _ player: ControlledPlayer, socket: FilePath?, ownsDirectory: Bool = false, addresses: [ListenAddress] = [],
    inherited: [ServiceManager.Socket] = [], access: NetworkAccess = NetworkAccess(),
    clock: any MonotonicClock = SystemClock()
  ) throws(RemoteServerError) {
    // Two more: the thread of the event loop, and a thread that ends the others.
    do throws(Errno) { try ServerResources.check(threadCount: CommandThreads.count + 2) } catch {
      throw .resources(error)
    }
    let threads = CommandThreads()
    let registry = ConnectionRegistry { threads.releaseMemory(after: Self.clearingDelay, on: $0) }
    let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    let board = MessageBoard { registry.announce($0, to: $1) }
    let services = ServerServices(
      player: player, table: .all(access, board, PasswordGuesses(clock: clock)), threads: threads, budget: ListBudget(),
      board: board,
      announce: { registry.announce($0) })
    let limit = max(16, min(Self.clientLimit, DescriptorLimit.raised() - Self.spareDescriptors))
    let networkLimit = limit - min(Self.ownerReserve, limit / 4)
    var places = inherited.map { (address: $0.address, descriptor: CInt?($0.descriptor)) }
    let hasInherited = places.contains(where: \.address.isLocal)
    if let socket, !hasInherited { places.append((.path(socket), nil)) }
    places += addresses.map { (.network(host: $0.host, port: $0.port), nil) }
    var listeners: [any Channel] = []
    do throws(RemoteServerError) {
      for (address, descriptor) in places {
        let isLocal = address.isLocal
        let bootstrap = Self.bootstrap(group, services, registry, isLocal ? limit : networkLimit) {
          ClientState(of: $0, permission: isLocal ? .everything : access.permission, isLocal: isLocal)
        }
        listeners.append(try Self.listen(bootstrap, at: address, descriptor, ownsDirectory: ownsDirectory))
      }
    } catch {
      for listener in listeners { listener.close(promise: nil) }
      group.shutdownGracefully { _ in }
      threads.end()
      throw error
    }
    self.addresses = zip(addresses, listeners.suffix(addresses.count)).map { address, listener in
      ListenAddress(host: address.host, port: listener.localAddress?.port ?? address.port)
    }
    self.group = group
    self.listeners = listeners
    self.registry = registry
    self.threads = threads
    // The service manager keeps its own.
    self.socket = hasInherited ? nil : socket
    socketIdentity = self.socket.flatMap { try? FileStatus(of: $0, followingLinks: false).identity }
    watch = SubsystemWatch(player) { registry.announce($0) }
  }

  /// Notifies clients that stickers have changed.
  public func announceStickers() { registry.announce(.sticker) }

  /// Notifies clients that a stored playlist was created, changed or removed.
  public func announcePlaylists() { registry.announce(.storedPlaylist) }

  /// Closes all connections, and ends the server and its threads. Waits at most a second for commands in progress and
  /// their responses, so that a client that has stopped the player still gets its response.
  package func shutDown() {
    close(within: Self.answeringTime)
    threads.end()
    group.shutdownGracefully { _ in }
  }

  /// Closes all connections without ending the threads, for a program that is about to exit. Waits at most
  /// `milliseconds` for commands in progress and their responses. Ending the threads requires another thread, and
  /// libdispatch waits forever if the system cannot create one.
  public func close(within milliseconds: UInt64) {
    // Another player may have replaced it.
    if let socket, let status = try? FileStatus(of: socket, followingLinks: false), status.identity == socketIdentity {
      try? AtomicFile.remove(socket)
    }
    for listener in listeners { listener.close(promise: nil) }
    registry.endAll(within: milliseconds)
    registry.closeAll()
  }

  private static func bootstrap(
    _ group: MultiThreadedEventLoopGroup, _ services: ServerServices, _ registry: ConnectionRegistry,
    _ limit: Int, _ client: @escaping @Sendable (any Channel) -> ClientState
  ) -> ServerBootstrap {
    ServerBootstrap(group: group)
      .serverChannelOption(.backlog, value: 256)
      .childChannelOption(.autoRead, value: false)
      .childChannelOption(.allowRemoteHalfClosure, value: true)
      .childChannelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          guard registry.add(channel, limit: limit) else { throw ChannelError.connectTimeout(.zero) }
          let handler = ConnectionHandler(services, client(channel))
          try channel.pipeline.syncOperations.addHandler(handler)
        }
      }
  }

  /// Listens at `address`, where the socket `descriptor` already listens unless it is `nil`.
  private static func listen(
    _ bootstrap: ServerBootstrap, at address: ServiceManager.Socket.Address, _ descriptor: CInt?, ownsDirectory: Bool
  ) throws(RemoteServerError) -> any Channel {
    switch address {
    case .path(let path):
      let listening: CInt
      if let descriptor {
        try ControlSocket.checkInherited(path)
        listening = descriptor
      } else {
        try ControlSocket.prepare(path, isOwnDirectory: ownsDirectory)
        do throws(Errno) { listening = try LocalSocket.makeListener(at: path) } catch {
          throw .socket(path, "\(error)")
        }
      }
      do { return try bootstrap.withBoundSocket(listening).wait() } catch { throw .socket(path, reason(error)) }
    case .network(let host, let port):
      do {
        if let descriptor { return try bootstrap.withBoundSocket(descriptor).wait() }
        return try bootstrap.serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
          .childChannelOption(.tcpOption(.tcp_nodelay), value: 1).bind(host: host, port: port).wait()
      } catch {
        throw .address(ListenAddress(host: host, port: port), reason(error))
      }
    }
  }

  private static func reason(_ error: any Error) -> String {
    switch error {
    case let error as IOError: "\(Errno(rawValue: error.errnoCode))"
    case let error as SocketAddressError.UnknownHost: error.errorDescription
    case SocketAddressError.unixDomainSocketPathTooLong: "its path is too long"
    default: "\(error)"
    }
  }
}

extension ServiceManager.Socket.Address {
  /// Whether the socket is in the file system, where only the owner of the player can use it.
  fileprivate var isLocal: Bool { if case .path = self { true } else { false } }
}

extension ClientState {
  /// Creates the state of a new client, which is connected through `channel`.
  fileprivate init(of channel: any Channel, permission: Permission, isLocal: Bool) {
    self.init(
      id: ObjectIdentifier(channel), permission: permission, isLocal: isLocal,
      address: ClientAddress(channel.remoteAddress?.internetBytes ?? []))
  }
}

extension SocketAddress {
  /// The bytes of an IPv4 or IPv6 address; none for other addresses.
  var internetBytes: [UInt8] {
    // `sockaddr_in` and `sockaddr_in6` have the address at the same place on all systems.
    let all = unsafe withSockAddr { start, size in unsafe Array(UnsafeRawBufferPointer(start: start, count: size)) }
    return switch self {
    case .v4: Array(all.dropFirst(4).prefix(4))
    case .v6: Array(all.dropFirst(8).prefix(16))
    case .unixDomainSocket: []
    }
  }
}

/// The error that prevents a server from listening at all, or from listening on the network.
public enum RemoteServerError: Error, Sendable, Equatable, CustomStringConvertible {
  /// Another player is listening on this socket.
  case inUse(FilePath)
  /// A process that is not a player is listening on this socket.
  case notAPlayer(FilePath)
  /// The socket cannot be created, for the given reason.
  case socket(FilePath, String)
  /// The system does not provide the threads or file descriptors that a server requires.
  case resources(Errno)
  /// The server cannot listen on this address, for the given reason.
  case address(ListenAddress, String)
  /// The passwords are invalid. The text states the line and the reason.
  case passwords(String)

  /// The error in one line.
  public var description: String {
    switch self {
    case .inUse(let path): "another player is listening on \(path.shown)"
    case .notAPlayer(let path):
      "the program listening on \(path.shown) is not a player, or is not responding"
    case .socket(let path, let reason): "other programs cannot control this player at \(path.shown): \(reason)"
    case .resources(let error): "other programs cannot control this player: \(error)"
    case .address(let address, let reason): "cannot listen on \(address): \(reason)"
    case .passwords(let reason): reason
    }
  }
}

/// Checks for the system resources that a server requires. The libraries that the server uses end the program if they
/// do not get them, so the resources are acquired and released in advance.
enum ServerResources {
  /// The number of pipes for the event loop, its listeners, and some clients.
  private static let pipeCount = 8

  /// The number of threads that other code may start between this check and the start of the server.
  private static let spareThreadCount = 8

  /// Acquires `threadCount` threads, some spare ones and file descriptors, and releases them again.
  ///
  /// - Throws: `Errno` if the system does not provide them.
  static func check(threadCount: Int) throws(Errno) {
    let end = Latch()
    var threads: [WorkerThread] = []
    defer {
      end.open()
      for thread in threads { _ = thread.join(until: .now.advanced(byMilliseconds: 1_000)) }
    }
    for _ in 0..<(threadCount + spareThreadCount) {
      threads.append(try WorkerThread(name: "segue-check") { end.wait() })
    }
    var pipes: [(readEnd: SystemPackage.FileDescriptor, writeEnd: SystemPackage.FileDescriptor)] = []
    defer {
      for pipe in pipes {
        try? pipe.readEnd.close()
        try? pipe.writeEnd.close()
      }
    }
    for _ in 0..<pipeCount { pipes.append(try FileDescriptor.ownPipe()) }
  }
}
