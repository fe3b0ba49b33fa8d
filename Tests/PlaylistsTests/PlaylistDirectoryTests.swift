// SPDX-License-Identifier: GPL-3.0-or-later

import LibraryScanning
import MusicModel
import Platform
import Playlists
import SystemPackage
import Tagging
import TestSupport
import Testing

struct PlaylistDirectoryTests {
  private let directory: TemporaryDirectory
  private let lists: PlaylistDirectory

  init() throws {
    directory = try TemporaryDirectory()
    try directory.write([1], to: "lib/Low/01.flac")
    lists = PlaylistDirectory(library: directory["lib"], chosen: nil, reach: .anywhere)
  }

  private func playlist(_ names: String...) -> Playlist {
    Playlist(entries: names.map { PlaylistEntry(.path(directory["lib"].pushing(FilePath($0)).systemBytes)) })
  }

  @Test func `The directory is in the library, in any letter case, or chosen by the caller`() throws {
    #expect(lists.path == directory["lib/Playlists"])
    try directory.makeDirectory("lib/playLists")
    #expect(PlaylistDirectory(library: directory["lib"], reach: .anywhere).path == directory["lib/playLists"])
    try directory.makeDirectory("lib/Playlists")
    #expect(PlaylistDirectory(library: directory["lib"], reach: .anywhere).path == directory["lib/Playlists"])
    let chosen = PlaylistDirectory(library: directory["lib"], chosen: directory["lists"], reach: .anywhere)
    #expect(chosen.path == directory["lists"])
    #expect(try chosen.lists() == [])
  }

  @Test func `Files of a killed process are no playlists, and are removed when a playlist is saved`() throws {
    for name in [".segue-17-42.m3u8", ".segue-\(ProcessIdentity.own)-1y2p0ij32e8e7.m3u8", ".segue-17-43"] {
      try directory.write("half".utf8, to: FilePath("lib/Playlists/\(name)"))
    }
    #expect(try lists.lists() == [])
    try lists.save(playlist("Low/01.flac"), as: "Evening")
    #expect(try DirectoryListing(of: lists.path).entries.map(\.name.string) == ["Evening.m3u8"])
  }

