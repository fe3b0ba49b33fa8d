// SPDX-License-Identifier: GPL-3.0-or-later

import Platform
import Playlists
import SystemPackage
import Tagging
import TestSupport
import Testing

struct PlaylistResolverTests {
  private let directory: TemporaryDirectory
  private let list: FilePath

  init() throws {
    directory = try TemporaryDirectory()
    list = try directory.write([], to: "lib/Playlists/a.m3u")
    for name in ["lib/Low/01.flac", "lib/Low/02 x.flac", "secret/s.flac"] {
      try directory.write([1], to: name)
    }
  }

  private func resolve(_ lines: String..., inLibrary: Bool = true, of list: FilePath? = nil) throws
    -> [ResolvedEntry]
  {
    let list = list ?? self.list
    let playlist = try PlaylistReader.playlist(in: Array(lines.joined(separator: "\n").utf8), of: list)
    return try PlaylistResolver(reach: inLibrary ? .library(LibraryRoots(directory["lib"])) : .anywhere)
      .entries(of: playlist, at: list)
  }

  private func resolvedEntry(_ line: String, inLibrary: Bool = true) throws -> ResolvedEntry {
    try #require(try resolve(line, inLibrary: inLibrary).first)
  }

  @Test func `Relative and absolute paths, URIs and escapes are resolved`() throws {
    let file = directory["lib/Low/02 x.flac"]
    let locations = [
      "../Low/02 x.flac", file.string, "file://\(directory.path)/lib/Low/02%20x.flac", "../Low/02%20x.flac",
      "..//Playlists/.././Low/02 x.flac",
    ]
    for location in locations {
      let entry = try resolvedEntry(location)
      #expect(entry.path == file, "\(location)")
      #expect(entry.missing == nil, "\(location)")
    }
  }

  @Test func `Windows paths are found by their longest tail, below the playlist or the library`() throws {
    try directory.write([1], to: "lib/Playlists/02 x.flac")
    #expect(try resolvedEntry(#"..\Low\01.flac"#).path == directory["lib/Low/01.flac"])
    #expect(try resolvedEntry(#"D:\Music\Low\01.flac"#).path == directory["lib/Low/01.flac"])
    #expect(try resolvedEntry("file:///D:/Music/Low/01.flac").path == directory["lib/Low/01.flac"])
    #expect(try resolvedEntry(#"\\nas\Music\Low\01.flac"#).path == directory["lib/Low/01.flac"])
    // A longer tail is preferred to a nearer directory.
    #expect(try resolvedEntry(#"D:\Low\02 x.flac"#).path == directory["lib/Low/02 x.flac"])
    #expect(try resolvedEntry(#"D:\Other\02 x.flac"#).path == directory["lib/Playlists/02 x.flac"])
    #expect(try resolvedEntry(#"D:\..\..\secret\s.flac"#).missing == .notFound)
  }

  @Test func `A file whose name contains a backslash is preferred`() throws {
    let file = try directory.write([1], to: #"lib/Playlists/..\Low\01.flac"#)
    #expect(try resolvedEntry(#"..\Low\01.flac"#).path == file)
  }

  @Test func `Names that are not valid UTF-8 are matched by their bytes, then as decoded text`()
    throws
  {
    let latin: [UInt8] = [0x42, 0x6A, 0xF6, 0x72, 0x6B]
    let playlist = try PlaylistReader.playlist(in: latin, of: list)
    let resolver = PlaylistResolver(reach: .library(LibraryRoots(directory["lib"])))
    #expect(try resolver.entries(of: playlist, at: list).map(\.missing) == [.notFound])
    let text = try directory.write([1], to: "lib/Playlists/Björk")
    #expect(try resolver.entries(of: playlist, at: list).map(\.path) == [text])
    let name = try #require(FilePath(bytes: Array("lib/Playlists/".utf8) + latin))
    let raw = try directory.write([1], to: name)
    #expect(try resolver.entries(of: playlist, at: list).map(\.path) == [raw])
  }

  @Test func `Entries that cannot be played stay in order, with the reason`() throws {
    try directory.makeFIFO("lib/Playlists/fifo.flac")
    let entries = try resolve(
      "#EXTINF:3,A - B\nnone.flac", "rtmp://radio.example/a", "fifo.flac", "../Low/01.flac", "file:///a%00b")
    #expect(
      entries.map(\.missing) == [.notFound, .url(scheme: "rtmp"), .notAFile, nil, .unusableName])
    #expect(entries[0].path == directory["lib/Playlists/none.flac"])
    #expect(entries[0].entry.title == "B")
    #expect(entries[1].path == nil)
  }

  @Test func `An address of a stream is resolved to itself, even if it looks like that of a playlist`() throws {
    let addresses = ["https://radio.example/a//b/", "HTTP://radio.example/listen.m3u"]
    let entries = try resolve(addresses[0], addresses[1])
    #expect(entries.map(\.missing) == [nil, nil] && entries.allSatisfy(\.isStream))
    #expect(entries.compactMap { $0.path?.shown } == [addresses[0], "http://radio.example/listen.m3u"])
  }

  @Test func `An existing directory is resolved to itself`() throws {
    let entries = try resolve("../Low", "../Low/", "..", "../None/", "../Low/01.flac")
    #expect(entries.map(\.missing) == [nil, nil, nil, .notFound, nil])
    #expect(entries.map(\.isDirectory) == [true, true, true, false, false])
    #expect(entries[0].path == directory["lib/Low"])
    #expect(try resolvedEntry("../..").missing == .outsideLibrary)
  }

