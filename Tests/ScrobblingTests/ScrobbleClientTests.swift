// SPDX-License-Identifier: GPL-3.0-or-later

import MusicModel
import Network
import Testing

@testable import Scrobbling

struct ListenBrainzClientTests {
  private let client = ScrobbleRig.listenBrainz

  @Test func `A listen is sent with everything that is known, and nothing else`() throws {
    var listen = try #require(Listen(ScrobbleRig.track("A/B"), time: 1_800_000_000))
    let plain = client.submission([listen])
    #expect(plain.url == "https://api.listenbrainz.org/1/submit-listens")
    #expect(plain.headers == ["Content-Type: application/json", "Authorization: Token t"])
    #expect(
      plain.text == """
        {"listen_type":"single","payload":[{"listened_at":1800000000,"track_metadata":{"additional_info":\
        {"duration_ms":100000,"media_player":"Segue","media_player_version":"1.0","submission_client":"Segue",\
        "submission_client_version":"1.0"},"artist_name":"Ann","track_name":"The A/B"}}]}
        """)
    (listen.album, listen.number, listen.recordingID, listen.artistIDs) = ("Low", 3, "r", ["a"])
    let playing = client.nowPlaying(listen).text
    #expect(playing.contains("\"playing_now\"") && !playing.contains("listened_at"))
    for part in [
      "\"release_name\":\"Low\"", "\"tracknumber\":3", "\"recording_mbid\":\"r\"", "\"artist_mbids\":[\"a\"]",
    ] {
      #expect(playing.contains(part))
    }
    #expect(client.submission([listen, listen]).text.contains("\"import\""))
  }

  @Test(arguments: [
    "http://host:1/apis/listenbrainz", "http://host:1/apis/listenbrainz/", "http://host:1/apis/listenbrainz/1/",
  ])
  func `The address may end in a slash or a version`(address: String) throws {
    let client = ListenBrainzClient(address: address, token: "t", version: "1")
    #expect(client.validation.url == "http://host:1/apis/listenbrainz/1/validate-token")
  }

  @Test func `Answers mean what the protocol says, and pages of other servers nothing`() throws {
    func verdict(_ answer: HTTPAnswer, _ count: Int? = 2) -> ScrobbleVerdict { client.verdict(answer, listens: count) }
    #expect(verdict(.listenBrainzOK) == .received([.accepted, .accepted]))
    #expect(verdict(HTTPAnswer(400, "{\"code\":400,\"error\":\"bad\"}")) == .refused("bad"))
    #expect(verdict(HTTPAnswer(401, "{\"error\":\"no\"}")) == .tokenRefused("no"))
    #expect(verdict(HTTPAnswer(200, "{\"code\":200,\"error\":\"Invalid Method\"}"), nil) == .refused("Invalid Method"))
    #expect(verdict(HTTPAnswer(429, retryAfter: "7")) == .later("too many requests", after: .seconds(7)))
    for answer in [
      HTTPAnswer(200, "<html>Log in to the hotel</html>"), HTTPAnswer(200, "{\"status\":"), HTTPAnswer(302),
      HTTPAnswer(404), HTTPAnswer(500), HTTPAnswer(503, retryAfter: "Wed, 21 Oct 2026 07:28:00 GMT"),
    ] {
      guard case .later(_, nil) = verdict(answer) else {
        Issue.record("\(answer)")
        continue
      }
    }
    guard case .refused = verdict(HTTPAnswer(404), nil) else { throw ScrobbleProblem("a love must not wait for ever") }
  }

  @Test func `Only recordings with an ID can be loved`() throws {
    var love = try #require(Love(ScrobbleRig.track("A"), isLoved: true))
    #expect(client.love(love) == nil)
    love.recordingID = "r"
    #expect(client.love(love)?.url == "https://api.listenbrainz.org/1/feedback/recording-feedback")
    #expect(client.love(love)?.text == "{\"recording_mbid\":\"r\",\"score\":1}")
    love.isLoved = false
    #expect(client.love(love)?.text.contains("\"score\":0") == true)
  }

  @Test func `A token belongs to a user, or is not valid`() throws {
    #expect(try ListenBrainzClient.user(HTTPAnswer(200, "{\"valid\":true,\"user_name\":\"ann\"}")) == "ann")
    #expect(try ListenBrainzClient.user(HTTPAnswer(200, "{\"valid\":false}")) == nil)
    #expect(try ListenBrainzClient.user(HTTPAnswer(401)) == nil)
    #expect(throws: ScrobbleProblem.self) { try ListenBrainzClient.user(HTTPAnswer(200, "<html>")) }
    #expect(throws: ScrobbleProblem.self) { try ListenBrainzClient.user(HTTPAnswer(500)) }
  }
}

