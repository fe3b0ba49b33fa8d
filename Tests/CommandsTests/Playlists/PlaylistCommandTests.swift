// SPDX-License-Identifier: GPL-3.0-or-later

import ArgumentParser
import MusicModel
import PlayerPort
import SystemPackage
import TestSupport
import Testing

@testable import Commands
@testable import Screens

struct PlaylistCommandTests {
  private let repl: CommandSession

  init() throws {
    repl = try CommandSession()
    let album = try repl.makeAlbum("夜曲", ["一", "二", "三"])
    _ = try repl.execute("queue add \(album)")
  }

  @Test func `The queue is saved, listed, loaded and deleted by name`() throws {
    #expect(try repl.execute("playlist list").isEmpty)
    #expect(try repl.execute("playlist save 夜") == ["saved 3 tracks: 夜"])
    #expect(try repl.execute("playlist list") == ["夜 3 tracks m3u8"])
    #expect(
      try repl.execute("playlist show 夜").map { $0.split(separator: " ").prefix(2).joined(separator: " ") }
        == ["1 一", "2 二", "3 三"])
    #expect(try repl.execute("playlist show 夜 --offset 1 --limit 1").map { $0.prefix(3) } == ["2 二"])
    let overwriteError = repl.error("playlist save 夜")
    #expect(overwriteError?.status == .failure && overwriteError?.message.contains("--force") == true)
    _ = try repl.execute("queue remove 2-")
    #expect(try repl.execute("playlist save --force 夜") == ["saved 1 track: 夜"])
    #expect(try repl.execute("playlist load 夜") == ["loaded 1 track: 夜; `queue undo` reverts it"])
    #expect(try repl.execute("playlist load --add 夜") == ["added 1 track at 2: 夜"])
    #expect(repl.titles == ["一", "一"])
    #expect(try repl.execute("playlist delete 夜") == ["deleted playlist 夜"])
    #expect(
      repl.error("playlist load 夜")?.status == .notFound && repl.error("playlist delete 夜")?.status == .notFound)
  }

  @Test func `Items are appended to a playlist, which is created if needed`() throws {
    #expect(try repl.execute("playlist add x --items 2-") == ["added 2 tracks to x, which now has 2"])
    #expect(try repl.execute("playlist append X 1") == ["added 1 track to X, which now has 3"])
    _ = try repl.execute("playlist load x")
    #expect(repl.titles == ["二", "三", "一"])
    #expect(repl.error("playlist add x --items 9")?.status == .notFound)
  }

  @Test func `A number refers to the last listing of playlists, unless a playlist has that name`() throws {
    _ = try repl.execute("playlist save 夜")
    try LastListing(in: repl.session.stateDirectory).store([ListedReference(.list, name: "夜")])
    #expect(try repl.execute("playlist load 1") == ["loaded 3 tracks: 夜; `queue undo` reverts it"])
    #expect(try repl.execute("playlist add 1 --items 1") == ["added 1 track to 夜, which now has 4"])
    #expect(try repl.execute("playlist show 1").count == 4)
    #expect(repl.error("playlist load 2")?.status == .notFound)
    #expect(try repl.execute("playlist save 1") == ["saved 3 tracks: 1"])
    #expect(try repl.execute("playlist delete 1") == ["deleted playlist 1"])
    #expect(try repl.execute("playlist delete 1") == ["deleted playlist 夜"])
  }

  @Test func `A playlist is written and read by path, and missing files are reported but kept`() throws {
    let path = repl.directory["mix.m3u"].string
    #expect(try repl.execute("playlist save \(path)") == ["saved 3 tracks: \(path)"])
    try repl.directory.write(Array("music/夜曲/0.flac\nmusic/gone.flac\n".utf8), to: "mix.m3u")
    let lines = try repl.execute("playlist load \(path)")
    #expect(lines.count == 2 && lines[0].contains("gone.flac: no such file"), "\(lines)")
    #expect(lines[1] == "loaded 2 tracks: mix; `queue undo` reverts it")
    let added = try repl.execute("queue add \(path)")
    #expect(added.count == 2 && added[1] == "added 2 tracks at 3-4: mix", "\(added)")
    #expect(repl.error("playlist load \(repl.directory["none.m3u"])")?.status == .notFound)
    #expect(repl.error("playlist save \(path)")?.status == .failure)
    _ = try repl.execute("queue clear")
    #expect(repl.error("playlist save y")?.status == .notFound)
  }

  @Test func `Music is added to a playlist without changing the queue`() throws {
    let album = try repl.makeAlbum("昼", ["四", "五"])
    #expect(try repl.execute("playlist add x \(album)") == ["added 2 tracks to x, which now has 2"])
    #expect(try repl.execute("playlist add x \(album)/0.flac") == ["added 1 track to x, which now has 3"])
    #expect(repl.titles == ["一", "二", "三"])
    #expect(throws: (any Error).self) { try ReplWord.parseAsRoot(["playlist", "add", "x", "y", "--items", "1"]) }
  }

  @Test func `A playlist is renamed, also by its number in the last listing`() throws {
    _ = try repl.execute("playlist save 夜")
    #expect(try repl.execute("playlist rename 夜 朝") == ["renamed 夜 to 朝"])
    #expect(try repl.execute("playlist list") == ["朝 3 tracks m3u8"])
    try LastListing(in: repl.session.stateDirectory).store([ListedReference(.list, name: "朝")])
    #expect(try repl.execute("playlist rename 1 昼") == ["renamed 1 to 昼"])
    #expect(repl.error("playlist rename none x")?.status == .notFound)
  }

  @Test func `A playlist is played from a track`() throws {
    _ = try repl.execute("playlist save 夜")
    _ = try repl.execute("queue clear")
    _ = try repl.execute("playlist play 夜 2")
    #expect(repl.titles == ["一", "二", "三"] && repl.queue.currentPosition == 1)
    _ = try repl.execute("playlist play 夜 三")
    #expect(repl.queue.currentPosition == 2)
    #expect(repl.error("playlist play 夜 9")?.status == .notFound)
    #expect(repl.error("playlist play none")?.status == .notFound)
  }

  @Test(arguments: [
    ("queue save x", "playlist save x"), ("queue load --add x", "playlist load --add x"),
    ("queue lists", "playlist list"), ("queue lists x", "playlist list x"), ("queue delete x", "playlist delete x"),
    ("queue append x 2-", "playlist append x 2-"), ("queue next x y", "queue add --next x y"),
    ("help queue save", "help playlist save"), ("help queue next", "help queue add"), ("queue add x", "queue add x"),
    ("queue", "queue"), ("help", "help"), ("play queue next", "play queue next"),
  ])
  func `Former commands have their present names`(line: String, present: String) throws {
    let words = { (text: String) in text.split(separator: " ").map(String.init) }
    #expect(try AliasExpansion(aliases: [:]).expanded(words(line)) == words(present))
  }

  @Test func `A playlist is shown by the former name of the command, too`() throws {
    _ = try repl.execute("playlist save 夜")
    #expect(try repl.execute("playlist list 夜") == repl.execute("playlist show 夜"))
  }
}
