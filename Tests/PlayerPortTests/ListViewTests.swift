// SPDX-License-Identifier: GPL-3.0-or-later

import FaceExamples
import LibraryIndex
import LibraryScanning
import MusicModel
import Platform
import PlayerFlow
import SystemPackage
import TestSupport
import Testing

@testable import PlayerPort

/// Lists that are narrowed and ordered, and what is played from them.
@Suite struct ListViewTests {
  private let library: ExampleLibrary
  private let rig: PortRig
  private var player: LocalPlayer { rig.player }
  private var lists: PlayerLists { PlayerLists(rig.player) }

  init() throws {
    library = try ExampleLibrary(["Anthem"])
    for (title, artist, album, disc, year) in [
      ("Anthem", "Zoe", "Debut", 1, 2003), ("Ballad", "Zoe", "Debut", 1, 2003), ("Coda", "Zoe", "Debut", 2, 2003),
      ("Dirge", "Yves", "Second", 1, 1999), ("Elegy", "AC/DC", "Second", 1, 1999),
    ] {
      try library.write(
        title,
        [
          ("ARTIST", artist), ("ALBUM", album), ("ALBUMARTIST", album == "Second" ? "Xaver" : artist),
          ("DISCNUMBER", "\(disc)/2"), ("DATE", "\(year)"), ("GENRE", "Hidden"),
          ("TRACKNUMBER", "\(["Anthem", "Coda", "Dirge"].contains(title) ? 1 : 2)"),
        ])
    }
    _ = try library.index.scan(progress: { _ in }, isCancelled: { false })
    rig = try PortRig(library)
  }

  private func titles(_ content: ListContent, _ filter: String = "", _ order: ListOrder? = nil) throws -> [String] {
    try lists.page(of: ListView(content, filter: filter, order: order), offset: 0, limit: 99).rows.map(\.title)
  }

  private func rows(_ content: ListContent) throws -> [ListRow] {
    try lists.page(of: ListView(content), offset: 0, limit: 99).rows
  }

  private func id(_ title: String) throws -> Int64 {
    guard case .track(let id, _)? = try rows(.songs(.everything)).first(where: { $0.title == title })?.target else {
      throw PlayerError(.failure, "no \(title)")
    }
    return id
  }

  private func album(_ title: String) throws -> ListContent {
    guard case .album(let id)? = try rows(.albums(.everything)).first(where: { $0.title == title })?.target else {
      throw PlayerError(.failure, "no \(title)")
    }
    return .album(id)
  }

  private func rate(_ title: String, _ stars: Int) throws {
    _ = try player.send(.rate([.track(try id(title))], .rating(2 * stars), nil))
  }

  @Test func `Songs are narrowed by what their rows show, and by nothing else`() throws {
    let songs = ListContent.songs(.everything)
    #expect(try titles(songs, "zo de") == ["Anthem", "Ballad", "Coda"])
    #expect(try titles(songs, "acd") == ["Elegy"])
    #expect(try titles(songs, "xaver") == [] && titles(songs, "hidden") == [])
    #expect(try titles(.albums(.everything), "xav") == ["Second"])
    #expect(try titles(.albums(.everything), "anthem") == [])
    #expect(try titles(.artists(.everything), "acd") == ["AC/DC"])
    #expect(try titles(.genres(.everything), "hid") == ["Hidden"])
    #expect(try titles(album("Debut"), "ba") == ["Ballad"])
    #expect(try titles(.directory(""), "yv") == ["Dirge"])
    #expect(try titles(.years(.everything), "19") == ["1999"])
    let page = try lists.page(of: ListView(songs, filter: "zoe"), offset: 1, limit: 1)
    #expect(page.count == 3 && page.offset == 1 && page.rows.map(\.title) == ["Ballad"])
    #expect(try lists.position(of: "C", in: ListView(songs, filter: "zoe")) == 2)
    #expect(try lists.position(of: "oda", in: ListView(songs, filter: "zoe"), after: 0, backward: false) == 2)
  }

