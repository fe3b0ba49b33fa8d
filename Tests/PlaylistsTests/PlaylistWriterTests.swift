// SPDX-License-Identifier: GPL-3.0-or-later

import MusicModel
import Platform
import Playlists
import SystemPackage
import Tagging
import TestSupport
import Testing

struct PlaylistWriterTests {
  /// A playlist that uses everything the formats can store. With `SEGUE_RECORD`, the golden files are written again.
  private static let sample: Playlist = {
    var first = PlaylistEntry(.path(Array("Low/01 Words.flac".utf8)))
    (first.artist, first.title, first.album) = ("Low", "Words & <more>", "I Could Live in Hope")
    (first.albumArtist, first.genre, first.group, first.comment) = ("Low", "Slowcore", "Quiet", "A remark")
    (first.number, first.duration) = (1, .milliseconds(123_400))
    var second = PlaylistEntry(.path(Array("#日本\n\\ %.flac".utf8)))
    second.title = "A - B\nC"
    var third = PlaylistEntry(.url("https://radio.example/?a=1&b=2"))
    third.artist = "Radio"
    return Playlist(
      title: "Evening", entries: [first, second, third, PlaylistEntry(.path([0x2F, 0xFF, 0x20]))])
  }()

  private func path(_ text: String) -> PlaylistLocation { .path(Array(text.utf8)) }

  @Test(arguments: PlaylistFormat.allCases)
  func `A password in a playlist is used, but not written again`(format: PlaylistFormat) throws {
    let address = "http://me:word@\(format).example/a?token=1&x=2"
    let other = PlaylistEntry(.url("rtsp://me:word@host/"))
    let foreign = PlaylistWriter.bytes(
      of: Playlist(entries: [PlaylistEntry(.url(address)), other]), as: format)
    #expect(String(decoding: foreign, as: UTF8.self).contains("word@\(format)"))
    let directory = try TemporaryDirectory()
    let file = try directory.write(foreign, to: "list.\(format)")
    let read = try PlaylistReader.read(file, reach: .anywhere)
    #expect(read.entries[0].location == .url("http://me@\(format).example/a?x=2"))
    let resolved = try PlaylistResolver(reach: .anywhere).entries(of: read, at: file)
    let path = try #require(resolved[0].path)
    #expect(StreamAddress(path)?.withSecrets == address)
    // What is not played keeps what another player needs.
    #expect(read.entries[1].location == other.location)
    try PlaylistWriter.write(Playlist(entries: [read.entries[0]]), to: file)
    #expect(!String(decoding: try contents(of: file), as: UTF8.self).contains("word"))
  }

  @Test(arguments: PlaylistFormat.allCases)
  func `Each format is written like its golden file`(format: PlaylistFormat) throws {
    let file = Fixture.directory.appending("Playlists").appending("written.\(format)")
    let bytes = PlaylistWriter.bytes(of: Self.sample, as: format)
    if Environment.value("SEGUE_RECORD") != nil { try AtomicFile.write(bytes, to: file) }
    #expect(String(decoding: bytes, as: UTF8.self) == String(decoding: try contents(of: file), as: UTF8.self))
  }

  @Test(arguments: PlaylistFormat.allCases)
  func `A written playlist is read back equal, whatever names and texts it has`(format: PlaylistFormat) throws {
    let failure = try FuzzRun.firstFailure(count: FuzzRun.count(standard: 500)) { seed in
      var random = SeededGenerator(seed: seed)
      let playlist = random.playlist(for: format)
      let bytes = PlaylistWriter.bytes(of: playlist, as: format)
      guard let reread = try? PlaylistReader.playlist(in: bytes, of: FilePath("a.\(format)")) else {
        return "is not read"
      }
      for (written, read) in zip(playlist.entries, reread.entries) where written != read {
        return "\(written)\n\(read)"
      }
      return reread == playlist ? nil : "\(reread.title ?? "-"), \(reread.entries.count) entries"
    }
    #expect(failure == nil)
  }

