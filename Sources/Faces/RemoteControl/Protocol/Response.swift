// SPDX-License-Identifier: GPL-3.0-or-later

import NIOCore

/// A response to a client: `key: value` lines, and binary chunks.
struct Response: Sendable {
  /// A position between two lines of a response.
  struct Mark {
    fileprivate let count: Int
    fileprivate let lineCount: Int
  }

  private(set) var buffer = ByteBuffer()
  private var lineCount = 0

  /// The number of bytes in the response.
  var count: Int { buffer.readableBytes }

  /// Adds a line. Line breaks in the value are replaced by spaces.
  mutating func add(_ key: String, _ value: some StringProtocol) {
    begin(key)
    let start = buffer.writerIndex
    buffer.writeSubstring(Substring(value))
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
    endLine()
  }

  private mutating func begin(_ key: String) {
    buffer.writeString(key)
    buffer.writeStaticString(": ")
  }

  private mutating func endLine() {
    buffer.writeInteger(UInt8(ascii: "\n"))
    lineCount += 1
  }

  /// Adds a line with a number as its value.
  mutating func add(_ key: String, _ value: some BinaryInteger) { add(key, String(value)) }

  /// Adds a line with 1 or 0 as its value.
  mutating func add(_ key: String, _ value: Bool) { add(key, value ? "1" : "0") }

  /// Adds a binary chunk, preceded by a line with its size.
  mutating func add(binary bytes: some Collection<UInt8>) {
    add("binary", bytes.count)
    buffer.writeBytes(bytes)
    endLine()
  }

  /// Adds a line that has no key, such as `OK`. It must not contain a line break.
  mutating func add(line: String) {
    buffer.writeString(line)
    endLine()
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
    lineCount += other.lineCount
  }

  /// Removes and returns all bytes.
  mutating func take() -> ByteBuffer {
    defer { buffer = ByteBuffer() }
    return buffer
  }
}

/// Lines for listings of hundreds of thousands of songs. Values are written unchanged. ``isText(since:)`` checks
/// afterwards whether all of them are valid, which is faster than checking each.
extension Response {
  /// The position after the last line.
  var mark: Mark { Mark(count: count, lineCount: lineCount) }

  /// Removes the lines after `mark`.
  mutating func removeLines(after mark: Mark) {
    buffer.moveWriterIndex(to: buffer.readerIndex + mark.count)
    lineCount = mark.lineCount
  }

  /// Returns whether the lines after `mark` are valid UTF-8, without control characters in the values.
  func isText(since mark: Mark) -> Bool {
    unsafe buffer.withUnsafeReadableBytes { bytes in
      let lines = unsafe UnsafeRawBufferPointer(rebasing: bytes[mark.count...])
      let (controlCount, isASCII) = unsafe TextScan.look(at: lines)
      guard controlCount == lineCount - mark.lineCount else { return false }
      return isASCII || (unsafe TextScan.isUTF8(lines))
    }
  }

  /// Adds a line with these bytes between two texts as its value.
  mutating func add(
    _ key: String, unchecked value: UnsafeRawBufferPointer, after prefix: String = "", before ending: String = ""
  ) {
    begin(key)
    buffer.writeString(prefix)
    unsafe buffer.writeBytes(value)
    buffer.writeString(ending)
    endLine()
  }

  /// Adds a line with a duration in milliseconds. It is written in seconds with three decimal places, and must not be
  /// negative.
  mutating func add(_ key: String, milliseconds: Int) {
    begin(key)
    buffer.writeString(String(milliseconds / 1_000))
    buffer.writeMultipleIntegers(
      UInt8(ascii: "."), Self.digit(milliseconds / 100), Self.digit(milliseconds / 10), Self.digit(milliseconds))
    endLine()
  }

  /// Adds a line with a point in time in UTC.
  ///
  /// - Parameters:
  ///   - day: The date as text.
  ///   - seconds: The seconds since the beginning of that day.
  mutating func add(_ key: String, day: String, seconds: Int) {
    begin(key)
    buffer.writeString(day)
    write("T", twoDigits: seconds / 3_600)
    write(":", twoDigits: seconds / 60 % 60)
    write(":", twoDigits: seconds % 60)
    buffer.writeStaticString("Z")
    endLine()
  }

  private mutating func write(_ separator: Unicode.Scalar, twoDigits number: Int) {
    buffer.writeMultipleIntegers(UInt8(ascii: separator), Self.digit(number / 10), Self.digit(number))
  }

  /// Returns the last decimal digit of `number`.
  private static func digit(_ number: Int) -> UInt8 { UInt8(ascii: "0") + UInt8(truncatingIfNeeded: number % 10) }
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
