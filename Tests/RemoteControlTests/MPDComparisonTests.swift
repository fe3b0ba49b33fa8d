// SPDX-License-Identifier: GPL-3.0-or-later

import LibraryScanning
import MusicModel
import PlayerFlow
import SystemPackage
import Tagging
import TestSupport
import Testing

@testable import RemoteControl

extension ProgramLane {
  /// Comparison of responses with those of the real mpd.
  @Suite(.enabled(if: Tool.exists("mpd"), "mpd is not installed")) struct MPDComparisonTests {
    private static let canon = "\"\(RemoteLibraryRig.canon)\""
    private static let green = "\"\(RemoteLibraryRig.greensleeves)\""

    /// Returns the lines that identify songs, and of an error only the code. Most tags are left out, since mpd supports
    /// more of them.
    private static func comparableLines(_ response: [String]) -> [String] {
      response.compactMap { line in
        if line.hasPrefix("ACK ") { return line.split(separator: " ").prefix(2).joined(separator: " ") }
        let keys = [
          "file", "Pos", "Id", "Prio", "cpos", "playlist", "Title", "Time", "song", "songid", "Range", "Last-Modified",
        ]
        let key = String(line.prefix { $0 != ":" })
        return keys.contains(key) || line.contains(":file: ") ? line : nil
      }
    }

    /// Expects that Segue and mpd give comparable responses to each line of `script`.
    private static func compare(_ script: [String]) throws {
      let library = try RemoteLibraryRig()
      let mpd = try MusicPlayerDaemon(library.root)
      var ours = try LineClient(library)
      var theirs = LineClient(mpd.client)
      for line in script {
        let (response, expected) = (try ours.request(line), try theirs.request(line))
        #expect(comparableLines(response) == comparableLines(expected), "\(line)")
      }
    }

    @Test func `Adding to the queue gives the same responses as mpd`() throws {
      try Self.compare([
        "add nosuch", "add ../x", "add /etc/passwd", "add file:///etc/passwd", "add \(Self.canon) +0",
        "addid \"The Clockwork Consort\"", "add \(Self.canon)", "playlist", "add \(Self.canon) 1",
        "playlistinfo",
        "add \(Self.canon) 9", "add \(Self.canon) x", "addid \(Self.green) 0", "addid \(Self.green) 99",
        "addid nosuch", "addid \"\"", "add", "addid", "add a 0 0", "playlistinfo", "play 3",
        "addid \(Self.green) +0",
        "addid \(Self.green) -0", "addid \(Self.green) +3", "addid \(Self.green) -2", "addid \(Self.green) +99",
        "addid \(Self.green) -99", "addid \(Self.green) +x", "playlistinfo", "clear", "playlistinfo",
      ])
    }

    @Test func `Editing the queue gives the same responses as mpd`() throws {
      try Self.compare([
        "add \(Self.canon)", "add \(Self.canon)", "delete 99", "delete 8", "delete 8:", "delete 9:",
        "delete 3:2",
        "delete x", "delete 1:x", "delete 7:99", "deleteid 9999", "deleteid x", "deleteid 2", "playlistinfo",
        "move 0 6", "move 9 0", "move 0 3", "move 0 +0", "move 0:2 5", "move 0:2 2", "move 0: 0", "move 0:9 0",
        "move 2:2 0", "moveid 9999 0", "moveid 1 9", "moveid 1 x", "moveid 1 0", "playlistinfo", "play 2",
        "move 0 +0",
        "move 0 -0", "move 1 +0", "move 0:3 +0", "move 5 -1", "move 0:2 +1", "move 4 +99", "moveid 1 +0",
        "playlistinfo", "swap 0 9", "swap 0 3", "swapid 1 9999", "swapid 1 3", "swap x 1", "playlistinfo",
        "shuffle 9:", "shuffle x", "shuffle 1:2", "prio 300 0", "prio -1 0", "prio 5 99", "prio 5 2:",
        "prioid 5 9999",
        "prioid 256 1", "prioid 9 1", "playlistinfo", "addtagid 1 Title x", "addtagid 1 Foo x",
        "addtagid 9999 Title x",
        "cleartagid 1", "cleartagid 1 Title", "cleartagid 1 Foo", "cleartagid 9999", "delete -1",
        "playlistinfo",
      ])
    }

    @Test func `Ranges of songs give the same responses as mpd`() throws {
      try Self.compare([
        "add \(Self.canon)", "rangeid 9999 0:1", "rangeid x 0:1", "rangeid 1", "rangeid 1 1", "rangeid 1 x:2",
        "rangeid 1 2:1", "rangeid 1 -1:2", "rangeid 1 1:2:3", "rangeid 1 99999:", "rangeid 1 2:5", "rangeid 2 3:",
        "rangeid 3 :4.5", "rangeid 4 1:99999", "playlistinfo", "rangeid 1 :", "rangeid 3 0:", "playlistinfo",
        "plchanges 99999", "rangeid 1 1:2", "playlistinfo",
      ])
    }

    @Test func `Reading the queue gives the same responses as mpd`() throws {
      try Self.compare([
        "add \(Self.canon)", "playlistinfo 9", "playlistinfo 4", "playlistinfo 4:", "playlistinfo 5:",
        "playlistinfo 2:99",
        "playlistinfo 1", "playlistinfo 1:3", "playlistinfo -1", "playlistinfo x", "playlistid", "playlistid 2",
        "playlistid 999", "playlistid x", "plchanges 0", "plchanges -1 0:1", "plchanges 99999 1:2",
        "plchanges 99999 9:",
        "plchangesposid 0", "plchangesposid 99999 0:1", "plchanges x", "plchangesposid", "playlist",
        "currentsong",
      ])
    }

    @Test func `Stored playlists give the same responses as mpd`() throws {
      try Self.compare([
        "listplaylist none", "listplaylistinfo none", "load none", "rm none", "rename none other",
        "playlistclear none",
        "playlistdelete none 0", "playlistmove none 0 1", "save a/b", "rm a/b", "rename none a/b", "save \"\"",
        "playlistadd p \(Self.canon)", "listplaylist p", "playlistadd p nosuch", "playlistadd q nosuch",
        "listplaylist q",
        "playlistadd p \(Self.green) 1", "playlistadd p \(Self.green) 99", "playlistadd p \(Self.green) x",
        "listplaylist p", "listplaylistinfo p", "playlistdelete p 99", "playlistdelete p 5",
        "playlistdelete p x",
        "playlistdelete p 1", "playlistdelete p 0:2", "playlistdelete p 2:", "playlistdelete p 1:99",
        "listplaylist p",
        "playlistclear p", "listplaylist p", "playlistadd p \(Self.canon)", "playlistmove p 0 3",
        "playlistmove p 0 4",
        "playlistmove p 9 0", "playlistmove p 1 1", "listplaylist p", "load p", "load p 1:2", "load p 9:",
        "load p 4:",
        "load p 1:99", "load p 0:1 0", "load p 0:1 99", "load p 0:1 +0", "load p x", "playlistinfo", "save p",
        "save q",
        "save q", "listplaylist q", "rename q p", "rename q q", "rename q r", "rm r", "rm r", "playlistclear p",
        "load p",
        "playlistinfo",
      ])
    }

    @Test func `Adding matches of filters to the queue and playlists gives the same responses as mpd`() throws {
      let title = "\"Canon in D, Part One\""
      try Self.compare([
        "add \(Self.canon)", "playlistfind artist \"The Clockwork Consort\"", "playlistfind title \(title)",
        "playlistfind \"(title == \\\"Canon in D, Part One\\\")\"", "playlistsearch title CANON",
        "playlistfind title canon",
        "playlistsearch foo bar", "playlistsearch title", "findadd title \(title) position 0", "playlistinfo",
        "findadd title \(title) position 99", "findadd foo bar", "findadd title nosuch", "findadd title",
        "playlistinfo",
        "searchadd title \"canon in d, part one\"", "searchadd title canon position 99",
        "searchaddpl s title greensleeves",
        "searchaddpl s2 title nosuch", "searchaddpl a/b title canon", "listplaylist s", "listplaylist s2",
        "playlistinfo",
      ])
    }
  }
}

