// SPDX-License-Identifier: GPL-3.0-or-later

import SystemPackage
import TestSupport
import Testing

@testable import RemoteControl

extension ProgramLane {
  /// Tags that few songs have, in responses and in requests.
  @Suite struct AdditionalTagTests {
    private static let identifier = "0123abcd-0000-1111-2222-333344445555"
    private static let tagNames = [
      "NAME", "ORIGINALDATE", "COMPOSERSORT", "PERFORMER", "CONDUCTOR", "WORK", "MOVEMENTNAME", "MOVEMENTNUMBER",
      "ENSEMBLE", "LOCATION", "GROUPING", "LABEL", "MUSICBRAINZ_ARTISTID", "MUSICBRAINZ_ALBUMARTISTID",
      "MUSICBRAINZ_TRACKID", "MUSICBRAINZ_RELEASETRACKID", "MUSICBRAINZ_WORKID",
    ]

    private let directory: TemporaryDirectory

    /// A library of three songs: one with all tags, one with some, and one with none. They contain audio.
    init() throws {
      directory = try TemporaryDirectory()
      try directory.makeDirectory("music/a")
      let common = ["ARTIST=X", "ALBUM=A", "DATE=2001"]
      let all = Self.tagNames.map { name in
        name.hasPrefix("MUSICBRAINZ") ? "\(name)=\(Self.identifier)" : "\(name)=\(name.lowercased()) é"
      }
      for (number, tags) in [
        all, ["MOVEMENT=4", "PERFORMER=Ann \"A\\B\" Lee", "PERFORMER=Bob", "LABEL=label é", "COMMENT=none of these"],
        [],
      ].enumerated() {
        let file = directory["music/a/\(number + 1).flac"].string
        try Tool.run(
          "sox", ["-n", "-r", "8000", "-b", "16", file, "synth", "1", "sine", "440"])
        let lines = common + ["TITLE=T\(number + 1)", "TRACKNUMBER=\(number + 1)"] + tags
        try Tool.run("metaflac", ["--remove-all-tags"] + lines.map { "--set-tag=\($0)" } + [file])
      }
    }

    private static let listRequests: [[String]] = [
      ["list", "performer"], ["list", "label", "group", "title"], ["list", "musicbrainz_trackid"],
      ["count", "group", "label"], ["count", "label", "label é"], ["list", "title", "(performer == \"Bob\")"],
      ["list", "title", "performer", ""], ["list", "composersort"],
    ]
    private static let songRequests: [[String]] = [
      ["find", "performer", "Bob"], ["find", "Performer", "Ann \"A\\B\" Lee"], ["find", "performer", "bob"],
      ["search", "performer", "LEE"], ["search", "any", "ENSEMBLE"], ["search", "any", "label É"],
      ["find", "any", "Bob"], ["find", "(label != \"label é\")"], ["find", "label", ""],
      ["find", "(work == \"work é\")"], ["find", "(work contains \"wo\")"],
      ["find", "MUSICBRAINZ_WORKID", identifier],
      ["find", "artist", "X", "sort", "Conductor"], ["listallinfo"], ["lsinfo", "a"],
      ["playlistfind", "performer", "Bob"], ["playlistsearch", "any", "movement"], ["playlistinfo"],
    ]

    /// Returns the lines to compare, sorted. Those that depend on the decoder are left out, and so are the times of
    /// addition, which only MPD 0.24 and later have, and the modification times of directories, which are unknown for
    /// new directories.
    private static func lines(_ response: [String]) -> [String] {
      let ignoredPrefixes = ["Format: ", "duration: ", "Time: ", "Added: "]
      var isDirectory = false
      return response.filter { line in
        defer { isDirectory = line.hasPrefix("directory: ") }
        return !ignoredPrefixes.contains { line.hasPrefix($0) } && !(isDirectory && line.hasPrefix("Last-Modified: "))
      }.sorted()
    }

