// SPDX-License-Identifier: GPL-3.0-or-later

import Platform
public import SystemPackage

/// An error in the communication with a player over its socket.
public enum ControlClientError: Error, Sendable, Equatable {
  /// No process is listening on the socket.
  case notListening
  /// The player cannot be reached, or the connection was lost. After a timeout, the error is
  /// `resourceTemporarilyUnavailable`.
  case unreachable(Errno)
  /// The listening process, which has this ID, is stopped, for example by Ctrl-Z. It will not respond until it is
  /// continued.
  case stopped(Int32)
  /// The listening process does not speak the protocol.
  case notAPlayer
  /// Another user may be listening on the socket. The text states why, and what to do about it.
  case insecure(String)
  /// The player refused the command with this error.
  case refused(ProtocolError)
}

/// A client of a player on this machine. It connects to the player's socket and sends one command at a time.
///
/// Use each client on one thread only. Every call blocks until the player has responded or the timeout expires.
public struct ControlClient: Sendable {
  /// The prefix of the line with which a player greets clients.
  static let greeting = "OK MPD "
  /// The maximum length of a response line in bytes.
  private static let lineLimit = 64 << 20

  let socket: LocalSocket
  private var received: [UInt8] = []
  /// The index in `received` at which the next line starts.
  private var start = 0

  /// The number of attempts to connect to a player that closes the connection instead of greeting.
  private static let attemptLimit = 5
  /// The time in milliseconds between two attempts.
  private static let attemptPause: UInt64 = 50
  /// The maximum length of the greeting in bytes.
  private static let greetingLimit = 1 << 10
  /// The default timeout for the greeting, which a stopped player does not send.
  private static let greetingTimeout = Duration.seconds(5)

  /// Connects to the player that listens on the socket at `path`.
  ///
  /// - Parameter timeout: The timeout for connecting and for all later calls; `nil` for the default timeout while
  ///   connecting, and none later.
  public init(_ path: FilePath, timeout: Duration? = nil) throws(ControlClientError) {
    if let problem = RuntimeDirectory.problem(withSocketAt: path) { throw .insecure(problem) }
    for _ in 0..<Self.attemptLimit {
      do throws(ControlClientError) {
        try self.init(greetedAt: path, timeout: timeout ?? Self.greetingTimeout)
      } catch {
        guard case .unreachable(.connectionReset) = error else { throw error }
        // A player that is shutting down closes the connection, too, but is no longer found at the next attempt.
        MonotonicInstant.now.advanced(byMilliseconds: Self.attemptPause).sleep()
        continue
      }
      if timeout == nil { socket.waitWithoutLimit() }
      return
    }
    throw .notAPlayer
  }

  private init(greetedAt path: FilePath, timeout: Duration) throws(ControlClientError) {
    do throws(Errno) {
      socket = try LocalSocket(connectingTo: path, timeout: timeout)
    } catch {
      switch error {
      case .noSuchFileOrDirectory, .notDirectory, .connectionRefused, .fileNameTooLong: throw .notListening
      default: throw .unreachable(error)
      }
    }
    let isOrphaned = socket.isOrphaned
    if isOrphaned { socket.limitWaiting(to: min(timeout, LocalSocket.orphanTimeout)) }
    if let process = socket.listeningProcess, ProcessIdentity.isStopped(process) { throw .stopped(process) }
    let greeting: String
    do throws(ControlClientError) {
      greeting = try nextLine(upTo: Self.greetingLimit)
    } catch {
      throw isOrphaned ? .notListening : error
    }
    if isOrphaned { socket.limitWaiting(to: timeout) }
    guard greeting.hasPrefix(Self.greeting) else { throw .notAPlayer }
  }

  /// Sends `command`, and returns the lines of the response.
  public mutating func send(_ command: String, _ arguments: [String] = []) throws(ControlClientError) -> [(
    key: String, value: String
  )] {
    var lines: [(key: String, value: String)] = []
    try send(command, arguments) { key, value in
      lines.append((key, value))
      return true
    }
    return lines
  }

  /// Sends `command`, and calls `receive` with each line of the response as it arrives. If `receive` returns `false`,
  /// the rest of the response is left unread, and the connection must not be used again.
  public mutating func send(
    _ command: String, _ arguments: [String] = [], _ receive: (_ key: String, _ value: String) -> Bool
  ) throws(ControlClientError) {
    let line = ([command] + arguments.map(\.protocolQuoted)).joined(separator: " ")
    do throws(Errno) {
      try socket.write((line + "\n").utf8)
    } catch {
      // A closed connection is the same error to the caller, whether it is met in writing or in reading.
      throw .unreachable(error == .brokenPipe ? .connectionReset : error)
    }
    while true {
      let line = try nextLine()
      if line == "OK" { return }
      if line.hasPrefix("ACK ") { throw .refused(ProtocolError(acknowledgement: line)) }
      // A key may contain a colon, as in the response to `playlist`.
      guard let separator = line.utf8.firstRange(of: ": ".utf8) else { throw .notAPlayer }
      if !receive(String(line[..<separator.lowerBound]), String(line[separator.upperBound...])) { return }
    }
  }

  /// Begins to exchange messages with the player, and returns the connection for that: see `ClientMessage`.
  consuming func port() throws(ControlClientError) -> ControlClient {
    _ = try send("segue_port")
    return self
  }

  mutating func nextLine(upTo limit: Int = Self.lineLimit) throws(ControlClientError) -> String {
    var searchStart = start
    while true {
      if let end = received[searchStart...].firstIndex(of: UInt8(ascii: "\n")) {
        defer { start = end + 1 }
        return String(decoding: received[start..<end], as: UTF8.self)
      }
      guard received.count - start < limit else { throw .notAPlayer }
      received.removeSubrange(..<start)
      (start, searchStart) = (0, received.count)
      let piece: [UInt8]
      do throws(Errno) { piece = try socket.read() } catch { throw .unreachable(error) }
      if piece.isEmpty { throw .unreachable(.connectionReset) }
      received += piece
    }
  }
}

extension ProtocolError {
  /// Creates the error from the `ACK` line of a response.
  init(acknowledgement line: String) {
    let number = line.drop { $0 != "[" }.dropFirst().prefix { $0 != "@" }
    let message = line.drop { $0 != "}" }.dropFirst().drop { $0 == " " }
    self.init(Code(rawValue: Int(number) ?? 0) ?? .system, String(message))
  }
}