extension ProgramLane {
  /// Comparison of responses about the library with those of mpd.
  @Suite struct LibraryComparisonTests {
    /// Returns the lines to compare, sorted. The format is left out, since the bit depth of compressed audio depends on
    /// the decoder; so are the duration, which two libraries measure differently, a tag that MPD does not read from
    /// ID3, and the time of addition, which only MPD 0.24 and later have.
    private static func lines(_ response: [String]) -> [String] {
      let ignoredPrefixes = ["Format: ", "duration: ", "Time: ", "ComposerSort: ", "Added: "]
      return response.filter { line in !ignoredPrefixes.contains { line.hasPrefix($0) } }.sorted()
    }

    @Test(.enabled(if: Tool.exists("mpd"), "mpd is not installed"))
    func `Responses about the library are the same as those of mpd`() throws {
      let rig = try LibraryRig()
      let daemon = try MusicPlayerDaemon(rig.library.roots.first)
      var (ours, theirs) = (try rig.remoteRig.client(), daemon.client)
      // Each side supports tags that the other does not.
      let commonTags = try theirs.send("tagtypes").map(\.value).filter { SongTag(rawValue: $0) != nil }
      for words in [["tagtypes", "clear"], ["tagtypes", "enable"] + commonTags] {
        #expect(try ours.request(words) == theirs.request(words))
      }
      for words in LibraryCommandTests.requestsWithSameLines {
        let (response, expected) = (try ours.request(words), try theirs.request(words))
        // Of an error only the code is compared.
        if expected.first?.hasPrefix("ACK ") == true {
          #expect(response.first?.prefix(6) == expected.first?.prefix(6), "\(words)")
        } else {
          #expect(response == expected, "\(words)")
        }
      }
      for words in LibraryCommandTests.requestsWithSameSongs {
        let (response, expected) = (try Self.lines(ours.request(words)), try Self.lines(theirs.request(words)))
        #expect(response == expected, "\(words)")
      }
      #expect(
        try ours.request(["find", "artist", "The Clockwork Consort", "sort", "-title", "window", "1:3"]).filter {
          $0.hasPrefix("file: ")
        }
          == theirs.request(["find", "artist", "The Clockwork Consort", "sort", "-title", "window", "1:3"])
          .filter {
            $0.hasPrefix("file: ")
          })
    }
  }
}

