// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation
import Platform
import SystemPackage
import TestSupport
import Testing

extension ProgramTests {
  /// Several music directories as one library.
  @Suite struct LibrariesTests {
    private let playground: Playground

    init() throws { playground = try Playground() }

    private static let theatre = Playground.music.appending("Music Box Theatre").string
    private static let consort = Playground.music.appending("The Clockwork Consort").string

    @Test func `Directories of the environment, options or settings form one library`() throws {
      let both = ["SEGUE_LIBRARY": "\(Self.theatre):\(Self.consort)"]
      let albums = try playground.segue("albums", with: both)
      #expect(albums.status == 0 && albums.lines.count == 2)
      #expect(try playground.segue("albums", "--library", Self.theatre).lines.count == 1)
      #expect(
        try playground.segue("albums", "--library", Self.consort, "--library", Self.theatre).output == albums.output
      )
      try playground.directory.write(
        "library = [\"\(Self.theatre)\", \"\(Self.consort)\"]\n".utf8, to: "home/.config/segue/config.toml")
      #expect(try playground.segue("albums", with: ["SEGUE_LIBRARY": ""]).output == albums.output)
      let config = try playground.segue("config", "library", with: ["SEGUE_LIBRARY": ""])
      #expect(config.lines == ["\(Self.theatre), \(Self.consort)"])
      #expect(
        try playground.segue("config", "--json", with: ["SEGUE_LIBRARY": ""]).output.contains(
          #""key":"library","line":1,"origin":"file","value":["\#(Self.theatre.replacing("/", with: "\\/"))""#)
          || playground.segue("config", "--json", with: ["SEGUE_LIBRARY": ""]).output.contains(
            #""key":"library","line":1,"origin":"file","value":["\#(Self.theatre)""#)
      )
      #expect(try playground.segue("search", "canon", with: both).output.contains("Canon in D"))
      #expect(try playground.segue("tracks", "genre:folk or artist:clockwork", with: both).lines.count == 4)
    }

    @Test func `Music in any of the directories is played`() throws {
      let both = ["SEGUE_LIBRARY": "\(Self.theatre):\(Self.consort)"]
      for album in ["parlour", "ground"] {
        let outcome = try playground.segue("play", album, "1", "--output", "raw:/dev/null", with: both)
        #expect(outcome.status == 0, "\(outcome.errors)")
      }
      let added = try playground.segue("queue", "add", "ground", with: both)
      #expect(added.status == 0 && added.output.contains("4 tracks"))
      let missing = try playground.segue("play", "nothing at all", with: both)
      #expect(missing.errors.contains("\(Self.theatre) and \(Self.consort)"))
    }

    @Test func `A missing directory is reported, and does not affect the others`() throws {
      let missing = playground["gone"]
      let options = ["scan", "--library", missing, "--library", Self.consort]
      let scan = try playground.run(Playground.program.string, options)
      #expect(scan.status == 5 && scan.lines == ["4 added"])
      #expect(
        scan.errors
          == "segue: \(missing) is not available: check that its drive is mounted, or choose another directory with --library\n"
      )
      let albums = try playground.segue("albums", "--library", missing, "--library", Self.consort)
      #expect(albums.status == 0 && albums.lines.count == 1 && albums.errors.isEmpty)
      #expect(try playground.segue("scan", "--library", missing, "--library", missing + "2").status == 5)
      // Once the directory exists, it is scanned.
      let song = Playground.canon.appending("04 Gymnopedie No. 1.flac")
      let bytes = try #require(try AtomicFile.read(song, limit: 1 << 26))
      try playground.directory.write(bytes, to: "gone/1.flac")
      #expect(try playground.segue("tracks", "--library", missing, "--library", Self.consort).lines.count == 5)
    }

    @Test(.enabled(if: Tool.exists("mpc"), "mpc is not installed"))
    func `A player watches all directories, and serves each under its name`() throws {
      let copy = "mkdir -p a/Music b/Music && cp -r '\(Self.theatre)' a/Music && cp -r '\(Self.consort)' b/Music"
      #expect(try playground.shell(copy).status == 0)
      let (first, second) = (playground["a/Music"], playground["b/Music"])
      let options = ["--library", first, "--library", second]
      let server = try TerminalSession(playground, ["serve", "--output", "silent"] + options)
      #expect(server.shows("listening on \(playground["state/socket"])"))
      func mpc(_ words: String) throws -> [String] {
        try playground.shell("mpc -h \"$PWD/state/socket\" \(words)").lines
      }
      #expect(try eventually { try mpc("listall | wc -l") == ["9"] })
      #expect(try mpc("ls") == ["Music", "Music (2)"])
      let other = Playground.music.appending("Various Artists").string
      #expect(try playground.shell("cp -r '\(other)' b/Music && cp -r b/Music/Various* a/Music").status == 0)
      #expect(try eventually { try mpc("listall 'Music (2)/Various Artists' | wc -l") == ["4"] })
      #expect(try eventually { try mpc("listall 'Music/Various Artists' | wc -l") == ["4"] })
      let added = try playground.segue(
        "queue", "add", "ground", with: ["SEGUE_LIBRARY": "\(first):\(second)"])
      #expect(added.status == 0, "\(added.errors)")
      #expect(
        try mpc("playlist -f %file% | head -n 1") == [
          "Music (2)/The Clockwork Consort/Ground and Air/01 Canon in D, Part One.flac"
        ])
      // Saved playlists are in the first directory, and can have entries in any directory.
      #expect(try mpc("save all && mpc -h \"$PWD/state/socket\" lsplaylists") == ["all"])
      #expect(try playground.shell("ls a/Music/Playlists").lines == ["all.m3u8"])
      #expect(
        try mpc(
          "-q clear && mpc -q -h \"$PWD/state/socket\" load all > load.out && mpc -h \"$PWD/state/socket\" playlist | wc -l"
        ) == ["4"])
      server.send(SIGTERM)
      #expect(server.exitStatus() == 143)
    }
  }
}

