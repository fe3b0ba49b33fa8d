// SPDX-License-Identifier: GPL-3.0-or-later

import MusicModel
import NIOCore
import Platform
import PlayerFlow
import SystemPackage
import TestSupport
import Testing

@testable import RemoteControl

/// What network clients get of links in the library that lead to files, directories and devices.
@Suite struct ReachTests {
  private static let secret = "SECRET"
  private static let suffixes = ["m3u", "m3u8", "pls", "xspf", "cue", "jpg", "lrc", "flac"]

  private let directory: TemporaryDirectory
  private let rig: LibraryRig
  private let table = CommandTable.all(NetworkAccess(), MessageBoard { _, _ in })

  init() throws {
    directory = try TemporaryDirectory()
    let sheet = { (title: String, file: String) in
      "FILE \"\(file)\" WAVE\nTRACK 01 AUDIO\nTITLE \"\(title)\"\nINDEX 01 00:00:30\n"
    }
    for name in ["music/a/1.flac", "music/art/1.flac", "music/b/1.flac"] {
      try directory.write(SoundBytes.flac([("TITLE", "Inside")]), to: name)
    }
    try directory.write(SoundBytes.flac([("TITLE", Self.secret)]), to: "outside/song.flac")
    for suffix in Self.suffixes where suffix != "cue" {
      try directory.write("\(Self.secret)\n\(Self.secret)".utf8, to: "outside/secret.\(suffix)")
    }
    try directory.write(Array(sheet(Self.secret, "1.flac").utf8), to: "outside/secret.cue")
    try directory.write("1.flac\nlisted.flac\n".utf8, to: "music/b/list.m3u")
    try directory.write(Array(sheet("Listed", "1.flac").utf8), to: "music/b/sheet.cue")
    rig = try LibraryRig(directory["music"])

    // The index knows none of these.
    try directory.write(Array(sheet("Late", "late.flac").utf8), to: "music/a/names.cue")
    try directory.write(Array(sheet("Late", "dir/song.flac").utf8), to: "music/a/names dir.cue")
    try directory.write(
      "late.flac\n../../outside/song.flac\ndir/song.flac\nfile.m3u\n../dir/secret.m3u\n".utf8,
      to: "music/a/entries.m3u")
    try directory.link("music/a/late.flac", to: directory["outside/song.flac"].string)
    try directory.makeFIFO("outside/fifo")
    try directory.makeDirectory("music/Playlists")
    for suffix in Self.suffixes {
      try directory.link("music/a/file.\(suffix)", to: directory["outside/secret.\(suffix)"].string)
      try directory.link("music/a/relative.\(suffix)", to: "../../outside/secret.\(suffix)")
      try directory.link("music/a/chain.\(suffix)", to: "file.\(suffix)")
      try directory.link("music/a/directory.\(suffix)", to: directory["outside"].string)
      try directory.link("music/a/device.\(suffix)", to: "/dev/zero")
      try directory.link("music/a/fifo.\(suffix)", to: directory["outside/fifo"].string)
      try directory.link("music/a/missing.\(suffix)", to: directory["outside/none"].string)
      try directory.link("music/a/loop.\(suffix)", to: "loop.\(suffix)")
      try directory.link("music/Playlists/file.\(suffix)", to: directory["outside/secret.\(suffix)"].string)
    }
    for place in ["music", "music/a"] { try directory.link("\(place)/dir", to: directory["outside"].string) }
    try directory.link("music/art/cover.jpg", to: directory["outside/secret.jpg"].string)
    try directory.link("music/Playlists/device.m3u", to: "/dev/zero")
    try directory.link("music/Playlists/inside.m3u", to: "../b/list.m3u")
    try directory.link("music/a/inside.m3u", to: "../b/list.m3u")
    try directory.link("music/a/inside.cue", to: directory["music/b/sheet.cue"].string)
  }

  /// The names of links, and of files that name links.
  private static var names: [String] {
    suffixes.map { "a/file.\($0)" }
      + ["m3u", "cue"].flatMap { suffix in
        ["relative", "chain", "directory", "device", "fifo", "missing", "loop"].map { "a/\($0).\(suffix)" }
      }
      + [
        "dir", "dir/secret.m3u", "dir/secret.cue", "dir/song.flac", "a/dir", "a/dir/secret.m3u", "dir/../a/file.m3u",
        "a/entries.m3u", "a/names.cue", "a/names dir.cue", "a/late.flac", "art/1.flac", "art", "a", "", "file",
        "file.m3u", "device", "device.m3u", "Playlists/file.m3u", "Playlists",
      ]
  }

