import NIOCore

/// What a client is answered: lines of `key: value`, and chunks of bytes.
struct Response: Sendable {
  private(set) var buffer = ByteBuffer()

  /// How many bytes it has.
  var count: Int { buffer.readableBytes }

  /// Adds a line. What would end it within the value becomes a space: no value has a line's end.
  mutating func add(_ key: String, _ value: some StringProtocol) {
    buffer.writeString(key)
    buffer.writeStaticString(": ")
    let start = buffer.writerIndex
    buffer.writeSubstring(Substring(value))
    endLine(from: start)
  }

  /// Adds these lines.
  mutating func add(_ lines: borrowing LineBuffer) {
    _ = unsafe lines.withBytes { unsafe buffer.writeBytes($0) }
  }

  /// Ends a line, and sees to it that the value that begins at `start` has not done so.
  private mutating func endLine(from start: Int) {
    let first = start - buffer.readerIndex
    let hasEnd = unsafe buffer.withUnsafeReadableBytes { bytes in
      var hasEnd = false
      for index in first..<bytes.count {
        let byte = unsafe bytes[index]
        hasEnd = hasEnd || byte == 10 || byte == 13 || byte == 0
      }
      return hasEnd
    }
    if hasEnd {
      for (index, byte) in buffer.readableBytesView.dropFirst(first).enumerated()
      where byte == 10 || byte == 13 || byte == 0 {
        buffer.setInteger(UInt8(ascii: " "), at: start + index)
      }
    }
    buffer.writeInteger(UInt8(ascii: "\n"))
  }

  /// Adds a line with a number.
  mutating func add(_ key: String, _ value: some BinaryInteger) { add(key, String(value)) }

  /// Adds a line with 1 or 0.
  mutating func add(_ key: String, _ value: Bool) { add(key, value ? "1" : "0") }

  /// Adds a chunk of bytes, behind a line that says how many there are.
  mutating func add(binary bytes: some Collection<UInt8>) {
    add("binary", bytes.count)
    buffer.writeBytes(bytes)
    buffer.writeInteger(UInt8(ascii: "\n"))
  }

  /// Adds a line that stands by itself, as `OK` does. It has no end of a line in it.
  mutating func add(line: String) {
    buffer.writeString(line)
    buffer.writeInteger(UInt8(ascii: "\n"))
  }

  /// Adds the line that refuses the command at `index` of a list.
  mutating func add(_ error: ProtocolError, index: Int, command: String) {
    let message = String(error.message.map { $0.isNewline || $0 == "\0" ? " " : $0 })
    add(line: "ACK [\(error.code.rawValue)@\(index)] {\(command)} \(message)")
  }

  /// Adds what another has.
  mutating func add(_ other: Response) {
    var bytes = other.buffer
    buffer.writeBuffer(&bytes)
  }

  /// Takes out all that it has.
  mutating func take() -> ByteBuffer {
    defer { buffer = ByteBuffer() }
    return buffer
  }
}

/// Why a command of a client is refused: an `ACK` of the MPD protocol.
public struct ProtocolError: Error, Sendable, Equatable {
  /// What kind of error it is, by the protocol's numbers.
  public enum Code: Int, Sendable {
    /// An argument is missing, too much, or makes no sense.
    case argument = 2
    /// The password is wrong.
    case password = 3
    /// The client may not do that.
    case permission = 4
    /// There is no such command.
    case unknown = 5
    /// There is no such song, list or sticker.
    case noExist = 50
    /// The queue would become too long.
    case playlistTooLarge = 51
    /// The system refuses.
    case system = 52
    /// A stored playlist cannot be loaded.
    case playlistLoad = 53
    /// Nothing plays to which that applies.
    case playerSync = 55
    /// Something of this name is there already.
    case exists = 56
  }

  /// What kind of error it is.
  public let code: Code
  /// One line for people.
  public let message: String

  /// An error of this kind.
  public init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }
}
