// SPDX-License-Identifier: GPL-3.0-or-later

import Network

/// The protocol of Last.fm, "Scrobbling 2.0", which Libre.fm also speaks.
///
/// Source: https://www.last.fm/api/scrobbling. A listen that arrives twice, because the answer to the first request was
/// lost, is stored once: its time and its names are the same.
struct LastFMClient: ScrobbleClient {
  static let defaultAddress = "https://ws.audioscrobbler.com/2.0/"

  let service = ScrobbleService.lastFM
  let batchLimit = 50
  private let address: String
  private let key: String
  private let secret: String
  private let session: String

  /// Creates a client with the user's own API key and secret, and the key of the session that they have allowed.
  init(address: String?, key: String, secret: String, session: String = "") {
    (self.address, self.key) = (address ?? Self.defaultAddress, key)
    (self.secret, self.session) = (secret, session)
  }

  var tokenDigest: String { MD5.hexadecimal([address, key, secret, session].joined(separator: " ")) }

  func nowPlaying(_ listen: Listen) -> HTTPRequest {
    call("track.updateNowPlaying", fields(of: listen, suffix: ""))
  }

  func submission(_ listens: [Listen]) -> HTTPRequest {
    var parameters: [String: String] = [:]
    for (index, listen) in listens.enumerated() {
      parameters["timestamp[\(index)]"] = "\(listen.time)"
      parameters.merge(fields(of: listen, suffix: "[\(index)]")) { $1 }
    }
    return call("track.scrobble", parameters)
  }

  func love(_ love: Love) -> HTTPRequest? {
    call(love.isLoved ? "track.love" : "track.unlove", ["artist": love.artist, "track": love.title])
  }

  private func fields(of listen: Listen, suffix: String) -> [String: String] {
    let fields: [(String, String?)] = [
      ("artist", listen.artist), ("track", listen.title), ("album", listen.album),
      ("albumArtist", listen.albumArtist), ("trackNumber", listen.number.map { "\($0)" }),
      ("duration", listen.milliseconds.map { "\(($0 + 500) / 1_000)" }), ("mbid", listen.recordingID),
    ]
    return Dictionary(uniqueKeysWithValues: fields.compactMap { name, value in value.map { (name + suffix, $0) } })
  }

  func verdict(_ answer: HTTPAnswer, listens count: Int?) -> ScrobbleVerdict {
    guard let reply = answer.value(Reply.self) else { return answer.unexpectedVerdict }
    if let error = reply.error {
      let reason = reply.message ?? "error \(error)"
      switch error {
      // The session, or what it was made with, is not valid.
      case 4, 9, 10, 13, 14, 26: return .tokenRefused(reason)
      // The service is offline or overloaded.
      case 8, 11, 16, 29: return .later(reason, after: answer.retryDelay)
      default: return .refused(reason)
      }
    }
    guard answer.status == 200 else { return answer.unexpectedVerdict }
    guard let count else { return .received([.accepted]) }
    guard let scrobbles = reply.scrobbles else { return answer.unexpectedVerdict }
    let outcomes = scrobbles.scrobble.map(\.outcome)
    // The service has accepted the request, so it must not be sent again.
    return .received(outcomes.count == count ? outcomes : Array(repeating: .accepted, count: count))
  }

  // MARK: The login

  /// The request for a token, which the user then allows to use the account.
  var tokenRequest: HTTPRequest { call("auth.getToken", [:]) }

  /// Returns the request for the session of a token that the user has allowed.
  func sessionRequest(_ token: String) -> HTTPRequest { call("auth.getSession", ["token": token]) }

  /// Returns the address of the page on which the user allows the token.
  func permissionAddress(_ token: String) -> String {
    let host = address.split(separator: "/", maxSplits: 2).dropFirst().first.map(String.init) ?? ""
    let scheme = address.hasPrefix("http://") ? "http" : "https"
    let site = address == Self.defaultAddress ? "https://www.last.fm" : "\(scheme)://\(host)"
    return "\(site)/api/auth/?api_key=\(Self.escaped(key))&token=\(Self.escaped(token))"
  }

  /// What the answers to the requests of a login contain.
  struct Login: Decodable {
    struct Session: Decodable {
      var name: String
      var key: String
    }

    var token: String?
    var session: Session?
    var error: Int?
    var message: String?

    /// Whether the user has not allowed the token yet.
    var isWaiting: Bool { error == 14 }
  }

  /// Returns the contents of an answer to a request of a login.
  static func login(_ answer: HTTPAnswer) throws(ScrobbleProblem) -> Login {
    if let login = answer.value(Login.self), login.token != nil || login.session != nil || login.error != nil {
      return login
    }
    guard case .later(let reason, _) = answer.unexpectedVerdict else { throw ScrobbleProblem("no answer") }
    throw ScrobbleProblem(reason)
  }

  // MARK: Requests

  private func call(_ method: String, _ parameters: [String: String]) -> HTTPRequest {
    var parameters = parameters
    (parameters["method"], parameters["api_key"]) = (method, key)
    if !method.hasPrefix("auth.") { parameters["sk"] = session }
    parameters["api_sig"] = signature(parameters)
    parameters["format"] = "json"
    let body = parameters.sorted { $0.key < $1.key }.map { "\(Self.escaped($0.key))=\(Self.escaped($0.value))" }
    return HTTPRequest(
      url: address, type: "application/x-www-form-urlencoded", body: Array(body.joined(separator: "&").utf8))
  }

  /// The signature of all parameters but `format`: the hash of their names and values in the order of the names' bytes
  /// ("artist[10]" before "artist[1]"), and of the secret.
  func signature(_ parameters: [String: String]) -> String {
    let sorted = parameters.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
    return MD5.hexadecimal(sorted.map { $0.key + $0.value }.joined() + secret)
  }

  private static func escaped(_ text: String) -> String {
    text.utf8.map { byte in
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"):
        String(Unicode.Scalar(byte))
      default: "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
      }
    }.joined()
  }
}

private struct Reply: Decodable {
  struct Scrobbles: Decodable {
    var scrobble: [Scrobble]

    enum CodingKeys: CodingKey { case scrobble }

    /// A single one is not in a list.
    init(from decoder: any Decoder) throws {
      let values = try decoder.container(keyedBy: CodingKeys.self)
      scrobble =
        try (try? values.decode([Scrobble].self, forKey: .scrobble)) ?? [
          values.decode(Scrobble.self, forKey: .scrobble)
        ]
    }
  }

  struct Scrobble: Decodable {
    struct Message: Decodable {
      var code: Int

      enum CodingKeys: CodingKey { case code }

      /// The code is text or a number.
      init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        let text = try? values.decode(String.self, forKey: .code)
        code = try text.map { Int($0) ?? 0 } ?? values.decode(Int.self, forKey: .code)
      }
    }

    var ignoredMessage: Message?

    var outcome: ScrobbleVerdict.Outcome {
      switch ignoredMessage?.code ?? 0 {
      case 0: .accepted
      case 1: .dropped("the service ignores this artist")
      case 2: .dropped("the service ignores this track")
      case 3: .dropped("it is too old for the service")
      case 4: .dropped("its time is in the future")
      case 5: .postponed("the limit of a day is reached")
      case let code: .dropped("the service ignores it (\(code))")
      }
    }
  }

  var scrobbles: Scrobbles?
  var error: Int?
  var message: String?
}
