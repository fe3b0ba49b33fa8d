import NIOCore
import NIOPosix
import Platform
import PlayerFlow
public import SystemPackage

/// A server of the MPD protocol: it has clients control a player, through a socket of the file system and, where that
/// is asked for, through the network.
///
/// Its commands dispatch actions and read stores, as those of all other faces do.
public final class RemoteServer: Sendable {
  /// The version of the protocol that it speaks.
  static let protocolVersion = "0.23.5"
  /// The most clients at a time.
  private static let clientLimit = 4_096
  /// How long behind the end of a crowd its memory is given back: the last of it is freed then.
  private static let clearingDelay = TimeAmount.seconds(1)
  /// So many of them are for this machine alone: strangers from the network do not lock the owner out.
  private static let ownerReserve = 64
  /// The descriptors that are left for files, sound and the rest.
  private static let spareDescriptors = 256
  /// How long the end waits for answers that are being given, in milliseconds.
  private static let answeringTime: UInt64 = 1_000

  /// The addresses in the network at which it listens, with their ports.
  public let addresses: [ListenAddress]
  private let group: MultiThreadedEventLoopGroup
  private let listeners: [any Channel]
  private let registry: ConnectionRegistry
  private let threads: CommandThreads
  private let watch: SubsystemWatch
  private let events: PlayerEventSource
  private let socket: FilePath?

  /// Starts a server for `player`.
  ///
  /// - Parameters:
  ///   - socket: where its socket is made, in a directory that is made where it is missing; a socket that nobody
  ///     listens at is replaced.
  ///     `nil` for none.
  ///   - ownsDirectory: whether that directory is for the socket alone: then it is made its owner's alone. Any other is
  ///     not used where others
  ///     could put a socket of theirs there.
  ///   - addresses: where it listens in the network.
  ///   - access: what clients from the network may do.
  /// - Throws: ``RemoteServerError``; nothing is left of it then.
  public init(
    _ player: RemotePlayer, socket: FilePath?, ownsDirectory: Bool = false, addresses: [ListenAddress] = [],
    access: NetworkAccess = NetworkAccess()
  ) throws(RemoteServerError) {
    // The event loop's, and one to end the others.
    do throws(Errno) { try ServerResources.check(threadCount: CommandThreads.count + 2) } catch {
      throw .resources(error)
    }
    let threads = CommandThreads()
    let registry = ConnectionRegistry { threads.releaseMemory(after: Self.clearingDelay, on: $0) }
    let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    let board = MessageBoard { registry.announce($0, to: $1) }
    let services = ServerServices(
      player: player, table: .all(access, board), threads: threads, budget: ListBudget(), board: board,
      announce: { registry.announceChange($0) })
    let limit = max(16, min(Self.clientLimit, DescriptorLimit.raised() - Self.spareDescriptors))
    let strangerLimit = limit - min(Self.ownerReserve, limit / 4)
    var listeners: [any Channel] = []
    do throws(RemoteServerError) {
      if let socket {
        try ControlSocket.prepare(socket, isOwnDirectory: ownsDirectory)
        listeners.append(
          try Self.listen(group, services, registry, limit, at: socket) {
            ClientState(id: $0, permission: .everything, isLocal: true)
          })
        try ControlSocket.protect(socket)
      }
      for address in addresses {
        listeners.append(
          try Self.listen(group, services, registry, strangerLimit, at: address) {
            ClientState(id: $0, permission: access.permission, isLocal: false)
          })
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
    self.socket = socket
    watch = SubsystemWatch(player) { registry.announce($0) }
    events = PlayerEventSource(
      queue: player.queue, playback: player.playback, library: player.library?.store
    ) { registry.tell($0) }
  }

  /// Tells clients that stickers have changed.
  public func announceStickers() { registry.announce(.sticker) }

  /// Announces that a saved list was made, changed or removed.
  public func announcePlaylists() { registry.announceChange(.storedPlaylist) }

  /// Closes all connections and ends. Commands that are being obeyed are obeyed to their ends, and answered, unless
  /// that takes longer than a second: who has stopped a player is told so by that player.
  package func shutDown() {
    close()
    threads.end()
    group.shutdownGracefully { _ in }
  }

  /// The same, but for its threads, for a program that ends: to end them takes one more, for which libdispatch waits
  /// without end where the system grants none.
  public func close() {
    if let socket { try? AtomicFile.remove(socket) }
    for listener in listeners { listener.close(promise: nil) }
    registry.endAll(within: Self.answeringTime)
    registry.closeAll()
  }

  private static func bootstrap(
    _ group: MultiThreadedEventLoopGroup, _ services: ServerServices, _ registry: ConnectionRegistry,
    _ limit: Int, _ client: @escaping @Sendable (ClientID) -> ClientState
  ) -> ServerBootstrap {
    ServerBootstrap(group: group)
      .serverChannelOption(.backlog, value: 256)
      .childChannelOption(.autoRead, value: false)
      .childChannelOption(.allowRemoteHalfClosure, value: true)
      .childChannelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          guard registry.add(channel, limit: limit) else { throw ChannelError.connectTimeout(.zero) }
          let handler = ConnectionHandler(services, client(ObjectIdentifier(channel)))
          try channel.pipeline.syncOperations.addHandler(handler)
        }
      }
  }