  @Test func `Every list comes in every order that it offers`() throws {
    try rate("Coda", 2)
    try rate("Dirge", 5)
    for _ in 0..<3 { _ = try library.index.count(.play, of: try path("Ballad"), nil, at: 1) }
    _ = try library.index.count(.play, of: try path("Elegy"), nil, at: 1)
    let songs = ["Anthem", "Ballad", "Coda", "Dirge", "Elegy"]
    for content in [.songs(.everything), .directory(""), .search("e", .everything)] as [ListContent] {
      let all = try titles(content)
      for key in content.orders {
        for isDescending in [false, true] {
          let ordered = try titles(content, "", ListOrder(key, isDescending: isDescending))
          #expect(ordered.sorted() == all.sorted(), "\(content) \(key)")
        }
      }
    }
    for content in [.songs(.everything), .directory("")] as [ListContent] {
      #expect(try titles(content, "", ListOrder(.name, isDescending: true)) == songs.reversed())
      #expect(try titles(content, "", ListOrder(.rating)).prefix(2) == ["Coda", "Dirge"])
      #expect(try titles(content, "", ListOrder(.rating, isDescending: true)).prefix(2) == ["Dirge", "Coda"])
      #expect(try titles(content, "", ListOrder(.plays, isDescending: true)).prefix(2) == ["Ballad", "Elegy"])
      #expect(try Set(titles(content, "", ListOrder(.year)).prefix(2)) == ["Dirge", "Elegy"])
    }
    #expect(try titles(.albums(.everything), "", ListOrder(.rating, isDescending: true)) == ["Second", "Debut"])
    #expect(try titles(.albums(.everything), "", ListOrder(.plays, isDescending: true)) == ["Debut", "Second"])
    #expect(try titles(.albums(.everything), "", ListOrder(.year)) == ["Second", "Debut"])
    #expect(try titles(.artists(.everything), "", ListOrder(.plays, isDescending: true)).first == "Zoe")
    #expect(try titles(.years(.everything), "", ListOrder(.year)) == ["1999", "2003"])
    #expect(try titles(.years(.everything)) == ["2003", "1999"])
    // An order that the list does not offer is its own.
    #expect(try titles(.years(.everything), "", ListOrder(.plays)) == ["2003", "1999"])
    #expect(ListContent.queue.orders == [] && ListContent.outputs.orders == [])
    let random = ListOrder(.random(seed: 4))
    #expect(try titles(.songs(.everything), "", random) == titles(.songs(.everything), "", random))
  }

  @Test func `Rows have the year, the disc, and what the library knows of them`() throws {
    try rate("Coda", 2)
    _ = try library.index.count(.play, of: try path("Coda"), nil, at: 1)
    for content in [.songs(.everything), try album("Debut"), .directory(""), .search("coda", .everything)]
      as [ListContent]
    {
      let row = try #require(try rows(content).first { $0.title == "Coda" })
      #expect(row.year == 2003 && row.disc == 2 && row.rating == 4 && row.plays == 1, "\(content)")
      #expect(row.added ?? 0 > 0, "\(content)")
    }
    let album = try #require(try rows(.albums(.everything)).first { $0.title == "Debut" })
    #expect(album.year == 2003 && album.rating == 4 && album.plays == 1 && album.added ?? 0 > 0)
    _ = try player.send(.play(MusicRequest(.rows([.track(try id("Coda"))], start: nil)), PlaybackOptions()))
    let item = try #require(try rows(.queue).first)
    #expect(item.year == 2003 && item.disc == 2 && item.rating == 4 && item.plays == 1)
    _ = try player.send(.playlist(.save(TypedText("Mine"), replaces: false, nil)))
    let entry = try #require(try rows(.playlist("Mine")).first)
    #expect(entry.year == 2003 && entry.rating == 4 && entry.plays == 1)
    #expect(JSONLine.value(JSONLine.text(entry)) == entry)
  }

