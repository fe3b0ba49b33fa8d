// SPDX-License-Identifier: GPL-3.0-or-later

import CFFmpeg
import CProcess
import DecodingProtocol

/// The wait for the servers of one address, and the limits of what they may make this program do. Only one thread may
/// use it.
///
/// FFmpeg asks at least ten times a second, and before everything that it sends, whether to stop. It follows redirects
/// and finds servers by itself, so that only the connections show where it has arrived: each is looked at before the
/// first request goes through it.
@safe public final class NetworkWait {
  /// The maximum number of connections until the next piece of audio.
  static let connectionLimit = 100
  /// How many connections may be made at once, and then in a second.
  private static let (burst, rate) = (40, 20)
  /// How long to wait for the next piece of audio, although something is sent.
  private static let timeout = Duration.seconds(60)

  /// Why the address is given up; `nil` if it is not.
  private(set) var refusal: DecodingRefusal?
  /// The number of connections since the last call of ``begin()``.
  private(set) var connectionCount = 0

  private let shouldStop: () -> Bool
  private var start = ContinuousClock.now
  /// The time at which the connections so far would have been made at the permitted rate.
  private var paced = ContinuousClock.now
  /// The ports at this end of the connections, by descriptor.
  private var ports: [CInt: UInt16] = [:]
  /// Whether the first server is in a private network, so that others may be, too; `nil` before the first connection.
  private var allowsPrivate: Bool?
  /// Behind a proxy, all connections lead to it, and it decides what may be reached.
  private let hasProxy = unsafe getenv("http_proxy") != nil

  /// Creates a wait that ends as soon as `shouldStop` returns `true`.
  public init(shouldStop: @escaping () -> Bool) { self.shouldStop = shouldStop }

  /// Begins to wait for the next piece of audio.
  func begin() {
    start = .now
    connectionCount = 0
  }

  /// Begins to wait for a server, which may be one of several for a piece of audio.
  func beginServer() { start = .now }

  /// The callback for FFmpeg; valid as long as this object.
  var callback: AVIOInterruptCB {
    unsafe AVIOInterruptCB(
      callback: { wait in
        guard let wait = unsafe wait else { return 0 }
        return unsafe Unmanaged<NetworkWait>.fromOpaque(wait).takeUnretainedValue().isOver() ? 1 : 0
      }, opaque: Unmanaged.passUnretained(self).toOpaque())
  }

  private func isOver() -> Bool {
    if refusal == nil { watchConnections() }
    if refusal == nil, ContinuousClock.now - start > Self.timeout {
      refusal = DecodingRefusal(.unreadable, "has sent no audio for a minute")
    }
    return refusal != nil || shouldStop()
  }

  private func watchConnections() {
    var bytes = [UInt8](repeating: 0, count: 16)
    var port: UInt16 = 0
    for descriptor in 3..<CInt(ProcessStreamDescriptorLimit) {
      guard unsafe ProcessConnection(descriptor, &bytes, &port) == 0 else {
        ports[descriptor] = nil
        continue
      }
      guard ports[descriptor] != port else { continue }
      ports[descriptor] = port
      accept(InternetAddress(bytes))
    }
  }

  /// Counts a connection, and refuses it if it must not be used.
  func accept(_ peer: InternetAddress) {
    connectionCount += 1
    let isAllowed = allowsPrivate ?? true || hasProxy || !peer.isPrivate
    allowsPrivate = allowsPrivate ?? peer.isPrivate
    if !isAllowed {
      refusal = DecodingRefusal(.unsupported, "leads to a private network, from a server outside it")
    } else if connectionCount > Self.connectionLimit {
      refusal = DecodingRefusal(.unsupported, "asks for more than \(Self.connectionLimit) connections without audio")
    }
    paced = max(paced + .seconds(1) / Self.rate, .now - .seconds(1) * Self.burst / Self.rate)
    while paced > .now, !shouldStop() { av_usleep(10_000) }
  }
}

struct InternetAddress {
  private let bytes: [UInt8]

  /// Creates an address from its 16 bytes; one of version 4 is `::ffff:a.b.c.d`.
  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// Whether the address is not in the public Internet: one of this machine, of a local network or of a provider's, or
  /// of several machines (RFC 6890). Addresses that stand for others of version 4 (RFC 6052, RFC 3056) count like
  /// those.
  var isPrivate: Bool {
    guard bytes.count == 16 else { return true }
    let zeros = { (range: Range<Int>) in self.bytes[range].allSatisfy { $0 == 0 } }
    if zeros(0..<10), bytes[10] == 0xFF, bytes[11] == 0xFF { return Self.isPrivate(bytes[12...]) }
    // This machine, no machine, and the old form of addresses of version 4.
    if zeros(0..<12) { return true }
    if bytes.starts(with: [0x00, 0x64, 0xFF, 0x9B]) { return Self.isPrivate(bytes[12...]) }
    if bytes.starts(with: [0x20, 0x02]) { return Self.isPrivate(bytes[2..<6]) }
    // Unique local, link-local and site-local, multicast.
    return bytes[0] & 0xFE == 0xFC || bytes[0] == 0xFE && bytes[1] & 0x80 != 0 || bytes[0] == 0xFF
  }

  /// Whether an address of version 4 is private.
  private static func isPrivate(_ bytes: ArraySlice<UInt8>) -> Bool {
    let number = bytes.reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
    let ranges: [(UInt32, Int)] = [
      (0x0000_0000, 8), (0x0A00_0000, 8), (0x6440_0000, 10), (0x7F00_0000, 8), (0xA9FE_0000, 16), (0xAC10_0000, 12),
      (0xC000_0000, 24), (0xC0A8_0000, 16), (0xC612_0000, 15), (0xE000_0000, 3),
    ]
    return ranges.contains { start, length in (number ^ start) >> (32 - length) == 0 }
  }
}
