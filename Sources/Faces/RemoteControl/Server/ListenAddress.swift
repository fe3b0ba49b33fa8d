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
