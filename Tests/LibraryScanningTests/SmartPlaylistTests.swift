// SPDX-License-Identifier: GPL-3.0-or-later

import Playlists
import SystemPackage
import TestSupport
import Testing

@testable import LibraryIndex
@testable import LibraryScanning
@testable import MusicModel
@testable import Tagging

/// Playlists that are named in queries, and in the rules of other playlists.
struct SmartPlaylistTests {
  private let rig: ScanRig

  init() throws {
    rig = try ScanRig()
    for number in 1...4 { try rig.add("a/\(number).flac", album: "A", number) }
    for number in 1...3 { try rig.add("b/\(number).flac", album: "B", number, artist: "Other") }
    try rig.scan()
  }

  private func write(_ name: String, _ text: String) throws {
    try rig.directory.write(Array(text.utf8), to: FilePath("music/Playlists/\(name)"))
  }

  private func files(_ ids: [Int64]) throws -> [String] {
    try rig.library().tracks(withIDs: ids).map {
      "\($0.path.removingLastComponent().lastComponent?.string ?? "")\($0.path.stem ?? "")"
    }
  }

  private func files(ofPlaylist name: String) throws -> [String] {
    try files(try rig.library().trackIDs(ofSmartPlaylist: name))
  }

  private func titles(_ query: LibraryQuery) throws -> [String] {
    let page = try rig.library().tracks(query, order: LibraryOrder(), window: .init())
    #expect(try rig.library().count(of: .tracks, matching: query) == page.elements.count)
    return try files(page.elements.map(\.id))
  }

  @Test func `A smart playlist is always up to date`() throws {
    try write("x.toml", "query = 'album:a track:2..'\norder = '-title'")
    #expect(try files(ofPlaylist: "x") == ["a4", "a3", "a2"])
    #expect(try files(ofPlaylist: "X.TOML") == ["a4", "a3", "a2"])
    try rig.add("a/5.flac", album: "A", 5)
    try rig.scan()
    #expect(try files(ofPlaylist: "x") == ["a5", "a4", "a3", "a2"])
    try write("x.toml", "query = 'album:b'\nlimit = 1")
    #expect(try files(ofPlaylist: "x") == ["b1"])
  }

  @Test func `Queries and rules may name playlists of both kinds`() throws {
    try write("plain.m3u8", "../b/2.flac\n../a/3.flac\n../gone.flac\n../a/3.flac\n")
    try write("odd.toml", "query = 'track:1 or track:3'\nlimit = 3")
    try write("both.toml", "query = 'playlist:plain playlist:odd'")
    try write("either.toml", "query = 'playlist:plain or playlist:odd or playlist:odd'\norder = 'title'")
    try write("rest.toml", "query = '-playlist:either -playlist:both'")
    #expect(try files(ofPlaylist: "plain") == ["b2", "a3", "a3"])
    #expect(try files(ofPlaylist: "odd") == ["a1", "a3", "b1"])
    #expect(try files(ofPlaylist: "both") == ["a3"])
    #expect(try files(ofPlaylist: "either").sorted() == ["a1", "a3", "b1", "b2"])
    #expect(try files(ofPlaylist: "rest").sorted() == ["a2", "a4", "b3"])
    #expect(try titles(.playlist("plain")) == ["a3", "b2"])
    #expect(try titles(.all([.playlist("odd"), .text(.album, TextPattern("b"))])) == ["b1"])
    #expect(try titles(.not(.playlist("either"))) == ["a2", "a4", "b3"])
    let albums = try rig.library().albums(.playlist("both"), order: LibraryOrder(), window: .init()).elements
    #expect(albums.map(\.title) == ["A"])
    #expect(try rig.library().artists(.playlist("both"), window: .init()).elements.map(\.name) == ["Artist"])
    #expect(try rig.library().search("t1", among: .playlist("odd"), limit: 9).count == 2)
  }

  @Test func `Playlists that contain each other are an error that names them`() throws {
    try write("one.toml", "query = 'playlist:two'")
    try write("two.toml", "query = 'playlist:three or album:a'")
    try write("three.toml", "query = '-playlist:One'")
    try write("self.toml", "query = 'playlist:self'")
    let error = #expect(throws: LibraryError.self) { try files(ofPlaylist: "two") }
    #expect(error?.kind == .playlist)
    #expect(
      error?.description == "playlists contain each other: \"two\", \"three\", \"one\", \"two\"; edit one of them")
    let own = #expect(throws: LibraryError.self) { try titles(.playlist("self")) }
    #expect(own?.description == "playlists contain each other: \"self\", \"self\"; edit one of them")
  }

  @Test func `A playlist that is missing or invalid is an error`() throws {
    try write("x.toml", "query = 'playlist:gone'")
    let missing = #expect(throws: LibraryError.self) { try files(ofPlaylist: "x") }
    #expect(missing?.description.contains("no playlist \"gone\"") == true)
    try write("bad.toml", "query = ")
    let bad = #expect(throws: LibraryError.self) { try titles(.playlist("bad")) }
    #expect(bad?.description.contains("is damaged at line 1") == true)
    for depth in 0..<60 { try write("d\(depth).toml", "query = 'playlist:d\(depth + 1)'") }
    let deep = #expect(throws: LibraryError.self) { try files(ofPlaylist: "d0") }
    #expect(deep?.description == "playlists contain each other more than 50 deep")
  }

  @Test func `A playlist that others name often is evaluated once`() throws {
    for depth in 0..<25 {
      try write("d\(depth).toml", "query = '(playlist:d\(depth + 1) t) or (playlist:d\(depth + 1) artist:other)'")
    }
    try write("d25.toml", "query = 'album:b'")
    // Otherwise, the last one would be evaluated 33 million times.
    #expect(try files(ofPlaylist: "d0") == ["b1", "b2", "b3"])
  }

  @Test func `The tracks of a smart playlist cannot be edited`() throws {
    try write("x.toml", "query = '*'")
    let directory = PlaylistDirectory(library: rig.root, reach: .anywhere)
    #expect(try directory.lists().map(\.isSmart) == [true])
    let path = rig.root.pushing("Playlists/x.toml")
    #expect(throws: PlaylistError.smart(path)) { try directory.edit("x", [.clear]) }
    #expect(throws: PlaylistError.smart(path)) { try directory.save(Playlist(), as: "x", replaces: true) }
    #expect(throws: PlaylistError.smart(path)) { try directory.load("x") }
    #expect(throws: PlaylistError.exists("x", path)) {
      try directory.save(rules: Array("query = 'a'".utf8), as: "x", replaces: false)
    }
    try directory.save(rules: Array("query = 'a'".utf8), as: "x", replaces: true)
    #expect(try directory.rename("x", to: "y").path == rig.root.pushing("Playlists/y.toml"))
    #expect(try directory.rename("y", to: "z.toml").path == rig.root.pushing("Playlists/z.toml"))
    try directory.remove("z")
    #expect(try directory.lists() == [])
  }
}
