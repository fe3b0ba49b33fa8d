// SPDX-License-Identifier: GPL-3.0-or-later

import LibraryIndex
import LibraryScanning
import MusicModel
import Platform
import Playlists
import SystemPackage
import Tagging
import TestSupport
import Testing

struct PlaylistLoaderTests {
  private let directory: TemporaryDirectory
  private let library: IndexedLibrary

  init() throws {
    directory = try TemporaryDirectory()
    for number in 1...2 {
      let tags = [("TITLE", "Title \(number)"), ("ARTIST", "Low"), ("ALBUM", "One")]
      try directory.write(SoundBytes.flac(tags), to: "lib/Low/\(number).flac")
    }
    library = IndexedLibrary(
      index: try LibraryIndex(directory: directory["data"]), roots: LibraryRoots(directory["lib"]))
    _ = try library.scan(progress: { _ in }, isCancelled: { false })
  }

  @Test func `Tracks come from the index, or else from files, or else from the playlist`() throws {
    let list = try directory.write(
      """
      #EXTM3U
      #EXTINF:9,Wrong - Names
      ../Low/1.flac
      ../Low/3.flac
      #EXTALB:Album
      #EXTINF:61,Artist - Gone
      ../Low/4.flac
      #EXTINF:-1,Radio
      https://radio.example/
      ftp://radio.example/
      ../../secret.flac
      ../Low/2.flac
      """.utf8, to: "lib/Playlists/Evening.m3u8")
    // The first file is not in the index. The second has changed since it was indexed, but the index takes precedence.
    try directory.write(SoundBytes.flac([("TITLE", "New")]), to: "lib/Low/3.flac")
    try directory.write(SoundBytes.flac([("TITLE", "Changed")]), to: "lib/Low/2.flac")
    let loader = PlaylistLoader(reach: library.reach, library: library)
    let loaded = try loader.load(list)
    #expect(loaded.collection.title == "Evening")
    #expect(loaded.collection.tracks.map(\.title) == ["Title 1", "New", "Gone", "Radio", "Title 2"])
    let missing = loaded.collection.tracks[2]
    #expect(missing.path == directory["lib/Low/4.flac"])
    #expect(missing.artists == ["Artist"])
    #expect(missing.album == "Album")
    #expect(missing.duration == .seconds(61))
    let stream = loaded.collection.tracks[3]
    #expect(StreamAddress(stream.path)?.description == "https://radio.example/" && stream.duration == nil)
    #expect(loaded.problems.map(\.missing) == [.notFound, .url(scheme: "ftp"), .outsideLibrary])
  }

  @Test func `Every entry is returned, but without a track if it does not stand for exactly one`() throws {
    let list = try directory.write(
      "../Low/1.flac\nother.m3u8\nhttps://radio.example/\n../../secret.flac\n../Low/4.flac\n../Low/2.flac\n"
        .utf8,
      to: "lib/Playlists/Evening.m3u8")
    try directory.write("../Low/1.flac\n../Low/2.flac\n".utf8, to: "lib/Playlists/other.m3u8")
    try directory.write([1], to: "secret.flac")
    let loader = PlaylistLoader(reach: library.reach, library: library)
    let entries = try loader.entries(of: try PlaylistReader.read(list, reach: .anywhere), at: list)
    #expect(entries.map(\.track?.title) == ["Title 1", nil, "https://radio.example/", nil, "4", "Title 2"])
    #expect(entries[1].entry.path == directory["lib/Playlists/other.m3u8"])
    #expect(entries[3].entry.path == nil && entries[3].entry.missing == .outsideLibrary)
  }

  @Test func `A file behind a link in the library is within reach once it is in the index`() throws {
    try directory.write(SoundBytes.flac([("TITLE", "Far")]), to: "far/a.flac")
    try directory.link("lib/Far", to: "../far")
    let list = try directory.write("Far/a.flac".utf8, to: "lib/a.m3u")
    let loader = PlaylistLoader(reach: library.reach, library: library)
    #expect(try loader.load(list).problems.map(\.missing) == [.outsideLibrary])
    _ = try library.scan(progress: { _ in }, isCancelled: { false })
    #expect(try loader.load(list).collection.tracks.map(\.title) == ["Far"])
  }