extension ProgramLane {
  /// Comparison of responses about channels with those of mpd.
  @Suite struct MessageComparisonTests {
    @Test(.enabled(if: Tool.exists("mpd"), "mpd is not installed"))
    func `Errors about channels are the same as those of mpd`() throws {
      let library = try RemoteLibraryRig()
      let mpd = try MusicPlayerDaemon(library.root)
      var ours = try LineClient(library)
      var theirs = LineClient(mpd.client)
      let script =
        [
          "channels", "readmessages", "subscribe", "subscribe b", "subscribe a", "subscribe a", "channels",
          "sendmessage a", "sendmessage a 1", "sendmessage c 2", "sendmessage \"\" 3", "sendmessage \"a b\" 4",
          "sendmessage b \"5 ' 6\"", "readmessages", "readmessages", "unsubscribe c", "unsubscribe b",
          "channels", "sendmessage b 7", "subscribe \"\"", "subscribe \"a b\"", "subscribe ä",
          "subscribe A.z:0_9-",
          "unsubscribe \"\"", "subscribe b",
        ] + (0...16).map { "subscribe x\($0)" } + ["channels"] + (0...64).map { "sendmessage a \($0)" }
        + ["readmessages", "sendmessage a again", "readmessages"]
      for line in script {
        let (response, expected) = (try ours.request(line), try theirs.request(line))
        #expect(response.sorted() == expected.sorted(), "\(line)")
      }
    }
  }
}

/// An installed MPD with a configuration of its own, for comparison.
final class MusicPlayerDaemon {
  private let directory: TemporaryDirectory
  let client: ControlClient

  /// Starts a daemon that has scanned all of the music in `root`.
  init(_ root: FilePath) throws {
    directory = try TemporaryDirectory()
    try directory.makeDirectory("lists")
    let configuration = """
      music_directory "\(root)"
      playlist_directory "\(directory["lists"])"
      db_file "\(directory["db"])"
      sticker_file "\(directory["stickers"])"
      pid_file "\(directory["pid"])"
      log_file "\(directory["log"])"
      bind_to_address "\(directory["socket"])"
      audio_output {
        type "null"
        name "nothing"
      }
      """
    try directory.write(Array(configuration.utf8), to: "conf")
    // The command returns when the daemon is listening. The daemon must not inherit the descriptors by which the end of
    // a program is detected.
    let start = "import subprocess, sys; sys.exit(subprocess.call(['mpd', sys.argv[1]]))"
    try Tool.run("python3", ["-c", start, directory["conf"].string])
    var client = try ControlClient(directory["socket"])
    _ = try client.send("update")
    while try client.send("status").contains(where: { $0.key == "updating_db" }) {
      _ = try client.send("idle", ["update"])
    }
    self.client = client
  }

  deinit { _ = try? Tool.run("mpd", [directory["conf"].string, "--kill"]) }
}
