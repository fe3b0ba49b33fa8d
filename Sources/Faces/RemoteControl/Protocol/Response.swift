// SPDX-License-Identifier: GPL-3.0-or-later

import NIOCore

/// A response to a client: `key: value` lines, and binary chunks.
struct Response: Sendable {
  private(set) var buffer = ByteBuffer()

  /// The number of bytes in the response.
  var count: Int { buffer.readableBytes }

  /// Adds a line. Line breaks in the value are replaced by spaces.
  mutating func add(_ key: String, _ value: some StringProtocol) {
    buffer.writeString(key)
    buffer.writeStaticString(": ")
    let start = buffer.writerIndex
    buffer.writeSubstring(Substring(value))
    endLine(from: start)
  }

  mutating func add(_ lines: borrowing LineBuffer) {
    _ = unsafe lines.withBytes { unsafe buffer.writeBytes($0) }
  }

  /// Ends a line whose value begins at `start`, and replaces line breaks in the value.
  private mutating func endLine(from start: Int) {
    let first = start - buffer.readerIndex
    let hasLineBreak = unsafe buffer.withUnsafeReadableBytes { bytes in
      var hasLineBreak = false
      for index in first..<bytes.count {
        let byte = unsafe bytes[index]
        hasLineBreak = hasLineBreak || byte == 10 || byte == 13 || byte == 0
      }
      return hasLineBreak
    }
    if hasLineBreak {
      for (index, byte) in buffer.readableBytesView.dropFirst(first).enumerated()
      where byte == 10 || byte == 13 || byte == 0 {
        buffer.setInteger(UInt8(ascii: " "), at: start + index)
      }
    }
    buffer.writeInteger(UInt8(ascii: "\n"))
  }

  /// Adds a line with a number as its value.
  mutating func add(_ key: String, _ value: some BinaryInteger) { add(key, String(value)) }

  /// Adds a line with 1 or 0 as its value.
  mutating func add(_ key: String, _ value: Bool) { add(key, value ? "1" : "0") }

  /// Adds a binary chunk, preceded by a line with its size.
  mutating func add(binary bytes: some Collection<UInt8>) {
    add("binary", bytes.count)
    buffer.writeBytes(bytes)
    buffer.writeInteger(UInt8(ascii: "\n"))
  }

  /// Adds a line that has no key, such as `OK`. It must not contain a line break.
  mutating func add(line: String) {
    buffer.writeString(line)
    buffer.writeInteger(UInt8(ascii: "\n"))
  }

  /// Adds the `ACK` line that reports `error`.
  ///
  /// - Parameters:
  ///   - index: The index of the failed command in its list; 0 for a single command.
  ///   - command: The name of the failed command.
  mutating func add(_ error: ProtocolError, index: Int, command: String) {
    let message = String(error.message.map { $0.isNewline || $0 == "\0" ? " " : $0 })
    add(line: "ACK [\(error.code.rawValue)@\(index)] {\(command)} \(message)")
  }

  /// Appends another response.
  mutating func add(_ other: Response) {
    var bytes = other.buffer
    buffer.writeBuffer(&bytes)
  }

  /// Removes and returns all bytes.
  mutating func take() -> ByteBuffer {
    defer { buffer = ByteBuffer() }
    return buffer
  }
}

/// The error with which a command is refused, reported by an `ACK` line of the MPD protocol.
public struct ProtocolError: Error, Sendable, Equatable {
  /// The kind of an error. The raw value is its number in the protocol.
  public enum Code: Int, Sendable {
    /// An argument is missing, superfluous or invalid.
    case argument = 2
    /// The password is wrong.
    case password = 3
    /// The client lacks the permission for the command.
    case permission = 4
    /// There is no command with this name.
    case unknown = 5
    /// There is no such song, playlist, directory or sticker.
    case noExist = 50
    /// The queue would become too long.
    case playlistTooLarge = 51
    /// The operating system or the library reported an error.
    case system = 52
    /// A stored playlist cannot be loaded.
    case playlistLoad = 53
    /// The command requires that a song is playing or paused.
    case playerSync = 55
    /// Something with this name already exists.
    case exists = 56
  }

  /// The kind of the error.
  public let code: Code
  /// The message for people, in one line.
  public let message: String

  /// Creates an error.
  public init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }
}