  @Test func `Paths are written relative to the playlist, and are resolved to the same files`() throws {
    let directory = try TemporaryDirectory()
    try directory.makeDirectory("lib/Playlists")
    let list = directory["lib/Playlists/a.m3u8"]
    let files = ["lib/Low/a.flac", "lib/Playlists/b.flac", "lib/#c.flac", "lib/x\ny/d.flac"].map {
      directory[$0]
    }
    for file in files {
      try directory.write(
        [1], to: FilePath(String(file.string.dropFirst(directory.path.string.utf8.count + 1))))
    }
    let playlist = Playlist(
      entries: files.map { PlaylistEntry(.path($0.systemBytes)) } + [PlaylistEntry(path("/else/e"))])
    try PlaylistWriter.write(playlist, to: list)
    let locations = try PlaylistReader.read(list, reach: .anywhere).entries.map(\.location)
    #expect(
      locations == [
        path("../Low/a.flac"), path("b.flac"), path("../#c.flac"), path("../x\ny/d.flac"), path("/else/e"),
      ])
    let resolved = try PlaylistResolver(reach: .anywhere).entries(
      of: try PlaylistReader.read(list, reach: .anywhere), at: list)
    #expect(resolved.compactMap(\.path) == files + ["/else/e"])
    #expect(resolved.map(\.missing) == [nil, nil, nil, nil, .notFound])
  }

  @Test func `A playlist behind a link has absolute paths, because going up from there leads elsewhere`() throws {
    let directory = try TemporaryDirectory()
    try directory.makeDirectory("elsewhere/lists")
    try directory.write([1], to: "lib/a.flac")
    try directory.link("lib/Playlists", to: "../elsewhere/lists")
    let list = directory["lib/Playlists/a.m3u8"]
    let file = directory["lib/a.flac"]
    try PlaylistWriter.write(Playlist(entries: [PlaylistEntry(.path(file.systemBytes))]), to: list)
    #expect(try PlaylistReader.read(list, reach: .anywhere).entries.map(\.location) == [.path(file.systemBytes)])
  }

  @Test func `A failed write is an error and leaves the directory unchanged`() throws {
    let directory = try TemporaryDirectory()
    try directory.write([1], to: "taken.m3u/file")
    #expect(throws: PlaylistError.self) { try PlaylistWriter.write(Playlist(), to: directory["taken.m3u"]) }
    #expect(try DirectoryListing(of: directory.path).entries.count == 1)
  }
}

extension SeededGenerator {
  /// Returns a random playlist that a format can store: texts in one line, and artists without a dash between spaces.
  fileprivate mutating func playlist(for format: PlaylistFormat) -> Playlist {
    var playlist = Playlist(title: text())
    for _ in 0..<Int.random(in: 0...5, using: &self) {
      var entry = PlaylistEntry(location())
      entry.title = text()
      entry.artist = text()?.replacing(" - ", with: "-")
      if format == .xspf {
        entry.comment = text()
        entry.number = Bool.random(using: &self) ? Int.random(in: 1...99, using: &self) : nil
        while Bool.random(using: &self) { entry.alternatives.append(location()) }
      }
      if format == .m3u || format == .m3u8 {
        (entry.albumArtist, entry.genre, entry.group) = (text(), text(), text())
        let start = Int.random(in: 0...400_000, using: &self)
        entry.segment =
          [nil, TrackSegment(start: start, end: nil), TrackSegment(start: start, end: start + 75)][
            Int.random(in: 0...2, using: &self)]
      }
      if format != .pls { entry.album = text() }
      if Bool.random(using: &self) {
        let length = Int.random(in: 0...100_000, using: &self)
        entry.duration = format == .xspf ? .milliseconds(length) : .seconds(length)
      }
      playlist.entries.append(entry)
    }
    return playlist
  }

  /// Returns a hostile text, reduced to one line.
  private mutating func text() -> String? {
    let text = hostileText() + (Bool.random(using: &self) ? " - \"a, b\" & <c> " : "")
    let controls: (Unicode.Scalar) -> Bool = { $0.value < 0x20 || (0x7F...0x9F).contains($0.value) }
    let printable = String(String.UnicodeScalarView(text.unicodeScalars.filter { !controls($0) }))
    let words = printable.unicodeScalars.split(separator: " ").map { String($0) }.joined(separator: " ")
    return words.isEmpty ? nil : words
  }

  private mutating func location() -> PlaylistLocation {
    let starts = ["", "/", "#", "../", "C:\\", "http:/", "file:", " ", "/C:/", "//host/", "\u{FEFF}", "%41"]
    var bytes = Array((starts.randomElement(using: &self) ?? "").utf8)
    if Bool.random(using: &self) {
      bytes += hostileText().utf8.prefix(200)
    } else {
      bytes += self.bytes(Int.random(in: 0...12, using: &self))
    }
    if Int.random(in: 0...9, using: &self) == 0 { return .url("http://host/a?b=\(bytes.count)&c#d") }
    // A leading "./" would not be written.
    return .path(bytes.isEmpty || bytes.starts(with: "./".utf8) ? [0x61] : bytes)
  }
}
