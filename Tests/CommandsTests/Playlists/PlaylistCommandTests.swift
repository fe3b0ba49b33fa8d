// SPDX-License-Identifier: GPL-3.0-or-later

import MusicModel
import PlayerPort
import SystemPackage
import TestSupport
import Testing

@testable import Commands
@testable import Screens

struct SavedListCommandTests {
  private let repl: CommandSession

  init() throws {
    repl = try CommandSession()
    let album = try repl.makeAlbum("夜曲", ["一", "二", "三"])
    _ = try repl.execute("queue add \(album)")
  }

  @Test func `The queue is saved, listed, loaded and deleted by name`() throws {
    #expect(try repl.execute("queue lists").isEmpty)
    #expect(try repl.execute("queue save 夜") == ["saved 3 tracks: 夜"])
    #expect(try repl.execute("queue lists") == ["夜 3 tracks m3u8"])
    #expect(
      try repl.execute("queue lists 夜").map { $0.split(separator: " ").prefix(2).joined(separator: " ") }
        == ["1 一", "2 二", "3 三"])
    let overwriteError = repl.error("queue save 夜")
    #expect(overwriteError?.status == .failure && overwriteError?.message.contains("--force") == true)
    _ = try repl.execute("queue remove 2-")
    #expect(try repl.execute("queue save --force 夜") == ["saved 1 track: 夜"])
    #expect(try repl.execute("queue load 夜") == ["loaded 1 track: 夜; `queue undo` reverts it"])
    #expect(try repl.execute("queue load --add 夜") == ["added 1 track at 2: 夜"])
    #expect(repl.titles == ["一", "一"])
    #expect(try repl.execute("queue delete 夜") == ["deleted playlist 夜"])
    #expect(
      repl.error("queue load 夜")?.status == .notFound && repl.error("queue delete 夜")?.status == .notFound)
  }

  @Test func `Items are appended to a playlist, which is created if needed`() throws {
    #expect(try repl.execute("queue append x 2-") == ["appended 2 tracks: x now has 2"])
    #expect(try repl.execute("queue append X 1") == ["appended 1 track: X now has 3"])
    _ = try repl.execute("queue load x")
    #expect(repl.titles == ["二", "三", "一"])
    #expect(repl.error("queue append x 9")?.status == .notFound)
  }

  @Test func `A number refers to the last listing of playlists, unless a playlist has that name`() throws {
    _ = try repl.execute("queue save 夜")
    try LastListing(in: repl.session.stateDirectory).store([ListedReference(.list, name: "夜")])
    #expect(try repl.execute("queue load 1") == ["loaded 3 tracks: 夜; `queue undo` reverts it"])
    #expect(try repl.execute("queue append 1 1") == ["appended 1 track: 夜 now has 4"])
    #expect(try repl.execute("queue lists 1").count == 4)
    #expect(repl.error("queue load 2")?.status == .notFound)
    #expect(try repl.execute("queue save 1") == ["saved 3 tracks: 1"])
    #expect(try repl.execute("queue delete 1") == ["deleted playlist 1"])
    #expect(try repl.execute("queue delete 1") == ["deleted playlist 夜"])
  }

  @Test func `A playlist is written and read by path, and missing files are reported but kept`() throws {
    let path = repl.directory["mix.m3u"].string
    #expect(try repl.execute("queue save \(path)") == ["saved 3 tracks: \(path)"])
    try repl.directory.write(Array("music/夜曲/0.flac\nmusic/gone.flac\n".utf8), to: "mix.m3u")
    let lines = try repl.execute("queue load \(path)")
    #expect(lines.count == 2 && lines[0].contains("gone.flac: no such file"), "\(lines)")
    #expect(lines[1] == "loaded 2 tracks: mix; `queue undo` reverts it")
    let added = try repl.execute("queue add \(path)")
    #expect(added.count == 2 && added[1] == "added 2 tracks at 3-4: mix", "\(added)")
    #expect(repl.error("queue load \(repl.directory["none.m3u"])")?.status == .notFound)
    #expect(repl.error("queue save \(path)")?.status == .failure)
    _ = try repl.execute("queue clear")
    #expect(repl.error("queue save y")?.status == .notFound)
  }
}
