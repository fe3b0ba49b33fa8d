// SPDX-License-Identifier: GPL-3.0-or-later

import PlayerPort

/// The state with which a command works.
struct CommandContext: Sendable {
  let player: ControlledPlayer
  /// Notifies all clients of a change.
  let announce: @Sendable (Subsystem) -> Void
  var client: ClientState
  /// The part of the response that has not been sent yet.
  var response = Response()
  /// The source of the rest of the response, which is produced as the client reads.
  var source: (any ResponseSource)?
  /// Whether an edit was dispatched that must be stored before the response ends.
  var hasEdited = false
  /// Whether the connection is to be closed after the response.
  var isClosing = false

  /// The library of the player.
  ///
  /// - Throws: `system` if there is none.
  var library: RemoteLibrary {
    get throws(ProtocolError) {
      guard let library = player.library else { throw ProtocolError(.system, "No library") }
      return library
    }
  }
}

extension CommandContext {
  /// Makes the player perform a request, and waits until the next command of any client sees its effect.
  @discardableResult
  func send(_ request: PlayerRequest) throws(ProtocolError) -> PlayerReply {
    do throws(PlayerError) { return try player.port.send(.unstored(request)) } catch { throw ProtocolError(error) }
  }

  /// Makes the player perform a request that changes the queue. The client gets its response only after the change has
  /// been stored.
  @discardableResult
  mutating func edit(_ request: PlayerRequest) throws(ProtocolError) -> PlayerReply {
    hasEdited = true
    return try send(request)
  }
}

extension ProtocolError {
  /// Creates the error that a client gets if the player refuses a request, because its state has just changed.
  init(_ error: PlayerError) {
    if let problem = error.playlistProblem {
      self.init(problem)
      return
    }
    let code: ProtocolError.Code =
      switch error.status {
      case .notFound: .noExist
      case .nothingPlayable: .playerSync
      case .usage: .argument
      default: .system
      }
    self.init(code, error.message)
  }
}

/// A source that produces a long response in pieces.
protocol ResponseSource: Sendable {
  /// Adds the next piece, usually tens of kilobytes, to `response`. Returns whether more may follow. Called on a
  /// reading thread.
  mutating func add(to response: inout Response) throws(ProtocolError) -> Bool
}

/// The identity of a client's connection. It is valid only while the connection is open.
typealias ClientID = ObjectIdentifier

/// The state of one client, which lasts as long as its connection.
struct ClientState: Sendable {
  /// The identity of the client's connection.
  let id: ClientID
  var permission: Permission
  /// Whether the client is connected through a socket in the file system, which only the owner of the player can use.
  let isLocal: Bool
  /// The address from which the client is connected.
  var address = ClientAddress([])
  /// The tags that the client has selected for responses.
  var tags = Set(SongTag.allCases)
  /// The protocol features that the client has turned on.
  var features: Set<ProtocolFeature> = []
  /// The text normalizations that the client has turned on for searches that ignore case.
  var normalizations: Set<StringNormalization> = []
  /// The queue as the client knows it.
  var seenQueue = SeenQueue()
  /// The maximum size in bytes of a binary chunk that the client accepts.
  var binaryLimit = 8192
}

/// The arguments of a command. Methods convert them to values, and throw `argument` if that is not possible.
struct Arguments: Sendable {
  /// The arguments as text.
  let words: [String]
  /// The name by which the command was called.
  var command = ""

  /// Whether the command was called by its name that ignores case, such as `search` for `find`.
  var ignoresCase: Bool { command.contains("search") }

  /// The number of arguments.
  var count: Int { words.count }

  /// The argument at `index`; empty text if there is none.
  subscript(index: Int) -> String { words.indices.contains(index) ? words[index] : "" }

  /// Returns the arguments from `index` on.
  func dropFirst(_ index: Int) -> [String] { Array(words.dropFirst(index)) }

  /// Returns the argument at `index`; `nil` if there is none.
  func optional(_ index: Int) -> String? { words.indices.contains(index) ? words[index] : nil }

  /// Returns the argument at `index` as an integer.
  func integer(_ index: Int) throws(ProtocolError) -> Int {
    let text = self[index]
    guard let number = Int(text) else {
      throw ProtocolError(.argument, "Integer expected: \(text)")
    }
    return number
  }

  /// Returns the argument at `index` as an integer that is not negative.
  func unsigned(_ index: Int) throws(ProtocolError) -> Int {
    let number = try integer(index)
    guard number >= 0 else { throw ProtocolError(.argument, "Number is negative: \(number)") }
    return number
  }

  /// Returns the argument at `index` as an integer from 0 to `limit`.
  func unsigned(_ index: Int, upTo limit: Int) throws(ProtocolError) -> Int {
    let number = try integer(index)
    guard (0...max(0, limit)).contains(number) else {
      throw ProtocolError(.argument, "Number too large: \(number)")
    }
    return number
  }

  /// Returns the argument at `index` as a Boolean, written as 0 or 1.
  func boolean(_ index: Int) throws(ProtocolError) -> Bool {
    switch self[index] {
    case "0": return false
    case "1": return true
    default: throw ProtocolError(.argument, "Boolean (0/1) expected: \(self[index])")
    }
  }

  /// Returns the argument at `index` as a number that may have a fraction.
  func number(_ index: Int) throws(ProtocolError) -> Double {
    guard let number = Double(self[index]), number.isFinite, abs(number) < 1e9 else {
      throw ProtocolError(.argument, "Float expected: \(self[index])")
    }
    return number
  }

  /// Returns the argument at `index` as a duration, written in seconds that may have a fraction.
  func seconds(_ index: Int) throws(ProtocolError) -> Duration { .seconds(try number(index)) }

  /// Returns the argument at `index` as a range, written as `START:END`, `START:` or a single number.
  func range(_ index: Int) throws(ProtocolError) -> ProtocolRange { try ProtocolRange(self[index]) }

  /// Returns the argument at `index` as a range; the range of all positions if there is no such argument.
  func rangeOrAll(_ index: Int) throws(ProtocolError) -> ProtocolRange {
    words.indices.contains(index) ? try range(index) : .all
  }
}