  /// Returns the arguments with which to try a command: `name` in each place.
  private static func arguments(_ command: RemoteCommand, _ name: String) -> [[String]] {
    if command.names == ["sticker"] {
      return [
        ["get", "song", name, "x"], ["list", "song", name], ["set", "song", name, "x", "1"],
        ["find", "song", name, "x"],
      ]
    }
    let counts = command.argumentCount.clamped(to: 1...2)
    let plain = counts.flatMap { count in
      (0..<count).map { place in (0..<count).map { $0 == place ? name : "0" } }
    }
    let others = [
      ["file", name], ["base", name], ["any", name, "0"], ["title", "base", name], ["new", "base", name],
      ["title", "(base '\(name)')"], ["title", "(file == '\(name)')"],
    ]
    return plain + others.filter { command.argumentCount.contains($0.count) }
  }

  /// Executes a command, and returns its whole response, or the message of its error.
  private func response(
    _ name: String, _ arguments: [String], isLocal: Bool = false, playlists: FilePath? = nil
  ) throws -> String {
    var context = rig.context(isLocal: isLocal, playlists: playlists)
    let command = try #require(table[name])
    do throws(ProtocolError) {
      try command.body(Arguments(words: arguments, command: name), &context)
      while try context.source?.add(to: &context.response) ?? false {}
    } catch {
      return "ACK \(error.message)"
    }
    return String(decoding: context.response.take().readableBytesView, as: UTF8.self)
  }

  @Test(.timeLimit(.minutes(5))) func `No command gives a network client anything of a file outside`() throws {
    let names = try response("commands", []).split(separator: "\n").map { String($0.dropFirst(9)) }
      .filter { (table[$0]?.argumentCount.upperBound ?? 0) > 0 }
    #expect(names.count > 60)
    for name in names {
      let command = try #require(table[name])
      for arguments in Self.names.flatMap({ Self.arguments(command, $0) }) {
        let found = try response(name, arguments)
        #expect(!found.contains(Self.secret), "\(name) \(arguments)")
      }
    }
    let queue = rig.remoteRig.queue.queue.items.map(\.track)
    #expect(queue.contains { $0.title == "Inside" })
    #expect(!queue.contains { $0.title.contains(Self.secret) || $0.path == directory["music/a/late.flac"] })
    let saved = try DirectoryListing(of: directory["music/Playlists"]).entries.filter { $0.kind == .regular }
    #expect(!saved.isEmpty)
    for entry in saved {
      let text = String(decoding: try contents(of: directory["music/Playlists"].appending(entry.name)), as: UTF8.self)
      #expect(!text.contains(Self.secret), "\(entry.name)")
    }
    for suffix in Self.suffixes {
      let text = String(decoding: try contents(of: directory["outside/secret.\(suffix)"]), as: UTF8.self)
      #expect(text.contains(Self.secret))
    }
    #expect(try DirectoryListing(of: directory["outside"]).entries.count == Self.suffixes.count + 2)
  }

  @Test func `Listings show network clients neither the size nor the date of what is outside`() throws {
    let listed = try response("listfiles", ["a"]) + response("lsinfo", ["a"]) + response("listfiles", [""])
    for name in ["file", "relative", "chain", "directory", "device", "fifo", "missing", "loop", "late", "dir\n"] {
      #expect(!listed.contains(": \(name)") && !listed.contains("a/\(name)"), "\(name)")
    }
    #expect(listed.contains("file: 1.flac\n") && listed.contains("playlist: a/inside.m3u\n"))
    #expect(try response("listplaylists", []).contains("playlist: inside\n"))
    #expect(try !response("listplaylists", []).contains("file"))
    #expect(try response("listfiles", ["a"], isLocal: true).contains("file: file.m3u\nsize: 13\n"))
  }

  @Test func `Links inside the library are followed, and the owner follows all`() throws {
    #expect(try response("listplaylist", ["a/inside.m3u"]) == "file: a/1.flac\nfile: a/listed.flac\n")
    #expect(try response("listplaylist", ["inside"]).contains("1.flac"))
    #expect(try response("listplaylistinfo", ["a/inside.cue"]).contains("Title: Listed"))
    for name in ["a/file.m3u", "a/file.cue", "file.m3u"] {
      #expect(try response("listplaylistinfo", [name], isLocal: true).contains(Self.secret), "\(name)")
    }
  }

  @Test func `A directory of playlists that is a link out of the library is closed, unless it is chosen`() throws {
    directory.remove("music/Playlists")
    try directory.link("music/Playlists", to: directory["outside"].string)
    #expect(try response("listplaylists", []) == "")
    #expect(try response("listplaylist", ["secret.m3u"]).hasPrefix("ACK"))
    #expect(try response("save", ["new"]) == "ACK Cannot write the playlist: Permission denied")
    #expect(try response("listplaylists", [], isLocal: true).contains("playlist: secret.m3u\n"))
    let chosen = directory["music/Playlists"]
    #expect(try response("listplaylists", [], playlists: chosen).contains("playlist: secret.m3u\n"))
    #expect(try response("listplaylist", ["secret.m3u"], playlists: chosen).contains(Self.secret))
    #expect(try response("save", ["new"], playlists: chosen) == "")
  }
}
