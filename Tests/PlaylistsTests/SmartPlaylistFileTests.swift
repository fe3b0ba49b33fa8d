// SPDX-License-Identifier: GPL-3.0-or-later

import MusicModel
import Playlists
import SystemPackage
import Testing

struct SmartPlaylistFileTests {
  private static func playlist(_ text: String, _ name: String = "/p/x.toml") throws(PlaylistError) -> SmartPlaylist {
    guard let today = ReleaseDate(year: 2026, month: 3, day: 10) else { throw .notAPlaylist("/") }
    return try SmartPlaylistFile.playlist(in: Array(text.utf8), of: FilePath(name), today: today)
  }

  private static func problem(_ text: String, _ name: String = "/p/x.toml") -> String? {
    do throws(PlaylistError) {
      _ = try playlist(text, name)
      return nil
    } catch {
      return error.description
    }
  }

  @Test func `A file has a query, an order and limits`() throws {
    let playlist = try Self.playlist(
      """
      # Late at night
      comment = "slow"
      query = "rating:4.. genre:jazz added:30d"
      order = "-rating, random"
      limit = 50
      minutes = 90.5
      percent = 10
      per-artist = 2
      per-album = 1
      whole-albums = true
      offset = 3
      """)
    #expect(playlist.query.description == "rating:4.. genre:jazz added:2026-02-08..")
    #expect(playlist.order == [.key(LibraryOrder(.rating, isDescending: true)), .random])
    #expect(playlist.limit == 50 && playlist.minutes == 90.5 && playlist.percent == 10 && playlist.offset == 3)
    #expect(playlist.perArtist == 2 && playlist.perAlbum == 1 && playlist.hasWholeAlbums)
    #expect(playlist.comment == "slow")
    #expect(try Self.playlist("query = '*'\norder = ['year', '-title']").order.map(\.text) == ["year", "-title"])
  }

  @Test func `What is written is read again`() throws {
    var playlist = try Self.playlist("query = 'title:\"a \\\\ \\\"b\\\"\"'")
    playlist.order = [.random, .key(LibraryOrder(.added, isDescending: true))]
    (playlist.limit, playlist.minutes, playlist.percent) = (7, 30, 12.5)
    (playlist.perArtist, playlist.perAlbum, playlist.hasWholeAlbums, playlist.offset) = (1, 2, true, 4)
    playlist.comment = "a \"quoted\" \\ line\nand\u{1}\u{7F} another – ü"
    let bytes = SmartPlaylistFile.contents(of: playlist, query: playlist.query.description)
    #expect(try Self.playlist(String(decoding: bytes, as: UTF8.self)) == playlist)
  }

  @Test(arguments: [
    ("", "it has no query"), ("query = 1", "query must be text"), ("query = '('", "invalid query, column 1"),
    ("query = '*'\nlimit = 0", "limit must be a number from 1 to"), ("query = '*'\nlimit = 'x'", "limit must be"),
    ("query = '*'\npercent = 101", "percent must be a number above 0, up to 100"),
    ("query = '*'\nminutes = nan", "minutes must be"), ("query = '*'\norder = 'size'", "unknown order \"size\""),
    ("query = '*'\norder = '--year'", "unknown order"), ("query = '*'\norder = 3", "unknown order: use random"),
    ("query = '*'\nwhole-albums = 1", "whole-albums must be true or false"),
    ("query = '*'\nqueyr = 1", "unknown name \"queyr\": use query, order"), ("query = '*'\n[x", "damaged at line 2"),
  ])
  func `What is wrong with a file is said in one line`(text: String, problem: String) {
    let found = Self.problem(text)
    #expect(found?.contains(problem) == true, "\(found ?? "nothing")")
    #expect(found?.contains("\n") == false)
  }

  @Test func `The examples are valid, and a dozen`() throws {
    #expect(SmartPlaylistExamples.all.count == 12)
    for (name, rules) in SmartPlaylistExamples.all {
      let playlist = try Self.playlist(rules)
      #expect(playlist.query != .nothing, "\(name)")
    }
  }

  // MARK: Navidrome

