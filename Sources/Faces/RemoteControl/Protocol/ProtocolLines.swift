// SPDX-License-Identifier: GPL-3.0-or-later

import NIOCore

/// The words of a line of the MPD protocol: the name of a command, and its arguments.
///
/// Words are separated by spaces or tabs. A word in double quotes may contain them; within it, `\` escapes the next
/// character.
struct ProtocolWords: Equatable {
  /// The name of the command.
  let command: String
  /// The arguments of the command.
  let arguments: [String]

  /// Parses `line`, which does not include the line break. Invalid UTF-8 is replaced.
  ///
  /// - Throws: `unknown` if the line is empty, does not begin with the name of a command, or has invalid quoting.
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
    guard let command = words.first, !command.isEmpty, command.utf8.allSatisfy(Self.isNameByte) else {
      throw ProtocolError(.unknown, "No command given")
    }
    self.command = command
    arguments = Array(words.dropFirst())
  }

  /// Parses the quoted word at the start of `bytes`, whose opening quote has been consumed. Returns the word and the
  /// remaining bytes.
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

  private static func isNameByte(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "_") || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
      || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }
}

extension String {
  /// The string in quotes, as an argument in a line of the protocol.
  var protocolQuoted: String {
    var text = "\""
    for scalar in unicodeScalars {
      if scalar == "\"" || scalar == "\\" { text.unicodeScalars.append("\\") }
      text.unicodeScalars.append(scalar)
    }
    return text + "\""
  }
}

/// Splits the bytes received from a client into lines.
struct LineFramer: Sendable {
  /// The result of looking for the next line.
  enum Piece: Equatable {
    /// A line, without the line break.
    case line([UInt8])
    /// A line that exceeds the maximum length.
    case tooLong
  }

  /// The maximum length of a line in bytes.
  static let lineLimit = 1 << 16
  /// The maximum length in bytes of a message of the port, which may name many tracks.
  static let portLimit = 64 << 20

  private var buffer = ByteBuffer()
  /// The number of unread bytes that are known to contain no line break.
  private var searchedCount = 0

  /// Appends received bytes.
  mutating func append(_ bytes: inout ByteBuffer) { buffer.writeBuffer(&bytes) }

  /// Removes and returns the next line, which may have up to `limit` bytes; `nil` if it is not complete yet.
  mutating func next(upTo limit: Int = Self.lineLimit) -> Piece? {
    let unread = buffer.readableBytesView.dropFirst(searchedCount)
    guard let end = unread.firstIndex(of: UInt8(ascii: "\n")) else {
      searchedCount = buffer.readableBytes
      return searchedCount > limit ? .tooLong : nil
    }
    searchedCount = 0
    let count = end - buffer.readerIndex
    if count > limit { return .tooLong }
    var line = buffer.readBytes(length: count) ?? []
    buffer.moveReaderIndex(forwardBy: 1)
    if line.last == UInt8(ascii: "\r") { line.removeLast() }
    if buffer.readableBytes == 0 {
      // Reuse the memory of the buffer, unless it is larger than a line requires.
      if buffer.capacity > Self.lineLimit { buffer = ByteBuffer() } else { buffer.clear() }
    } else if buffer.readerIndex > Self.lineLimit {
      buffer.discardReadBytes()
    }
    return .line(line)
  }
}
