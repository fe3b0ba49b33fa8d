// SPDX-License-Identifier: GPL-3.0-or-later

import CStandard
public import SystemPackage

/// The service manager that has started this process, such as systemd, as far as the environment names one.
///
/// The rules are those of sd_listen_fds(3), sd_notify(3) and systemd.exec(5).
public enum ServiceManager {
  /// A socket on which the service manager listens for this process.
  public struct Socket: Sendable, Hashable {
    /// Where clients reach the socket.
    public enum Address: Sendable, Hashable {
      case path(FilePath)
      case network(host: String, port: Int)
    }

    /// The number of the descriptor, which belongs to whoever uses it first.
    public let descriptor: Int32
    /// The address on which the socket listens.
    public let address: Address
  }

  private static let firstDescriptor: Int32 = 3
  /// The maximum number of descriptors to accept.
  private static let descriptorLimit: Int32 = 64

  /// The sockets on which the service manager listens for this process. Programs that this process starts do not
  /// inherit them. Sockets on which nobody listens are ignored.
  public static var sockets: [Socket] {
    // The variables may be meant for a parent of this process.
    guard Environment.value("LISTEN_PID") == "\(ProcessIdentity.own)",
      let count = Environment.value("LISTEN_FDS").flatMap({ Int32($0) }), (1...descriptorLimit).contains(count)
    else { return [] }
    return (firstDescriptor..<(firstDescriptor + count)).compactMap { descriptor in
      _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
      guard isListening(descriptor) else { return nil }
      return address(of: descriptor).map { Socket(descriptor: descriptor, address: $0) }
    }
  }

  private static func isListening(_ descriptor: Int32) -> Bool {
    var (value, length) = (Int32(0), socklen_t(MemoryLayout<Int32>.size))
    return unsafe getsockopt(descriptor, SOL_SOCKET, SO_ACCEPTCONN, &value, &length) == 0 && value != 0
  }

  private static func address(of descriptor: Int32) -> Socket.Address? {
    var storage = sockaddr_storage()
    var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
    return unsafe withUnsafeMutablePointer(to: &storage) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address -> Socket.Address? in
        guard unsafe getsockname(descriptor, address, &length) == 0 else { return nil }
        switch Int32(unsafe address.pointee.sa_family) {
        case AF_UNIX:
          let offset = MemoryLayout<sockaddr_un>.offset(of: \.sun_path) ?? 2
          let size = min(max(0, Int(length) - offset), MemoryLayout<sockaddr_un>.size - offset)
          let bytes = unsafe UnsafeRawBufferPointer(start: address, count: offset + size)[offset...].prefix { $0 != 0 }
          return unsafe bytes.isEmpty ? nil : .path(FilePath(systemBytes: Array(bytes)))
        case AF_INET, AF_INET6:
          return unsafe networkAddress(address, length)
        default: return nil
        }
      }
    }
  }

  private static func networkAddress(_ address: UnsafePointer<sockaddr>, _ length: socklen_t) -> Socket.Address? {
    var host = [CChar](repeating: 0, count: 256)
    var port = [CChar](repeating: 0, count: 32)
    let status = unsafe getnameinfo(
      address, length, &host, socklen_t(host.count), &port, socklen_t(port.count), NI_NUMERICHOST | NI_NUMERICSERV)
    guard status == 0, let number = Int(text(port)) else { return nil }
    return .network(host: text(host), port: number)
  }

  private static func text(_ characters: [CChar]) -> String {
    String(decoding: characters.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// Reports a state such as `READY=1` or `STOPPING=1` to the service manager, if it wants to know. Blocks for
  /// five seconds at most.
  public static func notify(_ state: String) {
    guard let name = Environment.value("NOTIFY_SOCKET"), name.hasPrefix("/") || name.hasPrefix("@") else { return }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    var bytes = Array(name.utf8)
    guard bytes.count <= LocalSocket.pathLimit else { return }
    // An abstract address, which has no file.
    if name.hasPrefix("@") { bytes[0] = 0 }
    unsafe withUnsafeMutableBytes(of: &address.sun_path) { buffer in
      for (index, byte) in bytes.enumerated() { unsafe buffer[index] = byte }
    }
    #if canImport(Darwin)
      let number = socket(AF_UNIX, SOCK_DGRAM, 0)
    #else
      let number = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    #endif
    guard number >= 0 else { return }
    defer { close(number) }
    LocalSocket.setTimeout(.seconds(5), of: number)
    let length = (MemoryLayout<sockaddr_un>.offset(of: \.sun_path) ?? 2) + bytes.count
    let message = Array(state.utf8)
    _ = unsafe withUnsafePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe sendto(number, message, message.count, 0, $0, socklen_t(length))
      }
    }
  }

  /// Whether a descriptor leads to the journal, which reads a level at the beginning of each line.
  public static func isJournal(_ descriptor: FileDescriptor) -> Bool {
    guard let stream = Environment.value("JOURNAL_STREAM"), let identity = try? FileStatus(of: descriptor).identity
    else { return false }
    return stream == "\(identity.device):\(identity.inode)"
  }
}

/// The urgency of a line in the journal, as in syslog(3).
public enum LogLevel: Int, Sendable {
  /// Something failed.
  case error = 3
  /// Something needs attention.
  case warning = 4
  /// Something happened that was to be expected.
  case information = 6
  /// A detail for whoever looks for the cause of something.
  case debugging = 7
}