  @Test func `A relative path is searched below the playlist's directory, then below the library's`() throws {
    #expect(try resolvedEntry("Low/01.flac").path == directory["lib/Low/01.flac"])
    #expect(try resolvedEntry("Low").isDirectory)
    let nearer = try directory.write([1], to: "lib/Playlists/Low/01.flac")
    #expect(try resolvedEntry("Low/01.flac").path == nearer)
    #expect(try resolvedEntry("None/01.flac").path == directory["lib/Playlists/None/01.flac"])
    #expect(try resolvedEntry("Low/../../secret/s.flac").missing != nil)
    #expect(try resolvedEntry("Low/../../../secret/s.flac").missing != nil)
    let playlist = try PlaylistReader.playlist(in: Array("Low/02 x.flac".utf8), of: list)
    let anywhere = PlaylistResolver(reach: .anywhere, roots: LibraryRoots(directory["lib"]))
    #expect(try anywhere.entries(of: playlist, at: list).map(\.path) == [directory["lib/Low/02 x.flac"]])
  }

  @Test func `A library's playlist cannot refer outside by dots, links or absolute paths`() throws {
    try directory.link("lib/out", to: "../secret")
    try directory.link("lib/Playlists/s.flac", to: "../../secret/s.flac")
    try directory.link("lib/in.flac", to: "Low/01.flac")
    let outside = [
      "../../secret/s.flac", directory["secret/s.flac"].string, "../out/s.flac", "s.flac",
      "../../secret/none",
      "../out/none.flac", "../../none/x", "/etc/passwd", "/none", "../%2E%2E/secret/s.flac",
      "../out/../secret/s.flac",
      #"..\..\secret\s.flac"#, "../../lib2/x", "../..",
    ]
    for location in outside {
      let entry = try resolvedEntry(location)
      #expect(entry.missing != nil, "\(location)")
      #expect(entry.path == nil || entry.path?.starts(with: directory["lib"]) == true, "\(location)")
    }
    #expect(try resolvedEntry("../../secret/s.flac").missing == .outsideLibrary)
    #expect(try resolvedEntry("../out/s.flac").missing == .outsideLibrary)
    #expect(try resolvedEntry("../in.flac").missing == nil)
    // A playlist that the user named may refer to any file.
    #expect(try resolvedEntry("../../secret/s.flac", inLibrary: false).path == directory["secret/s.flac"])
    #expect(try resolvedEntry("s.flac", inLibrary: false).missing == nil)
  }

  @Test func `A known file behind a link is within the library, and the library may be a link itself`() throws {
    try directory.link("lib/out", to: "../secret")
    try directory.link("music", to: "lib")
    let playlist = try PlaylistReader.playlist(in: Array("../out/s.flac\n../Low/01.flac".utf8), of: list)
    let known = directory["lib/out/s.flac"]
    let resolver = PlaylistResolver(reach: .library(LibraryRoots(directory["lib"])) { $0 == known })
    #expect(
      try resolver.entries(of: playlist, at: list).map(\.path) == [known, directory["lib/Low/01.flac"]])
    let linked = try PlaylistResolver(reach: .library(LibraryRoots(directory["music"])))
      .entries(of: playlist, at: directory["music/Playlists/a.m3u"])
    #expect(linked.map(\.path) == [nil, directory["music/Low/01.flac"]])
  }

  @Test func `Nested playlists are expanded, relative to their own directories`() throws {
    try directory.write("02 x.flac\nnone.flac\n".utf8, to: "lib/Low/b.m3u")
    try directory.write("damaged".utf8, to: "lib/Low/c.xspf")
    let entries = try resolve("../Low/01.flac", "../Low/b.m3u", "../Low/c.xspf", "../Low/none.pls")
    let expected = ["01.flac", "02 x.flac", "none.flac", "c.xspf", "none.pls"].map {
      directory["lib/Low"].appending($0)
    }
    #expect(entries.map(\.path) == expected)
    #expect(entries.map { $0.missing == nil } == [true, true, false, false, false])
    #expect(entries[1].playlist == directory["lib/Low/b.m3u"])
  }

  @Test func `Loops and deep nesting end`() throws {
    try directory.write("b.m3u\n../Low/01.flac\n".utf8, to: "lib/Playlists/a.m3u")
    try directory.write("a.m3u\nb.m3u\n".utf8, to: "lib/Playlists/b.m3u")
    let entries = try PlaylistResolver(reach: .anywhere).entries(
      of: try PlaylistReader.read(list, reach: .anywhere), at: list)
    #expect(entries.map(\.missing) == [.loop, .loop, nil])
    for number in 0..<20 { try directory.write("\(number + 1).m3u".utf8, to: "lib/Deep/\(number).m3u") }
    try directory.write("../Low/01.flac".utf8, to: "lib/Deep/20.m3u")
    let deep = directory["lib/Deep/0.m3u"]
    let deepEntries = try PlaylistResolver(reach: .anywhere).entries(
      of: try PlaylistReader.read(deep, reach: .anywhere), at: deep)
    #expect(deepEntries.map(\.missing) == [.tooDeep])
    #expect(deepEntries.map(\.path) == [directory["lib/Deep/8.m3u"]])
  }

  @Test func `Playlists that multiply end with an error, even if they are empty`() throws {
    for number in 0..<7 {
      let lines = String(repeating: "\(number + 1).m3u\n", count: 100)
      try directory.write(lines.utf8, to: "lib/Many/\(number).m3u")
    }
    try directory.write([], to: "lib/Many/7.m3u")
    let first = directory["lib/Many/0.m3u"]
    #expect(throws: PlaylistError.tooManyEntries(first)) {
      try PlaylistResolver(reach: .anywhere).entries(of: try PlaylistReader.read(first, reach: .anywhere), at: first)
    }
  }
}