extension ProgramTests {
  /// Searches in a library, and libraries that are missing, unplayable or cannot be updated.
  @Suite(.serialized) struct LibraryProblems {
    private let playground: Playground

    init() throws { playground = try Playground() }

    @Test func `A search without hits says where it searched`() throws {
      let outcome = try playground.segue("search", "no such thing")
      #expect(outcome.status == 3)
      #expect(outcome.errors.hasPrefix("segue: nothing in "))
      #expect(outcome.errors.hasSuffix(" matches no such thing\n"))
    }

    @Test func `A directory is played even if the library is missing`() throws {
      let playground = try Playground(isScanned: false)
      #expect(try playground.shell("cp -r '\(Playground.canon)' Low").status == 0)
      let outcome = try playground.segue("play", "Low", "--library", "none", "--output", "raw:out.raw")
      #expect(outcome.status == 0, "\(outcome.errors)")
      #expect(try playground.segue("play", "High", "--library", "none").status != 0)
    }

    @Test func `If no file in the library is playable, the error counts them and points to the reasons`() throws {
      let playground = try Playground(isScanned: false)
      try playground.directory.write([], to: "music/a.flac")
      try playground.directory.write([], to: "music/b.flac")
      let outcome = try playground.segue("albums", "--library", "music")
      #expect(outcome.status == 3)
      #expect(outcome.errors.contains("see `segue problems` (2 files)"), "\(outcome.errors)")
    }

    @Test func `If all files in the library are ignored, the error counts what is ignored, each time`() throws {
      let playground = try Playground(isScanned: false)
      try playground.directory.write([], to: "music/Podcasts/.nomedia")
      try playground.directory.write([], to: "music/._a.flac")
      for _ in 0..<2 {
        let outcome = try playground.segue("albums", "--library", "music")
        #expect(outcome.status == 3)
        #expect(outcome.errors.contains("see `segue scan --verbose` (2 ignored)"), "\(outcome.errors)")
      }
    }

    @Test func `A library without tags is not called empty if its artists are listed`() throws {
      let playground = try Playground(isScanned: false)
      try playground.directory.write(SoundBytes.flac(), to: "music/a.flac")
      for command in ["artists", "genres"] {
        let outcome = try playground.segue(command, "--library", "music")
        #expect(outcome.status == 3)
        #expect(outcome.errors == "segue: nothing to list: no file in \(playground["music"]) has such a tag\n")
      }
      #expect(try playground.segue("tracks", "--library", "music").lines.count == 1)
    }

    @Test func `A search accepts any limit and any offset`() throws {
      let maximum = "\(Int.max)"
      let all = try playground.segue("search", "canon")
      #expect(all.status == 0 && all.lines.count > 1)
      let rest = try playground.segue("search", "canon", "--limit", maximum, "--offset", "1")
      #expect(rest.status == 0 && rest.lines == Array(all.lines.dropFirst()))
      #expect(try playground.segue("search", "canon", "--limit", maximum, "--offset", maximum).output.isEmpty)
    }

    @Test func `If changes cannot be stored, the known state is listed with a warning`() throws {
      let playground = try Playground(isScanned: false)
      let music = playground["music"]
      #expect(try playground.shell("cp -r '\(Playground.music)' '\(music)'").status == 0)
      let data = playground["data"]
      let options = ["--library", music, "--data-dir", data]
      let known = try playground.run(Playground.program.string, ["albums"] + options)
      #expect(known.status == 0 && known.lines.count > 1)
      // A directory in place of the lock file makes every scan fail.
      try FileManager.default.removeItem(atPath: data + "/library-1.lock")
      try FileManager.default.createDirectory(
        atPath: data + "/library-1.lock", withIntermediateDirectories: false)
      try FileManager.default.createDirectory(atPath: music + "/new", withIntermediateDirectories: false)
      let listed = try playground.run(Playground.program.string, ["albums"] + options)
      #expect(listed.status == 0 && listed.lines == known.lines)
      #expect(listed.errors.hasPrefix("segue: cannot check "))
      #expect(listed.errors.split(separator: "\n").count == 1)
      let scanned = try playground.run(Playground.program.string, ["scan"] + options)
      #expect(scanned.status == 1)
      let played = try playground.run(
        Playground.program.string, ["play", "ground", "--output", "raw:out.raw"] + options)
      #expect(played.status == 0, "\(played.errors)")
    }
  }
}
