import Glibc
import SystemPackage

/// A client that comes through the network.
enum NetworkClient {
  /// All that a server on this machine says to one who sends `text`, until it ends the connection.
  static func answer(to text: String, port: Int) throws -> String {
    let number = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    guard number >= 0 else { throw Errno(rawValue: errno) }
    let descriptor = FileDescriptor(rawValue: number)
    return try descriptor.closeAfter {
      var address = sockaddr_in()
      address.sin_family = sa_family_t(AF_INET)
      address.sin_port = in_port_t(port).bigEndian
      address.sin_addr.s_addr = INADDR_LOOPBACK.bigEndian
      let result = withUnsafePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          connect(number, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
        }
      }
      guard result == 0 else { throw Errno(rawValue: errno) }
      try descriptor.writeAll(text.utf8)
      var bytes: [UInt8] = []
      var part = [UInt8](repeating: 0, count: 1 << 16)
      while case let count = try part.withUnsafeMutableBytes({ try descriptor.read(into: $0) }), count > 0 {
        bytes += part[..<count]
      }
      return String(decoding: bytes, as: UTF8.self)
    }
  }
}