  @Test func `A playlist of Navidrome is read`() throws {
    let playlist = try Self.playlist(
      """
      {
        "name": "80's Top Songs", "comment": "All songs from the 80's that I love",
        "all": [
          {"any": [{"is": {"loved": true}}, {"gt": {"rating": 3}}, {"is": {"albumRating": 5}}]},
          {"inTheRange": {"year": [1981, 1990]}}, {"isNot": {"genre": "Ska"}}, {"contains": {"title": "love"}},
          {"inTheLast": {"lastplayed": 30}}, {"after": {"dateAdded": "2020-02-28"}}, {"LT": {"playCount": 9}},
          {"inPlaylist": {"id": "Evening"}}, {"startsWith": {"filepath": "Jazz/"}}
        ],
        "sort": "-rating,albumrating,year,nothing", "order": "desc", "limit": 25, "limitPercent": 50, "offset": 2
      }
      """, "/p/top.nsp")
    let query = """
      (liked:yes or rating:3.5.. or albumrating:5..) year:1981..1990 -genre:="Ska" title:love played:2026-02-08.. added:2020-02-29.. \
      plays:0..8 playlist:"Evening" path:Jazz/
      """
    #expect(playlist.query.description == query)
    #expect(playlist.order.map(\.text) == ["rating", "-album-rating", "-year"])
    #expect(playlist.limit == 25 && playlist.percent == 50 && playlist.offset == 2)
    #expect(playlist.comment == "All songs from the 80's that I love")
    #expect(try Self.playlist("{\"any\": []}", "/a.nsp").order.map(\.text) == ["title"])
  }

  @Test(arguments: [
    ("{\"isMissing\": {\"year\": true}}", "-year:.."), ("{\"isPresent\": {\"year\": true}}", "year:.."),
    ("{\"isMissing\": {\"discNumber\": false}}", "disc:.."), ("{\"isMissing\": {\"rating\": true}}", "-rating:0.5.."),
    ("{\"isPresent\": {\"lastPlayed\": true}}", "played:.."), ("{\"isMissing\": {\"lastPlayed\": true}}", "-played:.."),
    ("{\"isNot\": {\"dateAdded\": \"2026-03-01\"}}", "-added:2026-03-01"),
    ("{\"notInTheLast\": {\"lastPlayed\": 9}}", "-played:2026-03-01.."),
    ("{\"inTheRange\": {\"lastPlayed\": [\"2026-01-01\", \"2026-01-31\"]}}", "played:2026-01-01..2026-01-31"),
    ("{\"notContains\": {\"genre\": \"pop\"}}", "-genre:pop*"), ("{\"isNot\": {\"loved\": true}}", "-liked:yes"),
  ])
  func `Each rule of Navidrome is a query`(rule: String, query: String) throws {
    let found = try Self.playlist("{\"all\": [\(rule)]}", "/p/x.nsp").query
    #expect(found.description == query, "\(found)")
  }

  @Test(arguments: [
    ("{", "not valid JSON"), ("[]", "not a JSON object"), ("{}", "either \"all\" or \"any\""),
    ("{\"all\": [], \"any\": []}", "either"), ("{\"all\": [1]}", "a rule is not a JSON object"),
    ("{\"all\": [{\"is\": {\"bpm\": 3}}]}", "the field bpm is not known"),
    ("{\"all\": [{\"endsWith\": {\"title\": \"x\"}}]}", "the operator endswith cannot be used with the field title"),
    ("{\"all\": [{\"isMissing\": {\"genre\": true}}]}", "the operator ismissing cannot be used with the field genre"),
    ("{\"all\": [{\"isMissing\": {\"year\": 3}}]}", "the operator ismissing cannot be used with the field year"),
    ("{\"all\": [{\"contains\": {\"filepath\": \"x\"}}]}", "the operator contains cannot be used with the field"),
    ("{\"all\": [{\"gt\": {\"rating\": \"many\"}}]}", "the operator gt cannot be used with the field rating"),
    ("{\"all\": [{\"is\": {}, \"gt\": {}}]}", "exactly one operator"),
    ("{\"all\": [{\"is\": {}}]}", "exactly one field"),
    ("{\"all\": [{\"gt\": {\"year\": 1e300}}]}", "the operator gt"),
  ])
  func `A rule that cannot be expressed is an error, since the playlist would be another one`(
    text: String, problem: String
  ) {
    let found = Self.problem(text, "/p/x.nsp")
    #expect(found?.contains(problem) == true, "\(found ?? "nothing")")
  }

  @Test func `Rules that are nested too deeply are an error`() {
    let deep = String(repeating: "{\"all\":[", count: 60) + String(repeating: "]}", count: 60)
    #expect(Self.problem(deep, "/p/x.nsp")?.contains("nested more than") == true)
    let tooDeep = String(repeating: "{\"all\":[", count: 100_000)
    #expect(Self.problem(tooDeep, "/p/x.nsp")?.contains("not valid JSON") == true)
  }
}
