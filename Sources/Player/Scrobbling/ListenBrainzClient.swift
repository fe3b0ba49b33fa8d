// SPDX-License-Identifier: GPL-3.0-or-later

import Network

/// The protocol of ListenBrainz, which other servers also speak.
///
/// Source: https://listenbrainz.readthedocs.io, "Core" and "JSON Documentation". A listen that arrives twice, because
/// the answer to the first request was lost, is stored once: its time and its names are the same.
struct ListenBrainzClient: ScrobbleClient {
  static let defaultAddress = "https://api.listenbrainz.org"

  let service = ScrobbleService.listenBrainz
  let batchLimit = 1_000
  private let root: String
  private let token: String
  private let version: String

  /// Creates a client for the server at `address`, which may end in the version of the interface ("/1").
  ///
  /// - Parameter version: The version of Segue.
  init(address: String?, token: String, version: String) {
    var root = (address ?? Self.defaultAddress)[...]
    while root.hasSuffix("/") { root.removeLast() }
    if root.hasSuffix("/1") { root.removeLast(2) }
    (self.root, self.token, self.version) = (String(root), token, version)
  }

  var tokenDigest: String { MD5.hexadecimal(root + " " + token) }

  func nowPlaying(_ listen: Listen) -> HTTPRequest {
    post("submit-listens", Submission(type: "playing_now", [Payload(listen, version, hasTime: false)]))
  }

  func submission(_ listens: [Listen]) -> HTTPRequest {
    post(
      "submit-listens",
      Submission(type: listens.count == 1 ? "single" : "import", listens.map { Payload($0, version, hasTime: true) }))
  }

  func love(_ love: Love) -> HTTPRequest? {
    love.recordingID.map {
      post("feedback/recording-feedback", Feedback(recording_mbid: $0, score: love.isLoved ? 1 : 0))
    }
  }

  /// The request that asks to whom the token belongs.
  var validation: HTTPRequest {
    var request = HTTPRequest(url: root + "/1/validate-token")
    request.headers = [authorization]
    return request
  }

  /// Returns the user to whom the token belongs, by the answer to ``validation``; `nil` if the token is not valid.
  static func user(_ answer: HTTPAnswer) throws(ScrobbleProblem) -> String? {
    struct Validity: Decodable {
      var valid: Bool?
      var user_name: String?
    }
    if answer.status == 401 { return nil }
    guard answer.status == 200, let validity = answer.value(Validity.self), let isValid = validity.valid else {
      guard case .later(let reason, _) = answer.unexpectedVerdict else { return nil }
      throw ScrobbleProblem(reason)
    }
    return isValid ? validity.user_name ?? "" : nil
  }

  func verdict(_ answer: HTTPAnswer, listens count: Int?) -> ScrobbleVerdict {
    struct Reply: Decodable {
      var status: String?
      var error: String?
    }
    let reply = answer.value(Reply.self)
    switch answer.status {
    case 200 where reply?.status == "ok":
      return .received(Array(repeating: .accepted, count: count ?? 1))
    // Maloja says so of what it does not know, and of a time at which it has a listen.
    case 200 where reply?.error != nil, 400, 409, 413:
      return .refused(reply?.error ?? "status \(answer.status)")
    case 401: return .tokenRefused(reply?.error ?? "status 401")
    // Only ListenBrainz itself can note loves.
    case 404, 405, 501: return count == nil ? .refused("the server does not know loves") : answer.unexpectedVerdict
    default: return answer.unexpectedVerdict
    }
  }

  private var authorization: String { "Authorization: Token \(token)" }

  private func post(_ path: String, _ content: some Encodable) -> HTTPRequest {
    var request = HTTPRequest(
      url: "\(root)/1/\(path)", type: "application/json", body: ScrobbleJSON.bytes(content))
    request.headers.append(authorization)
    return request
  }
}

// The names of the properties are those of the protocol.

private struct Feedback: Encodable {
  var recording_mbid: String
  var score: Int
}

private struct Submission: Encodable {
  var listen_type: String
  var payload: [Payload]

  init(type: String, _ payload: [Payload]) { (listen_type, self.payload) = (type, payload) }
}

private struct Payload: Encodable {
  struct Metadata: Encodable {
    var artist_name: String
    var track_name: String
    var release_name: String?
    var additional_info: Information
  }

  struct Information: Encodable {
    let media_player = "Segue"
    let submission_client = "Segue"
    var media_player_version: String
    var submission_client_version: String
    var duration_ms: Int64?
    var tracknumber: Int?
    var recording_mbid: String?
    var track_mbid: String?
    var release_mbid: String?
    var release_group_mbid: String?
    var artist_mbids: [String]?
    var work_mbids: [String]?
  }

  var listened_at: Int64?
  var track_metadata: Metadata

  init(_ listen: Listen, _ version: String, hasTime: Bool) {
    listened_at = hasTime ? listen.time : nil
    track_metadata = Metadata(
      artist_name: listen.artist, track_name: listen.title, release_name: listen.album,
      additional_info: Information(
        media_player_version: version, submission_client_version: version, duration_ms: listen.milliseconds,
        tracknumber: listen.number, recording_mbid: listen.recordingID, track_mbid: listen.trackID,
        release_mbid: listen.releaseID, release_group_mbid: listen.releaseGroupID,
        artist_mbids: listen.artistIDs.isEmpty ? nil : listen.artistIDs,
        work_mbids: listen.workIDs.isEmpty ? nil : listen.workIDs))
  }
}
