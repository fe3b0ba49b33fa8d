// SPDX-License-Identifier: GPL-3.0-or-later

import Platform
import SystemPackage

/// A connection on which commands are sent one after the other.
struct LoadClient {
  let socket: LocalSocket
  /// The size in bytes of the current response, or of the last one if no response is awaited.
  private(set) var responseSize = 0
  /// The last bytes of the current response.
  private var tail: [UInt8] = []

  /// Connects to the server whose socket is at `path`.
  init(_ path: String) throws(Errno) {
    socket = try LocalSocket(connectingTo: FilePath(path))
    guard try socket.read(limit: 256).starts(with: "OK MPD ".utf8) else { throw .notSupported }
  }

  /// Sends `idle`, so that the connection waits for changes.
  func wait() throws(Errno) { try socket.write("idle\n".utf8) }

  /// Sends a command, without waiting for the response.
  mutating func send(_ command: String) throws(Errno) {
    (responseSize, tail) = (0, [])
    try socket.write("\(command)\n".utf8)
  }

  /// Reads a part of the response. Returns whether the response is complete.
  ///
  /// - Throws: `Errno` if there is no response, or if the command was refused.
  mutating func readPart() throws(Errno) -> Bool {
    let bytes = try socket.read(limit: 1 << 16)
    guard !bytes.isEmpty, responseSize > 0 || !bytes.starts(with: "ACK ".utf8) else { throw .connectionReset }
    responseSize += bytes.count
    tail = (tail + bytes.suffix(4)).suffix(4)
    return tail == Array("\nOK\n".utf8) || responseSize == 3 && tail == Array("OK\n".utf8)
  }
}