struct LastFMClientTests {
  private let client = ScrobbleRig.lastFM

  @Test func `Parameters are signed in the order of their bytes`() {
    let parameters = ["artist[1]": "C", "artist[0]": "A", "api_key": "k", "artist[10]": "B"]
    #expect(client.signature(parameters) == "1653ebc6ace3e9c80e4b983983ef8160")
  }

  @Test func `What is playing is sent as a form, whatever its names contain`() throws {
    var listen = try #require(Listen(ScrobbleRig.track("A&B"), time: 5))
    (listen.milliseconds, listen.title) = (nil, "The A&B")
    let request = client.nowPlaying(listen)
    #expect(request.url == "https://ws.audioscrobbler.com/2.0/")
    #expect(
      request.text
        == "api_key=k&api_sig=0ed8ab622e9648954077fc90311691ea&artist=Ann&format=json&method=track.updateNowPlaying&sk=x&track=The%20A%26B"
    )
  }

  @Test func `Listens are numbered`() throws {
    var listen = try #require(Listen(ScrobbleRig.track("A"), time: 5))
    (listen.album, listen.albumArtist, listen.number, listen.recordingID) = ("L", "B", 2, "r")
    let fields = client.submission([listen, listen]).text.split(separator: "&")
    for field in [
      "artist%5B0%5D=Ann", "track%5B1%5D=The%20A", "timestamp%5B1%5D=5", "album%5B0%5D=L", "albumArtist%5B0%5D=B",
      "trackNumber%5B0%5D=2", "duration%5B0%5D=100", "mbid%5B0%5D=r", "method=track.scrobble",
    ] {
      #expect(fields.contains(Substring(field)), "\(field)")
    }
  }

  @Test func `Answers mean what the protocol says`() throws {
    func verdict(_ text: String, _ status: Int = 200, _ count: Int? = 1) -> ScrobbleVerdict {
      client.verdict(HTTPAnswer(status, text), listens: count)
    }
    let one = { (code: String) in
      "{\"scrobbles\":{\"@attr\":{\"accepted\":1},\"scrobble\":{\"ignoredMessage\":{\"code\":\(code),\"#text\":\"\"}}}}"
    }
    #expect(verdict(one("\"0\"")) == .received([.accepted]) && verdict(one("0")) == .received([.accepted]))
    #expect(verdict(one("\"3\"")) == .received([.dropped("it is too old for the service")]))
    let two = "{\"scrobbles\":{\"scrobble\":[{\"ignoredMessage\":{\"code\":\"5\"}},{}]}}"
    #expect(verdict(two, 200, 2) == .received([.postponed("the limit of a day is reached"), .accepted]))
    #expect(verdict("{\"error\":9,\"message\":\"Invalid session key\"}", 403) == .tokenRefused("Invalid session key"))
    #expect(verdict("{\"error\":6,\"message\":\"bad\"}", 400) == .refused("bad"))
    for error in [8, 11, 16, 29] {
      #expect(verdict("{\"error\":\(error),\"message\":\"busy\"}", 503) == .later("busy", after: nil))
    }
    #expect(verdict("{}", 200, nil) == .received([.accepted]))
    for text in ["", "<lfm>", "{\"scrobbles\":{\"scrob", "{}"] {
      guard case .later = verdict(text) else {
        Issue.record("\(text)")
        continue
      }
    }
  }

  @Test func `A login leads to the page of the service`() throws {
    #expect(client.permissionAddress("T") == "https://www.last.fm/api/auth/?api_key=k&token=T")
    let other = LastFMClient(address: "https://libre.fm/2.0/", key: "k", secret: "s")
    #expect(other.permissionAddress("T") == "https://libre.fm/api/auth/?api_key=k&token=T")
    let session = try LastFMClient.login(
      HTTPAnswer(200, "{\"session\":{\"name\":\"bob\",\"key\":\"x\",\"subscriber\":0}}"))
    #expect(session.session?.name == "bob" && session.session?.key == "x")
    #expect(try LastFMClient.login(HTTPAnswer(403, "{\"error\":14,\"message\":\"not authorized\"}")).isWaiting)
    #expect(throws: ScrobbleProblem.self) { try LastFMClient.login(HTTPAnswer(200, "<html>")) }
  }
}
