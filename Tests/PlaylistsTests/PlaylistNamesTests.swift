// SPDX-License-Identifier: GPL-3.0-or-later

import Platform
import Synchronization
import SystemPackage
import Tagging
import TestSupport
import Testing

@testable import Playlists

/// Entries whose paths are written differently, or by another machine.
struct PlaylistNamesTests {
  private let directory: TemporaryDirectory
  private let list: FilePath

  init() throws {
    directory = try TemporaryDirectory()
    list = try directory.write([], to: "lib/Lists/a.m3u")
    for name in [
      "lib/Mixed Case/Song One.mp3", "lib/Bjo\u{308}rk/Jo\u{301}ga.mp3", "lib/Deep/Artist/Album/01 Intro.flac",
      "lib/Deep/Artist/Other/01 Intro.flac", "lib/Deep/Artist/Other/02 Only.flac", "lib/Twice/x.mp3", "lib/Twice/X.mp3",
      "lib/Top.mp3", "lib/Deep/Top.mp3", "lib/Lists/Beside.mp3", "lib/Deep/Beside.mp3",
    ] { try directory.write([1], to: FilePath(name)) }
  }

  private var files: [FilePath] {
    func files(_ path: FilePath) -> [FilePath] {
      ((try? DirectoryListing(of: path))?.entries ?? []).flatMap { entry in
        let path = path.appending(entry.name)
        return (try? FileStatus(of: path))?.kind == .directory ? files(path) : [path]
      }
    }
    return files(directory["lib"])
  }

  private func resolve(_ locations: [PlaylistLocation], reach: FileReach? = nil) throws -> [ResolvedEntry] {
    let all = files
    let roots = LibraryRoots(directory["lib"])
    let resolver = PlaylistResolver(reach: reach ?? .anywhere, roots: roots, library: LibraryFileNames { all })
    return try resolver.entries(of: Playlist(entries: locations.map { PlaylistEntry($0) }), at: list)
  }

  private func path(_ line: String, reach: FileReach? = nil) throws -> FilePath? {
    let entry = try #require(try resolve([PlaylistLocation(line: line.utf8)], reach: reach).first)
    return entry.missing == nil ? entry.path : nil
  }