    @Test(.enabled(if: Tool.exists("mpd"), "mpd is not installed"))
    func `Responses about further tags are the same as those of MPD`()
      throws
    {
      let rig = try LibraryRig(directory["music"])
      let daemon = try MusicPlayerDaemon(directory["music"])
      var (ours, theirs) = (try rig.remoteRig.client(), daemon.client)
      for words in [["add", "a"]] + Self.listRequests {
        #expect(try ours.request(words) == theirs.request(words), "\(words)")
      }
      for words in Self.songRequests {
        let (response, expected) = (try Self.lines(ours.request(words)), try Self.lines(theirs.request(words)))
        #expect(response == expected, "\(words)")
      }
      // Later versions support more tags.
      #expect(
        try Set(ours.send("tagtypes").map(\.value)).isSuperset(of: theirs.send("tagtypes").map(\.value)))
    }

    @Test(.enabled(if: Tool.exists("mpd"), "mpd is not installed"))
    func `The date of the edition and the original date are the same as those of MPD`() throws {
      for (number, dates) in [
        ["DATE=2011", "ORIGINALDATE=1973-03-01"], ["DATE=2011-05-02", "ORIGINALDATE=1973"], ["DATE=1973"],
      ].enumerated() {
        try Tool.run(
          "metaflac",
          ["--remove-tag=DATE"] + dates.map { "--set-tag=\($0)" } + [directory["music/a/\(number + 1).flac"].string])
      }
      let rig = try LibraryRig(directory["music"])
      let daemon = try MusicPlayerDaemon(directory["music"])
      var (ours, theirs) = (try rig.remoteRig.client(), daemon.client)
      for words in [
        ["add", "a"], ["list", "date"], ["list", "originaldate"], ["list", "title", "(date == \"2011\")"],
        ["list", "title", "(date == \"1973\")"], ["list", "title", "(originaldate == \"1973\")"],
        ["list", "date", "group", "title"], ["count", "date", "2011-05-02"],
      ] {
        #expect(try ours.request(words) == theirs.request(words), "\(words)")
      }
      for words in [
        ["listallinfo"], ["find", "date", "2011"], ["search", "any", "1973"], ["playlistinfo"],
        ["playlistfind", "date", "2011"],
      ] {
        let (response, expected) = (try Self.lines(ours.request(words)), try Self.lines(theirs.request(words)))
        #expect(response == expected, "\(words)")
      }
    }

    @Test func `Further tags are the same in listings, in matches and in the queue`() throws {
      let rig = try LibraryRig(directory["music"])
      var client = try rig.remoteRig.client()
      let listed = try client.request(["listallinfo", "a"]).filter { !$0.hasPrefix("directory: ") }
      // The first line is that of the directory.
      let found = try client.request(["find", "artist", "X"])
      #expect(
        listed.filter { !$0.hasPrefix("Last-Modified: ") } == found.filter { !$0.hasPrefix("Last-Modified: ") })
      #expect(try client.request(["listallinfo", "a"]).filter { !$0.hasPrefix("directory: ") } == listed)
      _ = try client.request(["add", "a"])
      let queued = try client.request(["playlistinfo"]).filter {
        !$0.hasPrefix("Pos: ") && !$0.hasPrefix("Id: ")
      }
      #expect(queued == found)
      #expect(found.contains("Performer: Ann \"A\\B\" Lee") && !found.contains { $0.contains("none of these") })
      #expect(found.filter { $0.contains(Self.identifier) }.count == 5)
    }

    @Test func `A client that disables further tags does not get them`() throws {
      let rig = try LibraryRig(directory["music"])
      var client = try rig.remoteRig.client()
      _ = try client.send("tagtypes", ["disable", "Performer", "Label"])
      let found = try client.request(["listallinfo"])
      #expect(!found.contains { $0.hasPrefix("Performer: ") || $0.hasPrefix("Label: ") })
      #expect(found.contains { $0.hasPrefix("Conductor: ") })
    }
  }
}
