// SPDX-License-Identifier: GPL-3.0-or-later

import LibraryScanning
import MusicModel
import SystemPackage
import Tagging
import TestSupport
import Testing

struct LibraryScannerTests {
  let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  private func add(_ name: String, _ album: String, _ number: Int, artist: String = "Artist") throws {
    let tags = [
      ("TITLE", "T\(number)"), ("ALBUM", album), ("TRACKNUMBER", "\(number)"), ("ARTIST", artist),
    ]
    try directory.write(SoundBytes.flac(tags), to: FilePath(name))
  }

  private func scan() throws -> Library { try LibraryScanner().scan(directory.path) }

  @Test func `A directory tree is grouped into sorted albums`() throws {
    try add("Z/2.flac", "Zebra", 2)
    try add("Z/10.flac", "Zebra", 10)
    try add("Z/1.flac", "Zebra", 1)
    try add("A/deep/down/1.flac", "Ant", 1)
    try directory.write([1], to: "A/cover.jpg")
    let library = try scan()
    #expect(library.albums.map(\.title) == ["Ant", "Zebra"])
    #expect(library.albums.last?.tracks.map(\.title) == ["T1", "T2", "T10"])
    #expect(library.problems.isEmpty)
  }

  @Test func `Names that begin with a full stop are read, except those of other programs`() throws {
    try add(".38 Special.flac", "Special", 1)
    try add("...And Justice/1.flac", "Justice", 1)
    try add("._.38 Special.flac", "Special", 2)
    try add(".Trash-1000/1.flac", "Trash", 1)
    #expect(try scan().albums.map(\.title) == ["Justice", "Special"])
  }

  @Test func `A named directory is read without what ignore files and patterns exclude`() throws {
    for (number, name) in [
      "1", "demo 1", "sub/demo 2", "sub/2", "ringtones/3", "ringtones/deep/4", "other/[5]", "Podcasts/6",
    ].enumerated() {
      try add("music/\(name).flac", "A", number)
    }
    try directory.write(Array("demo*\n".utf8), to: "music/.mpdignore")
    try directory.write(Array("2*\n".utf8), to: "music/sub/.mpdignore")
    try directory.write([], to: "music/ringtones/.nomedia")
    func names(_ scanner: LibraryScanner, _ path: FilePath) throws -> Set<String> {
      Set(try scanner.collection(at: path).collection.tracks.compactMap { $0.path.stem })
    }
    #expect(try names(LibraryScanner(), directory["music"]) == ["1", "[5]", "6"])
    #expect(try names(LibraryScanner().ignoring(["Pod*"]), directory["music"]) == ["1", "[5]"])
    // A user who names a directory with a .nomedia file wants its music.
    #expect(try names(LibraryScanner(), directory["music/ringtones"]) == ["3", "4"])
  }

  @Test func `An ignore file that cannot be read is a problem and leaves nothing out`() throws {
    try add("a/1.flac", "A", 1)
    try directory.makeFIFO("a/.mpdignore")
    let library = try scan()
    #expect(library.albums.count == 1)
    #expect(library.problems.map(\.path) == [directory["a/.mpdignore"]])
  }