  @Test func `Playlists can be saved, listed, loaded, extended, renamed and removed`() throws {
    #expect(try lists.lists() == [])
    let saved = try lists.save(playlist("Low/01.flac", "Low/02.flac"), as: "Evening")
    #expect(saved.path == directory["lib/Playlists/Evening.m3u8"])
    try lists.save(playlist(), as: "another.xspf")
    #expect(try lists.lists().map(\.name) == ["another", "Evening"])
    #expect(try lists.lists().map(\.entryCount) == [0, 2])
    let loaded = try lists.load("EVENING")
    #expect(
      loaded.playlist.entries.map(\.location) == [
        .path(Array("../Low/01.flac".utf8)), .path(Array("../Low/02.flac".utf8)),
      ])
    #expect(try lists.edit("evening.m3u8", [.insert(playlist("a.flac").entries, at: nil)]) == 3)
    #expect(try lists.load("Evening").playlist.entries.count == 3)
    #expect(try lists.rename("evening", to: "Night").path == directory["lib/Playlists/Night.m3u8"])
    #expect(try lists.rename("Night", to: "night").name == "night")
    #expect(throws: PlaylistError.noList("Evening", lists.path)) { try lists.load("Evening") }
    #expect(throws: PlaylistError.noList("Nihgt", lists.path, suggestion: "night")) {
      try lists.load("Nihgt")
    }
    #expect(throws: PlaylistError.self) { try lists.rename("night", to: "Another") }
    try lists.remove("Night")
    #expect(try lists.lists().map(\.name) == ["another"])
  }

  @Test func `A playlist is replaced only on request, whatever the case of its name`() throws {
    try lists.save(playlist("a"), as: "x.pls")
    #expect(throws: PlaylistError.exists("X", directory["lib/Playlists/x.pls"])) {
      try lists.save(playlist(), as: "X")
    }
    try lists.save(playlist("a", "b"), as: "X", replaces: true)
    #expect(try lists.lists().map(\.path) == [directory["lib/Playlists/x.pls"]])
    #expect(try lists.load("x").playlist.entries.count == 2)
  }

  @Test(arguments: [
    "", " ", ".", "..", ".a", "a/b", "../a", "a\\b", "a\0", "a\n", String(repeating: "a", count: 201),
  ])
  func `Names that cannot be file names are rejected`(name: String) throws {
    func isRejected(_ body: () throws -> Void) -> Bool {
      do { try body() } catch {
        if case .unusableName? = error as? PlaylistError { return true }
      }
      return false
    }
    #expect(isRejected { try lists.save(playlist(), as: name) })
    #expect(isRejected { _ = try lists.load(name) })
    #expect(isRejected { try lists.remove(name) })
    #expect(isRejected { try lists.edit(name, [.clear]) })
    try lists.save(playlist(), as: "x")
    #expect(isRejected { try lists.rename("x", to: name) })
  }

  @Test func `If several playlists have a name, case and suffix distinguish them`() throws {
    for name in ["a.m3u", "A.m3u", "a.pls"] { try directory.write([], to: "lib/Playlists/\(name)") }
    #expect(try lists.find("A").path == directory["lib/Playlists/A.m3u"])
    #expect(try lists.find("a.pls").path == directory["lib/Playlists/a.pls"])
    #expect(throws: PlaylistError.ambiguous("a", ["a.m3u", "a.pls"])) { try lists.find("a") }
  }

  @Test func `Other files, hidden files and directories are not listed, but damaged playlists are`() throws {
    try directory.write([], to: "lib/Playlists/.b.m3u")
    try directory.write([], to: "lib/Playlists/cover.jpg")
    try directory.makeDirectory("lib/Playlists/c.m3u")
    try directory.write("nothing".utf8, to: "lib/Playlists/d.xspf")
    let all = try lists.lists()
    #expect(all.map(\.name) == ["d"])
    #expect(all.map(\.entryCount) == [nil])
  }

  @Test func `Existing entries of an old playlist stay as they were when one is added`() throws {
    let latin: [UInt8] = [0x42, 0x6A, 0xF6, 0x72, 0x6B]
    try directory.write(latin + [0x0A], to: "lib/Playlists/old.m3u")
    let file = try directory.write([1], to: "lib/Playlists/Björk")
    try lists.edit("old", [.insert(playlist("Low/01.flac").entries, at: nil)])
    let (list, oldPlaylist) = try lists.load("old")
    let resolved = try PlaylistResolver(reach: .anywhere).entries(of: oldPlaylist, at: list.path)
    #expect(resolved.map(\.path) == [file, directory["lib/Low/01.flac"]])
  }

  @Test func `A playlist is edited in its own format, or left alone if it is not the one that is expected`() throws {
    try lists.save(playlist("Low/01.flac", "Low/02.flac", "Low/03.flac"), as: "Evening.pls")
    let old = try lists.load("Evening").playlist.entries
    try lists.edit("evening", [.remove([1..<2])], expecting: old)
    let before = try lists.load("Evening")
    #expect(before.list.format == .pls && before.playlist.entries == [old[0], old[2]])
    #expect(throws: PlaylistError.changed(before.list.path)) { try lists.edit("Evening", [.clear], expecting: old) }
    #expect(throws: PlaylistError.noPosition(before.list.path)) { try lists.edit("Evening", [.remove([3..<4])]) }
    #expect(try lists.load("Evening").playlist == before.playlist)
    #expect(throws: PlaylistError.noList("none", lists.path)) { try lists.edit("none", [.clear]) }
    #expect(try lists.lists(countsEntries: false).map(\.entryCount) == [nil])
  }

  @Test func `An empty file becomes a playlist when an entry is added`() throws {
    for name in ["a.m3u", "b.m3u8", "c.pls"] {
      try directory.write("\n".utf8, to: FilePath("lib/Playlists/\(name)"))
      #expect(try lists.edit(name, [.insert(playlist("Low/01.flac").entries, at: 0)]) == 1)
      #expect(PlaylistFormat(contents: try contents(of: lists.path.appending(name))) != nil)
    }
  }

  @Test func `A scan of the library ignores playlists`() throws {
    try lists.save(playlist("Low/01.flac"), as: "x")
    try directory.write([1, 2, 3], to: "lib/Low/broken.pls")
    let library = try LibraryScanner().scan(directory["lib"])
    #expect(library.problems.allSatisfy { PlaylistFormat($0.path) == nil })
  }

  @Test func `Concurrent additions to a playlist are all kept`() throws {
    try lists.save(playlist(), as: "All")
    let lists = lists
    let entries = (0..<40).map { number in playlist("\(number).flac").entries }
    let threads = try (0..<4).map { worker in
      try WorkerThread(name: "adding") {
        for number in stride(from: worker, to: 40, by: 4) {
          _ = try? lists.edit("All", [.insert(entries[number], at: nil)])
        }
      }
    }
    for thread in threads { #expect(thread.join(until: .now.advanced(byMilliseconds: 60_000))) }
    let locations = try lists.load("All").playlist.entries.map { "\($0.location)" }
    #expect(locations.count == 40)
    #expect(Set(locations).count == 40)
  }
}
