// SPDX-License-Identifier: GPL-3.0-or-later

import FoundationEssentials
import Network

/// Encodes the requests to a service for one account, and interprets the answers.
protocol ScrobbleClient: Sendable {
  var service: ScrobbleService { get }
  /// The maximum number of listens in one request.
  var batchLimit: Int { get }
  /// What identifies the token, without revealing it.
  var tokenDigest: String { get }

  /// Returns the request that reports what is playing.
  func nowPlaying(_ listen: Listen) -> HTTPRequest
  /// Returns the request with these listens, at most ``batchLimit``.
  func submission(_ listens: [Listen]) -> HTTPRequest
  /// Returns the request for a love; `nil` if the service cannot identify the track.
  func love(_ love: Love) -> HTTPRequest?
  /// Returns what the answer to a request with `count` listens means; to that with a love, if `count` is `nil`.
  func verdict(_ answer: HTTPAnswer, listens count: Int?) -> ScrobbleVerdict
}

/// What an answer of a service means. Reasons are in a few words, not yet escaped for a terminal.
enum ScrobbleVerdict: Sendable, Equatable {
  /// What became of each listen, in their order.
  enum Outcome: Sendable, Equatable {
    case accepted
    /// The service ignores this listen, and always would.
    case dropped(String)
    /// The service wants this listen later.
    case postponed(String)
  }

  case received([Outcome])
  /// Something in the request is not acceptable.
  case refused(String)
  case tokenRefused(String)
  /// The request is to be sent again later: after this time, if the service names one.
  case later(String, after: Duration?)
}

extension HTTPAnswer {
  /// The time after which to try again, if the service names it in seconds.
  var retryDelay: Duration? { retryAfter.flatMap { UInt32($0) }.map { .seconds($0) } }

  /// Returns the value that the body encodes as JSON; `nil` if it is not of this type, such as a page of a network that
  /// wants a password.
  func value<Value: Decodable>(_ type: Value.Type) -> Value? { try? JSONDecoder().decode(type, from: Data(body)) }

  /// The meaning of an answer that does not come from the service itself.
  var unexpectedVerdict: ScrobbleVerdict {
    switch status {
    case 429: .later("too many requests", after: retryDelay)
    case 300..<400: .later("the server sends requests elsewhere; check its address in the settings", after: nil)
    case 200..<300: .later("the server answers something else", after: nil)
    default: .later("the server answers with status \(status)", after: retryDelay)
    }
  }
}

/// Encodes values as JSON.
enum ScrobbleJSON {
  static func bytes(_ value: some Encodable) -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    // Text and numbers can always be encoded.
    return (try? encoder.encode(value)).map { Array($0) } ?? Array("{}".utf8)
  }
}
