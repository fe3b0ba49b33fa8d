// SPDX-License-Identifier: GPL-3.0-or-later

import LibraryScanning
import MusicModel
import Platform
import PlayerFlow
import SystemPackage
import TestSupport
import Testing

@testable import RemoteControl

/// Several music directories, which clients see as one directory that contains all of them.
@Suite struct SeveralRootsTests {
  private static let music = Fixture.directory.appending("Music")
  /// The directories' names, in the order in which clients see them.
  private static let names = ["Music Box Theatre", "The Clockwork Consort", "Various Artists", "時計の楽団"]

  private let rig: LibraryRig

  init() throws {
    let roots = Self.names.map { Self.music.appending($0) }
    rig = try LibraryRig(roots[0], Array(roots.dropFirst()))
  }

  @Test func `All responses are the same as for a single directory`() throws {
    let singleRoot = try LibraryRig()
    // Other files in the music directory are not in the libraries.
    let requests = (LibraryCommandTests.requestsWithSameLines + LibraryCommandTests.requestsWithSameSongs).filter {
      ![["listfiles"], ["listmounts"]].contains($0)
    }
    for words in requests {
      var (ours, theirs) = (try rig.remoteRig.client(), try singleRoot.remoteRig.client())
      let (response, expected) = (try ours.request(words), try theirs.request(words))
      // The libraries may have been scanned in different seconds.
      let isStable = { (line: String) in !line.hasPrefix("Added: ") }
      #expect(response.filter(isStable) == expected.filter(isStable), "\(words)")
    }
    for words in [["lsinfo"], ["listall"], ["listallinfo"], ["lsinfo", "時計の楽団"], ["find", "base", "時計の楽団"]] {
      var client = try rig.remoteRig.client()
      #expect(try client.request(words).contains { $0.hasPrefix("directory: 時計の楽団") || words[0] == "find" })
    }
  }

  @Test func `Each directory is listed under its name with its files`() throws {
    #expect(
      try rig.request("listfiles").filter { $0.hasPrefix("directory") }
        == Self.names.map { "directory: \($0)" })
    #expect(try rig.request("listfiles", "Various Artists") == singleRootResponse("listfiles", "Various Artists"))
    #expect(try rig.request("listfiles", "nope") == ["ACK 50 No such directory"])
    #expect(try rig.request("lsinfo", "Music") == ["ACK 50 No such directory"])
    #expect(try !rig.request("config").contains { $0.hasPrefix("music_directory") })
  }

  /// Returns the response of a server with a single directory.
  private func singleRootResponse(_ command: String, _ arguments: String...) throws -> [String] {
    let singleRoot = try LibraryRig()
    var client = try singleRoot.remoteRig.client()
    return try withExtendedLifetime(singleRoot) { try client.request([command] + arguments) }
  }

  @Test func `Songs are added and listed by names in their directories`() throws {
    let song = "Various Artists/Old Tunes, New Friends/01 Greensleeves.ogg"
    let tracks = try LibraryTracks(rig.context(isLocal: false))
    #expect(try tracks.tracks(uri: song).tracks.map(\.path) == [Self.music.pushing(FilePath(song))])
    #expect(try tracks.tracks(uri: "Various Artists").tracks.count == 4)
    #expect(try tracks.tracks(uri: "").tracks.count == 16)
    let path = Self.music.pushing(FilePath(song))
    #expect(SongURI.text(path, in: rig.library.roots) == song)
    // The owner may name a file by its absolute path.
    let local = try LibraryTracks(rig.context(isLocal: true))
    #expect(try local.tracks(uri: path.string).tracks.map(\.path) == [path])
    #expect(throws: ProtocolError.self) { try tracks.tracks(uri: path.string) }
    #expect(throws: ProtocolError.self) { try tracks.filePath("") }
  }

  @Test(arguments: ["../x", "Various Artists/../../x", "/etc/passwd", "Various Artists/..", "path:%2e%2e/x"])
  func `No name leads out of the directories`(name: String) throws {
    #expect(throws: ProtocolError.self) { try LibraryTracks(rig.context(isLocal: false)).resolve(name) }
    #expect(try rig.request("update", name).first?.hasPrefix("ACK") == true)
  }

  @Test func `An update scans the named directory, and an unknown name is rejected`() throws {
    #expect(try rig.request("update", "Various Artists") == ["updating_db: 1"])
    #expect(rig.remoteLibrary.store.state.waiting == .directories([Self.music.appending("Various Artists")]))
    #expect(try rig.request("update", "nope") == ["ACK 50 No such directory"])
    #expect(try rig.request("update") == ["updating_db: 1"])
    #expect(rig.remoteLibrary.store.state.waiting == .everything)
  }

  @Test func `Stickers and pictures are found by names in the directories`() throws {
    let song = "Various Artists/Old Tunes, New Friends/01 Greensleeves.ogg"
    #expect(try rig.request("sticker", "set", "song", song, "rating", "5").isEmpty)
    #expect(try rig.request("sticker", "get", "song", song, "rating") == ["sticker: rating=5"])
    for directory in ["", "Various Artists", "Various Artists/Old Tunes, New Friends"] {
      #expect(
        try rig.request("sticker", "find", "song", directory, "rating") == ["file: \(song)", "sticker: rating=5"])
    }
    #expect(try rig.request("sticker", "find", "song", "時計の楽団", "rating").isEmpty)
    #expect(try rig.library.count(.play, of: Self.music.pushing(FilePath(song)), at: 7))
    #expect(try rig.request("sticker", "get", "song", song, "playCount") == ["sticker: playCount=1"])
    #expect(try rig.request("albumart", song, "99999999") == singleRootResponse("albumart", song, "99999999"))
  }

  @Test func `Directories with the same name are distinguished, and links between them are followed`()
    throws
  {
    let directory = try TemporaryDirectory()
    let song =
      try AtomicFile.read(
        Self.music.pushing("Music Box Theatre/Parlour Pieces/CD1/01 Prelude in C.mp3"), limit: 1 << 24) ?? []
    try directory.write(song, to: "a/Music/Album/1.mp3")
    try directory.write(song, to: "b/Music/Album/1.mp3")
    try directory.write(song, to: "secret/1.mp3")
    try directory.link("a/Music/out", to: directory["b/Music"].string)
    try directory.link("b/Music/secret", to: directory["secret"].string)
    let rig = try LibraryRig(directory["a/Music"], [directory["b/Music"]])
    #expect(
      try rig.request("lsinfo").filter { $0.hasPrefix("directory") } == [
        "directory: Music", "directory: Music (2)",
      ])
    #expect(
      try rig.request("listall", "Music (2)/Album") == [
        "directory: Music (2)/Album", "file: Music (2)/Album/1.mp3",
      ])
    let tracks = try LibraryTracks(rig.context(isLocal: false))
    #expect(try tracks.filePath("Music (2)/Album/1.mp3") == .file(directory["b/Music/Album/1.mp3"]))
    _ = try tracks.resolve("Music/out/Album/1.mp3")
    // What the index shows may be used, wherever it is.
    _ = try tracks.resolve("Music (2)/secret/1.mp3")
    #expect(throws: ProtocolError.self) { try tracks.resolve("Music (2)/secret/2.mp3") }
  }
}
