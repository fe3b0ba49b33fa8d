/// The words of a line of the MPD protocol: a command and its arguments.
///
/// Words stand between spaces or tabs. In double quotes a word may hold them, and `\` stands before a quote or another
/// `\`.
struct ProtocolWords: Equatable {
  /// Why a line has no words.
  enum Failure: Error, Equatable {
    /// It is empty, or begins with what is no command's name.
    case noCommand
    /// A quote has no partner.
    case unterminated
    /// Something stands directly behind a quote.
    case noSpaceBehindQuote
    /// A word without quotes has a quote in it.
    case strayQuote

    /// One line for people.
    var message: String {
      switch self {
      case .noCommand: "No command given"
      case .unterminated: "Missing closing '\"'"
      case .noSpaceBehindQuote: "Space expected after closing '\"'"
      case .strayQuote: "Invalid unquoted character"
      }
    }
  }

  /// The command's name.
  let command: String
  /// What stands behind it.
  let arguments: [String]

  /// The words of `line`, which has no line's end. Bytes that are no UTF-8 are replaced.
  init(_ line: [UInt8]) throws(Failure) {
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
        if word.contains(UInt8(ascii: "\"")) { throw .strayQuote }
      }
      words.append(String(decoding: word, as: UTF8.self))
    }
    guard let command = words.first, !command.isEmpty, command.utf8.allSatisfy(Self.isNamed) else {
      throw .noCommand
    }
    self.command = command
    arguments = Array(words.dropFirst())
  }

  /// The word that begins `bytes`, behind its opening quote, and what follows it.
  private static func quoted(_ bytes: ArraySlice<UInt8>) throws(Failure) -> ([UInt8], ArraySlice<UInt8>) {
    var word: [UInt8] = []
    var index = bytes.startIndex
    while index != bytes.endIndex {
      var byte = bytes[index]
      index += 1
      if byte == UInt8(ascii: "\"") {
        guard index == bytes.endIndex || isSpace(bytes[index]) else { throw .noSpaceBehindQuote }
        return (word, bytes[index...])
      }
      if byte == UInt8(ascii: "\\") {
        guard index != bytes.endIndex else { throw .unterminated }
        byte = bytes[index]
        index += 1
      }
      word.append(byte)
    }
    throw .unterminated
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