  @Test(arguments: [
    ("mixed case\\song one.MP3", "Mixed Case/Song One.mp3"), ("../MIXED CASE/Song One.mp3", "Mixed Case/Song One.mp3"),
    ("../Bj\u{F6}rk/J\u{F3}ga.mp3", "Bjo\u{308}rk/Jo\u{301}ga.mp3"),
    ("BJ\u{D6}RK/j\u{F3}GA.mp3", "Bjo\u{308}rk/Jo\u{301}ga.mp3"),
    ("../Bj%F6rk/J%F3ga.mp3", "Bjo\u{308}rk/Jo\u{301}ga.mp3"),
    ("Bj%c3%b6rk/J%C3%B3ga.mp3", "Bjo\u{308}rk/Jo\u{301}ga.mp3"),
    ("../Twice/x.mp3", "Twice/x.mp3"), ("../twice/X.mp3", "Twice/X.mp3"), ("../Twice/x.MP3", nil),
  ])
  func `A path is found in any case, normalisation or escapes, if it means one file`(line: String, file: String?) throws
  {
    let expected = file.map { directory["lib"].pushing(FilePath($0)) }
    #expect(try path(line) == expected)
    #expect(try path(line, reach: .library(LibraryRoots(directory["lib"]))) == expected)
    let absolute = directory["lib/Lists"].string + "/" + line
    if !line.contains("\\"), line.hasPrefix("..") { #expect(try path(absolute) == expected) }
  }

  @Test(arguments: [
    ("/storage/emulated/0/Music/Mixed Case/Song One.mp3", "Mixed Case/Song One.mp3"),
    ("C:\\Users\\x\\Music\\mixed case\\SONG one.mp3", "Mixed Case/Song One.mp3"),
    ("D:/Artist/Album/01 Intro.flac", "Deep/Artist/Album/01 Intro.flac"),
    ("/Users/x/Music/Music/Media/artist/other/01 intro.flac", "Deep/Artist/Other/01 Intro.flac"),
    ("file:///Volumes/Disk/Bj%C3%B6rk/J%C3%B3ga.mp3", "Bjo\u{308}rk/Jo\u{301}ga.mp3"),
    ("file:///C:/Musik/Bj%F6rk/J%F3ga.mp3", "Bjo\u{308}rk/Jo\u{301}ga.mp3"),
    ("\\\\nas\\music\\Artist\\Other\\02 Only.flac", "Deep/Artist/Other/02 Only.flac"),
    ("smb://nas/music/Else/02%20Only.flac", "Deep/Artist/Other/02 Only.flac"),
    ("file://nas/music/Else/02%20Only.flac", "Deep/Artist/Other/02 Only.flac"),
    ("/storage/emulated/0/Music/Third/01 Intro.flac", nil), ("C:\\01 Intro.flac", nil),
    ("/storage/emulated/0/Music/Else/Top.mp3", nil), ("E:\\Music\\Deep\\Top.mp3", "Deep/Top.mp3"),
    ("E:\\Else\\Beside.mp3", "Lists/Beside.mp3"), ("E:\\Deep\\Beside.mp3", "Deep/Beside.mp3"),
    ("/storage/0/nosuch.flac", nil), ("/storage/../etc/Nothing.flac", nil),
  ])
  func `A path of another machine is found by its longest tail, unless it means two files`(
    line: String, file: String?
  ) throws {
    let expected = file.map { directory["lib"].pushing(FilePath($0)) }
    #expect(try path(line) == expected)
    #expect(try path(line, reach: .library(LibraryRoots(directory["lib"]))) == expected)
  }

  @Test func `A path of this machine never means another file with its name`() throws {
    try directory.makeDirectory("other")
    #expect(try path(directory["other/02 Only.flac"].string) == nil)
    #expect(try path(directory["lib/Gone/02 Only.flac"].string) == nil)
    #expect(try path("../Gone/02 Only.flac") == nil)
  }

  @Test func `A network client reaches no file outside the library by another way to write its name`() throws {
    try directory.write([1], to: "secret/Secret.flac")
    try directory.link("lib/out", to: "../secret")
    let reach = FileReach.library(LibraryRoots(directory["lib"]))
    for line in [
      "../../SECRET/secret.flac", directory["SECRET/Secret.flac"].string, "../OUT/secret.flac", "/x/OUT/Secret.flac",
      "C:\\out\\secret.flac", "smb://nas/out/secret.flac",
    ] {
      let entry = try #require(try resolve([PlaylistLocation(line: line.utf8)], reach: reach).first)
      #expect(entry.missing != nil, "\(line)")
      #expect(entry.path == nil || entry.path?.starts(with: directory["lib"]) == true, "\(line)")
      #expect(entry.nearest?.starts(with: directory["secret"]) != true, "\(line)")
    }
    #expect(try path("../../SECRET/secret.flac") == directory["secret/Secret.flac"])
  }

  @Test func `A missing entry has the nearest name`() throws {
    let lines = [
      "../Mixed Case/Song Uno.mp3", "/storage/0/02 Onli.flac", "../Mixed Case/Entirely different", "C:\\top2.mp3",
    ]
    let entries = try resolve(lines.map { PlaylistLocation(line: $0.utf8) })
    #expect(
      entries.map(\.nearest) == [
        directory["lib/Mixed Case/Song One.mp3"], directory["lib/Deep/Artist/Other/02 Only.flac"], nil,
        entries[3].nearest,
      ])
    #expect(entries[3].nearest?.lastComponent?.string == "Top.mp3")
  }

  @Test func `Many missing entries are looked up in a time that grows with their number`() throws {
    let names = (0..<2_000).map { FilePath("/nosuch/lib/\($0)/track.mp3") }
    let calls = Mutex(0)
    let library = LibraryFileNames {
      calls.withLock { $0 += 1 }
      return names
    }
    let resolver = PlaylistResolver(reach: .anywhere, roots: LibraryRoots(directory["lib"]), library: library)
    let locations = (0..<2_000).map { PlaylistEntry(.path(Array("D:\\music\\\($0)x\\track.mp3".utf8))) }
    let clock = ContinuousClock()
    let small = try clock.measure {
      _ = try resolver.entries(of: Playlist(entries: Array(locations.prefix(200))), at: list)
    }
    let all = try clock.measure { _ = try resolver.entries(of: Playlist(entries: locations), at: list) }
    #expect(calls.withLock(\.self) == 1)
    // Ten times the entries; a hundred times the time would be quadratic.
    #expect(all < small * 40 + .seconds(1))
  }
}
