// SPDX-License-Identifier: GPL-3.0-or-later

/// The state that a command works with.
struct CommandContext: Sendable {
  let player: RemotePlayer
  /// Notifies all clients of a change.
  let announce: @Sendable (Subsystem) -> Void
  var client: ClientState
  /// The response.
  var response = Response()
  /// The source of the rest of the response, which is produced as the client reads.
  var source: (any ResponseSource)?
  /// Whether something was dispatched that is acknowledged only once it is stored.
  var hasEdited = false
  /// Whether the connection is closed after the response.
  var isClosing = false

  /// The library.
  ///
  /// - Throws: If there is none.
  var library: RemoteLibrary {
    get throws(ProtocolError) {
      guard let library = player.library else { throw ProtocolError(.system, "No library") }
      return library
    }
  }
}

/// The source of a long response.
protocol ResponseSource: Sendable {
  /// Adds the next piece, some tens of kilobytes. Returns whether there may be more. On a reading thread.
  mutating func add(to response: inout Response) throws(ProtocolError) -> Bool
}

/// The identity of a client's connection, valid as long as it is open.
typealias ClientID = ObjectIdentifier

/// The state of one client.
struct ClientState: Sendable {
  /// The identity of the connection.
  let id: ClientID
  /// The commands that the client may use.
  var permission: Permission
  /// Whether it is connected through a socket in the file system, which only the player's owner can use.
  let isLocal: Bool
  /// The tags that the client wants.
  var tags = Set(SongTag.allCases)
  /// The protocol features that the client has turned on.
  var features: Set<ProtocolFeature> = []
  /// The normalizations of text in searches that ignore case.
  var normalizations: Set<StringNormalization> = []
  /// The largest binary chunk that the client accepts, in bytes.
  var binaryLimit = 8192
}

/// The arguments of a command, with conversions.
struct Arguments: Sendable {
  /// The words themselves.
  let words: [String]

  /// The number of arguments.
  var count: Int { words.count }

  /// The argument at `index`, which the command must have.
  subscript(index: Int) -> String { words.indices.contains(index) ? words[index] : "" }

  /// Returns the arguments from `index` on.
  func dropFirst(_ index: Int) -> [String] { Array(words.dropFirst(index)) }

  /// Returns the argument at `index`, if there is one.
  func optional(_ index: Int) -> String? { words.indices.contains(index) ? words[index] : nil }

  /// Returns the integer at `index`.
  func integer(_ index: Int) throws(ProtocolError) -> Int {
    let text = self[index]
    guard let number = Int(text) else {
      throw ProtocolError(.argument, "Integer expected: \(text)")
    }
    return number
  }

  /// Returns the non-negative integer at `index`.
  func unsigned(_ index: Int) throws(ProtocolError) -> Int {
    let number = try integer(index)
    guard number >= 0 else { throw ProtocolError(.argument, "Number is negative: \(number)") }
    return number
  }

  /// Returns the integer from 0 to `limit` at `index`.
  func unsigned(_ index: Int, upTo limit: Int) throws(ProtocolError) -> Int {
    let number = try integer(index)
    guard (0...max(0, limit)).contains(number) else {
      throw ProtocolError(.argument, "Number too large: \(number)")
    }
    return number
  }

  /// Returns the Boolean at `index`: 0 or 1.
  func boolean(_ index: Int) throws(ProtocolError) -> Bool {
    switch self[index] {
    case "0": return false
    case "1": return true
    default: throw ProtocolError(.argument, "Boolean (0/1) expected: \(self[index])")
    }
  }

  /// Returns the decimal number at `index`.
  func number(_ index: Int) throws(ProtocolError) -> Double {
    guard let number = Double(self[index]), number.isFinite, abs(number) < 1e9 else {
      throw ProtocolError(.argument, "Float expected: \(self[index])")
    }
    return number
  }

  /// Returns the duration at `index`, in seconds with a fraction.
  func seconds(_ index: Int) throws(ProtocolError) -> Duration { .seconds(try number(index)) }

  /// Returns the range at `index`: `START:END`, `START:` or a single number.
  func range(_ index: Int) throws(ProtocolError) -> ProtocolRange { try ProtocolRange(self[index]) }

  /// Returns the range at `index`, or everything if there is none.
  func rangeOrAll(_ index: Int) throws(ProtocolError) -> ProtocolRange {
    words.indices.contains(index) ? try range(index) : .all
  }
}