  private static func listen(
    _ group: MultiThreadedEventLoopGroup, _ services: ServerServices, _ registry: ConnectionRegistry,
    _ limit: Int, at socket: FilePath,
    _ client: @escaping @Sendable (ClientID) -> ClientState
  ) throws(RemoteServerError) -> any Channel {
    do {
      return try bootstrap(group, services, registry, limit, client)
        .bind(unixDomainSocketPath: socket.string).wait()
    } catch {
      throw .socket(socket, reason(error))
    }
  }

  private static func listen(
    _ group: MultiThreadedEventLoopGroup, _ services: ServerServices, _ registry: ConnectionRegistry,
    _ limit: Int, at address: ListenAddress,
    _ client: @escaping @Sendable (ClientID) -> ClientState
  ) throws(RemoteServerError) -> any Channel {
    do {
      return try bootstrap(group, services, registry, limit, client)
        .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
        .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
        .bind(host: address.host, port: address.port).wait()
    } catch {
      throw .address(address, reason(error))
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

/// Why a server does not listen, or not to the network.
public enum RemoteServerError: Error, Sendable, Equatable, CustomStringConvertible {
  /// Another player listens at this socket.
  case taken(FilePath)
  /// Something else than a player listens at it.
  case foreign(FilePath)
  /// The socket cannot be made.
  case socket(FilePath, String)
  /// The system does not grant what a server needs: threads, or descriptors.
  case resources(Errno)
  /// The address cannot be listened at.
  case address(ListenAddress, String)
  /// What is to say who may do what makes no sense: the line, and why.
  case passwords(String)

  /// One line: what, where, and why.
  public var description: String {
    switch self {
    case .taken(let path): "another player listens at \(path.shown)"
    case .foreign(let path):
      "another program listens at \(path.shown), which is no player, or does not answer"
    case .socket(let path, let reason): "other programs cannot reach this player at \(path.shown): \(reason)"
    case .resources(let error): "other programs cannot reach this player: the system refuses to go on: \(error)"
    case .address(let address, let reason): "cannot listen at \(address): \(reason)"
    case .passwords(let reason): reason
    }
  }
}

/// What a server needs of the system: what it is built on ends the program where that is refused, so it is asked for
/// before.
enum ServerResources {
  /// The event loop's own, its listeners, and some clients.
  private static let pipeCount = 8

  /// How many threads others may start between the asking and the server's own start.
  private static let spareThreadCount = 8

  /// Has the system grant so many threads, some to spare, and descriptors, for a moment.
  ///
  /// - Throws: `Errno` where it does not.
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
    do {
      for _ in 0..<pipeCount { pipes.append(try FileDescriptor.pipe()) }
    } catch {
      throw error as? Errno ?? .tooManyOpenFiles
    }
  }
}
