/// What a command works with.
struct CommandContext: Sendable {
  let player: RemotePlayer
  /// What has changed for all clients because of it.
  let announce: @Sendable (Subsystem) -> Void
  var client: ClientState
  /// What is answered.
  var response = Response()
  /// Where more of the answer comes from, piece by piece as the client reads.
  var source: (any ResponseSource)?
  /// Whether something was dispatched that is acknowledged only when it is kept.
  var hasEdited = false
  /// Whether the connection ends behind the answer.
  var isClosing = false

  /// The library.
  ///
  /// - Throws: where there is none.
  var library: RemoteLibrary {
    get throws(ProtocolError) {
      guard let library = player.library else { throw ProtocolError(.system, "No library") }
      return library
    }
  }
}

/// Where a long answer comes from.
protocol ResponseSource: Sendable {
  /// Adds the next piece, some tens of kilobytes; says whether there may be more. On a thread for reading.
  mutating func add(to response: inout Response) throws(ProtocolError) -> Bool
}

/// A connection of a client, as long as it lasts.
typealias ClientID = ObjectIdentifier

/// What a server remembers of one client.
struct ClientState: Sendable {
  /// Which of those that are connected it is.
  let id: ClientID
  /// What it may do.
  var permission: Permission
  /// Whether it came through a socket of the file system, as the player's owner alone can.
  let isLocal: Bool
  /// The tags that it wants to be told.
  var tags = Set(SongTag.allCases)
  /// What it has turned on of the protocol.
  var features: Set<ProtocolFeature> = []
  /// What does not count in texts, where case does not.
  var normalizations: Set<StringNormalization> = []
  /// The most bytes of a chunk that it takes.
  var binaryLimit = 8192
}

/// The arguments of a command, and what they mean.
struct Arguments: Sendable {
  /// The words themselves.
  let words: [String]

  /// How many there are.
  var count: Int { words.count }

  /// The word at `index`, which the command has.
  subscript(index: Int) -> String { words.indices.contains(index) ? words[index] : "" }

  /// The words from `index` on.
  func dropFirst(_ index: Int) -> [String] { Array(words.dropFirst(index)) }

  /// The word at `index`, where there is one.
  func optional(_ index: Int) -> String? { words.indices.contains(index) ? words[index] : nil }

  /// The whole number at `index`.
  func integer(_ index: Int) throws(ProtocolError) -> Int {
    let text = self[index]
    guard let number = Int(text) else {
      throw ProtocolError(.argument, "Integer expected: \(text)")
    }
    return number
  }

  /// The number from 0 on at `index`.
  func unsigned(_ index: Int) throws(ProtocolError) -> Int {
    let number = try integer(index)
    guard number >= 0 else { throw ProtocolError(.argument, "Number is negative: \(number)") }
    return number
  }

  /// The number from 0 to `limit` at `index`.
  func unsigned(_ index: Int, upTo limit: Int) throws(ProtocolError) -> Int {
    let number = try integer(index)
    guard (0...max(0, limit)).contains(number) else {
      throw ProtocolError(.argument, "Number too large: \(number)")
    }
    return number
  }

  /// The switch at `index`: 0 or 1.
  func boolean(_ index: Int) throws(ProtocolError) -> Bool {
    switch self[index] {
    case "0": return false
    case "1": return true
    default: throw ProtocolError(.argument, "Boolean (0/1) expected: \(self[index])")
    }
  }

  /// The number at `index`, with a fraction.
  func number(_ index: Int) throws(ProtocolError) -> Double {
    guard let number = Double(self[index]), number.isFinite, abs(number) < 1e9 else {
      throw ProtocolError(.argument, "Float expected: \(self[index])")
    }
    return number
  }

  /// The seconds at `index`, with a fraction.
  func seconds(_ index: Int) throws(ProtocolError) -> Duration { .seconds(try number(index)) }

  /// The range at `index`: `START:END`, `START:` or a single number.
  func range(_ index: Int) throws(ProtocolError) -> ProtocolRange { try ProtocolRange(self[index]) }

  /// The range at `index`, or all where there is none.
  func rangeOrAll(_ index: Int) throws(ProtocolError) -> ProtocolRange {
    words.indices.contains(index) ? try range(index) : .all
  }
}