  @Test func `A file that cannot be played is a problem with its reason`() throws {
    try directory.write([], to: "a.flac")
    try directory.write([1], to: "b.mid")
    try directory.makeFIFO("c.wav")
    try directory.link("d.mp3", to: "nowhere")
    try directory.makeFIFO("pipe")
    try directory.link("dangling", to: "nowhere")
    let library = try scan()
    #expect(library.albums.isEmpty)
    #expect(
      library.problems.map(\.reason.description) == [
        "the file is empty", "MIDI is not supported", "not a regular file",
        LibraryProblem.Reason.unreadable(.noSuchFileOrDirectory).description,
      ])
  }

  @Test func `Each linked directory is read once, even with loops`() throws {
    try add("real/1.flac", "One", 1)
    try directory.link("a-first-by-name", to: "real")
    try directory.link("real/up", to: "..")
    try directory.link("real/self", to: "self")
    let outside = try TemporaryDirectory()
    try outside.write(SoundBytes.flac([("ALBUM", "Outside")]), to: "1.flac")
    try directory.link("linked", to: outside.path.string)
    try directory.link("again", to: outside.path.string)
    let library = try scan()
    #expect(library.albums.map(\.title) == ["One", "Outside"])
    #expect(library.albums.flatMap(\.tracks).count == 2)
    #expect(library.albums.first { $0.title == "One" }?.tracks.first?.path == directory["real/1.flac"])
    #expect(library.problems.isEmpty)
  }

  @Test func `A link to a file is read under the link's name`() throws {
    let outside = try TemporaryDirectory()
    try outside.write(SoundBytes.flac(), to: "x.flac")
    try directory.link("03 Linked.flac", to: outside["x.flac"].string)
    let track = try #require(scan().albums.first?.tracks.first)
    #expect(track.title == "Linked")
    #expect(track.path == directory["03 Linked.flac"])
  }

  @Test(arguments: [
    ([0x6C, 0xE9], "l\\xE9"), ([0xFF], "\\xFF"), ([0x61, 0x0A, 0x62], "a\nb"),
    ([0x1B, 0x5B, 0x32, 0x4A], "\u{1B}[2J"), ([0x20], " "),
  ])
  func `Paths keep the bytes of any name`(bytes: [UInt8], title: String) throws {
    let name = try #require(FilePath(bytes: bytes))
    let file = name.appending("1.flac")
    try directory.write(SoundBytes.flac(), to: file)
    let album = try #require(scan().albums.first)
    #expect(album.title == title)
    #expect(album.tracks.map(\.path) == [directory.path.pushing(file)])
  }

  @Test(.enabled(if: TemporaryDirectory.permissionsApply, "root may access any file"))
  func `An unreadable file or directory is a problem, and the rest is read`() throws {
    try add("open/1.flac", "Open", 1)
    try add("shut/1.flac", "Shut", 1)
    try add("file/1.flac", "File", 1)
    try directory.setPermissions(0, of: "shut")
    try directory.setPermissions(0, of: "file/1.flac")
    let library = try scan()
    #expect(library.albums.map(\.title) == ["Open"])
    #expect(library.problems.map(\.path) == [directory["file/1.flac"], directory["shut"]])
    let reason = LibraryProblem.Reason.unreadable(.permissionDenied).description
    #expect(library.problems.allSatisfy { $0.reason.description == reason })
  }

  @Test func `A large tree gives the same result each time it is read in parallel`() throws {
    for index in 0..<200 { try add("d\(index % 10)/\(index).flac", "Album \(index % 10)", index) }
    try directory.write([], to: "d3/broken.flac")
    let library = try scan()
    #expect(library.albums.map(\.title) == (0..<10).map { "Album \($0)" })
    #expect(library.albums.allSatisfy { $0.tracks.count == 20 })
    #expect(library.problems.map(\.path) == [directory["d3/broken.flac"]])
    #expect(try scan() == library)
  }

  @Test func `A missing or unsuitable root is a one-line error`() throws {
    try directory.makeFIFO("pipe")
    for (name, error) in [
      ("gone", .notFound(directory["gone"])), ("pipe", .notADirectory(directory["pipe"])),
    ] as [(String, LibraryScannerError)] {
      #expect(throws: error) { try LibraryScanner().scan(directory[name]) }
      #expect(throws: error) { try LibraryScanner().collection(at: directory[name]) }
      #expect(error.description.contains(name) && !error.description.contains("\n"))
    }
    #expect(throws: LibraryScannerError.unreadable(directory["loop"], .tooManySymbolicLinkLevels)) {
      try directory.link("loop", to: "loop")
      return try LibraryScanner().scan(directory["loop"])
    }
  }

  @Test func `An empty directory gives an empty library`() throws {
    #expect(try scan() == Library())
    #expect(try LibraryScanner().collection(at: directory.path).collection.tracks.isEmpty)
  }

  @Test func `A root that is a file gives that file alone`() throws {
    try add("1.flac", "One", 1)
    try add("2.flac", "One", 2)
    #expect(try LibraryScanner().scan(directory["2.flac"]).albums.map { $0.tracks.map(\.title) } == [["T2"]])
    let collection = try LibraryScanner().collection(at: directory["2.flac"]).collection
    #expect(collection.title == "T2")
    #expect(collection.tracks.map(\.title) == ["T2"])
  }

  @Test func `A root that is an unplayable file is an error`() throws {
    let path = try directory.write([], to: "a.flac")
    #expect(throws: LibraryScannerError.unplayable(LibraryProblem(path: path, reason: .empty))) {
      try LibraryScanner().collection(at: path)
    }
  }

  @Test func `A directory gives its only album, or else all its tracks`() throws {
    try add("one/1.flac", "One", 1)
    try add("one/2.flac", "One", 2)
    let onlyAlbum = try LibraryScanner().collection(at: directory.path).collection
    #expect(onlyAlbum.title == "One")
    try add("two/1.flac", "Another", 1)
    let allTracks = try LibraryScanner().collection(at: directory.path).collection
    #expect(allTracks.title == directory.path.lastComponent?.string)
    #expect(allTracks.tracks.map(\.album) == ["Another", "One", "One"])
  }

  @Test func `A directory has the albums and the problems of a library with this root`() throws {
    let rig = try ScanRig()
    try rig.addLibrary()
    let sheet = "FILE x.wav WAVE\nTRACK 1 AUDIO\nINDEX 1 0:0:0\nTRACK 2 AUDIO\nINDEX 1 9:0:0"
    try rig.add("embedded/1.flac", [("ALBUM", "Embedded"), ("CUESHEET", sheet)])
    try rig.add("sheets/CD1/x.flac", [("ALBUM", "Sheets")])
    try rig.directory.write(Array(sheet.replacing("x.wav", with: "CD1/x.wav").utf8), to: "music/sheets/x.cue")
    try rig.directory.write([], to: "music/empty.flac")
    try rig.scan()
    let found = try LibraryScanner().scan(rig.root)
    let library = rig.library()
    let entries = try library.albums(.everything, order: LibraryOrder(), window: .init()).elements
    let albums = try entries.compactMap { try library.album($0.id) }
    let problems = try library.problems(window: .init()).elements
    // Albums with the same artist, date and title are in no particular order in the library.
    #expect(Set(found.albums) == Set(albums) && found.albums.map(\.title) == albums.map(\.title))
    #expect(found.problems.map(\.path) == problems.map(\.path))
    #expect(found.problems.map(\.reason.description) == problems.map(\.reason))
    #expect(!problems.isEmpty)
  }
}