  @Test(arguments: [true, false])
  func `A directory entry stands for the music in it`(inLibrary: Bool) throws {
    try directory.write(SoundBytes.flac([("TITLE", "Far")]), to: "far/a.flac")
    let list = try directory.write("../Low\n../../far\n..\n".utf8, to: "lib/Playlists/a.m3u")
    let loader = PlaylistLoader(
      reach: inLibrary ? library.reach : .anywhere, library: library)
    let loaded = try loader.load(list)
    let low = ["Title 1", "Title 2"]
    #expect(loaded.collection.tracks.map(\.title) == low + (inLibrary ? [] : ["Far"]) + low)
    #expect(loaded.problems.map(\.missing) == (inLibrary ? [.outsideLibrary] : []))
    #expect(loaded.foundCount == (inLibrary ? 2 : 3))
    #expect(
      try loader.entries(of: try PlaylistReader.read(list, reach: .anywhere), at: list).map(\.track) == [nil, nil, nil])
  }

  @Test func `A segment written to a playlist is loaded again`() throws {
    var segmentTrack = Track(path: directory["lib/Low/1.flac"], title: "Middle")
    (segmentTrack.segment, segmentTrack.duration) = (TrackSegment(start: 75, end: 225), .seconds(2))
    let list = directory["lib/Playlists/parts.m3u8"]
    try PlaylistWriter.write(Playlist(entries: [PlaylistEntry(segmentTrack)]), to: list)
    let loader = PlaylistLoader(reach: library.reach, library: library)
    let tracks = try loader.load(list).collection.tracks
    #expect(tracks.map(\.segment) == [segmentTrack.segment])
    #expect(tracks.map(\.title) == ["Middle"])
  }

  @Test func `Segments are loaded as the indexed tracks of their sheet`() throws {
    try directory.write(SoundBytes.flac([], seconds: 60), to: "lib/Big/big.flac")
    var sheet = "PERFORMER \"Band\"\nTITLE \"Sheet\"\nREM DATE 1999\nFILE \"big.flac\" WAVE\n"
    for number in 1...3 {
      sheet += "TRACK \(number) AUDIO\nTITLE \"Part \(number)\"\nINDEX 01 0:\(20 * number - 20):00\n"
    }
    try directory.write(Array(sheet.utf8), to: "lib/Big/big.cue")
    _ = try library.scan(progress: { _ in }, isCancelled: { false })
    let segments = ["3000-", "0-1500", "7-9", "1500-3000", "3000-"]
    let lines = segments.map { "#SEGUE-PART:\($0)\n../Big/big.flac\n" }.joined()
    let list = try directory.write(Array(lines.utf8), to: "lib/Playlists/parts.m3u8")
    let loader = PlaylistLoader(reach: library.reach, library: library)
    let tracks = try loader.load(list).collection.tracks
    #expect(tracks.map(\.title) == ["Part 3", "Part 1", "big", "Part 2", "Part 3"])
    #expect(tracks.map { $0.date?.year } == [1999, 1999, nil, 1999, 1999])
    #expect(tracks[2].segment == TrackSegment(start: 7, end: 9))
  }

  @Test func `An entry may occur any number of times`() throws {
    let names = (0..<40).map { $0 % 3 == 0 ? "../Low/2.flac\n" : "../Low/1.flac\n" }
    let list = try directory.write(Array(names.joined().utf8), to: "lib/Playlists/often.m3u8")
    let loader = PlaylistLoader(reach: library.reach, library: library)
    let titles = try loader.load(list).collection.tracks.map(\.title)
    #expect(titles == (0..<40).map { $0 % 3 == 0 ? "Title 2" : "Title 1" })
  }

  @Test func `A file that stands for several tracks is replaced by them`() throws {
    let sheet = try directory.write([1], to: "lib/Low/a.cue")
    let list = try directory.write("Low/a.cue\nLow/1.flac".utf8, to: "lib/a.m3u")
    let parts = [Track(path: sheet, title: "One"), Track(path: sheet, title: "Two")]
    let loader = PlaylistLoader(reach: .anywhere, parts: { $0 == sheet ? parts : nil })
    #expect(try loader.load(list).collection.tracks.map(\.title) == ["One", "Two", "Title 1"])
  }
}
