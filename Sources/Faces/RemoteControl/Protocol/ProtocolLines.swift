import NIOCore

/// The words of a line of the MPD protocol: a command and its arguments.
///
/// Words stand between spaces or tabs. In double quotes a word may hold them, and `\` stands before a quote or another
/// `\`.
struct ProtocolWords: Equatable {
  /// The command's name.
  let command: String
  /// What stands behind it.
  let arguments: [String]

  /// The words of `line`, which has no line's end. Bytes that are no UTF-8 are replaced.
  ///
  /// - Throws: `unknown` where it is empty, begins with what is no command's name, or is quoted wrongly.
  init(_ line: [UInt8]) throws(ProtocolError) {
    var words: [String] = []
    var rest = line[...]
    while true {
      rest = rest.drop(while: Self.isSpace)
      guard let first = rest.first else { break }
      let word: [UInt8]
      if first == UInt8(ascii: "\"") {
        (word, rest) = try Self.quoted(rest.dropFirst())
      } else {
        word = Array(rest.prefix { !Self.isSpace($0) })
        rest = rest.dropFirst(word.count)
        if word.contains(UInt8(ascii: "\"")) {
          throw ProtocolError(.unknown, "Invalid unquoted character")
        }
      }
      words.append(String(decoding: word, as: UTF8.self))
    }
    guard let command = words.first, !command.isEmpty, command.utf8.allSatisfy(Self.isNamed) else {
      throw ProtocolError(.unknown, "No command given")
    }
    self.command = command
    arguments = Array(words.dropFirst())
  }

  /// The word that begins `bytes`, behind its opening quote, and what follows it.
  private static func quoted(_ bytes: ArraySlice<UInt8>) throws(ProtocolError) -> ([UInt8], ArraySlice<UInt8>) {
    var word: [UInt8] = []
    var index = bytes.startIndex
    while index != bytes.endIndex {
      var byte = bytes[index]
      index += 1
      if byte == UInt8(ascii: "\"") {
        guard index == bytes.endIndex || isSpace(bytes[index]) else {
          throw ProtocolError(.unknown, "Space expected after closing '\"'")
        }
        return (word, bytes[index...])
      }
      if byte == UInt8(ascii: "\\") {
        guard index != bytes.endIndex else { break }
        byte = bytes[index]
        index += 1
      }
      word.append(byte)
    }
    throw ProtocolError(.unknown, "Missing closing '\"'")
  }

  private static func isSpace(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t")
  }

  private static func isNamed(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "_") || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
      || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }
}

extension String {
  /// This word as it stands in a line of the protocol.
  var protocolQuoted: String {
    var text = "\""
    for scalar in unicodeScalars {
      if scalar == "\"" || scalar == "\\" { text.unicodeScalars.append("\\") }
      text.unicodeScalars.append(scalar)
    }
    return text + "\""
  }
}

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
