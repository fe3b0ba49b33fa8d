// SPDX-License-Identifier: GPL-3.0-or-later

import AlbumGrouping
import MusicModel
import SystemPackage
import Testing

struct AlbumOrderTests {
  private func album(
    _ title: String, _ artist: String?, year: Int? = nil, month: Int? = nil, sortArtist: String? = nil,
    sortTitle: String? = nil
  ) -> Album {
    var album = Album(title: title, artist: artist, tracks: [Track(path: "/m/1.x", title: "1")])
    album.date = year.flatMap { ReleaseDate(year: $0, month: month) }
    album.sortArtist = sortArtist
    album.sortTitle = sortTitle
    return album
  }

  @Test func `Sort keys order albums by artist, date and title`() {
    let albums = [
      album("10cc", "10cc"), album("Waterloo", "ABBA", year: 1974), album("The Visitors", "ABBA"),
      album("Volume 9", "ABBA"), album("Volume 10", "ABBA"), album("Post", "BJORK", year: 1995, month: 6),
      album("Debut", "Björk", year: 1996), album("A", "The Beatles", year: 1960, sortArtist: "C"),
      album("Die Mensch-Maschine", "Die Krupps"), album("Los Angeles", "El Ten Eleven"),
      album("a", "宇多田ヒカル", sortArtist: "うただひかる"), album("a", "サカナクション"),
      album("a", "東京事変"), album("A", nil, year: 1990), album("B", nil, year: 1990), album("A", nil),
    ]
    let keys = albums.map { AlbumOrder.sortKey(of: $0) }
    for (index, key) in keys.enumerated().dropFirst() {
      #expect(
        keys[index - 1].lexicographicallyPrecedes(key), "\(albums[index - 1].title), \(albums[index].title)")
    }
    #expect(AlbumOrder.sorted(albums.reversed()) == albums)
  }

  @Test func `Leading articles are ignored unless nothing else is left, and sort names take precedence`() {
    func title(_ title: String, sort: String? = nil) -> [UInt8] {
      Array(AlbumOrder.titleKey(of: album(title, nil, sortTitle: sort)).prefix { $0 != 1 })
    }
    #expect(title("The Wall") == title("Wall"))
    #expect(title("a wall") == title("An  Wall"))
    #expect(title("The") != title(""))
    #expect(title("Theory") != title("ory"))
    #expect(title("Die Wall") != title("Wall"))
    #expect(title("X", sort: "Wall") == title("The Wall"))
    var track = Track(path: "/m/1.x", title: "The End")
    #expect(AlbumOrder.titleKey(of: track) == AlbumOrder.nameKey("End"))
    track.sortNames.title = "Finish"
    #expect(AlbumOrder.titleKey(of: track) == AlbumOrder.nameKey("x", sortName: "Finish"))
  }

  @Test func `Artists that match have the same key`() {
    #expect(AlbumOrder.artistKey(of: album("", "Björk")) == AlbumOrder.artistKey(of: album("", "bjork")))
    #expect(AlbumOrder.artistKey(of: album("", "The Who")) == AlbumOrder.artistKey(of: album("", "Who")))
  }
}