  @Test func `A list is played as it is shown, from a row on`() throws {
    func play(_ view: ListView, _ start: MusicRequest.StartTrack?) throws -> (titles: [String], current: Int?) {
      _ = try player.send(.play(MusicRequest(.rows([.list(view)], start: start)), PlaybackOptions()))
      let queue = try player.queue(0..<99)
      return (queue.rows.map(\.track.title), queue.current)
    }
    let descending = ListOrder(.name, isDescending: true)
    let songs = try play(ListView(.songs(.everything), filter: "zoe", order: descending), .number(1))
    #expect(songs == (["Coda", "Ballad", "Anthem"], 1))
    #expect(
      try play(ListView(.songs(.everything)), .track(id("Dirge"))) == (
        ["Anthem", "Ballad", "Coda", "Dirge", "Elegy"], 3
      ))
    #expect(try play(ListView(album("Debut")), .number(2)) == (["Anthem", "Ballad", "Coda"], 2))
    #expect(try play(ListView(.directory(""), filter: "de"), .number(1)).current == 1)
    // An album of a list is played from its first track.
    let albums = try play(ListView(.albums(.everything), order: ListOrder(.year)), .number(1))
    #expect(albums == (["Dirge", "Elegy", "Anthem", "Ballad", "Coda"], 2))
    #expect(try play(ListView(.years(.everything)), .number(1)).current == 3)
    // A track of two listed artists is played once.
    #expect(
      try play(ListView(.artists(.everything)), nil).titles.sorted() == ["Anthem", "Ballad", "Coda", "Dirge", "Elegy"])
    let one = LibraryQuery.text(.title, TextPattern("Dirge", kind: .exact))
    #expect(try play(ListView(.artists(one)), nil).titles == ["Dirge"])
    // Only the songs among the results of a search.
    let hits = try rows(.search("debut", .everything))
    let row = try #require(hits.firstIndex { $0.title == "Ballad" })
    let found = try play(ListView(.search("debut", .everything)), .number(row))
    #expect(hits.contains { $0.detail == "album" } && found.titles.sorted() == ["Anthem", "Ballad", "Coda"])
    #expect(found.titles[try #require(found.current)] == "Ballad")
    _ = try player.send(.playlist(.save(TypedText("Mine"), replaces: false, nil)))
    let playlist = try play(ListView(.playlist("Mine"), order: descending), .number(2))
    #expect(playlist == (["Coda", "Ballad", "Anthem"], 2))
    #expect(throws: PlayerError.missing) { try play(ListView(.songs(.everything), filter: "none"), nil) }
    #expect(try player.queue(0..<99).rows.count == 3)
  }

  @Test func `The album and the artists of a track are found from every row`() throws {
    let elegy = try #require(try rows(.songs(.everything)).last)
    let origin = try #require(try lists.origin(of: elegy.target))
    #expect(origin.albumTitle == "Second" && origin.artists == ["AC/DC"] && origin.albumArtists == ["Xaver"])
    #expect(try album("Second") == .album(origin.album))
    let artists = try titles(.artists(.everything))
    #expect((origin.artists + origin.albumArtists).allSatisfy { artists.contains($0) })
    _ = try player.send(.play(MusicRequest(.rows([.track(try id("Elegy"))], start: nil)), PlaybackOptions()))
    let item = try #require(try rows(.queue).first)
    #expect(try lists.origin(of: item.target) == origin)
    #expect(try lists.origin(of: .file(PathText(path("Elegy")), number: 0)) == origin)
    #expect(try lists.origin(of: .file("/elsewhere", number: 0)) == nil && lists.origin(of: .artist("Zoe")) == nil)
    #expect(throws: PlayerError.missing) { try lists.origin(of: .item(99_999)) }
  }

  private func path(_ title: String) throws -> FilePath {
    guard case .track(_, let path)? = try rows(.songs(.everything)).first(where: { $0.title == title })?.target else {
      throw PlayerError(.failure, "no \(title)")
    }
    return path.path
  }
}
