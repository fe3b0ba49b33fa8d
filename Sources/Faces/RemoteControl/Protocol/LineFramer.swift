import NIOCore

/// Takes the bytes of a client apart into lines.
struct LineFramer: Sendable {
  /// What comes next.
  enum Piece: Equatable {
    /// A line, without its end.
    case line([UInt8])
    /// A line that is longer than any command is.
    case tooLong
  }

  /// The most bytes that a line may have.
  static let lineLimit = 1 << 16

  private var buffer = ByteBuffer()
  /// How many bytes of the buffer are known to hold no end of a line.
  private var searchedCount = 0

  /// Whether a line has begun.
  var isWithinLine: Bool { buffer.readableBytes > 0 }

  /// Adds what came.
  mutating func append(_ bytes: inout ByteBuffer) { buffer.writeBuffer(&bytes) }

  /// The next line, where it is whole.
  mutating func next() -> Piece? {
    let unread = buffer.readableBytesView.dropFirst(searchedCount)
    guard let end = unread.firstIndex(of: UInt8(ascii: "\n")) else {
      searchedCount = buffer.readableBytes
      return searchedCount > Self.lineLimit ? .tooLong : nil
    }
    searchedCount = 0
    let count = end - buffer.readerIndex
    if count > Self.lineLimit { return .tooLong }
    var line = buffer.readBytes(length: count) ?? []
    buffer.moveReaderIndex(forwardBy: 1)
    if line.last == UInt8(ascii: "\r") { line.removeLast() }
    if buffer.readableBytes == 0 {
      // Keeps what it has, but no more than a line's worth of it.
      if buffer.capacity > Self.lineLimit { buffer = ByteBuffer() } else { buffer.clear() }
    } else if buffer.readerIndex > Self.lineLimit {
      buffer.discardReadBytes()
    }
    return .line(line)
  }
}
